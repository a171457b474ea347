import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programFor } from "../../src/cli/commands/add/program.js";
import type { ServerSource } from "../../src/config.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import { parseSnapshot } from "../../src/generator/inputs/snapshots.js";

/** The program for the server of the snapshot `a.mcp.json` in a folder. */
export async function programOf(
  directory: string,
  source: ServerSource,
): Promise<string> {
  const file = "a.mcp.json";
  const text = readFileSync(join(directory, file), "utf8");
  const snapshot = await parseSnapshot(
    { text, file, name: file },
    new Diagnostics(),
  );
  const job = { snapshot: file, source, out: "gen" };
  const place = { directory, folder: "./gen", extension: ".js", given: {} };
  return await programFor(snapshot, job, place);
}
