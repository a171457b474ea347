/** Parses JSON with comments and trailing commas, as in `tsconfig.json`; undefined for invalid text. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(bareJson(text)) as unknown;
  } catch {
    return undefined;
  }
}

/** Replaces comments, trailing commas and a byte order mark with blanks, so that the text is JSON and positions stay. */
export function bareJson(text: string): string {
  // Strings are matched first, so that text inside them is not taken for a comment.
  return text
    .replace(/^\uFEFF/, " ")
    .replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g,
      (match, string: string | undefined) => string ?? match.replace(/[^\n\r]/g, " "),
    )
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? " ");
}
