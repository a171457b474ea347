import type { Params } from "../message.js";
import { isObject } from "../../../common/object.js";

/** The cache scope of a list. All of its pages have that of the first page. */
export type Scope = "public" | "private";

/*
 * The server keeps no state between two pages, so the cursor carries the scope of the first page as a one-character prefix. A private
 * cursor gets a prefix only if it would otherwise begin with one.
 */
const scopePrefixes: Readonly<Record<string, Scope>> = { "+": "public", "-": "private" };

/** The params without the prefix of the cursor, and the scope; the first page has no scope. */
export function scopeOf(params: Params): readonly [params: Params, scope?: Scope] {
  const cursor = params?.["cursor"];
  if (typeof cursor !== "string") return [params];
  const scope = scopePrefixes[cursor.charAt(0)];
  return scope ? [{ ...params, cursor: cursor.slice(1) }, scope] : [params, "private"];
}

/** Sets the scope of the first page in another page, and adds its prefix to `nextCursor` (CACHE-06). */
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
