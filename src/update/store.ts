import { schemaError } from "../diagnostics.js";
import { sha256 } from "../emit/manifest.js";
import { commit, recoverRun, type TextChange } from "../emit/write/commit.js";
import { nodeDisk } from "../emit/write/disk.js";
import { acquireLock } from "../emit/write/lock.js";
import { diskPath, rejectLinks, STATE } from "../emit/write/paths.js";
import { diskError, WriteError } from "../emit/write/write-error.js";
import { LOCK, renderLock, type Lock } from "../sources/lock.js";

/** A file to write: its path relative to the project, with forward slashes. */
export interface StoredFile {
  readonly path: string;
  readonly text: string;
}

/** Completes or reverts an update that was killed. Returns true if there was one. */
export async function recover(project: string): Promise<boolean> {
  if ((await nodeDisk.kind(diskPath(project, STATE))) === null) return false;
  return await locked(project, () => recoverRun(project, nodeDisk));
}

/** The digest of the lock file before an update; null without one. */
export async function lockDigest(project: string): Promise<string | null> {
  return await digestAt(project, LOCK);
}

/**
 * Writes schemas and the lock file, all or none. The lock file is the last one.
 *
 * @throws SchemaError if another update has written in the meantime, or the disk fails
 */
export async function store(
  project: string,
  files: readonly StoredFile[],
  lock: Lock,
  lockBefore: string | null,
  signal: AbortSignal,
): Promise<void> {
  await locked(project, async () => {
    await recoverRun(project, nodeDisk);
    if ((await digestAt(project, LOCK)) !== lockBefore) {
      throw new WriteError("MG804", `${LOCK} was changed by another program during the run`, "run again");
    }
    const changes: TextChange[] = [];
    for (const { path, text } of [...files, { path: LOCK, text: renderLock(lock) }]) {
      await rejectLinks(project, path, nodeDisk);
      const before = await digestAt(project, path);
      const after = sha256(text);
      if (before !== after) changes.push({ path, text, before, after });
    }
    if (changes.length > 0) await commit(project, changes, nodeDisk, signal);
  });
}

/** Runs work that no other run in this project may do at the same time. Converts errors of the disk. */
async function locked<T>(project: string, work: () => Promise<T>): Promise<T> {
  try {
    const lock = await acquireLock(project, nodeDisk);
    try {
      return await work();
    } finally {
      await lock.release();
    }
  } catch (error) {
    const known = error instanceof WriteError ? error : diskError(error, "write to the project");
    if (known === null) throw error;
    const { code, message, hint } = known;
    throw schemaError(code, message, hint);
  }
}

async function digestAt(project: string, path: string): Promise<string | null> {
  const file = diskPath(project, path);
  return (await nodeDisk.kind(file)) === "file" ? sha256(await nodeDisk.read(file)) : null;
}
