/**
 * The parts of a regular expression that determine the time of a match and the
 * texts that match.
 */
export type Pattern =
  /**
   * Matches one character: `only`, or one of several if it is null. `source` is
   * its text in the pattern.
   */
  | {
      readonly kind: "one";
      readonly only: string | null;
      readonly source: string;
    }
  /** Matches a position: `^`, `$`, `\b`. */
  | { readonly kind: "edge"; readonly isStart: boolean }
  | { readonly kind: "look"; readonly of: Pattern }
  | { readonly kind: "backreference" }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly arms: readonly Pattern[] }
  | {
      readonly kind: "repeat";
      readonly of: Pattern;
      readonly min: number;
      readonly max: number;
    };

/**
 * An escaped character or class; two escapes of surrogates are one character.
 */
const escape =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[^])/uy;

/** The maximum nesting of groups. */
const maxDepth = 30;

/**
 * Parses a pattern that is a valid regular expression; null if groups are
 * nested too deeply.
 */
export function parsePattern(source: string): Pattern | null {
  const { take, match, isAtEnd } = scanner(source);
  let depth = 0;

  const choice = (): Pattern | null => {
    depth += 1;
    if (depth > maxDepth) return null;
    const arms: Pattern[] = [];
    do {
      const arm = sequence();
      if (arm === null) return null;
      arms.push(arm);
    } while (take("|"));
    depth -= 1;
    const [only] = arms;
    return arms.length === 1 && only !== undefined
      ? only
      : { kind: "choice", arms };
  };

  const sequence = (): Pattern | null => {
    const items: Pattern[] = [];
    while (!isAtEnd()) {
      const of = atom();
      if (of === null) return null;
      const bounds = boundsOf(match(/([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/uy));
      items.push(bounds === null ? of : { kind: "repeat", of, ...bounds });
    }
    return { kind: "sequence", items };
  };

  const atom = (): Pattern | null => {
    if (take("^")) return { kind: "edge", isStart: true };
    if (take("$")) return { kind: "edge", isStart: false };
    if (match(/\((?:\?<?[=!])/uy) !== null)
      return grouped((of) => ({ kind: "look", of }));
    if (match(/\((?:\?:|\?<[^>]*>|\?[a-z-]*:)?/uy) !== null)
      return grouped((of) => of);
    if (match(/\\[bB]/uy) !== null) return { kind: "edge", isStart: false };
    if (match(/\\(?:[1-9]|k<)/uy) !== null) return { kind: "backreference" };
    const several = match(/\[(?:\\[^]|[^\]\\])*\]|\./uy) ?? match(escape);
    if (several !== null)
      return { kind: "one", only: null, source: several[0] };
    const [only = ""] = match(/[^]/uy) ?? [];
    return { kind: "one", only, source: only };
  };

  const grouped = (wrap: (of: Pattern) => Pattern): Pattern | null => {
    const of = choice();
    take(")");
    return of === null ? null : wrap(of);
  };

  return choice();
}

/** Reads a pattern from left to right. */
function scanner(source: string) {
  let at = 0;
  return {
    /** Skips a text that stands here. */
    take(text: string): boolean {
      if (!source.startsWith(text, at)) return false;
      at += text.length;
      return true;
    },
    /** Matches a sticky expression here. */
    match(pattern: RegExp): RegExpExecArray | null {
      pattern.lastIndex = at;
      const match = pattern.exec(source);
      if (match !== null) at += match[0].length;
      return match;
    },
    /** True where a sequence ends. */
    isAtEnd: (): boolean =>
      at >= source.length || source[at] === "|" || source[at] === ")",
  };
}

/** How often a quantifier lets an atom repeat; null without one. */
function boundsOf(
  quantifier: RegExpExecArray | null,
): { readonly min: number; readonly max: number } | null {
  if (quantifier === null) return null;
  const [, sign = "", low = "", comma, high = ""] = quantifier;
  if (sign === "*") return { min: 0, max: Infinity };
  if (sign === "+") return { min: 1, max: Infinity };
  if (sign === "?") return { min: 0, max: 1 };
  const min = Number(low);
  if (comma === undefined) return { min, max: min };
  return { min, max: high === "" ? Infinity : Number(high) };
}
