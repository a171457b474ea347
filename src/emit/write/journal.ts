import { join } from "node:path";
import { isRecord } from "../../ir/json/value.js";
import { errorCode, type Disk } from "./disk.js";
import { pathProblem, STATE } from "./paths.js";
import { WriteError, step } from "./write-error.js";

/**
 * The planned changes of a run. It is on the disk from before the first change until after the last one, so that the next run can
 * detect and complete an interrupted run.
 */
export interface Journal {
  readonly format: 1;
  readonly changes: readonly Change[];
}

/**
 * Forward: put the staged files in place. Back: restore the old files after an error. The direction is part of the
 * journal's file name, so changing it is one rename and needs no space on a full disk.
 */
export type Direction = "forward" | "back";

/** One file of the destination: its digest before and after; null if there is no file. */
export interface Change {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The paths of the writer's own files in a destination. */
export interface StatePaths {
  readonly folder: string;
  journal(direction: Direction): string;
  /** The new text of the change with this number. */
  staged(index: number): string;
  /** The old file of the change with this number. */
  backup(index: number): string;
}

export function statePaths(out: string): StatePaths {
  const folder = join(out, STATE);
  return {
    folder,
    journal: (direction) => join(folder, `${direction}.json`),
    staged: (index) => join(folder, `new-${index}`),
    backup: (index) => join(folder, `old-${index}`),
  };
}

/** Writes the journal atomically. */
export async function writeJournal(out: string, journal: Journal, disk: Disk): Promise<void> {
  const paths = statePaths(out);
  const draft = `${paths.journal("forward")}.draft`;
  await step(`write the journal in ${STATE}`, async () => {
    await disk.create(draft, JSON.stringify(journal));
    await disk.rename(draft, paths.journal("forward"));
    await disk.sync(paths.folder);
  });
}

/** Changes the direction of the journal: from now on the run is reverted. */
export async function reverseJournal(out: string, disk: Disk): Promise<void> {
  const paths = statePaths(out);
  await step(`change the direction of the journal in ${STATE}`, async () => {
    await disk.rename(paths.journal("forward"), paths.journal("back"));
    await disk.sync(paths.folder);
  });
}

/** The journal of an interrupted run and its direction; null if there is none. */
export async function readJournal(
  out: string,
  disk: Disk,
): Promise<{ readonly journal: Journal; readonly direction: Direction } | null> {
  const paths = statePaths(out);
  for (const direction of ["forward", "back"] as const) {
    const file = paths.journal(direction);
    if ((await disk.kind(file)) !== "file") continue;
    const bytes = await step(`read the journal in ${STATE}`, () => disk.read(file));
    const journal = parseJournal(new TextDecoder().decode(bytes));
    if (journal !== null) return { journal, direction };
    throw new WriteError(
      "MG808",
      `an earlier run was interrupted, and its record (${STATE}/${direction}.json) cannot be read`,
      `restore the directory from version control, delete the folder ${STATE} in it and run again`,
    );
  }
  return null;
}

/** Removes all files of a run from the state folder, except the lock. */
export async function clearState(out: string, disk: Disk): Promise<void> {
  const paths = statePaths(out);
  await step(`clear the folder ${STATE}`, async () => {
    // The journal is removed first, because the other files are needed as long as it exists.
    for (const direction of ["forward", "back"] as const) {
      if ((await disk.kind(paths.journal(direction))) === null) continue;
      await disk.remove(paths.journal(direction));
      await disk.sync(paths.folder);
    }
    for (const name of await disk.list(paths.folder)) {
      if (name !== "lock") await disk.remove(join(paths.folder, name)).catch(ignoreMissing);
    }
  });
}

/** Ignores a missing file, which another run may have just removed. */
function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== "ENOENT") throw error;
}

/** Parses a journal. Its paths are checked like all others, because any program may have written the file. */
function parseJournal(text: string): Journal | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || value["format"] !== 1 || !Array.isArray(value["changes"])) return null;
  const changes: Change[] = [];
  for (const entry of value["changes"] as unknown[]) {
    if (!isRecord(entry)) return null;
    const { path, before, after } = entry;
    if (typeof path !== "string" || pathProblem(path) !== null) return null;
    if (!isDigestOrNull(before) || !isDigestOrNull(after)) return null;
    changes.push({ path, before, after });
  }
  return { format: 1, changes };
}

function isDigestOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && /^[0-9a-f]{64}$/.test(value));
}
