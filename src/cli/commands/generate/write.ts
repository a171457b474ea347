import type { Diagnostics } from "../../../generator/diagnostics.js";
import {
  conflictsIn,
  manifestName,
  planFiles,
  rejectConflicts,
  writeFiles,
  type Plan,
  type PlannedFile,
  type WriteRequest,
} from "../../../generator/emit/write.js";
import type { Protocol } from "../../../generator/ir/model.js";
import { counted } from "../../../generator/ir/report/text.js";
import { runtimeNote } from "../../destination/installed.js";
import { packageTypeNote } from "../../destination/package-type.js";
import { exitCodes, Interruption, withEarlier } from "../../command-error.js";
import type { Context } from "../../command.js";
import type { WriteOptions } from "../../options.js";
import type { Report } from "../../report.js";
import { filesReport, type FileState } from "./report.js";

/**
 * The destination of generated files, as the user wrote it, and the options for
 * writing them.
 */
type Writing = WriteOptions & { readonly out: string };

/** The generated and formatted files of a run, not written yet. */
export interface Prepared {
  readonly request: WriteRequest;
  /** What was generated, with the extensions. */
  readonly protocols: readonly Protocol[];
}

/** Writes generated files, or compares them with the existing ones. */
export async function writeOrCompare(
  writing: Writing,
  request: WriteRequest,
  revisions: readonly string[],
  diagnostics: Diagnostics,
  context: Context,
): Promise<Report> {
  const verb = writing.mode === "write" ? "writing" : "comparing";
  context.status(`${verb} ${counted(request.files.length, "file")}`);
  const { files, ...outcome } = await outcomeOf(
    writing,
    request,
    diagnostics,
    context,
  );
  context.status(null);
  return filesReport(
    { ...writing, revisions, files },
    { ...outcome, diagnostics: diagnostics.list },
  );
}

interface Outcome extends Partial<
  Pick<Report, "exitCode" | "differences" | "advice">
> {
  readonly files: readonly FileState[];
}

async function outcomeOf(
  { mode, force }: Writing,
  request: WriteRequest,
  diagnostics: Diagnostics,
  context: Context,
): Promise<Outcome> {
  const replaces = async (plan: Plan): Promise<void> => {
    context.status("compiling");
    const { checkReplaced } = await import("./edited.js");
    const note = await checkReplaced(plan, request.out, context.directory);
    if (note !== null) diagnostics.add(note);
  };
  switch (mode) {
    case "write":
      return await write(request, diagnostics, replaces);
    case "check":
      return await check(request, diagnostics);
    case "dry-run":
      return await dryRun(
        request,
        diagnostics,
        force ? replaces : rejectConflicts,
      );
    default:
      return mode satisfies never;
  }
}

async function write(
  request: WriteRequest,
  diagnostics: Diagnostics,
  replaces: (plan: Plan) => Promise<void>,
): Promise<Outcome> {
  const { signal } = request;
  const files = await withEarlier(diagnostics, () =>
    writeFiles(request, replaces),
  ).catch((error: unknown) => {
    throw signal?.aborted === true && error === signal.reason
      ? new Interruption()
      : error;
  });
  if (
    files.some(({ path, state }) => state === "written" && path.endsWith(".ts"))
  ) {
    const texts = request.files.map(({ text }) => text);
    const notes = [
      await packageTypeNote(request.out),
      await runtimeNote(request.out, texts),
    ];
    for (const note of notes) if (note !== null) diagnostics.add(note);
  }
  return { files };
}

async function check(
  request: WriteRequest,
  diagnostics: Diagnostics,
): Promise<Outcome> {
  // A directory with foreign files is an error, not stale output; `force`
  // ignores that, as it does when writing.
  const plan = await withEarlier(diagnostics, () => planFiles(request));
  const stale = staleFiles(plan);
  const files = comparedFiles(plan);
  if (stale.length === 0) return { files };
  const { staleDiff } = await import("./check.js");
  return {
    exitCode: exitCodes.checkFailed,
    files,
    differences: (style) =>
      stale.map((file) => staleDiff(file, style)).join(""),
    advice: `the output is stale: ${remedy(stale)}\n`,
  };
}

/**
 * The files that a run would change. The manifest is one of them only if no
 * other file differs.
 */
export function staleFiles({ files }: Plan): readonly PlannedFile[] {
  const stale = files.filter(
    ({ state }) => state !== "unchanged" && state !== "reformatted",
  );
  return stale.filter(
    ({ path }) => path !== manifestName || stale.length === 1,
  );
}

/**
 * What to do about stale files. Without `--force`, a run keeps edited files.
 */
function remedy(files: readonly PlannedFile[]): string {
  const preserved = conflictsIn({ files }).map(({ path }) => path);
  if (preserved.length === 0) return "run the same command without --check";
  return `run the same command with --force instead of --check to overwrite ${preserved.join(", ")}, or undo the edit`;
}

async function dryRun(
  request: WriteRequest,
  diagnostics: Diagnostics,
  approve: (plan: Plan) => void | Promise<void>,
): Promise<Outcome> {
  const plan = await withEarlier(diagnostics, async () => {
    const planned = await planFiles(request);
    if (conflictsIn(planned).length > 0) await approve(planned);
    return planned;
  });
  const removals = plan.removed.map(({ path }) => ({
    path,
    state: "removed",
    bytes: 0,
  }));
  const leftovers = plan.leftovers
    .filter(({ state }) => state === "outdated")
    .map(({ path }) => ({ path, state: "leftover", bytes: 0 }));
  return {
    files: [...comparedFiles(plan), ...removals, ...leftovers],
    advice: "nothing was written: this was a dry run\n",
  };
}

/** The differences between the disk and the generated files. */
function comparedFiles({ files }: Plan): FileState[] {
  return files.map(({ path, state, text }) => ({
    path,
    state,
    bytes: Buffer.byteLength(text),
  }));
}
