import { unescape } from "node:querystring";
import { isRecord } from "../../generator/ir/json/value.js";
import type { HttpAddress, ServerAddress, StdioAddress } from "./address.js";

/**
 * A value that must not appear in a message, in the snapshot or in a generated
 * file.
 */
export interface Secret {
  /** A name for it that may be printed: "the header Authorization". */
  readonly what: string;
  /**
   * The name of the header or the environment variable that has the value;
   * undefined for anything else.
   */
  readonly setting?: string;
  readonly text: string;
  /**
   * True if a server that lists the value is rejected. Others are only hidden
   * in messages, because ordinary text may contain them.
   */
  readonly isCertain: boolean;
}

/**
 * True if a header, variable, option or query member with this name contains a
 * credential.
 */
export const isCredential = (name: string): boolean =>
  /token|secret|passw|pwd|api[-_]?key|\bkey\b|_key$|auth|credential|cookie|session/i.test(
    name,
  );

/**
 * Variables that every server gets, and headers that describe a message. They
 * never contain a credential.
 */
const harmless =
  /^(?:HOME|USERPROFILE|USER|USERNAME|LOGNAME|PATH|PWD|SHELL|LANG|TEMP|TMP|TMPDIR|accept(?:-.+)?|content-type|user-agent)$/i;

/**
 * Values that any text may contain: up to three characters or five digits, and
 * common settings. To hide them would make text unreadable.
 */
const common =
  /^(?:.{0,3}|\d{1,5}|true|false|none|null|auto|default|debug|info|notice|warn|warning|error|trace|silent|verbose|production|development|staging|test|local|localhost|stdio|http|https|json|text|utf-8)$/is;

/**
 * True for a key of a service in a path or an argument, where no name tells
 * that it is one: 16 characters with letters and digits.
 */
const isKey = (text: string): boolean =>
  /^(?=.*\d)(?=.*[a-z])[^\s/]{16,}$/i.test(text);

const secret = (what: string, text: string, isCertain = true): Secret => ({
  what,
  text,
  isCertain,
});

/**
 * The values that a user has given for a connection to a server, the longest
 * first.
 */
export function secretsOf(address: ServerAddress): readonly Secret[] {
  if (address.kind === "module") return [];
  const given: Partial<Omit<StdioAddress, "kind"> & Omit<HttpAddress, "kind">> =
    address;
  const {
    expanded = [],
    env = {},
    headers = {},
    tokens = [],
    args = [],
    url,
    notSecret = [],
  } = given;
  const publicNames = new Set(notSecret.map((name) => name.toLowerCase()));
  const of = (
    kind: string,
    setting: string,
    text: string,
    isCertain: boolean,
  ): Secret[] => {
    if (harmless.test(setting)) return [];
    const whole = {
      ...secret(`the ${kind} ${setting}`, text, isCertain),
      setting,
    };
    return [
      ...(publicNames.has(setting.toLowerCase()) ? [] : [whole]),
      ...ofAddress(whole.what, text),
    ];
  };
  const variables = [
    ...expanded.flatMap(({ name, value }) =>
      of("environment variable", name, value, true),
    ),
    // A file that names the server may contain the value itself, which is then
    // often a plain setting.
    ...Object.entries(env).flatMap(([name, value]) =>
      of("environment variable", name, value, isCredential(name)),
    ),
  ];
  const inHeaders = Object.entries(headers).flatMap(([name, value]) => [
    ...of("header", name, value, true),
    ...credentialsIn(value).flatMap((text) =>
      of("header", name, text, isCredential(name) || isKey(text)),
    ),
  ]);
  return inAllForms([
    ...variables,
    ...inHeaders,
    ...Array.from(tokens, (text) => secret("a token", text)),
    ...ofArguments(args),
    ...(url === undefined ? [] : ofUrl("the URL", url)),
  ]);
}

/**
 * Secrets as they may appear in a text, the longest first: as they are,
 * URL-encoded, URL-decoded, and inside JSON.
 */
function inAllForms(secrets: readonly Secret[]): readonly Secret[] {
  const all = secrets.flatMap((each) => {
    const { text } = each;
    const forms = [
      text,
      unescape(text),
      encodeURIComponent(text.replace(/\p{Cs}/gu, "")),
    ];
    const escaped = forms.map((form) => JSON.stringify(form).slice(1, -1));
    return [...new Set([...forms, ...escaped])].map((form) => ({
      ...each,
      text: form,
    }));
  });
  return all
    .filter(({ text }) => !common.test(text))
    .sort((a, b) => b.text.length - a.text.length);
}

/**
 * The text after the scheme, the values of cookies, and the password in
 * `Basic`.
 */
function credentialsIn(header: string): string[] {
  const [, basic = ""] = /^basic\s+(\S+)$/i.exec(header) ?? [];
  const [, ...password] = Buffer.from(basic, "base64").toString().split(":");
  const values = Array.from(
    header.matchAll(/=([^\s;,]+)/g),
    ([, text = ""]) => text,
  );
  return [...header.split(/\s+/).slice(1), ...values, password.join(":")];
}

/**
 * The secrets of a text that is a URL, which programs print in another form.
 */
const ofAddress = (whose: string, text: string): Secret[] =>
  text.includes("://") && URL.canParse(text) ? ofUrl(whose, new URL(text)) : [];

function ofUrl(
  whose: string,
  { username, password, searchParams, pathname, hash }: URL,
): Secret[] {
  const basic = Buffer.from(
    `${unescape(username)}:${unescape(password)}`,
  ).toString("base64");
  const passwords = password === "" ? [] : [password, basic];
  // Many services identify users by a part of the path.
  const keys = [...pathname.split("/"), hash.slice(1)].filter(isKey);
  return [
    secret(`the user of ${whose}`, username, false),
    ...passwords.map((text) => secret(`the password of ${whose}`, text)),
    ...Array.from(searchParams, ([name, text]) =>
      secret(`the query's ${name}`, text, isCredential(name) || isKey(text)),
    ),
    ...keys.map((text) => secret(`a part of the path of ${whose}`, text)),
  ];
}

/**
 * What follows an option with the name of a credential or of a header; and keys
 * and addresses in other arguments.
 */
function ofArguments(args: readonly string[]): Secret[] {
  const what = "an argument of the command";
  return args.flatMap((word, i) => {
    const previous = word.startsWith("-")
      ? ""
      : (/^-[^=]*$/.exec(args[i - 1] ?? "")?.[0] ?? "");
    const [, option = previous, value = word] =
      /^(--?[^=\s]+)=(.+)$/s.exec(word) ?? [];
    const [, header = "", text = value] =
      /^([\w-]+): *(.+)$/s.exec(value) ?? [];
    if (
      /^(-H|--?headers?)$/.test(option) ||
      isCredential(option) ||
      isCredential(header)
    )
      return [text, ...credentialsIn(text)].map((part) => secret(what, part));
    const parts = value.split(/[\s,;="']+/);
    return parts.flatMap((part) =>
      isKey(part) ? [secret(what, part)] : ofAddress(what, part),
    );
  });
}

/**
 * A command line for display before it runs, without what is clearly secret.
 */
export function shownCommand(command: readonly string[]): string {
  const line = command.map((word) => JSON.stringify(word)).join(" ");
  return redacted(line, inAllForms(ofArguments(command.slice(1))));
}

/**
 * A short text is hidden only as a whole word, so that it does not damage other
 * words.
 */
function patternOf(text: string, more = ""): RegExp {
  const literal = text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const word =
    text.length < 8
      ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])`
      : literal;
  return new RegExp(`${word}${more}`, "gu");
}

/** The message with "…" instead of each secret. */
export function redacted(message: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return message;
  // The JSON parser quotes some twenty characters, which may be in the middle
  // of a secret.
  const unquoted = message.replace(
    /, (?:\.\.\.)?".{0,40}"(?:\.\.\.)? is not valid JSON/gs,
    "",
  );
  // The beginning of a credential is enough, because messages may quote a
  // response that was cut.
  const starts = secrets.flatMap(
    ({ text, isCertain }) => (isCertain && /^[^\s/]{12}/.exec(text)) || [],
  );
  const patterns = [
    ...secrets.map(({ text }) => patternOf(text)),
    ...starts.map((start) => patternOf(start, "[\\w.~+=-]*")),
  ];
  return patterns.reduce(
    (rest, pattern) => rest.replace(pattern, "…"),
    unquoted,
  );
}

/** A certain secret in a value. */
interface Leak extends Secret {
  /**
   * Its place, as in code: `tools[3].description`. A name in it may contain the
   * secret.
   */
  readonly path: string;
}

/**
 * A JSON value with "…" instead of each certain secret in its texts and names,
 * and the first one that was found.
 */
export function withoutSecrets(value: unknown, secrets: readonly Secret[]) {
  const certain = secrets.filter(({ isCertain }) => isCertain);
  const patterns = certain.map((each) => [each, patternOf(each.text)] as const);
  let leak = null as Leak | null;
  const hide = (text: string, path: string): string =>
    patterns.reduce((rest, [each, pattern]) => {
      const hidden = rest.replace(pattern, "…");
      if (hidden !== rest) leak ??= { ...each, path };
      return hidden;
    }, text);
  const visit = (node: unknown, path: string): unknown => {
    if (Array.isArray(node))
      return node.map((item, i) => visit(item, `${path}[${i}]`));
    if (isRecord(node)) {
      const members = Object.entries(node).map(([name, member]) => {
        const inner = path === "" ? name : `${path}.${name}`;
        return [hide(name, inner), visit(member, inner)] as const;
      });
      return Object.fromEntries(members);
    }
    const text = hide(String(node), path);
    return text === String(node) ? node : text;
  };
  return { value: visit(value, ""), leak };
}
