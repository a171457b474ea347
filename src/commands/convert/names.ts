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
  const allowed = new RegExp(pattern ?? "");
  const all = new Set(names);
  const taken = new Set([...all].filter((name) => allowed.test(name)));
  /** The number behind the next name with the same first choice. */
  const numbers = new Map<string, number>();
  for (const name of all) {
    if (taken.has(name)) continue;
    const plain = plainOf(name, allowed);
    const first = cut(plain, "", allowed);
    let spelling = first;
    let number = numbers.get(first) ?? 2;
    // "a.b" and "a/b" both become "a_b": the second one is "a_b_2".
    while (taken.has(spelling)) {
      spelling = cut(plain, `_${number}`, allowed);
      number++;
    }
    numbers.set(first, number);
    taken.add(spelling);
    spellings.set(name, spelling);
  }
  return spellings;
}

/** A name with "_" in place of each character that is refused. */
function plainOf(name: string, allowed: RegExp): string {
  let plain = "";
  for (const character of name) {
    plain += allowed.test(`a${character}`) ? character : "_";
  }
  // Some patterns refuse a digit or a hyphen only at the beginning.
  return allowed.test(plain.charAt(0)) ? plain : `_${plain}`;
}

/** The longest beginning of a text that the pattern allows with an ending. */
function cut(text: string, ending: string, allowed: RegExp): string {
  let start = text.slice(0, 256);
  while (start.length > 1 && !allowed.test(start + ending))
    start = start.slice(0, -1);
  return start + ending;
}
