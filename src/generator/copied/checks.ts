import { isProvisional } from "./validate.js";

/** The number of characters of a text: code points, not UTF-16 code units. */
export function lengthOf(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xffff) {
      pairs += 1;
      i += 1;
    }
  }
  return text.length - pairs;
}

/** The number of items that the guard accepts. */
export function countOf(
  items: readonly unknown[],
  guard: (value: unknown) => boolean,
): number {
  let count = 0;
  for (const item of items) {
    if (guard(item)) count += 1;
  }
  return count;
}

/** True if exactly one of the guards accepts the value. */
export function holdsOne(
  value: unknown,
  ...guards: readonly ((value: unknown) => boolean)[]
): boolean {
  let hasMatch = false;
  for (const guard of guards) {
    if (!guard(value)) continue;
    if (hasMatch) return isProvisional();
    hasMatch = true;
  }
  return hasMatch;
}

/**
 * True if a text matches the pattern. V8 throws a RangeError for a repeated
 * group on texts of some million characters, which is no match: no validator
 * can check such a text.
 */
export function isMatch(pattern: RegExp, text: string): boolean {
  try {
    return pattern.test(text);
  } catch {
    return false;
  }
}

/** True if a number is a multiple of another, in decimal arithmetic. False if it is not finite. */
export function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) {
    return value % of === 0;
  }
  const [a, aPlaces] = decimal(value);
  const [b, bPlaces] = decimal(of);
  const places = Math.max(aPlaces, bPlaces);
  const scale = (digits: bigint, digitPlaces: number): bigint =>
    digits * 10n ** BigInt(places - digitPlaces);
  return scale(a, aPlaces) % scale(b, bPlaces) === 0n;
}

/**
 * The digits of a number, and how many of them are after the decimal point: -2
 * if two zeros follow the digits.
 */
function decimal(value: number): readonly [digits: bigint, places: number] {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  return [BigInt(whole + fraction), places];
}

/** True if both are the same JSON value. The order of members does not matter. */
export function same(a: unknown, b: unknown): boolean {
  const open: (readonly [a: unknown, b: unknown])[] = [[a, b]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [left, right] = next;
    if (left === right) continue;
    if (typeof left !== "object" || typeof right !== "object") return false;
    if (left === null || right === null) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      open.push([read(left, key), read(right, key)]);
    }
  }
  return true;
}

function read(object: object, key: string): unknown {
  return (object as Record<string, unknown>)[key];
}

// Items that are nested deeper are considered different.
const DEPTH = 200;

/** True if no two items are the same JSON value. */
export function isUnique(items: readonly unknown[]): boolean {
  const texts = new Set<unknown>();
  for (const item of items) {
    const key =
      typeof item === "object" && item !== null ? canonical(item, 0) : item;
    if (key === null && item !== null) continue;
    // A prefix, so that a string is never equal to the text of an object.
    const text = typeof item === "string" ? `"${item}` : key;
    if (texts.has(text)) return false;
    texts.add(text);
  }
  return true;
}

/** A canonical text of a JSON value, independent of the order of members; null if it is nested too deeply. */
function canonical(value: unknown, depth: number): string | null {
  if (typeof value !== "object" || value === null)
    return JSON.stringify(value) ?? "";
  if (depth > DEPTH) return null;
  const isArray = Array.isArray(value);
  const parts: string[] = [];
  const keys = Object.keys(value);
  if (!isArray) keys.sort();
  for (const key of keys) {
    const member = canonical(read(value, key), depth + 1);
    if (member === null) return null;
    parts.push(isArray ? member : `${JSON.stringify(key)}:${member}`);
  }
  return isArray ? `[${parts.join()}]` : `{${parts.join()}}`;
}
