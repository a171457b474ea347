/** Items with the same key, in the order of their first items. */
export function groupsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** One item of each key, in the order of their first items. */
export function distinct<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): T[] {
  // The keys of large items are dear.
  if (items.length < 2) return [...items];
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
