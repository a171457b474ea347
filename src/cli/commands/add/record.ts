import { relative, resolve } from "node:path";
import type { ServerSource } from "../../../config.js";
import { usageError } from "../../command-error.js";
import { findNamed } from "../../live/entry.js";
import { addressOf } from "../../live/find-address.js";
import { moduleParts } from "../../live/server.js";
import { secretsOf } from "../../live/secrets.js";
import { nameFor, stemIn, stemOf } from "../../snapshot-file.js";
import { isAddress, type Source } from "../../source/find.js";

/** The path of a file as a configuration in a folder has it. */
export const pathIn = (base: string, ...path: readonly string[]): string =>
  relative(base, resolve(...path)).replaceAll("\\", "/");

/**
 * A server as the configuration in a folder records it, with the flags that say
 * how to connect. Throws if it would contain a secret, because a configuration
 * is committed.
 */
export async function recordable(
  source: Source,
  flags: ServerSource,
  base: string,
): Promise<ServerSource | undefined> {
  const { parts, directory } = source;
  if (parts.server === undefined) return undefined;
  if (directory !== base && source.kind !== "url")
    throw usageError(
      "MG705",
      "commands and paths of the configuration start in its own folder",
      `run mcpgen add in ${pathIn(directory, base)}`,
    );
  const server = { ...flags, ...parts.server };
  const what = await secretIn(source, server);
  if (what === null) return server;
  const message = `${what} may be secret, and the configuration is committed`;
  const hint =
    "describe the server in .mcp.json, with ${NAME} in place of the value, and run mcpgen add with the name of that entry";
  throw usageError("MG765", message, hint);
}

/** What is secret in the text of a server; null for nothing. */
async function secretIn(
  source: Source,
  server: ServerSource,
): Promise<string | null> {
  const [header] = server.header ?? [];
  if (header !== undefined) return `the header ${header.split(":", 1)[0]}`;
  // The entry of a client's file is recorded by its name.
  if (!isAddress(source)) return null;
  const address = await addressOf(server, source.directory);
  // The values of variables are not recorded, only their names.
  const written = { ...address, env: {}, expanded: [] };
  const secrets = secretsOf(written);
  return secrets.find(({ isCertain }) => isCertain)?.what ?? null;
}

/** The name of a new server in files; null if only the server knows one. */
export async function stemFor(source: Source): Promise<string | null> {
  const { kind, text, directory, parts } = source;
  switch (kind) {
    case "url":
    case "command":
      return nameFor(text, kind === "url");
    case "module":
      return nameFor(moduleParts(text).file, false);
    case "entry": {
      const { name } = await findNamed(text, directory);
      return stemOf(name);
    }
    default:
      return stemOf(stemIn(parts.snapshot ?? text));
  }
}
