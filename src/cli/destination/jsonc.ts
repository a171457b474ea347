/** JSON with comments and trailing commas, as `tsconfig.json` has them; undefined when it is not that either. */
export function parseJsonc(text: string): unknown {
  // A string is matched first and kept, so that what looks like a comment inside one stays.
  const bare = text
    .replace(/^\uFEFF/, "")
    .replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g,
      (_, string: string | undefined) => string ?? " ",
    )
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? "");
  try {
    return JSON.parse(bare) as unknown;
  } catch {
    return undefined;
  }
}
