import { resolve } from "node:path";
import type { ServerSource } from "../../../config.js";
import { usageError } from "../../command-error.js";
import type { ConnectionSettings } from "../../live/connection.js";
import type { ServerAddress } from "../../live/address.js";
import { addressOf, sourceKind } from "../../live/find-address.js";
import { readSettings } from "../../live/snapshot.js";
import { exists } from "../../destination/find.js";
import { configFor } from "../configured.js";

/** A server, and the words of the command line after it. */
export interface Target {
  readonly address: ServerAddress;
  readonly settings: ConnectionSettings;
  /** The tool and its arguments. */
  readonly words: readonly string[];
}

/**
 * Finds the server of a call. If no flag names one, the first word does: a URL,
 * a module, the snapshot of a server in the configuration, or an entry of a
 * client's configuration file.
 */
export async function findTarget(
  operands: readonly string[],
  source: ServerSource,
  directory: string,
): Promise<Target> {
  const flag = sourceKind(source);
  const [first, ...words] = operands;
  if (flag !== null) {
    if (words[0]?.includes("=") === false) {
      const message = `${JSON.stringify(first)} and --${flag} name two servers`;
      throw usageError(
        "MG705",
        message,
        `write only the name of the tool after the flags of the server`,
      );
    }
    const address = await addressOf(source, directory);
    return { address, settings: readSettings(source), words: operands };
  }
  if (first === undefined) {
    const hint =
      "name a URL, a snapshot of the configuration or an entry of .mcp.json, or use --stdio <command>";
    throw usageError("MG705", "no server is given", hint);
  }
  if (isSnapshotPath(first))
    return { ...(await snapshotServer(first, source, directory)), words };
  const named = { ...source, [kindOf(first)]: first };
  return {
    address: await addressOf(named, directory),
    settings: readSettings(named),
    words,
  };
}

/**
 * True for the path of a snapshot. An entry of a client's file does not end
 * with `.json`: `mcp.json#weather`.
 */
export function isSnapshotPath(word: string): boolean {
  return /\.json$/i.test(word) && !/^https?:/i.test(word);
}

export function kindOf(word: string): "url" | "module" | "config" {
  if (/^https?:\/\//i.test(word)) return "url";
  return /\.[cm]?[jt]sx?(?:#[^#/\\]+)?$/.test(word) ? "module" : "config";
}

/**
 * The server that a snapshot was pulled from, according to the nearest
 * configuration.
 */
async function snapshotServer(
  path: string,
  flags: ServerSource,
  directory: string,
): Promise<Omit<Target, "words">> {
  const hint =
    "name the server instead, with a URL, an entry of .mcp.json, or --stdio <command>";
  const config = await configFor(null, directory);
  const snapshotPath = resolve(directory, path);
  const server = config?.config.servers?.find(
    ({ snapshot }) => resolve(config.directory, snapshot) === snapshotPath,
  );
  if (config && server?.source) {
    const source = { ...server.source, ...flags };
    return {
      address: await addressOf(source, config.directory),
      settings: readSettings(source),
    };
  }
  if (!(await exists(snapshotPath)))
    throw usageError("MG001", `no such file: ${path}`, hint);
  if (config === null) {
    const message = `${path} does not say how to reach its server, and no configuration was found`;
    throw usageError("MG740", message, hint);
  }
  const message = `${path} is not the snapshot of a server with a source in ${config.file}`;
  throw usageError(
    "MG745",
    message,
    `add a "source" to its entry of "servers", or ${hint}`,
  );
}
