/**
 * How a value that a model wrote becomes the value of the tool: what
 * `copied/from-model.ts` reads, and what tells alternatives apart.
 */
export interface WayBack {
  readonly [part: string]: WayBack | string | boolean;
}

/**
 * The way back of a value that one of two schemas describes; null if a value
 * would have two.
 */
export function mergeWays(a: WayBack, b: WayBack): WayBack | null {
  const parts = new Map(Object.entries(a));
  for (const [name, part] of Object.entries(b)) {
    const own = parts.get(name) ?? part;
    const both =
      typeof own === "object" && typeof part === "object"
        ? mergeWays(own, part)
        : own === part && own;
    if (both === null || (both === false && part !== false)) return null;
    parts.set(name, both);
  }
  return Object.fromEntries(parts);
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
