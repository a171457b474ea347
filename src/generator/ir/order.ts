/** Names, each with others: those that it needs, or those that need it. */
export type Graph = ReadonlyMap<string, Iterable<string>>;

/**
 * The names of a graph, each after those that it needs. In circles, `opening`
 * chooses a name to leave out, so that those which need it follow; null leaves
 * out all that remain.
 */
export function leavesFirst(
  graph: Graph,
  opening: (remaining: Graph, users: Graph) => string | null = () => null,
): string[] {
  type Sets = Map<string, Set<string>>;
  const remaining: Sets = new Map();
  const users: Sets = new Map();
  const ready: string[] = [];
  for (const [name, needs] of graph) {
    const known = new Set<string>();
    for (const need of needs) {
      if (!graph.has(need)) continue;
      known.add(need);
      const others = users.get(need) ?? new Set();
      users.set(need, others.add(name));
    }
    remaining.set(name, known);
    if (known.size === 0) ready.push(name);
  }
  const order: string[] = [];
  while (remaining.size > 0) {
    const leaf = ready.pop();
    const name = leaf ?? opening(remaining, users);
    if (name === null) break;
    if (!remaining.delete(name)) continue;
    if (leaf !== undefined) order.push(leaf);
    for (const user of users.get(name) ?? []) {
      const needs = remaining.get(user);
      needs?.delete(name);
      if (needs?.size === 0) {
        ready.push(user);
      }
    }
  }
  return order;
}
