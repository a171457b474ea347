import type { ServerAddress } from "./address.js";

/** A value that must not appear in a message, in the snapshot or in a generated file. */
export interface Secret {
  /** A name for it that may be printed: "the header Authorization". */
  readonly what: string;
  /** The name of the header or the environment variable that has the value; undefined for anything else. */
  readonly setting?: string;
  readonly text: string;
  /**
   * True if a server that lists the value is rejected. Other values are only hidden in messages, because they may also
   * appear in ordinary text.
   */
  readonly isCertain: boolean;
}

/** Names of headers, variables, options and query members with credentials. */
const credentialName = /token|secret|passw|pwd|api[-_]?key|\bkey\b|_key$|auth|credential|cookie|session/i;

/** True if a header, variable or option with this name contains a credential. */
export const isCredential = (name: string): boolean => credentialName.test(name);

/** Variables that every server gets and that never contain a credential. */
const commonVariable = /^(?:HOME|USERPROFILE|USER|USERNAME|LOGNAME|PATH|PWD|SHELL|LANG|TEMP|TMP|TMPDIR)$/i;

/** Headers that describe a message and never contain a credential. */
const descriptive = /^(?:accept(?:-.+)?|content-type|user-agent)$/i;

/** Values of common settings, which appear in ordinary text. */
const commonSettings = new Set(
  "true false none null auto default debug info notice warn warning error trace silent verbose production development staging test local localhost stdio http https json text utf-8".split(
    " ",
  ),
);

/**
 * True if a value is too common to be hidden: fewer than four characters, a number of up to five digits, or a common
 * setting such as `true` or `production`. Hiding these would make ordinary text unreadable.
 */
function isCommon(text: string): boolean {
  return text.length < 4 || /^\d{1,5}$/.test(text) || commonSettings.has(text.toLowerCase());
}

/** The secrets of a connection to a server, the longest first. */
export function secretsOf(address: ServerAddress): readonly Secret[] {
  if (address.kind === "module") return [];
  const secrets = [
    ...address.expanded.flatMap(({ name, value }) => {
      const what = `the environment variable ${name}`;
      if (commonVariable.test(name)) return [];
      return ofSetting(name, isNotSecret(address, name) ? inText(what, value) : withParts(what, value));
    }),
    ...(address.kind === "http" ? ofHttp(address) : ofStdio(address)),
  ];
  return secrets.filter(({ text }) => !isCommon(text)).sort((a, b) => b.text.length - a.text.length);
}

function ofHttp(address: Extract<ServerAddress, { kind: "http" }>): Secret[] {
  const secrets = ofUrl("the URL", address.url);
  for (const text of address.tokens ?? []) secrets.push({ what: "a token", text, isCertain: true });
  for (const [name, value] of Object.entries(address.headers)) {
    const isSecret = !isNotSecret(address, name);
    if (isSecret && descriptive.test(name)) continue;
    secrets.push(...ofSetting(name, isSecret ? ofHeader(name, value) : inText(`the header ${name}`, value)));
  }
  return secrets;
}

const ofSetting = (setting: string, secrets: readonly Secret[]): Secret[] =>
  secrets.map((secret) => ({ ...secret, setting }));

/** True if the user declared the value not secret. Parts of it that look like a credential are secret nevertheless. */
function isNotSecret({ notSecret = [] }: { readonly notSecret?: readonly string[] }, name: string): boolean {
  return notSecret.some((one) => one.toLowerCase() === name.toLowerCase());
}

function ofUrl(whose: string, { username, password, searchParams, pathname, hash }: URL): Secret[] {
  const secrets = [
    ...encoded(`the user of ${whose}`, username, false),
    ...encoded(`the password of ${whose}`, password, true),
  ];
  if (password !== "") secrets.push(...encoded(`the password of ${whose}`, basic(username, password), true));
  for (const [name, value] of searchParams) {
    secrets.push(...encoded(`the query's ${name}`, value, credentialName.test(name) || isRandom(value)));
  }
  // Many services identify users by a part of the path.
  for (const part of [...pathname.split("/"), hash.slice(1)]) {
    if (isRandom(part)) secrets.push(...encoded(`a part of the path of ${whose}`, part, true));
  }
  return secrets;
}

/** The whole value, the text after the scheme, the values of cookies, and the password in `Basic`. */
function ofHeader(name: string, value: string): Secret[] {
  const what = `the header ${name}`;
  const secrets = withParts(what, value);
  const words = [
    ...value.split(/\s+/).slice(1),
    ...Array.from(value.matchAll(/=([^\s;,]+)/g), ([, text = ""]) => text),
  ];
  for (const text of words)
    secrets.push({ what, text, isCertain: credentialName.test(name) || isRandom(text) });
  const [, encoded] = /^basic\s+([\w+/=-]+)$/i.exec(value) ?? [];
  if (encoded === undefined) return secrets;
  const [user = "", ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return [
    ...secrets,
    { what, text: user, isCertain: false },
    { what, text: password.join(":"), isCertain: true },
  ];
}

function ofStdio({ args, env }: Extract<ServerAddress, { kind: "stdio" }>): Secret[] {
  const secrets = Object.entries(env).flatMap(([name, text]): Secret[] => {
    const what = `the environment variable ${name}`;
    // A file that names the server may contain the value itself, which is then often a plain setting.
    const ofVariable = credentialName.test(name)
      ? withParts(what, text)
      : [{ what, text, isCertain: isRandom(text) }, ...inText(what, text)];
    return ofSetting(name, ofVariable);
  });
  const what = "an argument of the command";
  args.forEach((text, i) => {
    const value = secretIn(args, i);
    const words = value === null ? [] : [value, ...value.split(/\s+/).slice(1)];
    secrets.push(...words.map((word) => ({ what, text: word, isCertain: true })), ...inText(what, text));
  });
  return secrets;
}

/** A secret and the secrets inside it, which a server may repeat on their own. */
function withParts(what: string, text: string): Secret[] {
  return [...encoded(what, text, true), ...inText(what, text)];
}

/** The secrets inside a text: words that look like credentials, and parts of a URL. */
function inText(what: string, text: string): Secret[] {
  const words = text.split(/[\s,;="'\\]+/);
  return [
    ...words.filter(isRandom).map((word) => ({ what, text: word, isCertain: true })),
    ...words.filter(isAddress).flatMap((word) => ofUrl(what, new URL(word))),
  ];
}

function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text) && URL.canParse(text);
}

/** True for a text that looks like a credential: a JSON Web Token, or 16 characters with letters and digits. */
function isRandom(text: string): boolean {
  if (/^eyJ[\w-]+\.[\w-]+/.test(text)) return true;
  if (/[\s/]/.test(text)) return false;
  return text.split(".").some((part) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part));
}

/** A text in the encodings that may appear in a response: as it is, URL-encoded, URL-decoded, and inside JSON. */
function encoded(what: string, text: string, isCertain: boolean): Secret[] {
  const texts = [text, orUnchanged(encodeURIComponent, text), orUnchanged(decodeURIComponent, text)];
  const all = new Set([...texts, ...texts.map((one) => JSON.stringify(one).slice(1, -1))]);
  return [...all].map((one) => ({ what, text: one, isCertain }));
}

function orUnchanged(change: (text: string) => string, text: string): string {
  try {
    return change(text);
  } catch {
    return text;
  }
}

/** The credentials of a URL as an Authorization header. */
function basic(username: string, password: string): string {
  const [user, secret] = [username, password].map((text) => orUnchanged(decodeURIComponent, text));
  return Buffer.from(`${user}:${secret}`).toString("base64");
}

/** A command line for display before it runs, without what is clearly secret. */
export function shownCommand([command = "", ...args]: readonly string[]): string {
  const words = args.map((word, i) => {
    const secret = secretIn(args, i);
    const rest = secret === null ? word : `${word.slice(0, word.length - secret.length)}…`;
    const inside = inText("", rest).filter(({ text, isCertain }) => isCertain && !isCommon(text));
    const shown = rest.replace(/(\/\/[^/@\s:]*:)[^/@\s]+@/, "$1…@");
    return inside.reduce((text, secret) => text.replaceAll(secret.text, "…"), shown);
  });
  return [command, ...words].map((word) => JSON.stringify(word)).join(" ");
}

/** The end of an argument that is secret because of the name before it: `--token=…`, `--token …`, `Authorization: …`. */
function secretIn(args: readonly string[], i: number): string | null {
  const word = args[i] ?? "";
  const [, option = "", own] = /^(--?[^=\s]+)=(.+)$/s.exec(word) ?? [];
  if (own !== undefined && (credentialName.test(option) || isHeaderOption(option)))
    return headerValue(own) ?? own;
  const before = args[i - 1] ?? "";
  const isValue = /^--?[A-Za-z]/.test(before) && !before.includes("=") && !word.startsWith("-");
  if (isValue && isHeaderOption(before)) return headerValue(word) ?? word;
  if (isValue && credentialName.test(before)) return word;
  const [, name = "", value] = /^([\w-]+): *(.+)$/s.exec(word) ?? [];
  return value !== undefined && credentialName.test(name) ? value : null;
}

const isHeaderOption = (option: string): boolean => /^(?:-H|--?headers?)$/.test(option);

/** The value after a header's name; null if it is not a header or contains no credential. */
function headerValue(text: string): string | null {
  return /^[\w-]+: *(.+)$/s.exec(text)?.[1] ?? null;
}
