import { dirname } from "node:path";
import { sha256 } from "../manifest.js";
import type { Disk } from "./disk.js";
import {
  clearState,
  readJournal,
  statePaths,
  reverseJournal,
  writeJournal,
  type Change,
  type Journal,
} from "./journal.js";
import { Interrupted } from "./lock.js";
import { foldersOf, diskPath, rejectLinks, removeEmptyFolders } from "./paths.js";
import { WriteError, step } from "./write-error.js";

/** A change with the new text; null removes the file. */
export interface TextChange extends Change {
  readonly text: string | null;
}

/**
 * Applies all changes or none, in a locked destination. Nothing changes before the journal is written; afterwards this process or the
 * next run completes the changes.
 */
export async function commit(
  out: string,
  changes: readonly TextChange[],
  disk: Disk,
  signal?: AbortSignal,
): Promise<void> {
  const journal: Journal = {
    format: 1,
    changes: changes.map(({ path, before, after }) => ({ path, before, after })),
  };
  try {
    await stage(out, changes, disk, signal);
    await writeJournal(out, journal, disk);
  } catch (error) {
    await clearState(out, disk).catch(() => undefined);
    throw error;
  }
  try {
    for (const [index, change] of journal.changes.entries()) {
      if (await applyChange(out, index, change, disk)) continue;
      throw new WriteError(
        "MG804",
        `${change.path} was changed by another program during the run`,
        "run again",
      );
    }
    await syncFolders(out, journal, disk);
  } catch (error) {
    await rollBack(out, journal, disk, error);
    throw error;
  }
  await clearState(out, disk);
}

/** Completes or reverts an interrupted run. Returns true if there was one. */
export async function recoverRun(out: string, disk: Disk): Promise<boolean> {
  const interruptedRun = await readJournal(out, disk);
  if (interruptedRun !== null && interruptedRun.direction === "back") {
    await restore(out, interruptedRun.journal, disk);
  } else if (interruptedRun !== null) {
    // A file that was changed since then is kept; the next run reports it as edited.
    for (const [index, change] of interruptedRun.journal.changes.entries())
      await applyChange(out, index, change, disk);
    await syncFolders(out, interruptedRun.journal, disk);
  }
  await clearState(out, disk);
  return interruptedRun !== null;
}

async function stage(
  out: string,
  changes: readonly TextChange[],
  disk: Disk,
  signal: AbortSignal | undefined,
): Promise<void> {
  const paths = statePaths(out);
  for (const [index, { path, text }] of changes.entries()) {
    if (signal?.aborted === true) throw new Interrupted("interrupted");
    if (text !== null) await step(`write ${path}`, () => disk.create(paths.staged(index), text));
  }
  await step("write the new files", () => disk.sync(paths.folder));
  if (signal?.aborted === true) throw new Interrupted("interrupted");
}

/** Applies one change and keeps the old file. Returns false if the file is not in the planned state. */
async function applyChange(out: string, index: number, change: Change, disk: Disk): Promise<boolean> {
  const { path, before, after } = change;
  const paths = statePaths(out);
  await rejectLinks(out, path, disk);
  const target = diskPath(out, path);
  const current = await digestOf(target, path, disk);
  if (current === after) return true;
  if (current !== before) return false;
  return await step(`write ${path}`, async () => {
    const hasBackup = (await disk.kind(paths.backup(index))) !== null;
    if (before !== null && !hasBackup) await disk.link(target, paths.backup(index));
    if (after === null) {
      await disk.remove(target);
      return true;
    }
    if ((await disk.kind(paths.staged(index))) === null) return false;
    for (const folder of foldersOf(path)) {
      if ((await disk.kind(diskPath(out, folder))) === null) await disk.makeDirectory(diskPath(out, folder));
    }
    await disk.rename(paths.staged(index), target);
    return true;
  });
}

/** Reverts a failed commit. If that fails too, the journal stays and the next run tries again. */
async function rollBack(out: string, journal: Journal, disk: Disk, cause: unknown): Promise<void> {
  try {
    await reverseJournal(out, disk);
    await restore(out, journal, disk);
    await clearState(out, disk);
  } catch (error) {
    const commitError = cause instanceof Error ? cause.message : String(cause);
    const restoreError = error instanceof Error ? error.message : String(error);
    throw new WriteError(
      "MG809",
      `${commitError}; restoring the old files failed too: ${restoreError}`,
      "repair the disk and run again; the next run restores the files",
    );
  }
}

async function restore(out: string, journal: Journal, disk: Disk): Promise<void> {
  const paths = statePaths(out);
  for (const [index, { path, before, after }] of [...journal.changes.entries()].reverse()) {
    await rejectLinks(out, path, disk);
    const target = diskPath(out, path);
    const current = await digestOf(target, path, disk);
    if (current === before) continue;
    await step(`restore ${path}`, async () => {
      if (before !== null) {
        if ((await disk.kind(paths.backup(index))) !== null) await disk.rename(paths.backup(index), target);
      } else if (current === after) {
        await disk.remove(target);
        await removeEmptyFolders(out, path, disk);
      }
    });
  }
}

async function digestOf(target: string, path: string, disk: Disk): Promise<string | null> {
  if ((await disk.kind(target)) === null) return null;
  return sha256(await step(`read ${path}`, () => disk.read(target)));
}

async function syncFolders(out: string, journal: Journal, disk: Disk): Promise<void> {
  const folders = new Set(journal.changes.map(({ path }) => dirname(diskPath(out, path))));
  for (const folder of folders) await disk.sync(folder);
}
