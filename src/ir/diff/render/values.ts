/** Formats a text of a schema inside a sentence: as code in Markdown, unchanged in a terminal. */
export type Quote = (text: string) => string;

/** A phrase with the old and new values: `narrowed: string became "a"`. */
export function withValues(
  words: string,
  { was, is }: { readonly was: string | null; readonly is: string | null },
  quote: Quote,
): string {
  if (was !== null && is !== null) return `${words}: ${quote(was)} became ${quote(is)}`;
  const only = was ?? is;
  return only === null ? words : `${words}: ${quote(only)}`;
}
