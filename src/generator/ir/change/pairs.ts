import { groupsOf } from "../groups.js";

/** Two lists of entries, of which some are the same entry before and after. */
export interface Pairs<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
  /** The entry before, by the one after. */
  readonly before: ReadonlyMap<T, T>;
}

/**
 * Pairs the entries of two lists that only have each other's first id, then of
 * the others those that only have each other's second one, and so on: an entry
 * with the same name and another URI has moved.
 */
export function pairBy<T>(
  old: readonly T[],
  fresh: readonly T[],
  ids: readonly ((entry: T) => string)[],
): Pairs<T> {
  let [removed, added] = [old, fresh];
  const before = new Map<T, T>();
  for (const idOf of ids) {
    const candidates = groupsOf(removed, idOf);
    for (const [id, [after, ...others]] of groupsOf(added, idOf)) {
      const [only, ...more] = candidates.get(id) ?? [];
      if (only !== undefined && others.length + more.length === 0)
        before.set(after, only);
    }
    const paired = new Set(before.values());
    removed = removed.filter((entry) => !paired.has(entry));
    added = added.filter((entry) => !before.has(entry));
  }
  return { removed, added, before };
}
