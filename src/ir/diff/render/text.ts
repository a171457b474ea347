import type { Comparison, Difference } from "../model.js";
import { summarize, summarySentence } from "../summary.js";
import { basisSentence, layOut, pathIn, printable, hiddenSentence } from "./groups.js";
import { breaksIn, phraseOf } from "./phrase.js";

/**
 * A comparison for a terminal, without colours: "!" marks breaking changes, "+" compatible ones, "." those that
 * change no message. Empty if there are no differences.
 */
export function renderText(comparison: Comparison): string {
  if (comparison.differences.length === 0) return "";
  const { from, to } = comparison;
  const { lists, groups, hidden } = layOut(comparison);
  const lines = [
    `${printable(from.revision, maxLength)} -> ${printable(to.revision, maxLength)}`,
    basisSentence(comparison),
    `${summarySentence(summarize(comparison))}.`,
  ];
  for (const { title, names } of lists) {
    lines.push("", `${title} (${names.length})`, ...names.map((name) => `  ${printable(name, maxLength)}`));
  }
  for (const { title, differences } of groups)
    lines.push("", printable(title, maxLength), ...differences.map(line));
  if (hidden > 0) lines.push("", hiddenSentence(hidden));
  return `${lines.join("\n")}\n`;
}

const maxLength = 100;
const marks: Readonly<Record<Difference["impact"], string>> = {
  breaking: "!",
  compatible: "+",
  neither: ".",
};

function line(difference: Difference): string {
  const { impact } = difference;
  const at = pathIn(difference);
  const prefix = at === "" ? "" : `${printable(at, maxLength)}: `;
  const phrase = phraseOf(difference, (text) => printable(text, maxLength));
  const breaks = breaksIn(difference);
  return `  ${marks[impact]} ${prefix}${phrase}${breaks === "" ? "" : `\n      ${breaks}`}`;
}
