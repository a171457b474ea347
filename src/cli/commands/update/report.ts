import { summarize } from "../../../ir/diff/index.js";
import { summarySentence } from "../../../ir/diff/summary.js";
import { impactText } from "../../../impact/render.js";
import type { RevisionChange } from "../../../update/read.js";
import type { RevisionUpdate } from "../../../update/revisions.js";
import type { UpdateReport } from "../../report.js";
import { visible, type Style } from "../../terminal.js";
import { occasionOf } from "./occasion.js";

/** The compared revisions, one per line, with what changed in the protocol, and the lines to change. */
export function updateText(report: UpdateReport, style: Style): string {
  const { source, version, revisions, extensions, impacts } = report;
  const at = version.commit === undefined ? "" : ` ${style.dim(`at ${version.commit.slice(0, 12)}`)}`;
  const rows = [...revisions, ...extensions];
  const lines = rows.map((row) => {
    const file = row.file === null ? "" : style.dim(`  ${visible(row.file)}`);
    const line = `  ${paintState(row.state, style)}  ${style.bold(row.name.padEnd(10))}${file}\n`;
    return line + changeText(row.change);
  });
  const isSame = rows.every(({ state }) => state === "unchanged");
  const summary = isSame ? "nothing is newer" : countsOf(rows);
  const touched = impacts.map(({ tsconfig, impact, ...program }) => {
    const title = visible(`${tsconfig}, ${occasionOf(program, String)}`);
    return `\n${style.bold(title)}\n${visible(impactText(impact))}`;
  });
  return `${lines.join("")}${style.bold(visible(source))}${at}: ${summary}\n${touched.join("")}`;
}

function changeText(change: RevisionChange | null): string {
  const comparison = change?.comparison ?? null;
  if (comparison === null) return "";
  const from = visible(comparison.from.revision);
  if (comparison.differences.length === 0) return `             only comments differ from ${from}\n`;
  const broken = [...new Set(comparison.differences.flatMap(({ breaks }) => breaks.map(sentence)))];
  return [
    `             compared with ${from}: ${summarySentence(summarize(comparison))}`,
    ...broken.sort().map((text) => `             ! ${text}`),
    "",
  ].join("\n");
}

function sentence({ side, when }: { readonly side: string; readonly when: string }): string {
  return `an older ${side} breaks when it ${when} a changed message`;
}

function countsOf(revisions: readonly RevisionUpdate[]): string {
  const counts = new Map<string, number>();
  for (const { state } of revisions) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
}

function paintState(state: RevisionUpdate["state"], style: Style): string {
  const text = state.padEnd(9);
  if (state === "new") return style.green(text);
  return state === "unchanged" ? style.dim(text) : style.yellow(text);
}
