/** A piece of somebody's text among words: code in Markdown, plain in a terminal. */
export type Quote = (text: string) => string;

/** Words for a change, with what was there and what is: `narrowed: string became "a"`. */
export function withValues(
  words: string,
  { was, is }: { readonly was: string | null; readonly is: string | null },
  quote: Quote,
): string {
  if (was !== null && is !== null) return `${words}: ${quote(was)} became ${quote(is)}`;
  const only = was ?? is;
  return only === null ? words : `${words}: ${quote(only)}`;
}
