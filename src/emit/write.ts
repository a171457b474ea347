import type { Diagnostics } from "../diagnostics.js";
import { createDestination, rejectFile, removeDirectories } from "./write/destination.js";
import { nodeDisk } from "./write/disk.js";
import type { Plan } from "./write/plan.js";
import { diskError, WriteError } from "./write/write-error.js";
import { planRequest, withManifest, type WriteOutcome, type WriteRequest } from "./write/request.js";
import { writeLocked } from "./write/run.js";

export {
  MANIFEST,
  sha256,
  type Expectation,
  type Manifest,
  type ManifestSource,
  type Provenance,
} from "./manifest.js";
export { nodeDisk, type Disk } from "./write/disk.js";
export { type Plan, type PlannedFile, reportConflicts } from "./write/plan.js";
export type { FormatText } from "./write/difference.js";
export type { WriteOutcome, WriteRequest, WrittenFile } from "./write/request.js";
export { findManifest, upToDate } from "./write/up-to-date.js";

/** Returns what `writeFiles` would do. Returns null after an error, which is in the diagnostics. */
export async function planFiles(request: WriteRequest, diagnostics: Diagnostics): Promise<Plan | null> {
  const disk = request.disk ?? nodeDisk;
  return await withWriteErrors(diagnostics, async () => {
    await rejectFile(request.out, disk);
    const filePlan = await planRequest(request, disk);
    return await withManifest(request, filePlan, disk);
  });
}

/**
 * Writes all files of a run or none. Files are staged and then renamed, unchanged files are not touched, and the next run completes a
 * run that was killed. Returns null after an error, which is in the diagnostics.
 */
export async function writeFiles(
  request: WriteRequest,
  diagnostics: Diagnostics,
): Promise<WriteOutcome | null> {
  const disk = request.disk ?? nodeDisk;
  return await withWriteErrors(diagnostics, async () => {
    const createdFolders = await createDestination(request.out, disk);
    let outcome: WriteOutcome | null = null;
    try {
      outcome = await writeLocked(request, diagnostics, disk);
    } finally {
      if (outcome === null || outcome.interrupted) await removeDirectories(createdFolders, disk);
    }
    return outcome;
  });
}

async function withWriteErrors<T>(
  diagnostics: Diagnostics,
  work: () => Promise<T | null>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const writeError =
      error instanceof WriteError ? error : diskError(error, "write to the output directory");
    if (writeError === null) throw error;
    diagnostics.root.error(writeError.code, null, writeError.message, writeError.hint);
    return null;
  }
}
