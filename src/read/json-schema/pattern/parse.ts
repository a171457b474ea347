/** A regular expression, as far as the time that matching takes depends on it. */
export type Pattern =
  /** Takes one character; the text tells which, null when it may be several. */
  | { readonly kind: "one"; readonly only: string | null }
  /** Takes none: `^`, `$`, `\b`. */
  | { readonly kind: "edge"; readonly isStart: boolean }
  | { readonly kind: "look"; readonly of: Pattern }
  | { readonly kind: "backreference" }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly arms: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly of: Pattern; readonly least: number; readonly most: number };

/** How many groups may lie inside each other. */
const deepest = 30;

/** Takes a pattern apart that the language has already found valid; null when groups lie too deep in it. */
export function parsePattern(source: string): Pattern | null {
  let at = 0;
  let depth = 0;
  const take = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };
  const match = (pattern: RegExp): RegExpExecArray | null => {
    const sticky = new RegExp(pattern.source, "uy");
    sticky.lastIndex = at;
    const found = sticky.exec(source);
    if (found !== null) at += found[0].length;
    return found;
  };

  const choice = (): Pattern | null => {
    depth += 1;
    if (depth > deepest) return null;
    const arms: Pattern[] = [];
    do {
      const arm = sequence();
      if (arm === null) return null;
      arms.push(arm);
    } while (take("|"));
    depth -= 1;
    const [only] = arms;
    return arms.length === 1 && only !== undefined ? only : { kind: "choice", arms };
  };

  const sequence = (): Pattern | null => {
    const items: Pattern[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const item = atom();
      if (item === null) return null;
      items.push(repeated(item));
    }
    return { kind: "sequence", items };
  };

  const atom = (): Pattern | null => {
    if (take("^")) return { kind: "edge", isStart: true };
    if (take("$")) return { kind: "edge", isStart: false };
    if (match(/\((?:\?<?[=!])/) !== null) return grouped((of) => ({ kind: "look", of }));
    if (match(/\((?:\?:|\?<[^>]*>|\?[a-z-]*:)?/) !== null) return grouped((of) => of);
    if (match(/\[(?:\\[^]|[^\]\\])*\]/) !== null || take(".")) return { kind: "one", only: null };
    if (match(/\\[bB]/) !== null) return { kind: "edge", isStart: false };
    if (match(/\\(?:[1-9]|k<)/) !== null) return { kind: "backreference" };
    if (match(/\\(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[^])/) !== null)
      return { kind: "one", only: null };
    const [only = ""] = match(/[^]/) ?? [];
    return { kind: "one", only };
  };

  const grouped = (wrap: (of: Pattern) => Pattern): Pattern | null => {
    const of = choice();
    take(")");
    return of === null ? null : wrap(of);
  };

  const repeated = (of: Pattern): Pattern => {
    const found = match(/([*+?]|\{(\d+)(?:(,)(\d*))?\})\??/);
    if (found === null) return of;
    const [, sign = "", low = "", comma, high = ""] = found;
    if (sign === "*") return { kind: "repeat", of, least: 0, most: Infinity };
    if (sign === "+") return { kind: "repeat", of, least: 1, most: Infinity };
    if (sign === "?") return { kind: "repeat", of, least: 0, most: 1 };
    const least = Number(low);
    return {
      kind: "repeat",
      of,
      least,
      most: comma === undefined ? least : high === "" ? Infinity : Number(high),
    };
  };

  return choice();
}
