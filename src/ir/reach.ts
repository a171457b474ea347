/** Every name that leads on from one, itself only where a way leads back to it. */
export function reached(from: string, next: (name: string) => Iterable<string>): Set<string> {
  return withReached(next(from), next);
}

/** Some names with every name that leads on from them. */
export function withReached(names: Iterable<string>, next: (name: string) => Iterable<string>): Set<string> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const each of next(name)) open.push(each);
  }
  return found;
}
