/** A server as a client's configuration file names it. Every text stands as it is written there: nothing is expanded yet. */
export type ClientEntry = StdioEntry | HttpEntry;

interface Named {
  readonly name: string;
  /** The file that names it: its path from the folder that was looked at, with forward slashes. */
  readonly file: string;
}

/** A server to be started. */
export interface StdioEntry extends Named {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables by name. The values are often secrets: only the names are to be told or written anywhere. */
  readonly env: Readonly<Record<string, string>>;
  /** A file with more of them; null for none. */
  readonly envFile: string | null;
  /** The folder to start it in; null for that of the user. */
  readonly cwd: string | null;
}

/** A server at a URL. */
export interface HttpEntry extends Named {
  readonly kind: "http";
  /** May hold a secret in its path or query. */
  readonly url: string;
  /** Is it said to be of the older kind, HTTP+SSE? */
  readonly isSse: boolean;
  /** Headers by name, the values often secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads one entry; a text says what is wrong with it. */
export function readEntry(name: string, file: string, value: unknown): ClientEntry | string {
  if (!isRecord(value)) return "it is no object";
  const { type, command, url, serverUrl } = value;
  const address = url ?? serverUrl;
  if (typeof command === "string" && command.trim() !== "") {
    const { args = [], env = {}, envFile = null, cwd = null } = value;
    if (!Array.isArray(args) || !args.every(isText)) return '"args" is no list of texts';
    if (!isScalars(env)) return '"env" is no object of texts';
    if (!isTextOrNull(envFile)) return '"envFile" is no text';
    if (!isTextOrNull(cwd)) return '"cwd" is no text';
    return { kind: "stdio", name, file, command, args, env: texts(env), envFile, cwd };
  }
  if (typeof address === "string" && address.trim() !== "") {
    const { headers = {} } = value;
    if (!isScalars(headers)) return '"headers" is no object of texts';
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

/** Clients take numbers and switches for texts here. */
function isScalars(value: unknown): value is Scalars {
  return (
    isRecord(value) &&
    Object.values(value).every((one) => isText(one) || typeof one === "number" || typeof one === "boolean")
  );
}

function texts(scalars: Scalars): Readonly<Record<string, string>> {
  // `fromEntries` keeps a member called `__proto__` a member.
  return Object.fromEntries(Object.entries(scalars).map(([name, value]) => [name, String(value)]));
}
