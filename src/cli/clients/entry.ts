import { isRecord } from "../../generator/ir/json/value.js";

/**
 * A server in a client's configuration file, with its texts unchanged:
 * variables are not expanded yet.
 */
export type ClientEntry = StdioEntry | HttpEntry;

interface Named {
  readonly name: string;
  /**
   * The file that names it, relative to the searched folder, with forward
   * slashes.
   */
  readonly file: string;
  /** Set if the client does not start it. */
  readonly isDisabled?: true;
}

/** A server that a command starts. */
export interface StdioEntry extends Named {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /**
   * Environment variables by name. Values are often secrets: never print or
   * write them.
   */
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

/**
 * An entry of opencode, Zed or Gemini CLI in the form that the other clients
 * have: `command` may hold the arguments, or be an object with them; the
 * environment may be called `environment`, the URL `httpUrl`, and variables are
 * written `{env:NAME}` or `$NAME`.
 */
export function plainForm(value: unknown, path: string): unknown {
  if (!isRecord(value)) return value;
  const { command, environment, httpUrl, type } = value;
  const isOpencode = type === "local" || type === "remote";
  const isGemini = /[/\\]\.gemini[/\\]settings\.json$/.test(path);
  const [first, ...rest] = Array.isArray(command) ? (command as unknown[]) : [];
  const whole = {
    ...value,
    ...(isRecord(command) && { ...command, command: command["path"] }),
    ...(first !== undefined && { command: first, args: rest }),
    ...(environment !== undefined && { env: environment }),
    ...(httpUrl !== undefined && { url: httpUrl }),
  };
  if (!isOpencode && !isGemini) return whole;
  return withVariables(
    whole,
    isOpencode ? /\{((?:env|file):[^{}]*)\}/g : /\$([A-Za-z_]\w*)/g,
  );
}

/**
 * Writes the variables that a pattern finds in the texts of a value as
 * `${NAME}`.
 */
function withVariables(value: unknown, pattern: RegExp): unknown {
  if (typeof value === "string")
    return value.replace(pattern, (_, name: string) => `\${${name}}`);
  if (Array.isArray(value))
    return value.map((item) => withVariables(item, pattern));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withVariables(member, pattern),
    ]),
  );
}

/** Reads one entry, or returns the reason why it is invalid. */
export function readEntry(
  name: string,
  file: string,
  value: unknown,
): ClientEntry | string {
  if (!isRecord(value)) return "it is not an object";
  const { type, command, url, serverUrl, disabled, enabled } = value;
  const address = url ?? serverUrl;
  const named: Named = {
    name,
    file,
    ...((disabled === true || enabled === false) && { isDisabled: true }),
  };
  if (typeof command === "string" && command.trim() !== "") {
    const { args = [], env = {}, envFile = null, cwd = null } = value;
    if (!Array.isArray(args) || !args.every(isText))
      return '"args" is not a list of strings';
    if (!isScalars(env)) return '"env" is not an object of strings';
    if (!isTextOrNull(envFile)) return '"envFile" is not a string';
    if (!isTextOrNull(cwd)) return '"cwd" is not a string';
    return {
      kind: "stdio",
      ...named,
      command,
      args,
      env: texts(env),
      envFile,
      cwd,
    };
  }
  if (typeof address === "string" && address.trim() !== "") {
    const { headers = {} } = value;
    if (!isScalars(headers)) return '"headers" is not an object of strings';
    return {
      kind: "http",
      ...named,
      url: address,
      isSse: type === "sse",
      headers: texts(headers),
    };
  }
  return 'it has neither a "command" nor a "url"';
}

type Scalars = Readonly<Record<string, string | number | boolean>>;

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
    Object.values(value).every(
      (one) =>
        isText(one) || typeof one === "number" || typeof one === "boolean",
    )
  );
}

function texts(scalars: Scalars): Readonly<Record<string, string>> {
  // `fromEntries` keeps a member named `__proto__`.
  return Object.fromEntries(
    Object.entries(scalars).map(([name, value]) => [name, String(value)]),
  );
}
