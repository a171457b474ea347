import type { ServerSource } from "../../config.js";
import { usageError } from "../command-error.js";
import { namedSources, type sourceNames } from "../options.js";
import { type HttpAddress, readUrl, type ServerAddress, type StdioAddress } from "./address.js";
import { findEntry } from "./entry.js";
import { readHeaders } from "./headers.js";
import { isCredential } from "./secrets.js";
import { splitCommand } from "./split.js";

/** The ways to name a live server. */
export type LiveSource = (typeof sourceNames)[number];

/** The member of a source that names the server; null if none does. */
export function sourceKind(source: ServerSource): LiveSource | null {
  const sources = namedSources(source);
  if (sources.length > 1) {
    throw usageError("MG705", `--${sources.join(" and --")} exclude each other`, "use one of them");
  }
  return sources[0] ?? null;
}

/** The server that a source names. Reads files, but starts nothing and asks no questions. */
export async function addressOf(source: ServerSource, directory: string): Promise<ServerAddress> {
  const kind = sourceKind(source) ?? "url";
  const { header = [], notSecret = [] } = source;
  const headers = readHeaders(header);
  const env = variables(source.env ?? []);
  const credential = notSecret.find((name) => isCredential(name));
  if (credential !== undefined) {
    const message = `--not-secret ${JSON.stringify(credential)} has the name of a credential`;
    throw usageError("MG702", message, "remove it: the value of a credential is always secret");
  }
  const address = await addressFrom(kind, source[kind] ?? "", directory);
  if (address.kind !== "http" && header.length > 0) {
    throw usageError("MG705", "--header requires --url", "remove it, or use --url");
  }
  if (address.kind !== "stdio" && (source.env ?? []).length > 0) {
    throw usageError("MG705", "--env requires --stdio", "remove it, or use --stdio");
  }
  const ofUrls = [
    ["auth", source.auth],
    ["issuer", source.issuer],
    ["issuer-alias", source.issuerAlias],
  ] as const;
  for (const [name, value] of ofUrls)
    if (address.kind !== "http" && value !== undefined)
      throw usageError("MG705", `--${name} requires --url`, "remove it, or use --url");
  if (address.kind === "http") {
    const { auth, issuer, issuerAlias } = source;
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
    const expanded = Object.entries(env).map(([name, value]) => ({ name, value }));
    return {
      ...address,
      env: { ...address.env, ...env },
      expanded: [...address.expanded, ...expanded],
      notSecret,
    };
  }
  return address;
}

/** The server that a text names: a URL, a command line, a module's export, or an entry of a client's file in the folder. */
export async function addressFrom(
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
  return { kind: "http", url: readUrl(text, whose), isSse: false, headers: {}, expanded: [] };
}

/** A server that a command line starts. */
export function stdioAddress(line: string, whose = "--stdio"): StdioAddress {
  const words = splitCommand(line) ?? [];
  const [command, ...args] = words;
  if (command === undefined) {
    throw usageError("MG702", `${whose} is not a command line`, 'for example --stdio "node server.js"');
  }
  return { kind: "stdio", command, args, written: words, env: {}, cwd: null, expanded: [] };
}

/** Environment variables by name, because other users of the machine can see values on a command line. */
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
      throw usageError("MG735", `the environment variable ${name} is not set`, "set it, or remove --env");
    }),
  );
}
