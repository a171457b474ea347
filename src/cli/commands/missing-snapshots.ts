import { resolve } from "node:path";
import {
  type Diagnostic,
  makeDiagnostic,
} from "../../generator/diagnostics.js";
import type { Job } from "../options.js";
import { exitCodes } from "../command-error.js";
import type { Context } from "../command.js";
import { exists } from "../destination/find.js";

/**
 * The jobs without a snapshot file, each with its diagnostic. They are reported
 * in one diagnostic, because after `mcpgen init` every snapshot is missing, and
 * one command creates them all.
 */
export async function findMissingSnapshots(
  jobs: readonly Job[],
  { directory, report }: Context,
): Promise<ReadonlyMap<Job, Diagnostic>> {
  const names = new Map<Job, string>();
  for (const job of jobs) {
    if (job.kind !== "server" || job.server.source === undefined) continue;
    const { snapshot } = job.server;
    if (!(await exists(resolve(directory, snapshot)))) names.set(job, snapshot);
  }
  if (names.size > 0) {
    const errors = [missingError([...names.values()])];
    report({ exitCode: exitCodes.usage, diagnostics: [], errors });
  }
  return new Map([...names].map(([job, name]) => [job, missingError([name])]));
}

function missingError(names: readonly string[]): Diagnostic {
  const [which, verb] =
    names.length === 1
      ? ["the snapshot", "is"]
      : [`${names.length} snapshots`, "are"];
  return makeDiagnostic(
    "error",
    "MG001",
    `${which} ${verb} missing: ${names.join(", ")}`,
    "run mcpgen pull first",
  );
}
