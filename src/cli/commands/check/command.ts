import type { ServerJob } from "../../../config.js";
import {
  type Diagnostic,
  makeDiagnostic,
} from "../../../generator/diagnostics.js";
import { rowOf } from "../../../generator/ir/snapshot/diff/index.js";
import {
  type Command,
  type Context,
  contextOfJob,
  type Findings,
} from "../../command.js";
import {
  checkOptions,
  type CheckOptions,
  type Job,
  jobsOf,
} from "../../options.js";
import { configFor, type LoadedConfig } from "../../config/load.js";
import { namedSources } from "../../source/find.js";
import { exitCodes, usageError, type ExitCode } from "../../command-error.js";
import { diagnosticsMarkdown } from "../../diagnostics-markdown.js";
import {
  exitCodeOf,
  type Report,
  reportOf,
  worstExitCode,
} from "../../report.js";
import { findMissingSnapshots } from "../missing-snapshots.js";
import { loadAccepted, writeAccepted, type Accepted } from "./accepted.js";
import { fails, liveDrift } from "./drift.js";
import { checkOutput, type JobCheck } from "./job.js";
import { checksMarkdown, jobText } from "./report.js";
import { attempt, noJobs, noSource } from "../configured.js";

export const run: Command = async (words, flags, context) => {
  const { directory } = context;
  const config = await configFor(flags.text("config"), directory);
  if (config !== null) {
    const sources = await namedSources("job", words, {}, directory, config);
    const named = sources.flatMap(({ parts }) => parts.job ?? []);
    return await check(config, named, checkOptions(flags), context);
  }
  throw usageError(
    "MG740",
    "no configuration was found, so there is nothing to check",
    "run mcpgen add <server> to watch a server, mcpgen init to create one, or mcpgen --version <revision> --out <dir> --check to check without one",
  );
};

/** Checks every job of a configuration, or those of the named servers. */
async function check(
  whole: LoadedConfig,
  named: readonly ServerJob[],
  options: CheckOptions,
  context: Context,
): Promise<Report> {
  const { file, directory } = whole;
  const { generate: _, ...others } = whole.config;
  const selected = { ...others, servers: named };
  const config = named.length > 0 ? { ...whole, config: selected } : whole;
  const write = { mode: "write", force: false, clean: false } as const;
  const jobs = jobsOf(config.config, write);
  rejectUselessRun(jobs, file, named, options);
  const accepted = await loadAccepted(config.config.accepted, directory);
  const jobContext = { ...context, directory };
  const checked = await checkJobs(jobs, accepted, options, jobContext);
  const count = options.accept ? await accept(accepted, checked) : null;
  const checks = checked.map(({ check }) => check);
  const found: Findings[] = [];
  for (const findIn of context.addOns.checks) {
    const findings = await findIn(config);
    if (findings !== null) found.push(findings);
  }
  const rows = found.flatMap((findings) => findings.rows);
  const diagnostics = [...unknownServers(accepted, whole), ...rows];
  const totals = found.flatMap(({ total }) => total ?? []);
  const isEmpty = totals.length === 0 && diagnostics.length === 0;
  const counted = totals.flatMap(({ json }) => Object.entries(json));
  const own =
    counted.length === 0
      ? { diagnostics }
      : Object.fromEntries(
          counted.map(([name, data]) => [name, { ...data, diagnostics }]),
        );
  const data = {
    config: file,
    jobs: checked.map(({ report }) => report.json),
    ...(!isEmpty && own),
  };
  const exitCode = worstExitCode([
    ...checked.map(({ report }) => report.exitCode),
    exitCodeOf(rows),
  ]);
  return {
    ...reportOf(exitCode, data),
    diagnostics,
    isInMarkdown: true,
    markdown: () => {
      const line = totals.map((total) => total.line(diagnostics)).join("");
      const list = diagnosticsMarkdown(line, diagnostics);
      return `${checksMarkdown(checks)}${isEmpty ? "" : `\n${list}`}`;
    },
    advice: `${found.map(({ rows, total }) => total?.line(rows) ?? "").join("")}${count === null ? "" : `${accepted.file}: ${count} accepted\n`}${adviceOn(checks, options)}`,
  };
}

interface CheckedJob {
  readonly job: Job;
  readonly check: JobCheck;
  readonly report: Report;
}

/** Checks one job after the other. A missing snapshot fails its job only. */
async function checkJobs(
  jobs: readonly Job[],
  accepted: Accepted,
  options: CheckOptions,
  context: Context,
): Promise<CheckedJob[]> {
  const missingSnapshots = await findMissingSnapshots(jobs, context);
  const checked: CheckedJob[] = [];
  for (const [i, job] of jobs.entries()) {
    const missing = missingSnapshots.get(job);
    if (missing !== undefined) {
      const codes = [exitCodes.usage];
      checked.push(checkedJob(job, emptyCheck(job), [missing], codes, options));
      continue;
    }
    const jobContext = contextOfJob(context, job.title, i, jobs.length);
    const one = await checkJob(job, accepted, options, jobContext);
    context.status(null);
    context.report(one.report);
    checked.push(one);
  }
  return checked;
}

function rejectUselessRun(
  jobs: readonly Job[],
  file: string,
  named: readonly ServerJob[],
  { live, accept, capabilities }: CheckOptions,
): void {
  if (jobs.length === 0) throw noJobs(file);
  if (!live && accept) {
    throw usageError("MG705", "--accept requires --live", "add --live");
  }
  if (!live && capabilities !== undefined) {
    throw usageError("MG705", "--capabilities requires --live", "add --live");
  }
  if (
    !live ||
    jobs.some((job) => job.kind === "server" && job.server.source !== undefined)
  )
    return;
  throw noSource(file, named);
}

/**
 * Checks both the output and the server; an error of one does not skip the
 * other.
 */
async function checkJob(
  job: Job,
  accepted: Accepted,
  options: CheckOptions,
  context: Context,
): Promise<CheckedJob> {
  const output = await attempt(job.title, () => checkOutput(job, context));
  const server = options.live && job.kind === "server" ? job.server : null;
  const rows = accepted.servers.get(server?.snapshot ?? "") ?? [];
  const drift =
    server &&
    (await attempt(job.title, () => liveDrift(server, rows, options, context)));
  const failures = [output, drift].flatMap((one) =>
    one === null || one.ended ? [] : one,
  );
  const errors = failures.flatMap(({ diagnostics }) => diagnostics);
  const codes = failures.map(({ code }) => code);
  const result = output.ended ? output.result : emptyCheck(job);
  const whole = {
    ...result,
    drift: drift?.ended === true ? drift.result : null,
  };
  return checkedJob(job, whole, errors, codes, options);
}

function checkedJob(
  job: Job,
  check: JobCheck,
  errors: readonly Diagnostic[],
  codes: readonly ExitCode[],
  options: CheckOptions,
): CheckedJob {
  const isSourceless =
    options.live && job.kind === "server" && job.server.source === undefined;
  const sourceless = isSourceless
    ? `${job.server.snapshot}: has no source and was not checked\n`
    : "";
  const { out, snapshot, output, diagnostics } = check;
  const drift = check.drift && {
    ...check.drift.comparison,
    audience: check.drift.audience,
    accepted: check.drift.accepted,
    idle: check.drift.idle,
  };
  const exitCode = worstExitCode([...codes, codeOf(check, options)]);
  const report = reportOf(
    exitCode,
    { out, snapshot, output, drift },
    {
      diagnostics,
      errors,
      text: (style) =>
        (errors.length > 0 ? "" : jobText(check, style)) + sourceless,
    },
  );
  return { job, check, report };
}

/** The check of a job whose checks all failed. */
function emptyCheck({ title }: Job): JobCheck {
  return {
    out: title,
    snapshot: null,
    output: null,
    drift: null,
    diagnostics: [],
  };
}

function codeOf(
  { output, drift }: JobCheck,
  { failOn, accept }: CheckOptions,
): ExitCode {
  const isStale =
    output?.state === "stale" ||
    (output?.state === "generator" && failOn === "any");
  const isDrifted = drift !== null && !accept && fails(drift, failOn);
  return isStale || isDrifted ? exitCodes.checkFailed : exitCodes.done;
}

/** What the user can do next. */
function adviceOn(
  checks: readonly JobCheck[],
  { accept }: CheckOptions,
): string {
  const states = new Set(
    checks
      .filter((check) => preservedIn(check).length === 0)
      .map(({ output }) => output?.state),
  );
  const preserved = checks.flatMap(preservedIn);
  const hasDrifted = checks.some(
    ({ drift }) => drift !== null && drift.comparison.differences.length > 0,
  );
  return [
    ...(states.has("stale") ? ["run mcpgen to update the stale files\n"] : []),
    ...(preserved.length === 0
      ? []
      : [
          `run mcpgen --force to overwrite ${preserved.join(", ")}, or undo the edit\n`,
        ]),
    ...(states.has("generator")
      ? ["run mcpgen to update the files of another mcpgen version\n"]
      : []),
    ...(hasDrifted && !accept
      ? [
          "run mcpgen pull to update the snapshots, or mcpgen check --live --accept to accept the differences\n",
        ]
      : []),
  ].join("");
}

/**
 * The files of a job that a run without `--force` keeps, because they were
 * edited or are not generated.
 */
function preservedIn({ out, output }: JobCheck): readonly string[] {
  const preserved =
    output?.files.filter(
      ({ state }) => state === "edited" || state === "foreign",
    ) ?? [];
  return preserved.map(({ path }) => `${out ?? ""}/${path}`);
}

/**
 * A warning for each server in the file of accepted differences that is missing
 * in the configuration.
 */
function unknownServers(
  { file, servers }: Accepted,
  { config }: LoadedConfig,
): Diagnostic[] {
  const jobs = config.servers ?? [];
  const snapshots = new Set(jobs.map(({ snapshot }) => snapshot));
  const unknown = [...servers.keys()].filter((name) => !snapshots.has(name));
  return unknown.map((name) => {
    const message = `${file} accepts differences of ${JSON.stringify(name.slice(0, 80))}, which is not a server of the configuration`;
    return makeDiagnostic("warning", "MG746", message, "remove its entries");
  });
}

/**
 * Accepts the current differences, keeping the reasons of earlier ones. Returns
 * the number of new ones.
 */
async function accept(
  accepted: Accepted,
  checked: readonly CheckedJob[],
): Promise<number> {
  const servers = new Map(accepted.servers);
  let count = 0;
  for (const { job, check } of checked) {
    const { drift } = check;
    if (job.kind !== "server" || drift === null) continue;
    const { comparison, idle } = drift;
    const preserved = (servers.get(job.server.snapshot) ?? []).filter(
      (row) => !idle.includes(row),
    );
    servers.set(job.server.snapshot, [
      ...preserved,
      ...comparison.differences.map(rowOf),
    ]);
    count += comparison.differences.length;
  }
  await writeAccepted({ ...accepted, servers });
  return count;
}
