/**
 * The words of a command line, as a shell would split it: quotes keep spaces, a backslash keeps the next character. Nothing
 * is expanded and no shell is asked. Null when a quote is not closed.
 */
export function splitCommand(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && /["\\]/.test(line[i + 1] ?? ""))
        word = (word ?? "") + (line[++i] ?? "");
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (char === "\\" && /[\s"'\\]/.test(line[i + 1] ?? "")) {
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
