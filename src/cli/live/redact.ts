import type { Secret } from "./secrets.js";

/** Shorter secrets are hidden only as whole words, so that they do not damage other words. */
const wordLength = 8;

/** The minimum length of a part of a secret that is hidden: messages may quote truncated responses. */
const pieceLength = 8;

/** The maximum length of a text that is searched for parts. */
const maxLength = 20_000;

/** A quotation in a message of the JSON parser: some twenty characters, which may be a part of a secret. */
const quotation = /, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON/gs;

/** The message with "…" instead of each secret and each longer part of one. */
export function redacted(message: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return message;
  const unquoted = message.replace(quotation, "");
  const whole = secrets.reduce((text, secret) => text.replaceAll(patternOf(secret, "g"), "…"), unquoted);
  const certain = secrets.filter(({ text, isCertain }) => isCertain && text.length > pieceLength + 3);
  return certain.reduce((text, secret) => withoutPieces(text, secret.text), whole.slice(0, maxLength));
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

/** A copy of a JSON value with "…" instead of each certain secret in its texts, and the first secret that was found. */
export function withoutSecrets(
  value: unknown,
  secrets: readonly Secret[],
): { readonly value: unknown; readonly found: Secret | null } {
  const patterns = secrets.flatMap((secret) => {
    return secret.isCertain ? [{ secret, pattern: patternOf(secret, "g") }] : [];
  });
  if (patterns.length === 0) return { value, found: null };
  let found: Secret | null = null;
  const hide = (_: string, member: unknown): unknown => {
    if (typeof member !== "string") return member;
    return patterns.reduce((text, { secret, pattern }) => {
      const hidden = text.replaceAll(pattern, "…");
      if (hidden !== text) found ??= secret;
      return hidden;
    }, member);
  };
  return { value: JSON.parse(JSON.stringify(value), hide) as unknown, found };
}

/** The location of a certain secret in a value. */
export interface Leak {
  readonly secret: Secret;
  /** The path as in code: `tools[3].description`. A name in it may contain the secret. */
  readonly path: string;
}

/** Finds the first text or member name in a JSON value that contains a certain secret. */
export function findLeak(value: unknown, secrets: readonly Secret[]): Leak | null {
  const patterns = secrets.flatMap((secret) => {
    return secret.isCertain ? [{ secret, pattern: patternOf(secret, "") }] : [];
  });
  const open: [value: unknown, path: string][] = [[value, ""]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, path] = next;
    if (typeof node === "object" && node !== null) {
      const isList = Array.isArray(node);
      for (const [name, member] of Object.entries(node).reverse()) {
        const inner = isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
        open.push([member, inner]);
        if (!isList) open.push([name, inner]);
      }
    } else if (typeof node === "string" || typeof node === "number") {
      const text = String(node);
      const leak = patterns.find(({ pattern }) => pattern.test(text));
      if (leak !== undefined) return { secret: leak.secret, path };
    }
  }
  return null;
}
