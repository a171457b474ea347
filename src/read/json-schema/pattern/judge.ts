import { parsePattern, type Pattern } from "./parse.js";

export type Verdict =
  /** `maxLength` is the length of the maxLength text it may be tried on; null is any. */
  | { readonly kind: "safe"; readonly maxLength: number | null }
  | { readonly kind: "unsafe"; readonly reason: string };

/** How many steps one match may take: some hundredths of a second. */
const most = 1e7;
/** A pattern that may only be tried on texts shorter than this is of no use. */
const shortest = 32;

/**
 * Can a pattern of a stranger's be tried on a stranger's text? Backtracking takes time that grows with the length of the
 * text to the power of the repetitions that may share it, and without bound where repetitions lie inside each other.
 */
export function judgePattern(source: string): Verdict {
  if (source.length > 2000) return { kind: "unsafe", reason: "is longer than 2,000 characters" };
  if (!isValid(source)) return { kind: "unsafe", reason: "is no regular expression of Unicode text" };
  const pattern = parsePattern(source);
  if (pattern === null) return { kind: "unsafe", reason: "has too many groups inside each other" };
  const cost = costOf(pattern);
  if (typeof cost === "string") return { kind: "unsafe", reason: cost };
  const degree = cost.degree + (cost.degree > 0 && !startsAtStart(pattern) ? 1 : 0);
  if (degree <= 1 && cost.ways <= 1000) return { kind: "safe", maxLength: null };
  const maxLength = degree === 0 ? 0 : Math.floor((most / cost.ways) ** (1 / degree));
  return maxLength < shortest ? { kind: "unsafe", reason: "may take too long" } : { kind: "safe", maxLength };
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** In how many ways a text can be taken: a number, times the text's length to the power of a degree. */
interface Cost {
  readonly ways: number;
  readonly degree: number;
}

function costOf(pattern: Pattern): Cost | string {
  switch (pattern.kind) {
    case "one":
    case "edge":
      return { ways: 1, degree: 0 };
    case "backreference":
      return "refers back to what it has matched";
    case "look":
      return costOf(pattern.of);
    case "sequence":
      return together(pattern.items, (a, b) => ({ ways: a.ways * b.ways, degree: a.degree + b.degree }));
    case "choice": {
      const areApart = firstsDiffer(pattern.arms);
      return together(pattern.arms, (a, b) => ({
        ways: areApart ? Math.max(a.ways, b.ways) : a.ways + b.ways,
        degree: Math.max(a.degree, b.degree),
      }));
    }
    case "repeat":
      return repeatedCost(pattern);
    default:
      return pattern satisfies never;
  }
}

function repeatedCost({ of, least, most: last }: Extract<Pattern, { kind: "repeat" }>): Cost | string {
  const inner = costOf(of);
  if (typeof inner === "string") return inner;
  if (last === Infinity) {
    const isPlain = inner.ways === 1 && inner.degree === 0 && of.kind !== "look";
    // What may take nothing can be taken any number of times.
    return isPlain && !mayBeEmpty(of)
      ? { ways: 1, degree: 1 }
      : "repeats without bound what can itself be taken in several ways";
  }
  return { ways: inner.ways ** last * (last - least + 1), degree: inner.degree * last };
}

function together(parts: readonly Pattern[], join: (a: Cost, b: Cost) => Cost): Cost | string {
  let whole: Cost | null = null;
  for (const part of parts) {
    const cost = costOf(part);
    if (typeof cost === "string") return cost;
    whole = whole === null ? cost : join(whole, cost);
  }
  return whole ?? { ways: 1, degree: 0 };
}

/** Does each arm begin with a character of its own? */
function firstsDiffer(arms: readonly Pattern[]): boolean {
  const firsts = arms.map(firstOf);
  return firsts.every((first) => first !== null) && new Set(firsts).size === firsts.length;
}

function firstOf(pattern: Pattern): string | null {
  if (pattern.kind === "one") return pattern.only;
  const [first] = pattern.kind === "sequence" ? pattern.items : [];
  return first === undefined ? null : firstOf(first);
}

function mayBeEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "one":
      return false;
    case "edge":
    case "look":
    case "backreference":
      return true;
    case "sequence":
      return pattern.items.every(mayBeEmpty);
    case "choice":
      return pattern.arms.some(mayBeEmpty);
    case "repeat":
      return pattern.least === 0 || mayBeEmpty(pattern.of);
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
