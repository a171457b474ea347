import { isObject, type Params } from "../message.js";

/** The cache scope of a list. All of its pages have that of the first page. */
export type Scope = "public" | "private";

/*
 * The server keeps no state between two pages, so the cursor carries the scope of the first page as its first character. A private
 * cursor is only marked if it begins with a mark itself.
 */
const scopePrefixes: Readonly<Record<string, Scope>> = { "+": "public", "-": "private" };

/** The params without the mark in the cursor, and the scope; the first page has no scope. */
export function scopeOf(params: Params): readonly [params: Params, scope?: Scope] {
  const cursor = params?.["cursor"];
  if (typeof cursor !== "string") return [params];
  const scope = scopePrefixes[cursor.charAt(0)];
  return scope ? [{ ...params, cursor: cursor.slice(1) }, scope] : [params, "private"];
}

/** Gives a page the scope of the first page and marks its `nextCursor` with it (CACHE-06). */
export function inScope(method: string, page: unknown, scope: Scope | undefined): unknown {
  if (!isObject(page)) return page;
  const { cacheScope: ownScope, nextCursor: next } = page;
  if (scope === "public" && ownScope === "private") {
    throw new Error(
      `${method}: this page is private, but the first page was public; all pages must have one cacheScope.`,
    );
  }
  const cacheScope = scope ?? ownScope;
  const isPublic = cacheScope === "public";
  const hasPrefix = typeof next === "string" && (isPublic || scopePrefixes[next.charAt(0)] !== undefined);
  return { ...page, cacheScope, nextCursor: hasPrefix ? (isPublic ? "+" : "-") + next : next };
}
