import type { Pattern } from "../../../ir/constraint/pattern.js";

/**
 * The maximum number of positions: characters and classes, with each counted
 * repetition written out.
 */
const maxPositions = 500;
/**
 * The maximum number of characters that the search tries at each character of a
 * text.
 */
const maxTries = 1000;
/** The maximum work of the analysis itself. */
const maxWork = 200_000;

/** A part of a pattern: where a match of it can start and end. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isEmpty: boolean;
}

const empty: Part = { first: [], last: [], isEmpty: true };

class LimitError extends Error {}

/**
 * The maximum number of characters of a pattern that a backtracking search
 * tries at each character of any text; null if that number has no limit, or
 * none is found. With it, the time of a match grows linearly with the text.
 *
 * Each way through the pattern is a path through its positions (the automaton
 * of Glushkov, in which an edge that can be reached in two ways exists twice).
 * The search never follows more paths than there are for the text so far, so
 * that the number of paths is computed for all texts at once.
 */
export function triesPerCharacter(
  pattern: Pattern,
  isAnchored: boolean,
): number | null {
  try {
    return countTries(pattern, isAnchored);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}

/**
 * The number of characters in a look that compares single characters, or has
 * alternatives that do; null for any other.
 */
function lengthOfLook(of: Pattern): number | null {
  const arms = of.kind === "choice" ? of.arms : [of];
  let length = 0;
  for (const arm of arms) {
    const items = arm.kind === "sequence" ? arm.items : [arm];
    const isPlain = items.every(isFixed);
    if (!isPlain) return null;
    length += items.length;
  }
  return length;
}

/** True if it matches in one way, and a known number of characters. */
const isFixed = ({ kind }: Pattern): boolean =>
  kind === "one" || kind === "edge";

/** A pattern as the positions of its characters, and what the search costs. */
interface Automaton {
  /**
   * The sources of the characters, by position; the position 0 is the start.
   */
  readonly sources: string[];
  /** The positions that can follow each one. */
  readonly follow: number[][];
  /** The characters that looks compare at each place. */
  lookCost: number;
  /** The tries of what is searched once. */
  searchCost: number;
}

function countTries(pattern: Pattern, isAnchored: boolean): number {
  const automaton: Automaton = {
    sources: [""],
    follow: [[]],
    lookCost: 0,
    searchCost: 0,
  };
  link(automaton, [0], build(automaton, pattern, isAnchored).first);
  const { sources, follow, lookCost, searchCost } = automaton;
  return maxPaths(sources, follow, isAnchored) * (1 + lookCost) + searchCost;
}

function link(
  { follow }: Automaton,
  from: readonly number[],
  to: readonly number[],
): void {
  for (const position of from) follow[position]?.push(...to);
}

/** `isOnce`: the search comes here at most once, if the text starts here. */
function build(automaton: Automaton, part: Pattern, isOnce: boolean): Part {
  const { sources, follow } = automaton;
  switch (part.kind) {
    case "one": {
      const position = sources.push(part.source) - 1;
      follow.push([]);
      if (position > maxPositions) throw new LimitError();
      return { first: [position], last: [position], isEmpty: false };
    }
    case "edge":
      return empty;
    case "look": {
      const length = lengthOfLook(part.of);
      // What is tried once is a search of its own.
      if (isOnce) automaton.searchCost += countTries(part.of, true);
      else if (length === null) throw new LimitError();
      else automaton.lookCost += length;
      return empty;
    }
    case "sequence": {
      // Before an item that comes once, there are only looks and single
      // characters.
      let isNext = isOnce;
      const parts = part.items.map((item) => {
        const built = build(automaton, item, isNext);
        isNext = isNext && (isFixed(item) || item.kind === "look");
        return built;
      });
      return joined(automaton, parts);
    }
    case "choice": {
      const arms = part.arms.map((arm) => build(automaton, arm, isOnce));
      // Two ways to match the empty text double each path that follows.
      if (arms.filter(({ isEmpty }) => isEmpty).length > 1)
        throw new LimitError();
      return {
        first: arms.flatMap(({ first }) => first),
        last: arms.flatMap(({ last }) => last),
        isEmpty: arms.some(({ isEmpty }) => isEmpty),
      };
    }
    case "repeat":
      return repeated(automaton, part);
    case "backreference":
      throw new LimitError();
    default:
      return part satisfies never;
  }
}

/** Parts one after the other. */
function joined(automaton: Automaton, parts: readonly Part[]): Part {
  let whole = empty;
  for (const part of parts) {
    link(automaton, whole.last, part.first);
    whole = {
      first: whole.isEmpty ? [...whole.first, ...part.first] : whole.first,
      last: part.isEmpty ? [...whole.last, ...part.last] : part.last,
      isEmpty: whole.isEmpty && part.isEmpty,
    };
  }
  return whole;
}

/** A copy of the part for each repetition that is counted. */
function repeated(
  automaton: Automaton,
  { of, min, max }: Extract<Pattern, { kind: "repeat" }>,
): Part {
  if (max === 0) return empty;
  const copy = (): Part => {
    const part = build(automaton, of, false);
    if (part.isEmpty) throw new LimitError();
    return part;
  };
  let tail = empty;
  const isEndless = max === Infinity;
  if (isEndless) {
    tail = copy();
    link(automaton, tail.last, tail.first);
    if (min === 0) return { ...tail, isEmpty: true };
  } else
    for (let i = min; i < max; i++)
      tail = { ...joined(automaton, [copy(), tail]), isEmpty: true };
  for (let i = isEndless ? 1 : 0; i < min; i++)
    tail = joined(automaton, [copy(), tail]);
  return tail;
}

/**
 * The maximum, over all texts, of the number of characters tried for one
 * character of the text.
 */
function maxPaths(
  sources: readonly string[],
  follow: readonly (readonly number[])[],
  isAnchored: boolean,
): number {
  const alphabet = symbolsOf(sources);
  const start = new Map([[0, 1]]);
  const known = new Set<string>();
  const open = [start];
  let work = 0;
  let highest = 0;
  for (const paths of open) {
    let tries = 0;
    for (const [position, count] of paths)
      tries += count * (1 + (follow[position]?.length ?? 0));
    highest = Math.max(highest, tries);
    work += (tries + paths.size) * alphabet.length;
    if (highest > maxTries || work > maxWork) throw new LimitError();
    for (const matching of alphabet) {
      // Without an anchor, a new search starts at each character.
      const next = new Map(isAnchored ? [] : start);
      for (const [position, count] of paths)
        for (const after of follow[position] ?? [])
          if (matching.has(after))
            next.set(after, (next.get(after) ?? 0) + count);
      const key = [...next]
        .sort(([a], [b]) => a - b)
        .map((entry) => entry.join(":"))
        .join();
      if (!known.has(key)) open.push(next);
      known.add(key);
    }
  }
  return highest;
}

/**
 * A class without a negation, of characters and escapes that are all in ASCII.
 */
const asciiOnly =
  /^(?:\[(?!\^)(?:[^\\\]\u0080-\u{10ffff}]|\\[dwtnrfv0\W])*\]|\\[dwtnrfv0\W]|[^\\.[\u0080-\u{10ffff}])$/u;

/**
 * The positions that match each character: of all characters, those which the
 * same positions match count once. The characters outside ASCII count as one,
 * which each position matches that may match any of them.
 */
function symbolsOf(sources: readonly string[]): readonly ReadonlySet<number>[] {
  const symbols = new Map<string, ReadonlySet<number>>();
  const add = (isMatch: (source: string) => boolean): void => {
    const results = new Map(
      [...new Set(sources)].map((source) => [
        source,
        source !== "" && isMatch(source),
      ]),
    );
    const key = [...results.values()].map(Number).join("");
    if (symbols.has(key)) return;
    symbols.set(
      key,
      new Set(
        [...sources.keys()].filter(
          (position) => results.get(sources[position] ?? "") === true,
        ),
      ),
    );
  };
  const tests = new Map(
    sources.map((source) => [source, new RegExp(`^(?:${source})$`, "u")]),
  );
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    add((source) => tests.get(source)?.test(character) === true);
  }
  add((source) => !asciiOnly.test(source));
  return [...symbols.values()];
}
