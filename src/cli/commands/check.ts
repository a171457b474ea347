import type { Diagnostic } from "../../diagnostics.js";
import { rowOf } from "../../ir/surface/diff/index.js";
import type { Command } from "../commands.js";
import { jobsOf, terminalOf, type Job } from "../config/jobs.js";
import type { LoadedConfig } from "../config/load.js";
import { exitCodes, usageError, type ExitCode } from "../command-error.js";
import type { Flags } from "../flags.js";
import { printJson, tellDiagnostics, visible, type Terminal } from "../terminal.js";
import { reportAbsent } from "./absent.js";
import { loadAccepted, writeAccepted, type Accepted } from "./check/accepted.js";
import { fails, type Threshold } from "./check/drift.js";
import { checkOutput, checkServer, type JobCheck } from "./check/job.js";
import { checksMarkdown, jobText } from "./check/report.js";
import { attempt, configFor, gravestCode, noSource } from "./configured.js";

export const run: Command = async (_words, flags, terminal) => {
  const config = await configFor(flags, terminal);
  if (config === null) {
    const message = "there is no configuration, so there is nothing to check";
    throw usageError(
      "MG740",
      message,
      "run mcpgen init to write one; mcpgen --version <revision> --out <dir> --check needs none",
    );
  }
  const jobs = jobsOf(config.config, flags);
  refuseNothing(jobs, config, flags);
  const accepted = await loadAccepted(config.config.accepted, config.directory);
  const checked: Checked[] = [];
  const absent = await reportAbsent(jobs, config, terminal);
  for (const job of jobs) {
    const missing = absent.get(job);
    checked.push(
      missing === undefined
        ? await checkJob(job, config, accepted, flags, terminal)
        : { job, check: { ...bareCheck(job), diagnostics: [missing] }, codes: [exitCodes.usage] },
    );
  }
  tellStrangers(accepted, jobs, flags, terminal);
  if (flags.on("accept")) await accept(accepted, checked, flags, terminal);
  const code = gravestCode(checked.map((entry) => codeOf(entry, flags)));
  const checks = checked.map(({ check }) => check);
  if (!flags.on("quiet")) terminal.tell(advice(checks));
  if (flags.on("json")) await printJson(terminal, reportOf(config, checked, flags));
  else if (flags.on("markdown")) await terminal.out(visible(checksMarkdown(checks)));
  return code;
};

/** A job, what was found out about it, and the faults that kept something from being found out. */
interface Checked {
  readonly job: Job;
  readonly check: JobCheck;
  readonly codes: readonly ExitCode[];
}

function refuseNothing(jobs: readonly Job[], { file }: LoadedConfig, flags: Flags): void {
  if (jobs.length === 0) throw usageError("MG745", `${file} has no job`, 'give it "generate" or "servers"');
  const isLive = flags.on("live");
  if (!isLive && flags.on("accept")) {
    throw usageError("MG705", "--accept is for drifts, which only --live finds", "say --live too");
  }
  if (!isLive && flags.text("capabilities") !== null) {
    throw usageError("MG705", "--capabilities is for servers, which only --live asks", "say --live too");
  }
  if (!isLive || jobs.some((job) => job.kind === "server" && job.server.source !== undefined)) return;
  throw noSource(file);
}

/** Both halves are tried, and a fault of one hides nothing of the other. */
async function checkJob(
  job: Job,
  config: LoadedConfig,
  accepted: Accepted,
  flags: Flags,
  terminal: Terminal,
): Promise<Checked> {
  const inside = terminalOf(terminal, config, () => undefined);
  const output = await attempt(job.title, inside, () => checkOutput(job, inside));
  const drift = flags.on("live")
    ? await attempt(job.title, inside, () => checkServer(job, accepted, flags, inside))
    : null;
  const faults: Diagnostic[] = [];
  const codes: ExitCode[] = [];
  for (const attempted of [output, drift]) {
    if (attempted === null || attempted.ended) continue;
    for (const fault of attempted.diagnostics) faults.push(fault);
    codes.push(attempted.code);
  }
  const found = output.ended ? output.result : bareCheck(job);
  const check: JobCheck = {
    ...found,
    drift: drift?.ended === true ? drift.result : null,
    diagnostics: [...found.diagnostics, ...faults],
  };
  const quiet = flags.on("quiet");
  tellDiagnostics(terminal, found.diagnostics, quiet);
  if (!quiet && codes.length === 0) terminal.tell(jobText(check, terminal.style));
  if (!quiet && flags.on("live") && job.kind === "server" && job.server.source === undefined) {
    terminal.tell(visible(`${job.server.snapshot}: has no source, and was not asked for\n`));
  }
  return { job, check, codes };
}

/** A job of which nothing could be found out. */
function bareCheck({ title }: Job): JobCheck {
  return { out: title, snapshot: null, output: null, drift: null, diagnostics: [] };
}

function codeOf({ check: { output, drift }, codes }: Checked, flags: Flags): ExitCode {
  const threshold = (flags.text("fail-on") ?? "any") as Threshold;
  const isStale = output?.state === "stale" || (output?.state === "generator" && threshold === "any");
  const isDrifted = drift !== null && !flags.on("accept") && fails(drift, threshold);
  return gravestCode([...codes, isStale || isDrifted ? exitCodes.found : exitCodes.done]);
}

/** What to do about what was found. */
function advice(checks: readonly JobCheck[]): string {
  const states = new Set(
    checks.filter((check) => keptIn(check).length === 0).map(({ output }) => output?.state),
  );
  const kept = checks.flatMap(keptIn);
  const hasDrifted = checks.some(({ drift }) => drift !== null && drift.comparison.drifts.length > 0);
  return [
    ...(states.has("stale") ? ["run mcpgen to write what is stale\n"] : []),
    ...(kept.length === 0
      ? []
      : [visible(`run mcpgen --force to write over ${kept.join(", ")}, or undo the edit\n`)]),
    ...(states.has("generator") ? ["run mcpgen to write what another version of it made\n"] : []),
    ...(hasDrifted
      ? ["run mcpgen pull to take what has drifted, or mcpgen check --live --accept to accept it\n"]
      : []),
  ].join("");
}

/** The files of a job that a run without `--force` keeps, because they are not as mcpgen wrote them. */
function keptIn({ out, output }: JobCheck): readonly string[] {
  const kept = output?.files.filter(({ state }) => state === "edited" || state === "foreign") ?? [];
  return kept.map(({ path }) => `${out ?? ""}/${path}`);
}

/** Rows for a server that the configuration does not know. */
function tellStrangers(
  { file, servers }: Accepted,
  jobs: readonly Job[],
  flags: Flags,
  terminal: Terminal,
): void {
  const known = new Set(jobs.flatMap((job) => (job.kind === "server" ? [job.server.snapshot] : [])));
  const strangers = [...servers.keys()].filter((name) => !known.has(name));
  const told = strangers.map((name): Diagnostic => ({
    code: "MG746",
    severity: "warning",
    message: `${file} accepts drifts of ${JSON.stringify(name.slice(0, 80))}, which no server of the configuration has`,
    hint: "remove its rows",
    location: null,
    within: [],
  }));
  tellDiagnostics(terminal, told, flags.on("quiet"));
}

/** From now on exactly the drifts of now are accepted, the reasons of the earlier ones kept. */
async function accept(
  accepted: Accepted,
  checked: readonly Checked[],
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const servers = new Map(accepted.servers);
  let count = 0;
  for (const { job, check } of checked) {
    if (job.kind !== "server" || check.drift === null) continue;
    const { comparison, idle } = check.drift;
    const kept = (servers.get(job.server.snapshot) ?? []).filter((row) => !idle.includes(row));
    servers.set(job.server.snapshot, [...kept, ...comparison.drifts.map(rowOf)]);
    count += comparison.drifts.length;
  }
  await writeAccepted({ ...accepted, servers });
  if (!flags.on("quiet")) terminal.tell(visible(`${accepted.file}: ${count} accepted\n`));
}

function reportOf({ file }: LoadedConfig, checked: readonly Checked[], flags: Flags): object {
  const codes = checked.map((entry) => codeOf(entry, flags));
  return {
    ok: gravestCode(codes) === exitCodes.done,
    config: file,
    jobs: checked.map(({ check: { out, snapshot, output, drift, diagnostics } }, i) => ({
      ok: codes[i] === exitCodes.done,
      out,
      snapshot,
      output,
      drift:
        drift === null
          ? null
          : { ...drift.comparison, audience: drift.audience, accepted: drift.accepted, idle: drift.idle },
      diagnostics,
    })),
  };
}
