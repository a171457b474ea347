import type { ServerSource } from "../../config.js";
import { usageError } from "../command-error.js";
import { namedSources, type sourceNames } from "../options.js";
import {
  type HttpAddress,
  readUrl,
  type ServerAddress,
  type StdioAddress,
} from "./address.js";
import { findEntry } from "./entry.js";
import { readHeaders } from "./headers.js";
import { isCredential } from "./secrets.js";
import { splitCommand } from "./split.js";

/** The ways to name a live server. */
type LiveSource = (typeof sourceNames)[number];

/** The member of a source that names the server; null if none does. */
export function sourceKind(source: ServerSource): LiveSource | null {
  const sources = namedSources(source);
  if (sources.length > 1) {
    throw usageError(
      "MG705",
      `--${sources.join(" and --")} exclude each other`,
      "use one of them",
    );
  }
  return sources[0] ?? null;
}

/**
 * The server that a source names. A command starts in the folder. Reads files,
 * but starts nothing and asks no questions.
 */
export async function addressOf(
  source: ServerSource,
  directory: string,
): Promise<ServerAddress> {
  const kind = sourceKind(source);
  if (kind === null)
    throw usageError(
      "MG743",
      "the source names no server",
      'set "url", "stdio", "module" or "config"',
    );
  const {
    header = [],
    env: names = [],
    notSecret = [],
    auth,
    issuer,
    issuerAlias,
  } = source;
  const headers = readHeaders(header);
  const env = variables(names);
  const credential = notSecret.find((name) => isCredential(name));
  if (credential !== undefined) {
    const message = `--not-secret ${JSON.stringify(credential)} has the name of a credential`;
    throw usageError(
      "MG702",
      message,
      "remove it: the value of a credential is always secret",
    );
  }
  const address = await addressFrom(kind, source[kind] ?? "", directory);
  rejectFlagsOf("url", address.kind !== "http", {
    header,
    auth,
    issuer,
    "issuer-alias": issuerAlias,
  });
  rejectFlagsOf("stdio", address.kind !== "stdio", { env: names });
  if (address.kind === "http") {
    return {
      ...address,
      ...(auth !== undefined && { auth }),
      ...(issuer !== undefined && { issuer }),
      ...(issuerAlias !== undefined && { issuerAlias }),
      headers: { ...address.headers, ...headers },
      notSecret,
    };
  }
  if (address.kind === "stdio") {
    const expanded = Object.entries(env).map(([name, value]) => ({
      name,
      value,
    }));
    return {
      ...address,
      cwd: address.cwd ?? directory,
      env: { ...address.env, ...env },
      expanded: [...address.expanded, ...expanded],
      notSecret,
    };
  }
  return address;
}

/** Rejects flags that are set, and that only a server of another kind has. */
function rejectFlagsOf(
  kind: LiveSource,
  isOther: boolean,
  flags: Readonly<Record<string, string | readonly string[] | undefined>>,
): void {
  const name = Object.keys(flags).find(
    (flag) => (flags[flag] ?? "").length > 0,
  );
  if (!isOther || name === undefined) return;
  throw usageError(
    "MG705",
    `--${name} requires --${kind}`,
    `remove it, or use --${kind}`,
  );
}

/**
 * The server that a text names: a URL, a command line, a module's export, or an
 * entry of a client's file in the folder.
 */
async function addressFrom(
  source: LiveSource,
  text: string,
  directory: string,
): Promise<ServerAddress> {
  switch (source) {
    case "url":
      return httpAddress(text);
    case "stdio":
      return stdioAddress(text);
    case "module":
      return { kind: "module", module: text };
    case "config":
      return await findEntry(text, directory);
    default:
      return source satisfies never;
  }
}

/** A server at a URL; `whose` is the subject of the error message. */
export function httpAddress(text: string, whose?: string): HttpAddress {
  return {
    kind: "http",
    url: readUrl(text, whose),
    isSse: false,
    headers: {},
    expanded: [],
  };
}

/** A server that a command line starts. */
export function stdioAddress(line: string, whose = "--stdio"): StdioAddress {
  const [command, ...args] = splitCommand(line) ?? [];
  if (!command) {
    throw usageError(
      "MG702",
      `${whose} is not a command line`,
      'for example --stdio "node server.js"',
    );
  }
  return stdioAddressOf(command, args);
}

/** A server that a command with these arguments starts. */
export const stdioAddressOf = (
  command: string,
  args: readonly string[],
): StdioAddress => ({
  kind: "stdio",
  command,
  args,
  written: [command, ...args],
  env: {},
  cwd: null,
  expanded: [],
});

/**
 * Environment variables by name, because other users of the machine can see
 * values on a command line.
 */
function variables(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
        throw usageError(
          "MG702",
          "--env takes the name of a variable, not its value",
          "set the variable, and use --env NAME",
        );
      }
      const value = process.env[name];
      if (value !== undefined) return [name, value];
      throw usageError(
        "MG735",
        `the environment variable ${name} is not set`,
        "set it, or remove --env",
      );
    }),
  );
}
