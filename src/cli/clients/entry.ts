/** A server in a client's configuration file, with its texts unchanged: variables are not expanded yet. */
export type ClientEntry = StdioEntry | HttpEntry;

interface Named {
  readonly name: string;
  /** The file that names it, relative to the searched folder, with forward slashes. */
  readonly file: string;
}

/** A server that a command starts. */
export interface StdioEntry extends Named {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables by name. Values are often secrets: never print or write them. */
  readonly env: Readonly<Record<string, string>>;
  /** A file with further variables; null without one. */
  readonly envFile: string | null;
  /** The folder in which it starts; null for the user's. */
  readonly cwd: string | null;
}

/** A server at a URL. */
export interface HttpEntry extends Named {
  readonly kind: "http";
  /** May contain a secret in its path or query. */
  readonly url: string;
  /** True if the entry declares the older transport, HTTP+SSE. */
  readonly isSse: boolean;
  /** Headers by name; values are often secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads one entry, or returns the reason why it is invalid. */
export function readEntry(name: string, file: string, value: unknown): ClientEntry | string {
  if (!isRecord(value)) return "it is not an object";
  const { type, command, url, serverUrl } = value;
  const address = url ?? serverUrl;
  if (typeof command === "string" && command.trim() !== "") {
    const { args = [], env = {}, envFile = null, cwd = null } = value;
    if (!Array.isArray(args) || !args.every(isText)) return '"args" is not a list of strings';
    if (!isScalars(env)) return '"env" is not an object of strings';
    if (!isTextOrNull(envFile)) return '"envFile" is not a string';
    if (!isTextOrNull(cwd)) return '"cwd" is not a string';
    return { kind: "stdio", name, file, command, args, env: texts(env), envFile, cwd };
  }
  if (typeof address === "string" && address.trim() !== "") {
    const { headers = {} } = value;
    if (!isScalars(headers)) return '"headers" is not an object of strings';
    return { kind: "http", name, file, url: address, isSse: type === "sse", headers: texts(headers) };
  }
  return 'it has neither a "command" nor a "url"';
}

type Scalars = Readonly<Record<string, string | number | boolean>>;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

/** Clients accept numbers and booleans as texts here. */
function isScalars(value: unknown): value is Scalars {
  return (
    isRecord(value) &&
    Object.values(value).every((one) => isText(one) || typeof one === "number" || typeof one === "boolean")
  );
}

function texts(scalars: Scalars): Readonly<Record<string, string>> {
  // `fromEntries` keeps a member named `__proto__`.
  return Object.fromEntries(Object.entries(scalars).map(([name, value]) => [name, String(value)]));
}
