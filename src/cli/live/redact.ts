import type { Secret } from "./secrets.js";

/** Secrets shorter than this are found as whole words only, so that a short one does not cut honest words apart. */
const wordLength = 8;

/** The shortest piece of a longer secret that is hidden: messages quote answers cut off in the middle. */
const pieceLength = 8;

/** The longest text that is searched for pieces. */
const longest = 20_000;

/** What a message of the JSON parser quotes: some twenty characters, which may be a piece of a secret. */
const quotation = /, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON/gs;

/** A message with "…" in the place of every secret, and of every longer piece of one. */
export function redacted(message: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return message;
  const unquoted = message.replace(quotation, "");
  const whole = secrets.reduce((text, secret) => text.replaceAll(patternOf(secret, "g"), "…"), unquoted);
  const sure = secrets.filter(({ text, isSure }) => isSure && text.length > pieceLength + 3);
  return sure.reduce((text, secret) => withoutPieces(text, secret.text), whole.slice(0, longest));
}

function patternOf({ text }: Secret, flags: string): RegExp {
  const literal = text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const isWord = text.length < wordLength;
  return new RegExp(isWord ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal, `${flags}u`);
}

function withoutPieces(text: string, secret: string): string {
  let rest = "";
  let at = 0;
  while (at < text.length) {
    const length = lengthOfPiece(text, at, secret);
    rest += length === 0 ? text[at] : "…";
    at += Math.max(1, length);
  }
  return rest.replaceAll(/…{2,}/g, "…");
}

function lengthOfPiece(text: string, at: number, secret: string): number {
  const start = text.slice(at, at + pieceLength);
  if (start.length < pieceLength || start.includes("://") || !secret.includes(start)) return 0;
  let end = at + pieceLength;
  while (end < text.length && secret.includes(text.slice(at, end + 1))) end += 1;
  return end - at;
}

/** Where a value repeats a sure secret. */
export interface Leak {
  readonly secret: Secret;
  /** As one writes it: `tools[3].description`; a name on the way may hold the secret itself. */
  readonly path: string;
}

/** Finds the first text in a JSON value, or name of a member, that holds a sure secret. */
export function findLeak(value: unknown, secrets: readonly Secret[]): Leak | null {
  const patterns = secrets.flatMap((secret) => {
    return secret.isSure ? [{ secret, pattern: patternOf(secret, "") }] : [];
  });
  const open: [value: unknown, path: string][] = [[value, ""]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [found, path] = next;
    if (typeof found === "object" && found !== null) {
      const isList = Array.isArray(found);
      for (const [name, member] of Object.entries(found).reverse()) {
        const inner = isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
        open.push([member, inner]);
        if (!isList) open.push([name, inner]);
      }
    } else if (typeof found === "string" || typeof found === "number") {
      const text = String(found);
      const leak = patterns.find(({ pattern }) => pattern.test(text));
      if (leak !== undefined) return { secret: leak.secret, path };
    }
  }
  return null;
}
