import type { Diagnostics } from "../../../diagnostics.js";
import {
  MANIFEST,
  planFiles,
  reportConflicts,
  writeFiles,
  type Plan,
  type PlannedFile,
  type WriteRequest,
} from "../../../emit/write.js";
import { packageTypeNote } from "../../destination/package-type.js";
import { exitCodes, CommandError, Interruption, type ExitCode } from "../../command-error.js";
import type { Flags } from "../../flags.js";
import { visible, type Terminal } from "../../terminal.js";
import { staleDiff } from "./check.js";
import { reportRun, type FileReport, type Told } from "./report.js";

export const INTERRUPTED = "interrupted; nothing was written";

/** What a run was asked to do with the files that it has made. */
export interface Writing extends Told {
  readonly force: boolean;
  readonly clean: boolean;
}

/** What a run would write: made, laid out, and not yet written. */
export interface Prepared {
  readonly job: Writing;
  readonly request: WriteRequest;
  readonly revisions: readonly string[];
}

/** Writes what was made, or compares it with what is there, and tells how it went. */
export async function finish(
  job: Writing,
  request: WriteRequest,
  revisions: readonly string[],
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<ExitCode> {
  if (job.mode === "check") return await check(job, request, revisions, flags, terminal, diagnostics);
  if (job.mode === "dry-run") return await rehearse(job, request, revisions, flags, terminal, diagnostics);
  const outcome = await writeFiles(request, diagnostics);
  if (outcome === null) throw new CommandError(diagnostics.list);
  if (outcome.interrupted) throw new Interruption(INTERRUPTED);
  if (outcome.files.some(({ path, state }) => state === "written" && path.endsWith(".ts"))) {
    const note = await packageTypeNote(request.out);
    if (note !== null) diagnostics.add(note);
  }
  await reportRun(job, flags, terminal, {
    ok: true,
    revisions,
    files: outcome.files,
    diagnostics: diagnostics.list,
  });
  return exitCodes.done;
}

async function check(
  job: Writing,
  request: WriteRequest,
  revisions: readonly string[],
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<ExitCode> {
  // Somebody else's directory is not stale but wrong; `force` looks past that, as it would in writing.
  const plan = await planFiles(request, diagnostics);
  if (plan === null) throw new CommandError(diagnostics.list);
  const stale = plan.files.filter(({ state }) => state !== "unchanged" && state !== "reformatted");
  // The manifest follows the other files: its own lines are worth showing when nothing else differs.
  const shown = stale.length > 1 ? stale.filter(({ path }) => path !== MANIFEST) : stale;
  if (!flags.on("quiet")) for (const file of shown) terminal.tell(staleDiff(file, terminal.style));
  const ok = stale.length === 0;
  await reportRun(job, flags, terminal, {
    ok,
    revisions,
    files: comparedFiles(plan),
    diagnostics: diagnostics.list,
  });
  if (ok) return exitCodes.done;
  if (!flags.on("quiet")) terminal.tell(visible(`the output is stale: ${remedy(stale)}\n`));
  return exitCodes.found;
}

/** What to do about stale files. A run keeps what somebody edited, unless it is told to write over it. */
function remedy(stale: readonly PlannedFile[]): string {
  const kept = stale.filter(({ state }) => state === "edited" || state === "foreign").map(({ path }) => path);
  if (kept.length === 0) return "run the same command without --check";
  return `run the same command with --force in place of --check to write over ${kept.join(", ")}, or undo the edit`;
}

async function rehearse(
  job: Writing,
  request: WriteRequest,
  revisions: readonly string[],
  flags: Flags,
  terminal: Terminal,
  diagnostics: Diagnostics,
): Promise<ExitCode> {
  const plan = await planFiles(request, diagnostics);
  if (plan === null || (!job.force && reportConflicts(plan, diagnostics)))
    throw new CommandError(diagnostics.list);
  const removals = plan.leftovers
    .filter(({ state }) => state === "unmodified")
    .map(({ path }) => ({ path, state: job.clean ? "removed" : "leftover", bytes: 0 }));
  await reportRun(job, flags, terminal, {
    ok: true,
    revisions,
    files: [...comparedFiles(plan), ...removals],
    diagnostics: diagnostics.list,
  });
  if (!flags.on("quiet")) terminal.tell("nothing was written: this was a dry run\n");
  return exitCodes.done;
}

/** How the disk differs from what a run would write, file by file. */
function comparedFiles({ files }: Plan): FileReport[] {
  return files.map(({ path, state, text }) => ({ path, state, bytes: Buffer.byteLength(text) }));
}
