/**
 * A short text that a regular expression may match, or null if none can be made. It guesses for lookarounds and negated
 * classes, so the caller must test the text against the pattern.
 */
export function sampleOf(source: string): string | null {
  let at = 0;
  let depth = 0;
  const peek = (): string => source[at] ?? "";
  const next = (): string => source[at++] ?? "";
  /** Matches a sticky expression here. */
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const result = pattern.exec(source);
    if (result !== null) at += result[0].length;
    return result;
  };

  /** Returns the first alternative; the others are parsed and ignored. */
  const choice = (): string => {
    depth += 1;
    if (depth > maxDepth) throw new NoSample();
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
      if (text.length > maxLength) throw new NoSample();
    }
    return text;
  };

  const repeated = (one: string): string => {
    const result = match(/([*+?]|\{(\d+)(?:,\d*)?\})\??/uy);
    if (result === null) return one;
    const [, sign, low] = result;
    const count = low === undefined ? (sign === "+" ? 1 : 0) : Number(low);
    if (count * one.length > maxLength) throw new NoSample();
    return one.repeat(count);
  };

  const atom = (): string => {
    if (match(/[\^$]|\\[bB]/uy) !== null) return "";
    const look = match(/\(\?<?[=!]/uy);
    if (look !== null || match(/\((?:\?:|\?<[^>]*>)?/uy) !== null) {
      const inner = choice();
      at += 1;
      return look === null ? inner : "";
    }
    if (peek() === "[") return oneOf(match(/\[(?:\\[^]|[^\]\\])*\]/uy)?.[0] ?? "");
    if (match(/\./uy) !== null) return "a";
    if (peek() === "\\")
      return oneOf(match(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])/uy)?.[0] ?? "");
    return next();
  };

  try {
    const text = choice();
    return at < source.length ? null : text;
  } catch (error) {
    if (error instanceof NoSample) return null;
    throw error;
  }
}

class NoSample extends Error {}

const maxDepth = 30;
const maxLength = 2000;

/** The first of some ordinaryCharacters characters that a class or an escape matches. */
function oneOf(source: string): string {
  const pattern = new RegExp(`^(?:${source})$`, "u");
  const result = ordinaryCharacters.find((character) => pattern.test(character));
  if (result === undefined) throw new NoSample();
  return result;
}

const ordinaryCharacters: readonly string[] = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890",
  ..." -_./:@+#%&,;=?!~*()[]{}<>|'\"`$^\\",
  "\t",
  "\n",
  "é",
  "日",
];
