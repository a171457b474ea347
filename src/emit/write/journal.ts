import { join } from "node:path";
import { faultCode, type Disk } from "./disk.js";
import { pathFault, STATE } from "./paths.js";
import { Refusal, step } from "./refusal.js";

/**
 * What a run has decided to do to a destination. It is on the disk before the first file changes and gone after the
 * last one did, so that whoever finds it knows that a run was cut short, and how to finish it.
 */
export interface Journal {
  readonly format: 1;
  readonly changes: readonly Change[];
}

/**
 * Forward: put the staged files in place. Back: a file could not be placed, restore what was there. The direction is the
 * journal's name, so that turning back is one rename and needs no room on a full disk.
 */
export type Direction = "forward" | "back";

/** One file of the destination: its digest before and after, null where there is none. */
export interface Change {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The writer's own places inside a destination. */
export interface StatePaths {
  readonly folder: string;
  journal(direction: Direction): string;
  /** The new text of the change with this number. */
  staged(index: number): string;
  /** What stood there before. */
  kept(index: number): string;
}

export function statePaths(out: string): StatePaths {
  const folder = join(out, STATE);
  return {
    folder,
    journal: (direction) => join(folder, `${direction}.json`),
    staged: (index) => join(folder, `new-${index}`),
    kept: (index) => join(folder, `old-${index}`),
  };
}

/** Puts the journal on the disk in a single step. */
export async function writeJournal(out: string, journal: Journal, disk: Disk): Promise<void> {
  const paths = statePaths(out);
  const draft = `${paths.journal("forward")}.draft`;
  await step(`write the journal in ${STATE}`, async () => {
    await disk.create(draft, JSON.stringify(journal));
    await disk.rename(draft, paths.journal("forward"));
    await disk.sync(paths.folder);
  });
}

/** From here on the run is undone, whoever finishes it. */
export async function turnBack(out: string, disk: Disk): Promise<void> {
  const paths = statePaths(out);
  await step(`turn the journal in ${STATE} round`, async () => {
    await disk.rename(paths.journal("forward"), paths.journal("back"));
    await disk.sync(paths.folder);
  });
}

/** The journal of a run that was cut short, and which way it was going; null when there is none. */
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
    throw new Refusal(
      "MG808",
      `an earlier run was cut short, and its journal (${STATE}/${direction}.json) cannot be read`,
      `restore the directory from version control, delete the folder ${STATE} in it and run again`,
    );
  }
  return null;
}

/** Removes everything of a run from the state folder but the lock, which its holder removes. */
export async function clearState(out: string, disk: Disk): Promise<void> {
  const paths = statePaths(out);
  await step(`clear the folder ${STATE}`, async () => {
    // The journal goes first: without it the rest is rubbish, with it the rest is needed.
    for (const direction of ["forward", "back"] as const) {
      if ((await disk.kind(paths.journal(direction))) === null) continue;
      await disk.remove(paths.journal(direction));
      await disk.sync(paths.folder);
    }
    for (const name of await disk.list(paths.folder)) {
      if (name !== "lock") await disk.remove(join(paths.folder, name)).catch(unlessGone);
    }
  });
}

/** What another run's attempt at the lock left here, it may itself just have removed. */
function unlessGone(error: unknown): void {
  if (faultCode(error) !== "ENOENT") throw error;
}

/** A journal is a file like any other and may have been made by anybody: its paths are checked as all paths are. */
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
    if (typeof path !== "string" || pathFault(path) !== null) return null;
    if (!isDigestOrNull(before) || !isDigestOrNull(after)) return null;
    changes.push({ path, before, after });
  }
  return { format: 1, changes };
}

function isDigestOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && /^[0-9a-f]{64}$/.test(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
