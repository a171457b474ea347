import type { ServerJob } from "../../config.js";
import { SchemaError, type Diagnostic } from "../../generator/diagnostics.js";
import { type Job, jobsOf, type WriteOptions } from "../options.js";
import type { LoadedConfig } from "../config/load.js";
import {
  exitCodes,
  CommandError,
  usageError,
  type ExitCode,
} from "../command-error.js";
import { contextOfJob, type Context } from "../command.js";
import { type Report, reportOf, worstExitCode } from "../report.js";
import { findMissingSnapshots } from "./missing-snapshots.js";
import { generate } from "./generate/directory.js";
import { makeStubs } from "./stubs/command.js";

/**
 * Runs every job of a configuration: each writes all its files or none, and an
 * error in one does not stop the others.
 */
export async function runJobs(
  { config, directory, file }: LoadedConfig,
  write: WriteOptions,
  context: Context,
): Promise<Report> {
  const jobs = jobsOf(config, write);
  if (jobs.length === 0) throw noJobs(file);
  const jobContext = { ...context, directory };
  const missingSnapshots = await findMissingSnapshots(jobs, jobContext);
  const reports: Report[] = [];
  for (const [i, job] of jobs.entries()) {
    const missing = missingSnapshots.get(job);
    if (missing !== undefined) {
      reports.push(failed(job.title, exitCodes.usage, [missing]));
      continue;
    }
    const own = contextOfJob(jobContext, job.title, i, jobs.length);
    const attempted = await attempt(job.title, () => runJob(job, own));
    context.status(null);
    const report = attempted.ended
      ? attempted.result
      : failed(job.title, attempted.code, attempted.diagnostics);
    context.report(report);
    reports.push(report);
  }
  const exitCode = worstExitCode(reports.map((report) => report.exitCode));
  return reportOf(exitCode, {
    config: file,
    jobs: reports.map(({ json }) => json),
  });
}

async function runJob(job: Job, context: Context): Promise<Report> {
  if (job.kind === "generate") return await generate(job.options, context);
  if (job.options !== null) return await makeStubs(job.options, context);
  return reportOf(exitCodes.done, { out: null, snapshot: job.title });
}

/** The error for a configuration that has nothing to generate. */
export const noJobs = (file: string): CommandError =>
  usageError("MG745", `${file} has no jobs`, 'add "generate" or "servers"');

/** The error for servers of a configuration of which none can be read. */
export function noSource(file: string, named: readonly ServerJob[] = []) {
  const servers = named.map(({ snapshot }) => snapshot).join(" or ");
  return usageError(
    "MG745",
    servers === ""
      ? `${file} has no server with a source`
      : `${file} has no source of ${servers}`,
    "run mcpgen add <server>, which records where it is, or add the source to a server there",
  );
}

/** The report of a job that ended with an error. */
export function failed(
  out: string,
  exitCode: ExitCode,
  errors: readonly Diagnostic[],
): Report {
  return reportOf(exitCode, { out }, { diagnostics: [], errors });
}

/** The result of a job, or the errors that stopped it. */
type Attempt<T> =
  | { readonly ended: true; readonly result: T }
  | {
      readonly ended: false;
      readonly code: ExitCode;
      readonly diagnostics: readonly Diagnostic[];
    };

/**
 * Runs one of several jobs. An expected error is returned, with the job's name
 * in its diagnostics.
 */
export async function attempt<T>(
  title: string,
  work: () => Promise<T>,
): Promise<Attempt<T>> {
  try {
    return { ended: true, result: await work() };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const diagnostics = error.diagnostics.map((diagnostic) => {
      return { ...diagnostic, within: [`job ${title}`, ...diagnostic.within] };
    });
    const code =
      error instanceof CommandError ? error.exitCode : exitCodes.usage;
    return { ended: false, code, diagnostics };
  }
}
