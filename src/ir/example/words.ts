/** What a text is called, in words: `progressToken` is a "progress token". Never empty. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ")
    .trim()
    .toLowerCase();
  return words === "" ? "text" : [...words].slice(0, longest).join("");
}

/** How long the words of an example are at most, in code points. */
const longest = 40;
