/**
 * A short text that a regular expression matches, or null where one is not found this way. What it cannot sample exactly
 * (a look around, a class taken away) it guesses; whoever asks tries the text on the pattern.
 */
export function sampleOf(source: string): string | null {
  let at = 0;
  let depth = 0;
  const peek = (): string => source[at] ?? "";
  const next = (): string => source[at++] ?? "";
  const match = (pattern: RegExp): RegExpExecArray | null => {
    const sticky = new RegExp(pattern.source, "uy");
    sticky.lastIndex = at;
    const found = sticky.exec(source);
    if (found !== null) at += found[0].length;
    return found;
  };

  /** The first arm of a choice; the others are read and dropped. */
  const choice = (): string => {
    depth += 1;
    if (depth > deepest) throw new Unsampled();
    const first = sequence();
    while (peek() === "|") {
      at += 1;
      sequence();
    }
    depth -= 1;
    return first;
  };

  const sequence = (): string => {
    let text = "";
    while (at < source.length && peek() !== "|" && peek() !== ")") {
      const one = atom();
      text += repeated(one);
      if (text.length > longest) throw new Unsampled();
    }
    return text;
  };

  const repeated = (one: string): string => {
    const found = match(/([*+?]|\{(\d+)(?:,\d*)?\})\??/);
    if (found === null) return one;
    const [, sign, low] = found;
    const count = low === undefined ? (sign === "+" ? 1 : 0) : Number(low);
    if (count * one.length > longest) throw new Unsampled();
    return one.repeat(count);
  };

  const atom = (): string => {
    if (match(/[\^$]|\\[bB]/) !== null) return "";
    const look = match(/\(\?<?[=!]/);
    if (look !== null || match(/\((?:\?:|\?<[^>]*>)?/) !== null) {
      const inner = choice();
      at += 1;
      return look === null ? inner : "";
    }
    if (peek() === "[") return oneOf(match(/\[(?:\\[^]|[^\]\\])*\]/)?.[0] ?? "");
    if (match(/\./) !== null) return "a";
    if (peek() === "\\")
      return oneOf(match(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])/)?.[0] ?? "");
    return next();
  };

  try {
    const text = choice();
    return at < source.length ? null : text;
  } catch (error) {
    if (error instanceof Unsampled) return null;
    throw error;
  }
}

class Unsampled extends Error {}

const deepest = 30;
const longest = 2000;

/** The first of some ordinary characters that a class or an escape takes. */
function oneOf(source: string): string {
  const pattern = new RegExp(`^(?:${source})$`, "u");
  const found = ordinary.find((character) => pattern.test(character));
  if (found === undefined) throw new Unsampled();
  return found;
}

const ordinary: readonly string[] = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890",
  ..." -_./:@+#%&,;=?!~*()[]{}<>|'\"`$^\\",
  "\t",
  "\n",
  "é",
  "日",
];
