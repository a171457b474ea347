import { parsePattern, type Pattern } from "../constraint/pattern.js";

/**
 * A short text that a regular expression may match, or null if none can be
 * made. It guesses for lookarounds and negated classes, so the caller must test
 * the text against the pattern.
 */
export function sampleOf(source: string): string | null {
  const pattern = parsePattern(source);
  return pattern === null ? null : sample(pattern);
}

const maxLength = 2000;

function sample(pattern: Pattern): string | null {
  switch (pattern.kind) {
    case "one":
      return pattern.only ?? ordinaryCharacter(pattern.source);
    case "edge":
    case "look":
      return "";
    case "backreference":
      return null;
    case "sequence": {
      let text = "";
      for (const item of pattern.items) {
        const part = sample(item);
        if (part === null || text.length + part.length > maxLength) return null;
        text += part;
      }
      return text;
    }
    case "choice": {
      const [first] = pattern.arms;
      return first === undefined ? null : sample(first);
    }
    case "repeat": {
      const { of, min } = pattern;
      const part = min === 0 ? "" : sample(of);
      return part === null || min * part.length > maxLength
        ? null
        : part.repeat(min);
    }
    default:
      return pattern satisfies never;
  }
}

/**
 * The first of some ordinary characters that a class or an escape matches; null
 * if it matches none of them.
 */
function ordinaryCharacter(source: string): string | null {
  const pattern = new RegExp(`^(?:${source})$`, "u");
  return (
    ordinaryCharacters.find((character) => pattern.test(character)) ?? null
  );
}

const ordinaryCharacters: readonly string[] = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890",
  ..." -_./:@+#%&,;=?!~*()[]{}<>|'\"`$^\\",
  "\t",
  "\n",
  "é",
  "日",
];
