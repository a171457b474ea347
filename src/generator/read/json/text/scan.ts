/**
 * The value of a token and the offset after it, or the problem and its offset.
 */
export type Token<T> =
  | { readonly ok: true; readonly value: T; readonly end: number }
  | { readonly ok: false; readonly at: number; readonly problem: string };

/** The next offset that is not white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const escape = /[bfnrt"\\/]|u[0-9a-fA-F]{4}/y;

/** Characters that must be escaped in a string, and the backslash. */
const special = /[\\\u0000-\u001f]/;

/**
 * A string, its opening quote at `from`. Most strings are the text between two
 * quotes.
 */
export function scanString(text: string, from: number): Token<string> {
  const end = text.indexOf('"', from + 1);
  const value = text.slice(from + 1, end === -1 ? undefined : end);
  return end === -1 || special.test(value)
    ? scanEscaped(text, from)
    : { ok: true, value, end: end + 1 };
}

/**
 * Scans a string with escapes in a loop, because one pattern would overflow the
 * stack on a long string.
 */
function scanEscaped(text: string, from: number): Token<string> {
  let at = from + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code))
      return {
        ok: false,
        at: from,
        problem: "the string has no closing quote",
      };
    if (code === 0x22) break;
    if (code < 0x20) {
      return {
        ok: false,
        at,
        problem: "the string contains a control character that is not escaped",
      };
    }
    if (code !== 0x5c) {
      at += 1;
      continue;
    }
    escape.lastIndex = at + 1;
    if (!escape.test(text))
      return {
        ok: false,
        at,
        problem: `the string contains the invalid escape "${text.slice(at, at + 2)}"`,
      };
    at = escape.lastIndex;
  }
  const value: unknown = JSON.parse(text.slice(from, at + 1));
  return { ok: true, value: String(value), end: at + 1 };
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const word = /[A-Za-z_$0-9+.-]+/y;
const words = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** `true`, `false`, `null` or a number. */
export function scanWord(
  text: string,
  from: number,
): Token<number | boolean | null> {
  word.lastIndex = from;
  const token = word.exec(text)?.[0] ?? text.slice(from, from + 1);
  const constant = words.get(token);
  if (constant !== undefined)
    return { ok: true, value: constant, end: from + token.length };
  number.lastIndex = from;
  const digits = number.exec(text)?.[0];
  if (digits === undefined || digits.length !== token.length) {
    return {
      ok: false,
      at: from,
      problem: `expected a JSON value, got ${quoted(token)}`,
    };
  }
  const value = Number(digits);
  if (!Number.isFinite(value))
    return { ok: false, at: from, problem: "the number is too large" };
  return {
    ok: true,
    value: Object.is(value, -0) ? 0 : value,
    end: from + digits.length,
  };
}

/**
 * A piece of the text for a message: short, and without characters that would
 * disturb a terminal.
 */
export function quoted(piece: string): string {
  if (piece === "") return "the end of the text";
  return JSON.stringify(piece.length > 30 ? `${piece.slice(0, 30)}…` : piece);
}
