import { matches } from "../json/value.js";
import { ofKind, type Check, type CheckOf, type Sized } from "../constraint.js";
import { isWithin } from "../constraint/kinds.js";
import { sampleOf } from "./pattern.js";

/**
 * A number within the bounds, near one of them; `undefined` if the search finds
 * none.
 */
export function numberOf(
  checks: readonly Check[],
  isInteger: boolean,
): number | undefined {
  const bounds = ofKind(checks, "bound");
  const [multiple] = ofKind(checks, "multiple");
  const step = multiple?.of ?? (isInteger ? 1 : 0.5);
  let low = -Infinity;
  let high = Infinity;
  for (const { side, value } of bounds)
    if (side === "low") low = Math.max(low, value);
    else high = Math.min(high, value);
  const fits = (value: number): boolean =>
    Number.isFinite(value) && bounds.every((bound) => isWithin(bound, value));
  const round = low > 1 ? Math.ceil : Math.floor;
  const nearOne = Math.min(Math.max(1, low), high);
  const near = round(nearOne / step) * step;
  // Between narrow bounds, the middle is most likely to be accepted.
  return [near, near + step, near - step, (low + high) / 2].find(fits);
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
  let minLength = 0;
  let limit = maxLength;
  for (const { min, max } of sizesOf(checks, "string")) {
    minLength = Math.max(minLength, min);
    limit = Math.min(limit, max ?? limit);
  }
  if (minLength > maxLength) return undefined;
  const patterns = ofKind(checks, "pattern");
  const text = formatExamples[format ?? ""] ?? wordsOf(name);
  const samples = patterns.flatMap(({ source }) => sampleOf(source) ?? []);
  const candidates = [text, ...samples].map((candidate) => {
    const points = [...candidate];
    const last = points.at(-1) ?? "";
    for (let i = points.length; i < minLength; i++) {
      points.push(last);
    }
    return points.slice(0, limit).join("");
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
function wordsOf(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ")
    .trim()
    .toLowerCase();
  if (words === "") return "text";
  return [...words].slice(0, maxNameLength).join("");
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
