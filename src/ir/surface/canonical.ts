import type { Json, JsonRecord } from "./model.js";

/** Orders texts by their code points, which no locale and no half of a surrogate pair decides. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The value with the members of every object in order. Names that are whole numbers come first, as in any object. */
export function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  // `fromEntries` keeps a member called `__proto__` a member.
  return Object.fromEntries(
    Object.entries(value as JsonRecord)
      .sort(([a], [b]) => byCodePoint(a, b))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
