import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Diagnostics } from "../diagnostics.js";
import { MANIFEST, renderManifest, sha256 } from "./manifest.js";
import { type Change, commit } from "./write/commit.js";
import { kindOf, removeEmpty } from "./write/disk.js";
import { withLock } from "./write/lock.js";
import { removeEmptyFolders } from "./write/paths.js";
import { digestsOf, makePlan, type Plan, type PlannedFile, reportConflicts } from "./write/plan.js";
import type { WriteOutcome, WriteRequest, WrittenFile } from "./write/request.js";
import { WriteError, writeErrorOf } from "./write/write-error.js";

export {
  MANIFEST,
  sha256,
  type Expectation,
  type Manifest,
  type ManifestSource,
  type Provenance,
} from "./manifest.js";
export { type Plan, type PlannedFile, reportConflicts } from "./write/plan.js";
export type { FormatText } from "./write/difference.js";
export type { WriteOutcome, WriteRequest, WrittenFile } from "./write/request.js";
export { findManifest, upToDate } from "./write/up-to-date.js";

/** Returns what `writeFiles` would do. Returns null after an error, which is in the diagnostics. */
export async function planFiles(request: WriteRequest, diagnostics: Diagnostics): Promise<Plan | null> {
  return await withWriteErrors(diagnostics, async () => {
    checkDestination(request.out);
    return await makePlan(request);
  });
}

/**
 * Writes the files of a run, or none of them if a file of the user would be overwritten or the disk is full. Unchanged files are not
 * touched. The manifest lists the old and the new digests until the last file is written, so that the next run knows each file of a run
 * that was killed, and completes it. Returns null after an error, which is in the diagnostics.
 */
export async function writeFiles(
  request: WriteRequest,
  diagnostics: Diagnostics,
): Promise<WriteOutcome | null> {
  const { out, signal } = request;
  return await withWriteErrors(diagnostics, async () => {
    const folders = checkDestination(out);
    try {
      return await withLock(out, () => write(request, diagnostics), signal);
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) return { files: [], interrupted: true };
      throw error;
    } finally {
      removeEmpty(folders);
    }
  });
}

/** Writes in a locked directory. Returns null if a file of the user would be overwritten, which is in the diagnostics. */
async function write(request: WriteRequest, diagnostics: Diagnostics): Promise<WriteOutcome | null> {
  const { out, force = false, clean = false, signal } = request;
  const plan = await makePlan(request);
  if (!force && reportConflicts(plan, diagnostics)) return null;
  /** A file that was only formatted is restored with `force`. */
  const isWritten = ({ state }: PlannedFile): boolean =>
    state !== "unchanged" && (state !== "reformatted" || force);
  const isRemoved = ({ state }: PlannedFile<null>): boolean => clean && state === "outdated";
  const changes = [...plan.files.filter(isWritten), ...plan.leftovers.filter(isRemoved)];
  await commit(out, withManifests(plan, changes), signal);
  for (const { path } of plan.leftovers) removeEmptyFolders(out, path);
  const files = plan.files.map((file): WrittenFile => {
    const state = isWritten(file) ? "written" : "unchanged";
    return { path: file.path, state, bytes: Buffer.byteLength(file.text) };
  });
  const leftovers = plan.leftovers
    .filter(({ before }) => before !== null)
    .map((file): WrittenFile => {
      return { path: file.path, state: isRemoved(file) ? "removed" : "leftover", bytes: 0 };
    });
  return { files: [...files, ...leftovers], interrupted: false };
}

/**
 * Adds a manifest before the other changes, which has the old and the new digests, and the manifest of the complete run after them.
 */
function withManifests({ next, files, leftovers }: Plan, changes: readonly Change[]): readonly Change[] {
  const others = changes.filter(({ path }) => path !== MANIFEST);
  const last = files.find(({ path }) => path === MANIFEST);
  if (others.length === 0 || last === undefined) return changes;
  const first = renderManifest({
    ...next,
    leftovers: digestsOf(leftovers),
    replaced: new Map(others.flatMap(({ path, before }) => (before === null ? [] : [[path, before]]))),
  });
  const text = changes.includes(last) ? last.text : last.current;
  return [{ ...last, text: first }, ...others, { ...last, text, before: sha256(first) }];
}

/** Returns the folders that are missing, outermost first. Throws if the output directory is a file, or below a link to nothing. */
function checkDestination(out: string): string[] {
  const missing: string[] = [];
  let path = out;
  for (; kindOf(path) === null && dirname(path) !== path; path = dirname(path)) missing.unshift(path);
  const kind = kindOf(path);
  if (path === out && (kind === "file" || kind === "other"))
    throw new WriteError("MG806", `the output directory ${out} is a file`, "choose another --out");
  if (kind !== "link" || existsSync(path)) return missing;
  const message = `${path} is a symbolic link to a folder that does not exist`;
  throw new WriteError("MG805", message, "create the folder, or remove the link");
}

async function withWriteErrors<T>(
  diagnostics: Diagnostics,
  work: () => Promise<T | null>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const writeError = writeErrorOf(error);
    if (writeError === null) throw error;
    diagnostics.root.error(writeError.code, null, writeError.message, writeError.hint);
    return null;
  }
}
