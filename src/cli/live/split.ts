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
    const char = line[i] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (
        char === "\\" &&
        quote === '"' &&
        escapes.inside.test(line[i + 1] ?? "")
      )
        word = (word ?? "") + (line[++i] ?? "");
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (char === "\\" && escapes.outside.test(line[i + 1] ?? "")) {
      word = (word ?? "") + (line[++i] ?? "");
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") return null;
  if (word !== null) words.push(word);
  return words;
}
