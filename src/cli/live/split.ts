import { sep } from "node:path";

/**
 * Splits a command line into words, as a shell does: quotes keep spaces, a
 * backslash escapes the next character. On Windows, a backslash separates
 * folders and only escapes a quote. Nothing is expanded, and no shell runs.
 * Null if a quote is not closed.
 */
export function splitCommand(
  line: string,
  isWindows = sep === "\\",
): string[] | null {
  const escapes = isWindows
    ? { inside: /"/, outside: /"/ }
    : { inside: /["\\]/, outside: /[\s"'\\]/ };
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    const next = line.charAt(i + 1);
    const isEscape =
      char === "\\" &&
      (quote === "" ? escapes.outside : escapes.inside).test(next);
    if (isEscape && quote !== "'") {
      word = (word ?? "") + next;
      i += 1;
    } else if (char === quote) quote = "";
    else if (quote === "" && /["']/.test(char)) {
      quote = char;
      word ??= "";
    } else if (quote === "" && /\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") return null;
  if (word !== null) words.push(word);
  return words;
}
