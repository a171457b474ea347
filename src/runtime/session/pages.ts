import { isObject, type Params } from "../message.js";

/** The scope of the first page, as the cursor of a later one tells it: all pages of a list have the same. */
export type Scope = "public" | "private";

/*
 * Nothing is remembered between two pages, so that the cursor says what the first one was. It looks as its author made it where
 * that was private, unless it begins like one that is marked.
 */
const marks: Readonly<Record<string, Scope>> = { "+": "public", "-": "private" };

/** Takes the scope from the cursor of a page. Undefined for the first page. */
export function scopeOf(params: Params): readonly [params: Params, scope?: Scope] {
  const cursor = params?.["cursor"];
  if (typeof cursor !== "string") return [params];
  const scope = marks[cursor.charAt(0)];
  return scope ? [{ ...params, cursor: cursor.slice(1) }, scope] : [params, "private"];
}

/** CACHE-06: gives a page the scope of the first one, and puts it into the cursor of the next. */
export function inScope(method: string, page: unknown, scope: Scope | undefined): unknown {
  if (!isObject(page)) return page;
  const { cacheScope: own, nextCursor: next } = page;
  if (scope === "public" && own === "private") {
    throw new Error(
      `${method}: this page is private, but the first one was public; all pages of a list are alike.`,
    );
  }
  const cacheScope = scope ?? own;
  const isPublic = cacheScope === "public";
  const isMarked = typeof next === "string" && (isPublic || marks[next.charAt(0)] !== undefined);
  return { ...page, cacheScope, nextCursor: isMarked ? (isPublic ? "+" : "-") + next : next };
}
