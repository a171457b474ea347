/** Text of a schema for printing: on one line, without control characters, shortened. */
export function printable(text: string, maxLength: number): string {
  // Characters that cannot be seen, that look like a space, or that change the direction of text.
  const safe = text.replace(/[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
  const points = [...safe];
  return points.length <= maxLength ? safe : `${points.slice(0, maxLength - 1).join("")}…`;
}

/**
 * A code span for a table, whose text cannot end it. A bar would end the cell of a table even inside a code span, so a text with a
 * bar becomes an HTML element with the bar as an entity.
 */
export function code(text: string): string {
  const safe = printable(text, 160);
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
