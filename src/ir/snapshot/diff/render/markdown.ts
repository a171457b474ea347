import { code } from "../../../diff/render/markdown.js";
import type { Drift, DriftSubject, SnapshotComparison } from "../model.js";
import { countsOf, groupsOf, phraseOf } from "./words.js";

/** The maximum number of rows: GitHub rejects comments with more than 65,536 characters. */
const maxRows = 120;

/** Drifts as Markdown for a comment on a pull request. Empty without drifts. */
export function renderDriftsMarkdown({ from, to, drifts }: SnapshotComparison): string {
  if (drifts.length === 0) return "";
  const [callers, implementers] = [countsOf(drifts, "callers"), countsOf(drifts, "implementers")];
  const visible = drifts.slice(0, maxRows);
  const blocks = [
    `## ${code(from.source)} to ${code(to.source)}`,
    `For callers: ${callers}. For implementers: ${implementers}.`,
    ...groupsOf(visible).map(([subject, group]) => table(subject, group)),
  ];
  if (drifts.length > maxRows) blocks.push(`${drifts.length - maxRows} more are only listed by \`--json\`.`);
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
  const description = `${phraseOf(drift, code)}${review ? " (to be reviewed)" : ""}`;
  return `| ${[where, description, mark(callers), mark(implementers)].join(" | ")} |`;
}
