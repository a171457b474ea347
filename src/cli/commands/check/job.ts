import {
  type Diagnostic,
  Diagnostics,
} from "../../../generator/diagnostics.js";
import type { Job } from "../../options.js";
import type { Context } from "../../command.js";
import { readTask, unchangedOutput } from "../generate/task.js";
import { prepareStubs } from "../stubs/command.js";
import type { LiveDrift } from "./drift.js";
import { stalenessOf, type Staleness } from "./staleness.js";

/** The result of checking one job. */
export interface JobCheck {
  readonly out: string | null;
  readonly snapshot: string | null;
  /** Null if nothing is generated from the server. */
  readonly output: Staleness | null;
  /** Null without `--live`, and for a server without a source. */
  readonly drift: LiveDrift | null;
  /** Notes and warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares the output of a job with what a run would generate. */
export async function checkOutput(
  job: Job,
  context: Context,
): Promise<JobCheck> {
  const diagnostics = new Diagnostics();
  const output = await outputOf(job, context, diagnostics);
  const snapshot = job.kind === "server" ? job.server.snapshot : null;
  return {
    out: output === null ? null : job.title,
    snapshot,
    output,
    drift: null,
    diagnostics: diagnostics.list,
  };
}

async function outputOf(
  job: Job,
  context: Context,
  diagnostics: Diagnostics,
): Promise<Staleness | null> {
  if (job.kind === "server") {
    if (job.options === null) return null;
    const { request } = await prepareStubs(job.options, context, diagnostics);
    return await stalenessOf(request, diagnostics);
  }
  const task = await readTask(job.options, context.directory);
  if (unchangedOutput(task) !== null)
    return { state: "current", reasons: [], files: [] };
  const { prepare } = await import("../generate/prepare.js");
  const { request } = await prepare(task, context, diagnostics);
  return await stalenessOf(request, diagnostics);
}
