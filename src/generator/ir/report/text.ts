import { escapePoint, unclear } from "../../../common/invisible.js";

/**
 * Text of a schema for printing: on one line, without control characters,
 * shortened.
 */
export function printable(text: string, maxLength = 400): string {
  const safe = text.replace(unclear, escapePoint);
  const points = [...safe];
  return points.length <= maxLength
    ? safe
    : `${points.slice(0, maxLength - 1).join("")}…`;
}

/** A number of things in words: "1 file", "2 files". */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A code span, whose text cannot end it. */
export function code(text: string): string {
  return codeSpan(printable(text, 160));
}

/**
 * A code span of printable text, without two characters beside each other that
 * start code of a template or a comment: the second one is text. VitePress
 * compiles `{{ }}` of the HTML, also in inline code, and includes a file at a
 * comment; Liquid reads `{{ }}` and `{% %}` before Markdown is rendered. Not
 * for a table: a bar ends a cell even inside a code span.
 */
export function codeSpan(text: string): string {
  return separated(text, /(\{(?=[{%#])|<(?=!))(.)/, spanOf, entitiesOf);
}

/**
 * Formats the second character of each pair that `pair` captures unlike the
 * rest of the text.
 */
function separated(
  text: string,
  pair: RegExp,
  format: (part: string) => string,
  formatSecond: (character: string) => string,
): string {
  const parts = text.split(pair);
  let result = "";
  for (let i = 0; i < parts.length; i += 3) {
    const [part = "", first = "", second = ""] = parts.slice(i, i + 3);
    result += format(part + first) + formatSecond(second);
  }
  return result;
}

function spanOf(text: string): string {
  if (text === "") return "";
  const ticks = longestRun(text);
  if (ticks === 0) return `\`${text}\``;
  const fence = "`".repeat(ticks + 1);
  return `${fence} ${text} ${fence}`;
}

/** The length of the longest row of backticks. */
export function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce(
    (longest, run) => Math.max(longest, run.length),
    0,
  );
}

/**
 * Text outside of code spans, on one line, without a meaning in Markdown, HTML,
 * MDX or a template.
 */
export function prose(text: string, maxLength = 400): string {
  return separated(printable(text, maxLength), /(\{)(\{)/, entitiesOf, spanOf);
}

/** Short text inside of HTML, where Markdown has no meaning. */
export const htmlText = (text: string): string =>
  entitiesOf(printable(text, 100));

/**
 * Prose as the start of a line, where it starts no list, no heading, no
 * container of VitePress and no statement of MDX.
 */
export function startOfLine(markdown: string): string {
  // The number of an item has at most nine digits.
  return markdown.replace(
    /^(?:[-+=:]|\d{1,9}[.)]|(?:im|ex)port\b)/,
    (start) => {
      return `${start.slice(0, -1)}&#${start.charCodeAt(start.length - 1)};`;
    },
  );
}

/** Text whose parts between backticks are code. */
export function inline(
  text: string,
  formatText: (text: string) => string,
  formatCode: (text: string) => string,
): string {
  const spans: string[] = [];
  for (const [i, part] of text.split(/`([^`]+)`/).entries()) {
    if (part === "") continue;
    const span = i % 2 === 1 ? formatCode(part) : formatText(part);
    // Two spans of code beside each other would become one.
    spans.push(
      spans.at(-1)?.endsWith("`") && span.startsWith("`")
        ? formatText(part)
        : span,
    );
  }
  return spans.join("");
}

function entitiesOf(text: string): string {
  return text.replace(
    markup,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  );
}

/**
 * Characters with a meaning in Markdown, HTML or a template, and the parts of a
 * URL that create a link.
 */
const markup = /[\\`*_~[\]{}<>|#@$]|^[!%]$|&(?=[#\w])|:(?=\/\/)|(?<=www)\./gi;
