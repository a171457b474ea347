import type { ServerPlace } from "./place.js";

/** A text that nobody may read who reads our messages or the snapshot. */
export interface Secret {
  /** What may be said of it: "the header Authorization". */
  readonly what: string;
  readonly text: string;
  /** Can it be nothing but a secret? Others may stand in any text by chance. */
  readonly isSure: boolean;
}

/** Shorter ones cannot be told from words. */
const shortest = 6;

const telling = /token|secret|passw|pwd|api[-_]?key|\bkey\b|_key$|auth|credential|cookie|session/i;

/** What of a place is nobody's business, the longest first. */
export function secretsOf(place: ServerPlace): readonly Secret[] {
  const found =
    place.kind === "http" ? ofHttp(place.url, place.headers) : place.kind === "stdio" ? ofStdio(place) : [];
  return found.filter(({ text }) => text.length >= shortest).sort((a, b) => b.text.length - a.text.length);
}

function ofHttp(url: URL, headers: Readonly<Record<string, string>>): Secret[] {
  const { username, password, searchParams, pathname } = url;
  const found = [
    ...spelt("the user of the URL", username, false),
    ...spelt("the password of the URL", password, true),
    ...spelt("the password of the URL", basic(username, password), password !== ""),
  ];
  for (const [name, text] of searchParams) {
    found.push(...spelt(`the query's ${name}`, text, telling.test(name) || isRandom(text)));
  }
  // Many services know their users by a part of the path.
  for (const part of pathname.split("/")) {
    if (isRandom(part)) found.push(...spelt("a part of the URL's path", part, true));
  }
  for (const [name, text] of Object.entries(headers)) {
    // A scheme says nothing; what stands behind it does.
    for (const word of new Set([text, ...text.split(/\s+/).slice(1)])) {
      found.push({ what: `the header ${name}`, text: word, isSure: telling.test(name) || isRandom(word) });
    }
  }
  return found;
}

function ofStdio({ args, written, env }: Extract<ServerPlace, { kind: "stdio" }>): Secret[] {
  const found = Object.entries(env)
    .filter(([name]) => telling.test(name))
    .map(([name, text]) => ({ what: `the environment variable ${name}`, text, isSure: true }));
  const what = "an argument of the command";
  const shown = shownArguments(args);
  args.forEach((text, i) => {
    // What a variable has put there is not written anywhere, and may be a folder as well as a token.
    if (text !== written[i + 1]) found.push({ what, text, isSure: isRandom(text) });
    if (text !== shown[i]) found.push({ what, text: text.replace(/^--?[^=\s]+=/, ""), isSure: true });
  });
  return found;
}

/** Does it look like what a machine has made up? */
function isRandom(text: string): boolean {
  return text.length >= 16 && /\d/.test(text) && /[A-Za-z]/.test(text) && !/[\s/.]/.test(text);
}

/** A text as it is written in a URL, and as it is meant. */
function spelt(what: string, text: string, isSure: boolean): Secret[] {
  return [...new Set([text, encodeURIComponent(text), meant(text)])].map((text) => ({ what, text, isSure }));
}

function meant(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How the credentials of a URL travel. */
function basic(username: string, password: string): string {
  return password === "" ? "" : Buffer.from(`${meant(username)}:${meant(password)}`).toString("base64");
}

/** A message without the secrets that somebody has put into it. */
export function redacted(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((told, { text: secret }) => told.replaceAll(secret, "…"), text);
}

/** A command line for the eye, before it is run: with everything that decides what happens, and without what is plainly secret. */
export function shownCommand([command = "", ...args]: readonly string[]): string {
  return [command, ...shownArguments(args)].map((word) => JSON.stringify(word)).join(" ");
}

function shownArguments(args: readonly string[]): string[] {
  return args.map((word, i) => {
    const own = /^(--?[^=\s]+=)(.+)$/s.exec(word);
    if (own !== null && telling.test(own[1] ?? "")) return `${own[1]}…`;
    const before = args[i - 1] ?? "";
    const isValue = /^--?[A-Za-z]/.test(before) && !before.includes("=") && !word.startsWith("-");
    if (isValue && telling.test(before)) return "…";
    // A header in an argument, and the password of an address.
    const header = /^([\w-]+: *)(.+)$/s.exec(word);
    if (header !== null && telling.test(header[1] ?? "")) return `${header[1]}…`;
    return word.replace(/(\/\/[^/@\s:]*:)[^/@\s]+@/, "$1…@");
  });
}
