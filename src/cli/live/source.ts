import type { ServerSource } from "../../config.js";
import type { Diagnostics } from "../../diagnostics.js";
import { usageError } from "../command-error.js";
import type { Context } from "../context.js";
import type { ServerAddress } from "./address.js";
import { sourceKind, addressOf } from "./find-address.js";
import { pullFrom, readSettings } from "./snapshot.js";

/** Takes a snapshot of a server of a configuration; a command starts in the configuration's folder. */
export async function pullSource(
  source: ServerSource,
  context: Context,
  diagnostics: Diagnostics,
): Promise<string> {
  const address = await configuredAddress(source, context.directory);
  return await pullFrom(address, readSettings(source), context, diagnostics);
}

/** The address of a server of a configuration in this folder. */
export async function configuredAddress(source: ServerSource, directory: string): Promise<ServerAddress> {
  if (sourceKind(source) === null) {
    throw usageError("MG743", "the source names no server", 'set "url", "stdio", "module" or "config"');
  }
  const address = await addressOf(source, directory);
  return address.kind === "stdio" ? { ...address, cwd: address.cwd ?? directory } : address;
}
