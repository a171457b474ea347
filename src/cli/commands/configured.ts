import { SchemaError, type Diagnostic } from "../../diagnostics.js";
import { findConfig } from "../config/find.js";
import { jobsOf, terminalOf, type Job } from "../config/jobs.js";
import { loadConfig, type LoadedConfig } from "../config/load.js";
import { exitCodes, CommandError, usageError, type ExitCode } from "../command-error.js";
import type { Flags } from "../flags.js";
import { printJson, tellDiagnostics, type Terminal } from "../terminal.js";
import { reportAbsent } from "./absent.js";
import { run as generate } from "./generate.js";
import { makeStubs } from "./stubs.js";

/** Flags that say what a single run makes, which a configuration says for each job. */
const own = ["emit", "protocol", "runtime", "import-ext", "templates"] as const;

/** The configuration that a command is to follow; null when there is none. */
export async function configFor(flags: Flags, { directory }: Terminal): Promise<LoadedConfig | null> {
  const path = await findConfig(flags.text("config"), directory);
  return path === null ? null : await loadConfig(path);
}

/** Runs every job of a configuration: each writes all its files or none, and no fault of one keeps another from running. */
export async function runJobs(config: LoadedConfig, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const stray = own.find((name) => flags.text(name) !== null);
  if (stray !== undefined) {
    throw usageError("MG705", `--${stray} is said for each job in ${config.file}`, "write it there");
  }
  const jobs = jobsOf(config.config, flags);
  if (jobs.length === 0) {
    throw usageError("MG745", `${config.file} has no job`, 'give it "generate" or "servers"');
  }
  const codes: ExitCode[] = [];
  const reports: unknown[] = [];
  const absent = await reportAbsent(jobs, config, terminal);
  for (const job of jobs) {
    const missing = absent.get(job);
    if (missing !== undefined) {
      codes.push(exitCodes.usage);
      reports.push({ ok: false, out: job.title, diagnostics: [missing] });
      continue;
    }
    const texts: string[] = [];
    const inside = terminalOf(terminal, config, (text) => texts.push(text));
    const attempted = await attempt(job.title, inside, () => runJob(job, flags, inside));
    codes.push(attempted.ended ? attempted.result : attempted.code);
    if (!attempted.ended) reports.push({ ok: false, out: job.title, diagnostics: attempted.diagnostics });
    else if (texts.length > 0) reports.push(JSON.parse(texts.join("")));
  }
  const code = gravestCode(codes);
  if (flags.on("json")) {
    const report = { ok: code === exitCodes.done, config: config.file, jobs: reports };
    await printJson(terminal, report);
  }
  return code;
}

async function runJob(job: Job, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  if (job.kind === "generate") return await generate([], job.flags, terminal);
  const { server, title } = job;
  if (job.flags !== null) return await makeStubs(server.snapshot, job.flags, terminal, server);
  if (flags.on("json")) await terminal.out(JSON.stringify({ ok: true, out: null, snapshot: title }));
  return exitCodes.done;
}

/** A configuration without a server that could be read. */
export function noSource(file: string): CommandError {
  return usageError(
    "MG745",
    `${file} names no server to read`,
    'add one to "servers" with a "source", or say mcpgen pull --url <url> or --stdio "<command>"',
  );
}

/** How a job went: what came of it, or the faults that ended it. */
export type Attempt<T> =
  | { readonly ended: true; readonly result: T }
  | { readonly ended: false; readonly code: ExitCode; readonly diagnostics: readonly Diagnostic[] };

/** Runs one job of several. An expected fault is told, with the job's name, and does not end the others. */
export async function attempt<T>(
  title: string,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<Attempt<T>> {
  try {
    return { ended: true, result: await work() };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const diagnostics = error.diagnostics.map((diagnostic) => {
      return { ...diagnostic, within: [`job ${title}`, ...diagnostic.within] };
    });
    tellDiagnostics(terminal, diagnostics);
    const code = error instanceof CommandError ? error.exitCode : exitCodes.usage;
    return { ended: false, code, diagnostics };
  }
}

/** The code of a run of several: a fault hides what was found, and an unreachable server too. */
export function gravestCode(codes: readonly ExitCode[]): ExitCode {
  const order = [exitCodes.interrupted, exitCodes.usage, exitCodes.unreachable, exitCodes.found];
  return order.find((code) => codes.includes(code)) ?? exitCodes.done;
}
