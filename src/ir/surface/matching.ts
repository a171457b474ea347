/** Stands for each class of characters that has a letter. */
const letters: Readonly<Record<string, string>> = {
  d: "0",
  w: "a",
  s: " ",
  D: "a",
  W: "-",
  S: "a",
  n: "\n",
  t: "\t",
};

/**
 * A text that a regular expression might match: the first arm of each choice, as few repetitions as may be. Whoever asks
 * tries it, since look-arounds and negated classes are not followed. Null when the text would be too long.
 */
export function matching(source: string): string | null {
  let at = 0;
  let depth = 0;

  const group = (): string | null => {
    depth += 1;
    if (depth > 30) return null;
    let text = "";
    while (at < source.length && source[at] !== ")") {
      if (source[at] === "|") {
        skipArms();
        break;
      }
      const one = atom();
      const more = one === null ? null : repeated(one);
      if (more === null || text.length + more.length > 10_000) return null;
      text += more;
    }
    depth -= 1;
    return text;
  };

  const skipArms = (): void => {
    for (let open = 0; at < source.length; at++) {
      const sign = source[at];
      if (sign === "\\") at += 1;
      else if (sign === "[") at = endOfClass(source, at) - 1;
      else if (sign === "(") open += 1;
      else if (sign === ")" && open-- === 0) return;
    }
  };

  const atom = (): string | null => {
    const sign = source[at] ?? "";
    at += 1;
    if (sign === "^" || sign === "$") return "";
    if (sign === ".") return "a";
    if (sign === "\\") return escaped();
    if (sign === "[") {
      const from = at;
      at = endOfClass(source, at - 1);
      return oneOf(source.slice(from, at - 1));
    }
    if (sign !== "(") return sign;
    const head = /^\?(?:<?[=!]|:|<[^>]*>)/.exec(source.slice(at))?.[0] ?? "";
    at += head.length;
    const text = group();
    at += 1;
    return /[=!]/.test(head) ? "" : text;
  };

  const escaped = (): string => {
    const sign = source[at] ?? "";
    at += 1;
    if (sign === "b" || sign === "B") return "";
    if (sign === "p" || sign === "P") {
      at = source.indexOf("}", at) + 1 || source.length;
      return "a";
    }
    return letters[sign] ?? sign;
  };

  const repeated = (one: string): string | null => {
    const [found = "", low = ""] = /^(?:[*+?]|\{(\d+),?\d*\})\??/.exec(source.slice(at)) ?? [];
    at += found.length;
    if (found === "") return one;
    if (found.startsWith("*") || found.startsWith("?")) return "";
    const least = found.startsWith("+") ? 1 : Number(low);
    return one.length * least > 10_000 ? null : one.repeat(least);
  };

  return group();
}

function endOfClass(source: string, from: number): number {
  let at = from + 1;
  while (at < source.length && source[at] !== "]") at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** A character of a class, given what stands in its brackets. */
function oneOf(inside: string): string {
  if (inside.startsWith("^")) return ["a", "0", "-", " ", "~"].find((sign) => !inside.includes(sign)) ?? "é";
  const [first = "", second = ""] = inside;
  return first === "\\" ? (letters[second] ?? second) : first;
}
