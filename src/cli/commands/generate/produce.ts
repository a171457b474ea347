import type { Diagnostics } from "../../../diagnostics.js";
import { MANIFEST, planFiles, reportConflicts, writeFiles, type WriteRequest } from "../../../emit/write.js";
import { generate, type GeneratedFile } from "../../../generate.js";
import type { Protocol } from "../../../ir/model.js";
import { formatFiles, type OwnFormatting } from "../../destination/formatting.js";
import { builtInTemplates } from "../../destination/templates.js";
import { exitCodes, Fault, Interruption, usageFault, type ExitCode } from "../../fault.js";
import type { Flags } from "../../flags.js";
import { loadRuntimeSource, toolVersion } from "../../package.js";
import { readSource } from "../../source.js";
import type { Terminal } from "../../terminal.js";
import { optionsOf, type Job } from "../generate.js";
import { staleDiff } from "./check.js";
import { reportRun } from "./report.js";

const INTERRUPTED = "interrupted; nothing was written";

/** The long way: reads the schemas, generates, and writes or compares. */
export async function produce(
  job: Job,
  formatting: OwnFormatting | null,
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<ExitCode> {
  const protocols = await readAll(job, diagnostics);
  const files = await makeFiles(job, protocols, formatting, diagnostics);
  if (terminal.signal.aborted) throw new Interruption(INTERRUPTED);
  const request: WriteRequest = {
    out: job.folder,
    files,
    provenance: {
      generator: toolVersion(),
      sources: protocols.map(({ revision, source: { name, sha256 } }) => ({ revision, name, sha256 })),
      options: optionsOf(job, formatting?.digest ?? null),
    },
    force: job.force,
    clean: job.clean,
    signal: terminal.signal,
  };
  const revisions = protocols.map(({ revision }) => revision);
  if (job.mode === "check") return await check(job, request, revisions, flags, terminal, diagnostics);
  if (job.mode === "dry-run") return await rehearse(job, request, revisions, flags, terminal, diagnostics);
  const outcome = await writeFiles(request, diagnostics);
  if (outcome === null) throw new Fault(diagnostics.list);
  if (outcome.interrupted) throw new Interruption(INTERRUPTED);
  await reportRun(job, flags, terminal, {
    ok: true,
    revisions,
    files: outcome.files,
    diagnostics: diagnostics.list,
  });
  return exitCodes.done;
}

/** All sources are read before the first fault ends the run, so that one run shows the faults of all of them. */
async function readAll(job: Job, diagnostics: Diagnostics): Promise<Protocol[]> {
  const protocols: Protocol[] = [];
  for (const source of job.sources) {
    const protocol = await readSource(source, diagnostics);
    if (protocol !== null) protocols.push(protocol);
  }
  if (protocols.length < job.sources.length || diagnostics.hasErrors) throw new Fault(diagnostics.list);
  return protocols;
}

async function makeFiles(
  job: Job,
  protocols: readonly Protocol[],
  formatting: OwnFormatting | null,
  diagnostics: Diagnostics,
): Promise<readonly GeneratedFile[]> {
  const templates = new Map([...(await builtInTemplates()), ...(job.overrides ?? [])]);
  const { emit, runtime, importExtension } = job;
  const runtimeSource = runtime === "vendored" ? await loadRuntimeSource() : new Map<string, string>();
  const options = {
    protocols,
    emit,
    runtime,
    importExtension,
    templates,
    runtimeSource,
    version: toolVersion(),
  };
  const files = whileTemplatesHold(job, () => generate(options, diagnostics));
  if (diagnostics.hasErrors) throw new Fault(diagnostics.list);
  // Our own templates are laid out as prettier would by themselves; a project's own rules and templates need prettier.
  if (formatting === null && job.overrides === null) return files;
  return await formatFiles(job.folder, files, formatting);
}

/** Whatever goes wrong inside a user's template is theirs to repair, not a bug of ours. */
function whileTemplatesHold<T>({ overrides }: Job, work: () => T): T {
  if (overrides === null) return work();
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageFault(
      "MG711",
      `the templates (${[...overrides.keys()].join(", ")}) cannot be used: ${reason}`,
    );
  }
}

async function check(
  job: Job,
  request: WriteRequest,
  revisions: readonly string[],
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<ExitCode> {
  // Somebody else's directory is not stale but wrong; `force` looks past that, as it would in writing.
  const plan = await planFiles(request, diagnostics);
  if (plan === null) throw new Fault(diagnostics.list);
  const stale = plan.files.filter(({ state }) => state !== "unchanged" && state !== "reformatted");
  // The manifest follows the other files: its own lines are worth showing when nothing else differs.
  const shown = stale.length > 1 ? stale.filter(({ path }) => path !== MANIFEST) : stale;
  if (!flags.on("quiet")) for (const file of shown) terminal.tell(staleDiff(file, terminal.style));
  const files = plan.files.map(({ path, state, text }) => ({ path, state, bytes: Buffer.byteLength(text) }));
  const ok = stale.length === 0;
  await reportRun(job, flags, terminal, { ok, revisions, files, diagnostics: diagnostics.list });
  if (ok) return exitCodes.done;
  if (!flags.on("quiet")) terminal.tell("the output is stale: run the same command without --check\n");
  return exitCodes.found;
}

async function rehearse(
  job: Job,
  request: WriteRequest,
  revisions: readonly string[],
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<ExitCode> {
  const plan = await planFiles(request, diagnostics);
  if (plan === null || (!job.force && reportConflicts(plan, diagnostics))) throw new Fault(diagnostics.list);
  const files = plan.files.map(({ path, state, text }) => ({ path, state, bytes: Buffer.byteLength(text) }));
  const removals = plan.leftovers
    .filter(({ state }) => state === "unmodified")
    .map(({ path }) => ({ path, state: job.clean ? "removed" : "leftover", bytes: 0 }));
  await reportRun(job, flags, terminal, {
    ok: true,
    revisions,
    files: [...files, ...removals],
    diagnostics: diagnostics.list,
  });
  if (!flags.on("quiet")) terminal.tell("nothing was written: this was a dry run\n");
  return exitCodes.done;
}
