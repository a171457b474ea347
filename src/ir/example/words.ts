/** Splits a name into words: `progressToken` becomes "progress token". Never empty. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ")
    .trim()
    .toLowerCase();
  return words === "" ? "text" : [...words].slice(0, maxLength).join("");
}

/** The maximum length of a name in an example, in code points. */
const maxLength = 40;

/** The name of one item of a list: an item of `tags` is a `tag`. */
export function singular(name: string): string {
  return name.replace(/(?<=[a-z])s$/, "");
}
