import type { Comparison, Difference } from "../model.js";
import { summarize, summarySentence } from "../summary.js";
import { basisSentence, layOut, pathIn, printable, hiddenSentence, type Group } from "./groups.js";
import { breaksInShort, phraseOf } from "./phrase.js";

/** A comparison as Markdown for a pull request or a changelog. Empty if there are no differences. */
export function renderMarkdown(comparison: Comparison): string {
  if (comparison.differences.length === 0) return "";
  const { from, to } = comparison;
  const { lists, groups, hidden } = layOut(comparison);
  const blocks = [
    `## ${code(from.revision)} to ${code(to.revision)}`,
    `${basisSentence(comparison)} ${upper(summarySentence(summarize(comparison)))}.`,
    ...lists.map(
      ({ title, names }) => `**${upper(title)} (${names.length}):** ${names.map(code).join(", ")}`,
    ),
    ...groups.map(table),
  ];
  if (hidden > 0) blocks.push(hiddenSentence(hidden));
  return `${blocks.join("\n\n")}\n`;
}

function table({ subject, differences }: Group): string {
  const title = subject.kind === "protocol" ? "Protocol" : `${upper(subject.kind)} ${code(subject.name)}`;
  const head = ["| where | change | impact | who breaks |", "| --- | --- | --- | --- |"];
  return [`### ${title}`, "", ...head, ...differences.map(row)].join("\n");
}

function row(difference: Difference): string {
  const path = pathIn(difference);
  const where = path === "" ? "" : code(path);
  const cells = [where, phraseOf(difference, code), difference.impact, breaksInShort(difference)];
  return `| ${cells.join(" | ")} |`;
}

const maxLength = 160;

/**
 * A code span for a table, whose text cannot end it. A bar would end the cell of a table even inside a code span, so a text with a
 * bar becomes an HTML element with the bar as an entity.
 */
export function code(text: string): string {
  const safe = printable(text, maxLength);
  return safe.includes("|") ? `<code>${safe.replace(markup, entityOf)}</code>` : codeSpan(safe);
}

/** A code span of printable text outside of tables. */
export function codeSpan(text: string): string {
  const ticks = longestRun(text);
  if (ticks === 0) return `\`${text}\``;
  const fence = "`".repeat(ticks + 1);
  return `${fence} ${text} ${fence}`;
}

/** The length of the longest row of backticks. */
export function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Text outside of code spans, on one line, without a meaning in Markdown or HTML. */
export function prose(text: string, maxLength: number): string {
  return printable(text, maxLength).replace(markup, entityOf);
}

/** Characters with a meaning in Markdown or HTML, and the parts of a URL that create a link. */
const markup = /[\\`*_~[\]{}<>|#@$]|&(?=[#\w])|:(?=\/\/)|(?<=www)\./gi;

function entityOf(char: string): string {
  return `&#${char.codePointAt(0) ?? 0};`;
}

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
