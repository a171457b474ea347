import type { ServerSource } from "../../config.js";
import type { Diagnostics } from "../../diagnostics.js";
import { usageError } from "../command-error.js";
import type { Context } from "../context.js";
import { liveSource, addressOf } from "./find-address.js";
import { pullFrom, readSettings } from "./snapshot.js";

/** Takes a snapshot of a server of a configuration; a command starts in the configuration's folder. */
export async function pullSource(
  source: ServerSource,
  context: Context,
  diagnostics: Diagnostics,
): Promise<string> {
  if (liveSource(source) === null) {
    throw usageError("MG743", "the source names no server", 'give it "url", "stdio", "module" or "config"');
  }
  const address = await addressOf(source, context.directory);
  const here = address.kind === "stdio" ? { ...address, cwd: address.cwd ?? context.directory } : address;
  return await pullFrom(here, readSettings(source), context, diagnostics);
}
