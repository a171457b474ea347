/**
 * The known name that a misspelled one most likely means; null if none is
 * similar. Of two equally similar names, returns the one with the longer common
 * prefix.
 */
export function nearest(name: string, names: Iterable<string>): string | null {
  const target = name.toLowerCase();
  let best: string | null = null;
  let maxDistance = Math.floor(name.length / 3) + 1;
  let prefix = 0;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > maxDistance) continue;
    const lowerCase = candidate.toLowerCase();
    const steps = distance(target, lowerCase);
    const start = prefixLength(target, lowerCase);
    const isAsNear = best !== null && steps === maxDistance;
    if (steps < maxDistance || (isAsNear && start > prefix)) {
      best = candidate;
      maxDistance = steps;
      prefix = start;
    }
  }
  return best;
}

/** The hint for an unknown name; null if no known name is similar. */
export function suggestion(
  name: string,
  names: Iterable<string>,
  shown = (near: string): string => near,
): string | null {
  // A name that is known may still not be usable, such as "latest".
  const known = [...names].filter((one) => one !== name);
  const near = nearest(name, known) ?? fullName(name, known);
  return near === null ? null : `did you mean ${shown(near)}?`;
}

/**
 * The shortest name that begins or ends with a short form, such as `claude-dir`;
 * null if two are equally short.
 */
function fullName(short: string, names: readonly string[]): string | null {
  const part = lettersOf(short);
  if (part.length < 3) return null;
  let best: string | null = null;
  let length = Infinity;
  for (const name of names) {
    const whole = lettersOf(name);
    if (name.length > length) continue;
    if (!whole.startsWith(part) && !whole.endsWith(part)) continue;
    best = name.length === length ? null : name;
    length = name.length;
  }
  return best;
}

/** A name without case, dashes and the like. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The length of the common prefix. */
export function prefixLength(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

/** The Levenshtein distance, computed row by row. */
function distance(a: string, b: string): number {
  // How far the beginnings of b are from what has been read of a.
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    let left = i;
    let diagonal = i;
    row = row.map((above, j) => {
      const change = diagonal + (a[i] === b[j - 1] ? 0 : 1);
      diagonal = above;
      left = Math.min(change, above + 1, left + 1);
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
