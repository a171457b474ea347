import { byText } from "../../common/by-text.js";

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
  // Without surrogates, this is the order of the code units.
  const hasPairs = surrogate.test(a) || surrogate.test(b);
  if (!hasPairs) return byText(a, b);
  const left = codePoints(a);
  const right = codePoints(b);
  for (const [i, code] of left.entries()) {
    const other = right[i] ?? -1;
    if (code !== other) {
      return code - other;
    }
  }
  return left.length - right.length;
}

const surrogate = /[\ud800-\udfff]/;

const codePoints = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);

/**
 * Sorts the members of every object. As in any JavaScript object, integer keys
 * come first.
 */
export function sorted(value: Json): Json {
  if (typeof value !== "object") {
    return value;
  }
  if (value === null) {
    return null;
  }
  if (Array.isArray(value)) return value.map(sorted);
  const record = value as JsonRecord;
  const names = Object.keys(record).sort(byCodePoint);
  // `fromEntries` keeps a member named `__proto__`.
  const members = names.map((name) => {
    const member = record[name] as Json;
    return [name, sorted(member)] as const;
  });
  return Object.fromEntries(members);
}

/** A list that is equal for equal values in any order. */
export function inAnyOrder(values: readonly Json[]): readonly Json[] {
  return values
    .map((value) => ({
      value,
      text: exact(value),
    }))
    .sort((a, b) => byCodePoint(a.text, b.text))
    .map(({ value }) => value);
}

/** A text that is equal for equal values, in any order of members. */
export function exact(value: Json): string {
  return JSON.stringify(sorted(value));
}
