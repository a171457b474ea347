import { groupsOf } from "../groups.js";

/** Two lists of entries, of which some are the same entry before and after. */
interface Pairs<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
  /** The entry before, by the one after. */
  readonly before: ReadonlyMap<T, T>;
}

/** What an entry has, and hardly any other. */
type IdOf<T> = (entry: T) => string;

/**
 * Pairs the entries of two lists that only have each other's first id, then of
 * the others those that only have each other's second one, and so on: an entry
 * with the same name and another URI has moved.
 */
export function pairBy<T>(
  inOld: readonly T[],
  inNew: readonly T[],
  ids: readonly IdOf<T>[],
): Pairs<T> {
  let removed = inOld;
  let added = inNew;
  const before = new Map<T, T>();
  for (const idOf of ids) {
    const candidates = groupsOf(removed, idOf);
    for (const [id, [after, ...others]] of groupsOf(added, idOf)) {
      const [only, ...more] = candidates.get(id) ?? [];
      if (others.length + more.length > 0) {
        continue;
      }
      if (only !== undefined) before.set(after, only);
    }
    const paired = new Set(before.values());
    removed = removed.filter((entry) => !paired.has(entry));
    added = added.filter((entry) => !before.has(entry));
  }
  return { removed, added, before };
}
