/** Every name that can be reached from a name; includes the name itself only if it is part of a cycle. */
export function reachableFrom(from: string, next: (name: string) => Iterable<string>): Set<string> {
  return reachable(next(from), next);
}

/** These names and every name that can be reached from them. */
export function reachable(start: Iterable<string>, next: (name: string) => Iterable<string>): Set<string> {
  const names = new Set<string>();
  const open = [...start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    for (const each of next(name)) open.push(each);
  }
  return names;
}
