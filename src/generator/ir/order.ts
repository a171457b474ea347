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
  const remaining = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  for (const [name, needs] of graph) {
    const known = new Set([...needs].filter((need) => graph.has(need)));
    remaining.set(name, known);
    for (const need of known)
      users.set(need, (users.get(need) ?? new Set()).add(name));
  }
  const order: string[] = [];
  const ready = [...remaining]
    .filter(([, needs]) => needs.size === 0)
    .map(([name]) => name);
  const remove = (name: string): void => {
    remaining.delete(name);
    for (const user of users.get(name) ?? []) {
      const needs = remaining.get(user);
      if (needs?.delete(name) === true && needs.size === 0) ready.push(user);
    }
  };
  while (remaining.size > 0) {
    for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
      if (!remaining.has(name)) continue;
      order.push(name);
      remove(name);
    }
    const name = remaining.size === 0 ? null : opening(remaining, users);
    if (name === null) break;
    remove(name);
  }
  return order;
}
