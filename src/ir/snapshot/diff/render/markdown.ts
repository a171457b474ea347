import { code } from "../../../diff/render/markdown.js";
import type { Drift, DriftSubject, SnapshotComparison } from "../model.js";
import { countsOf, groupsOf, phraseOf } from "./words.js";

/** The maxRows rows that a comment takes: GitHub refuses more than 65,536 characters. */
const maxRows = 120;

/** Drifts as Markdown for a comment on a pull request. Empty without any. */
export function renderDriftsMarkdown({ from, to, drifts }: SnapshotComparison): string {
  if (drifts.length === 0) return "";
  const [callers, implementers] = [countsOf(drifts, "callers"), countsOf(drifts, "implementers")];
  const shown = drifts.slice(0, maxRows);
  const blocks = [
    `## ${code(from.source)} to ${code(to.source)}`,
    `For callers: ${callers}. For implementers: ${implementers}.`,
    ...groupsOf(shown).map(([subject, group]) => table(subject, group)),
  ];
  if (drifts.length > maxRows) blocks.push(`And ${drifts.length - maxRows} more, which \`--json\` lists.`);
  return `${blocks.join("\n\n")}\n`;
}

function table({ kind, name }: DriftSubject, drifts: readonly Drift[]): string {
  const title =
    kind === "server" ? "Server" : `${kind[0]?.toUpperCase() ?? ""}${kind.slice(1)} ${code(name)}`;
  const head = ["| where | change | for callers | for implementers |", "| --- | --- | --- | --- |"];
  return [`### ${title}`, "", ...head, ...drifts.map(row)].join("\n");
}

function row(drift: Drift): string {
  const { path, callers, implementers, review } = drift;
  const where = path === "" ? "" : code(path);
  const mark = (word: string): string => (word === "breaking" ? "**breaking**" : word);
  const told = `${phraseOf(drift, code)}${review ? " (to be reviewed)" : ""}`;
  return `| ${[where, told, mark(callers), mark(implementers)].join(" | ")} |`;
}
