import type { ServerSource } from "../../config.js";
import type { Diagnostics } from "../../diagnostics.js";
import { sourceFlags } from "../config/jobs.js";
import type { Flags } from "../flags.js";
import { usageError } from "../command-error.js";
import type { Terminal } from "../terminal.js";
import { liveSource, placeOf } from "./place.js";
import { pullFrom, readSettings } from "./snapshot.js";

/** Takes a snapshot of the server that a configuration names; a command is started in the configuration's folder. */
export async function pullSource(
  source: ServerSource,
  run: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<string> {
  const flags = sourceFlags(source, run);
  if (liveSource(flags) === null) {
    throw usageError("MG743", "the source names no server", 'give it "url", "stdio", "module" or "config"');
  }
  const place = await placeOf(flags, terminal);
  const here = place.kind === "stdio" ? { ...place, cwd: place.cwd ?? terminal.directory } : place;
  return await pullFrom(here, readSettings(flags), terminal, diagnostics);
}
