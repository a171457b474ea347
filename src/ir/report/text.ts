/** Text of a schema for printing: on one line, without control characters, shortened. */
export function printable(text: string, maxLength: number): string {
  // Characters that cannot be seen, that look like a space, or that change the direction of text.
  const safe = text.replace(/[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
  const points = [...safe];
  return points.length <= maxLength ? safe : `${points.slice(0, maxLength - 1).join("")}…`;
}

/** A code span, whose text cannot end it. */
export function code(text: string): string {
  return codeSpan(printable(text, 160));
}

/** A code span of printable text. Not for a table: a bar ends a cell even inside a code span. */
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
  return printable(text, maxLength).replace(markup, (char) => `&#${char.codePointAt(0) ?? 0};`);
}

/** Characters with a meaning in Markdown or HTML, and the parts of a URL that create a link. */
const markup = /[\\`*_~[\]{}<>|#@$]|&(?=[#\w])|:(?=\/\/)|(?<=www)\./gi;
