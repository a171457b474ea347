/**
 * How a value that a model wrote becomes the value of the tool: what
 * `copied/from-model.ts` reads, and what tells alternatives apart.
 */
export interface WayBack {
  readonly [part: string]: WayBack | string | boolean;
}

/**
 * The way back of a value that one of several schemas describes; null if a
 * value would have two.
 */
export function mergeWays(ways: readonly WayBack[]): WayBack | null {
  const parts = new Map<string, Part[]>();
  for (const way of ways) {
    for (const [name, part] of Object.entries(way)) {
      const list = parts.get(name) ?? [];
      list.push(part);
      parts.set(name, list);
    }
  }
  const merged: [string, Part][] = [];
  for (const [name, list] of parts) {
    const part = onePart(list);
    if (part === null) return null;
    merged.push([name, part]);
  }
  return Object.fromEntries(merged);
}

type Part = WayBack[string];

/** What all are together; null if they differ. */
function onePart(list: readonly Part[]): Part | null {
  const [first = false] = list;
  const inner = list.filter((part) => typeof part === "object");
  if (inner.length === list.length) return mergeWays(inner);
  const isSame = list.every((part) => part === first);
  return isSame ? first : null;
}

/** The way back without what stays as it is; null if all does. */
export function writtenWay(way: WayBack): WayBack | null {
  const parts = Object.entries(way).flatMap(([name, part]) => {
    const written =
      typeof part === "object"
        ? writtenWay(part)
        : part === "kept" || part === false
          ? null
          : part;
    return written === null ? [] : [[name, written] as const];
  });
  return parts.length === 0 ? null : Object.fromEntries(parts);
}
