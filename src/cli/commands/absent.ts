import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics.js";
import type { Job } from "../config/jobs.js";
import type { LoadedConfig } from "../config/load.js";
import { tellDiagnostics, type Terminal } from "../terminal.js";

/**
 * The jobs whose snapshot is still to be pulled, each with its diagnostic. They are reported together, in one diagnostic:
 * after `mcpgen init` no snapshot is there yet, and one command takes them all.
 */
export async function reportAbsent(
  jobs: readonly Job[],
  { directory }: LoadedConfig,
  terminal: Terminal,
): Promise<ReadonlyMap<Job, Diagnostic>> {
  const names = new Map<Job, string>();
  for (const job of jobs) {
    if (job.kind !== "server" || job.server.source === undefined) continue;
    const { snapshot } = job.server;
    const isThere = await access(resolve(directory, snapshot)).then(
      () => true,
      () => false,
    );
    if (!isThere) names.set(job, snapshot);
  }
  if (names.size > 0) tellDiagnostics(terminal, [absence([...names.values()])]);
  return new Map([...names].map(([job, name]) => [job, absence([name])]));
}

function absence(names: readonly string[]): Diagnostic {
  const [which, verb] = names.length === 1 ? ["the snapshot", "is"] : [`${names.length} snapshots`, "are"];
  return {
    code: "MG001",
    severity: "error",
    message: `${which} ${verb} not there yet: ${names.join(", ")}`,
    hint: "run mcpgen pull first",
    location: null,
    within: [],
  };
}
