import { parties, type Comparison } from "../../generator/ir/change/model.js";
import {
  renderMarkdown,
  summarySentence,
} from "../../generator/ir/report/render.js";
import { code, htmlText } from "../../generator/ir/report/text.js";
import { impactMarkdown, impactText } from "./impact/render.js";
import type { RevisionUpdate, UpdateResult } from "./pins.js";
import type { Style } from "../../cli/terminal.js";
import { countsOf } from "../../cli/commands/generate/report.js";
import type { ProgramImpact } from "./user-programs.js";

/**
 * Revisions that were compared with those of a source, and the lines of the
 * project's programs that they touch.
 */
export interface Updated extends UpdateResult {
  /** Empty without a configuration. */
  readonly impacts: readonly ProgramImpact[];
}

/**
 * The compared revisions, one per line, with what changed in the protocol, and
 * the lines to change.
 */
export function updateText(
  { source, version, revisions, extensions, impacts }: Updated,
  style: Style,
): string {
  const at =
    version.commit === undefined
      ? ""
      : ` ${style.dim(`at ${version.commit.slice(0, 12)}`)}`;
  const rows = [...revisions, ...extensions];
  const lines = rows.map((row) => {
    const file = row.file === null ? "" : style.dim(`  ${row.file}`);
    const line = `  ${paintState(row.state, style)}  ${style.bold(row.name.padEnd(10))}${file}\n`;
    return line + changeText(row.comparison);
  });
  const isSame = rows.every(({ state }) => state === "unchanged");
  const summary = isSame ? "nothing is newer" : countsOf(rows);
  const touched = impacts.map((program) => {
    return `\n${style.bold(titleOf(program, String))}\n${impactText(program.impact)}`;
  });
  return `${lines.join("")}${style.bold(source)}${at}: ${summary}\n${touched.join("")}`;
}

function changeText(comparison: Comparison | null): string {
  if (comparison === null) return "";
  const from = comparison.from.revision;
  if (comparison.differences.length === 0)
    return `             only comments differ from ${from}\n`;
  const effects = comparison.differences.flatMap(
    (difference) => difference.effects,
  );
  const broken = new Set(
    effects.flatMap(({ who, what }) =>
      what === "breaking" ? [parties[who]] : [],
    ),
  );
  return [
    `             compared with ${from}. ${summarySentence(comparison.differences)}`,
    ...[...broken].sort().map((party) => `             ! breaks ${party}`),
    "",
  ].join("\n");
}

function paintState(state: RevisionUpdate["state"], style: Style): string {
  const text = state.padEnd(9);
  if (state === "new") return style.green(text);
  return state === "unchanged" ? style.dim(text) : style.yellow(text);
}

/**
 * The maximum size of Markdown with the changes, in bytes: the text of a pull
 * request has at most 65,536 characters.
 */
const maxBytes = 55_000;

/**
 * The lines of the user's programs to change, the compared schemas, and what
 * changed in the protocol, for the text of a pull request. Lists of changes are
 * folded, and left out if the text would become too long.
 */
export function updateMarkdown({
  source,
  version,
  revisions,
  extensions,
  impacts,
}: Updated): string {
  const rows = [...revisions, ...extensions];
  const at = version.commit === undefined ? "" : ` at ${code(version.commit)}`;
  const list = rows.map(({ name, state, file }) => {
    return `- ${code(name)}: ${state}${file === null ? "" : `, ${code(file)}`}`;
  });
  const blocks = [
    ...impacts.map(
      (program) =>
        `## ${titleOf(program, code)}\n\n${impactMarkdown(program.impact).trimEnd()}`,
    ),
    `Schemas of ${code(source)}${at}:`,
    list.join("\n"),
  ];
  for (const { comparison } of rows) {
    if (comparison === null || comparison.differences.length === 0) continue;
    const [from, to] = [comparison.from.revision, comparison.to.revision];
    const summary = `Changes from <code>${htmlText(from)}</code> to <code>${htmlText(to)}</code>`;
    const folded = `<details>\n<summary>${summary}</summary>\n\n${renderMarkdown(comparison)}\n</details>`;
    const isShort =
      Buffer.byteLength([...blocks, folded].join("\n\n")) <= maxBytes;
    blocks.push(
      isShort
        ? folded
        : `Changes from ${code(from)} to ${code(to)} are too many for this text. \`mcpgen diff --markdown\` lists them.`,
    );
  }
  return `${blocks.join("\n\n")}\n`;
}

/** The program, and when its lines change. `quote` marks names. */
function titleOf(
  { tsconfig, isMove, folders }: ProgramImpact,
  quote: (text: string) => string,
): string {
  const outs = folders.map(({ out }) => quote(out));
  const names = [outs.slice(0, -1).join(", "), outs.at(-1) ?? ""]
    .filter((part) => part !== "")
    .join(" and ");
  const [from, to] = [
    revisionOf(folders, "from", quote),
    revisionOf(folders, "to", quote),
  ];
  const isOther = from !== null && to !== null && from !== to;
  const [is, moves] = outs.length === 1 ? ["is", "moves"] : ["are", "move"];
  const event = isMove
    ? `if ${names} ${moves}${isOther ? ` from ${from}` : ""} to ${to ?? "a new revision"}`
    : `when ${names} ${is} generated again${isOther ? `, from ${from} to ${to}` : ""}`;
  return `${quote(tsconfig)}, ${event}`;
}

/** The one revision of all folders; null if there are several. */
function revisionOf(
  folders: ProgramImpact["folders"],
  side: "from" | "to",
  quote: (text: string) => string,
): string | null {
  const names = new Set(folders.flatMap((folder) => folder[side]));
  const [name] = names;
  return names.size === 1 && name !== undefined ? quote(name) : null;
}
