import type { Diagnostics } from "../../diagnostics.js";
import { MANIFEST, sha256 } from "../manifest.js";
import { commit, recoverRun, type TextChange } from "./commit.js";
import type { Disk } from "./disk.js";
import { acquireLock, Interrupted, type Lock } from "./lock.js";
import { removeEmptyFolders } from "./paths.js";
import { type Leftover, type PlannedFile, reportConflicts } from "./plan.js";
import {
  planRequest,
  withManifest,
  type WriteOutcome,
  type WriteRequest,
  type WrittenFile,
} from "./request.js";

/**
 * Writes to an existing directory while it holds the lock. Returns null if a file of the user would be overwritten, which is in the
 * diagnostics.
 */
export async function writeLocked(
  request: WriteRequest,
  diagnostics: Diagnostics,
  disk: Disk,
): Promise<WriteOutcome | null> {
  const { out, force = false, clean = false, signal } = request;
  let lock: Lock | null = null;
  try {
    lock = await acquireLock(out, disk, signal);
    if (await recoverRun(out, disk)) {
      diagnostics.root.note(
        "MG809",
        null,
        "an earlier run was interrupted; its changes were completed or reverted first",
      );
    }
    const filePlan = await planRequest(request, disk);
    if (!force && reportConflicts(filePlan, diagnostics)) return null;
    const plan = await withManifest(request, filePlan, disk);
    const removals = clean ? plan.leftovers.filter((file) => file.state === "unmodified") : [];
    const changes = [...plan.files.flatMap((file) => changesOf(file, force)), ...removals.map(removalOf)];
    // The manifest is the last file of a plan and the last to change, after the removals it no longer lists.
    const manifestAt = changes.findIndex((change) => change.path === MANIFEST);
    if (manifestAt !== -1) changes.push(...changes.splice(manifestAt, 1));
    if (changes.length > 0) await commit(out, changes, disk, signal);
    for (const { path } of removals) await removeEmptyFolders(out, path, disk);
    return {
      files: [
        ...plan.files.map((file) => writtenFile(file, force)),
        ...plan.leftovers.flatMap((file) => leftoverFiles(file, clean)),
      ],
      interrupted: false,
    };
  } catch (error) {
    if (error instanceof Interrupted) return { files: [], interrupted: true };
    throw error;
  } finally {
    await lock?.release();
  }
}

/** True for a file that a run leaves as it is. A file that was only formatted is restored with `force`. */
function isKept({ state }: PlannedFile, force: boolean): boolean {
  return state === "unchanged" || (state === "reformatted" && !force);
}

function changesOf(file: PlannedFile, force: boolean): TextChange[] {
  const { path, text, before } = file;
  return isKept(file, force) ? [] : [{ path, text, before, after: sha256(text) }];
}

function removalOf({ path, before }: Leftover): TextChange {
  return { path, text: null, before, after: null };
}

function writtenFile(file: PlannedFile, force: boolean): WrittenFile {
  const { path, text } = file;
  const state = isKept(file, force) ? "unchanged" : "written";
  return { path, state, bytes: Buffer.byteLength(text) };
}

/** The leftover as a file of the outcome; empty if it no longer exists. */
function leftoverFiles({ path, state }: Leftover, clean: boolean): WrittenFile[] {
  if (state === "missing") return [];
  return [{ path, state: clean && state === "unmodified" ? "removed" : "leftover", bytes: 0 }];
}
