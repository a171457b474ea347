/** The name that a misspelt one was probably meant to be; null when none is near. Of two as near, the one that begins alike. */
export function nearest(name: string, names: Iterable<string>): string | null {
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let [least, alike] = [Math.floor(name.length / 3) + 1, 0];
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > least) continue;
    const given = candidate.toLowerCase();
    const steps = distance(wanted, given);
    const start = shared(wanted, given);
    if (steps < least || (best !== null && steps === least && start > alike))
      [best, least, alike] = [candidate, steps, start];
  }
  return best;
}

/** How many letters both begin with. */
function shared(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

/** Levenshtein's distance, row by row. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
