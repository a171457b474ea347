import { matches } from "../json/value.js";
import { ofKind, type Check, type CheckOf, type Sized } from "../constraint.js";
import { sampleOf } from "./pattern.js";

/** A number within the bounds, near one of them. */
export function numberOf(checks: readonly Check[], isInteger: boolean): number {
  const bounds = ofKind(checks, "bound");
  const step = ofKind(checks, "multiple")[0]?.of ?? (isInteger ? 1 : 0.5);
  const lows = bounds.filter(({ side }) => side === "low");
  const highs = bounds.filter(({ side }) => side === "high");
  const low = Math.max(...lows.map(({ value }) => value));
  const high = Math.min(...highs.map(({ value }) => value));
  const isAbove = (value: number): boolean =>
    lows.every(
      (one) => value > one.value || (value === one.value && !one.open),
    );
  let value = Math.min(Math.max(1, low), high);
  value = (low > 1 ? Math.ceil(value / step) : Math.floor(value / step)) * step;
  if (!isAbove(value)) value += step;
  if (highs.some((one) => one.open && value === one.value)) value -= step;
  // Between narrow bounds, the middle is most likely to be accepted.
  return isAbove(value) || isInteger ? value : (low + high) / 2;
}

/**
 * An example of the format, the name in words, or a text for the pattern;
 * `undefined` if none is accepted.
 */
export function textOf(
  checks: readonly Check[],
  name: string,
  format: string | null,
): string | undefined {
  const sizes = sizesOf(checks, "string");
  const minLength = Math.max(0, ...sizes.map((size) => size.min));
  const limit = Math.min(
    maxLength,
    ...sizes.map((size) => size.max ?? Infinity),
  );
  if (minLength > maxLength) return undefined;
  const patterns = ofKind(checks, "pattern");
  const text = formatExamples[format ?? ""] ?? wordsOf(name);
  const samples = patterns.flatMap(({ source }) => sampleOf(source) ?? []);
  const candidates = [text, ...samples].map((candidate) => {
    const points = [...candidate];
    const longEnough =
      points.length === 0
        ? candidate
        : candidate.padEnd(
            candidate.length + Math.max(0, minLength - points.length),
            points.at(-1),
          );
    return [...longEnough].slice(0, limit).join("");
  });
  return candidates.find((candidate) =>
    patterns.every((pattern) => matches(pattern, candidate)),
  );
}

/** Examples of well-known formats. */
const formatExamples: Readonly<Record<string, string>> = {
  uri: "file:///notes/today.md",
  "uri-template": "file:///notes/{name}",
  byte: "aGVsbG8=",
};

/** The maximum length of a text in an example, in code points. */
const maxLength = 200;

/**
 * Splits a name into words: `progressToken` becomes "progress token". Never
 * empty.
 */
export function wordsOf(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ")
    .trim()
    .toLowerCase();
  return words === "" ? "text" : [...words].slice(0, maxNameLength).join("");
}

/** The maximum length of a name in an example, in code points. */
const maxNameLength = 40;

/** The name of one item of a list: an item of `tags` is a `tag`. */
export function singular(name: string): string {
  return name.replace(/(?<=[a-z])s$/, "");
}

/** The size limits of strings, arrays or objects. */
export function sizesOf(
  checks: readonly Check[],
  what: Sized,
): CheckOf<"size">[] {
  return ofKind(checks, "size").filter(({ of }) => of === what);
}
