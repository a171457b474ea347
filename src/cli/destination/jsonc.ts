/** JSON with comments and trailing commas, as `tsconfig.json` has them; undefined when it is not that either. */
export function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(bareJson(text)) as unknown;
  } catch {
    return undefined;
  }
}

/** The same text as JSON: comments, trailing commas and a byte order mark are blanked, so that everything else keeps its place. */
export function bareJson(text: string): string {
  // A string is matched first and kept, so that what looks like a comment inside one stays.
  return text
    .replace(/^\uFEFF/, " ")
    .replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g,
      (found, string: string | undefined) => string ?? found.replace(/[^\n\r]/g, " "),
    )
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? " ");
}
