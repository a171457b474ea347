/**
 * A spelling that a pattern allows for each name that it refuses. No two are
 * equal, and none is a name that stays as it is. Which characters and how many
 * are allowed is tried out, so that the pattern is the only rule.
 */
export function spellingsFor(
  names: Iterable<string>,
  pattern: string | null,
): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  if (pattern === null) return spellings;
  const allowed = new RegExp(pattern);
  const all = new Set(names);
  const taken = new Set([...all].filter((name) => allowed.test(name)));
  /** The number behind the next name with the same beginning. */
  const numbers = new Map<string, number>();
  for (const name of all) {
    if (taken.has(name)) continue;
    const plain = [...name]
      .map((character) => (allowed.test(`a${character}`) ? character : "_"))
      .join("");
    const start = allowed.test(plain.slice(0, 1)) ? plain : `_${plain}`;
    let spelling = cut(start, "", allowed);
    const beginning = spelling;
    for (let i = numbers.get(beginning) ?? 2; taken.has(spelling); i++) {
      spelling = cut(start, `_${i}`, allowed);
      numbers.set(beginning, i + 1);
    }
    taken.add(spelling);
    spellings.set(name, spelling);
  }
  return spellings;
}

/** The longest beginning of a text that the pattern allows with an ending. */
function cut(text: string, ending: string, allowed: RegExp): string {
  let start = text.slice(0, 256);
  while (start.length > 1 && !allowed.test(start + ending))
    start = start.slice(0, -1);
  return start + ending;
}
