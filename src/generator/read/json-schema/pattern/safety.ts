import { triesPerCharacter } from "./automaton.js";
import { parsePattern, type Pattern } from "../../../ir/constraint/pattern.js";

type PatternSafety =
  /**
   * `maxLength` is the maximum length of texts that may be matched; null for no
   * limit.
   */
  | { readonly kind: "safe"; readonly maxLength: number | null }
  | { readonly kind: "unsafe"; readonly reason: string };

/**
 * The maximum number of steps of one match, which take some hundredths of a
 * second.
 */
const maxSteps = 1e7;
/**
 * A fixed number of characters above which a part of a pattern counts as one
 * without a limit.
 */
const longText = 1000;
/** The maximum number of ways: those of a part that may be so long, or absent. */
const maxWays = longText + 1;
/**
 * The smallest useful `maxLength`. A pattern with a smaller one is not used.
 */
const minLength = 32;

/**
 * Estimates whether an untrusted pattern can be matched against untrusted text.
 * If the next character decides the next step, the time of backtracking is
 * linear. For other patterns, it grows with the length of the text, to the
 * power of the number of repetitions that can match the same part of it. It is
 * unlimited for nested repetitions.
 */
export function patternSafety(source: string): PatternSafety {
  if (source.length > 2000)
    return { kind: "unsafe", reason: "is longer than 2,000 characters" };
  // With the modifier i, alternatives that start with different letters can
  // match the same text.
  if (/\(\?[a-z-]+:/.test(source))
    return { kind: "unsafe", reason: "contains a modifier such as (?i:)" };
  if (!isValid(source))
    return {
      kind: "unsafe",
      reason: "is not a valid regular expression with the flag u",
    };
  const pattern = parsePattern(source);
  if (pattern === null)
    return { kind: "unsafe", reason: "nests groups too deeply" };
  const isAnchored = startsAtStart(pattern);
  if (triesPerCharacter(pattern, isAnchored) !== null)
    return { kind: "safe", maxLength: null };
  const cost = costOf(pattern);
  if (typeof cost === "string") return { kind: "unsafe", reason: cost };
  const base = cost.degree + (cost.length > longText ? 1 : 0);
  const degree = base + (base > 0 && !isAnchored ? 1 : 0);
  if (degree <= 1 && cost.ways <= maxWays)
    return { kind: "safe", maxLength: null };
  const maxLength =
    degree === 0 ? 0 : Math.floor((maxSteps / cost.ways) ** (1 / degree));
  return maxLength < minLength
    ? { kind: "unsafe", reason: "may take too long" }
    : { kind: "safe", maxLength };
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * The number of ways to match a text: `ways`, multiplied by the length of the
 * text to the power of `degree`.
 */
interface Cost {
  readonly ways: number;
  readonly degree: number;
  /**
   * The maximum number of characters that it matches; a repetition without a
   * limit counts once.
   */
  readonly length: number;
}

function costOf(pattern: Pattern): Cost | string {
  switch (pattern.kind) {
    case "one":
      return { ways: 1, degree: 0, length: 1 };
    case "edge":
      return { ways: 1, degree: 0, length: 0 };
    case "backreference":
      return "contains a backreference";
    case "look":
      return costOf(pattern.of);
    case "sequence":
      return combinedCost(pattern.items, (a, b) => ({
        ways: a.ways * b.ways,
        degree: a.degree + b.degree,
        length: a.length + b.length,
      }));
    case "choice": {
      const areDisjoint = haveDistinctStarts(pattern.arms);
      return combinedCost(pattern.arms, (a, b) => ({
        ways: areDisjoint ? Math.max(a.ways, b.ways) : a.ways + b.ways,
        degree: Math.max(a.degree, b.degree),
        length: Math.max(a.length, b.length),
      }));
    }
    case "repeat":
      return repeatedCost(pattern);
    default:
      return pattern satisfies never;
  }
}

function repeatedCost({
  of,
  min,
  max,
}: Extract<Pattern, { kind: "repeat" }>): Cost | string {
  const inner = costOf(of);
  if (typeof inner === "string") return inner;
  const isPlain = inner.ways === 1 && inner.degree === 0 && of.kind !== "look";
  if (max === Infinity || (isPlain && max * inner.length > longText)) {
    // A pattern that matches the empty text can repeat without limit.
    return isPlain && !mayBeEmpty(of)
      ? { ways: 1, degree: 1, length: inner.length }
      : "repeats, without a limit, a part that can match in several ways";
  }
  return {
    ways: inner.ways ** max * (max - min + 1),
    degree: inner.degree * max,
    length: inner.length * max,
  };
}

function combinedCost(
  parts: readonly Pattern[],
  join: (a: Cost, b: Cost) => Cost,
): Cost | string {
  let whole: Cost | null = null;
  for (const part of parts) {
    const cost = costOf(part);
    if (typeof cost === "string") return cost;
    whole = whole === null ? cost : join(whole, cost);
  }
  return whole ?? { ways: 1, degree: 0, length: 0 };
}

/** True if each arm starts with a different character. */
function haveDistinctStarts(arms: readonly Pattern[]): boolean {
  const firsts = arms.map(firstOf);
  return (
    firsts.every((first) => first !== null) &&
    new Set(firsts).size === firsts.length
  );
}

function firstOf(pattern: Pattern): string | null {
  if (pattern.kind === "one") return pattern.only;
  const [first] = pattern.kind === "sequence" ? pattern.items : [];
  return first === undefined ? null : firstOf(first);
}

/** True for a part that matches in one way and may match no character. */
function mayBeEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "one":
    // Its arms start with different characters.
    case "choice":
      return false;
    case "edge":
    case "look":
    case "backreference":
      return true;
    case "sequence":
      return pattern.items.every(mayBeEmpty);
    case "repeat":
      return pattern.min === 0 || mayBeEmpty(pattern.of);
    default:
      return pattern satisfies never;
  }
}

function startsAtStart(pattern: Pattern): boolean {
  if (pattern.kind === "edge") return pattern.isStart;
  if (pattern.kind === "choice") return pattern.arms.every(startsAtStart);
  const [first] = pattern.kind === "sequence" ? pattern.items : [];
  return first !== undefined && startsAtStart(first);
}
