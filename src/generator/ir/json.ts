/** A JSON value. */
export type Json =
  null | boolean | number | string | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [member: string]: Json;
}

/**
 * Compares texts by code points, independent of any locale; surrogate pairs
 * count as one.
 */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const difference =
      (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * Sorts the members of every object. As in any JavaScript object, integer keys
 * come first.
 */
export function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  // `fromEntries` keeps a member named `__proto__`.
  return Object.fromEntries(
    Object.entries(value as JsonRecord)
      .sort(([a], [b]) => byCodePoint(a, b))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** A list that is equal for equal values in any order. */
export function inAnyOrder(values: readonly Json[]): readonly Json[] {
  const keyed = values.map((value): [string, Json] => [exact(value), value]);
  return keyed.sort(([a], [b]) => byCodePoint(a, b)).map(([, value]) => value);
}

/** A text that is equal for equal values, in any order of members. */
export function exact(value: Json): string {
  return JSON.stringify(sorted(value));
}
