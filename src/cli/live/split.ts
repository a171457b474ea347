import { sep } from "node:path";

/**
 * The words of a command line, as a shell would split it: quotes keep spaces, a backslash keeps the next character. On
 * Windows, where it stands between folders, it keeps a quote alone. Nothing is expanded and no shell is asked. Null when a
 * quote is not closed.
 */
export function splitCommand(line: string, isWindows = sep === "\\"): string[] | null {
  const kept = isWindows ? { inside: /"/, outside: /"/ } : { inside: /["\\]/, outside: /[\s"'\\]/ };
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && kept.inside.test(line[i + 1] ?? ""))
        word = (word ?? "") + (line[++i] ?? "");
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (char === "\\" && kept.outside.test(line[i + 1] ?? "")) {
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
