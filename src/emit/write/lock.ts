import { hostname } from "node:os";
import { join } from "node:path";
import { errorCode, type Disk } from "./disk.js";
import { STATE } from "./paths.js";
import { WriteError, step } from "./write-error.js";

/** Thrown if the run is aborted before anything is changed. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** The process that holds a lock. Only a process of the same machine can be checked. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** A lock on a destination. */
export interface Lock {
  /** Releases the lock, and removes the state folder if it is empty. */
  release(): Promise<void>;
}

const ATTEMPTS = 20;
/** How long a run waits for another one that holds the lock, and how often it looks, in milliseconds. */
const PATIENCE = 5000;
const PAUSE = 25;

/** The number of runs in this process that hold or await a lock, by its file. If there is one, a lock with its id is of a killed process. */
const runs = new Map<string, number>();
let drafts = 0;

/**
 * Locks an existing destination. Waits some seconds for another run on this machine, unless the signal is aborted. Takes over the lock of
 * a process that no longer runs. A lock of another machine is respected, because its process cannot be checked.
 */
export async function acquireLock(out: string, disk: Disk, signal?: AbortSignal): Promise<Lock> {
  const state = join(out, STATE);
  const file = join(state, "lock");
  countRun(file, 1);
  try {
    await awaitLock(state, file, disk, signal);
  } catch (error) {
    countRun(file, -1);
    throw error;
  }
  return {
    release: async () => {
      await removeLock(state, file, disk);
      countRun(file, -1);
    },
  };
}

function countRun(file: string, change: 1 | -1): void {
  const count = (runs.get(file) ?? 0) + change;
  if (count === 0) runs.delete(file);
  else runs.set(file, count);
}

async function awaitLock(
  state: string,
  file: string,
  disk: Disk,
  signal: AbortSignal | undefined,
): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await makeState(state, disk);
    if (await tryLock(state, file, disk)) return;
    const lock = await readLock(file, disk);
    if (lock === null) continue;
    const holder = parseHolder(lock);
    if (holder === null || !isAlive(holder, file)) {
      await removeStaleLock(file, lock, disk);
      continue;
    }
    if (signal?.aborted === true) throw new Interrupted("interrupted");
    if (holder.host !== hostname() || performance.now() >= end) throw lockedError(holder);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    attempt = -1;
  }
  throw new WriteError(
    "MG807",
    "other runs of mcpgen keep writing to this directory",
    "wait for them to end",
  );
}

/** Writes the lock to a draft and links it, so that no process reads an incomplete lock. */
async function tryLock(state: string, file: string, disk: Disk): Promise<boolean> {
  const draft = `${file}.${process.pid}.${drafts++}`;
  const holder: Holder = { pid: process.pid, host: hostname() };
  let isLinked = false;
  try {
    await disk.remove(draft).catch(() => undefined);
    await disk.create(draft, JSON.stringify(holder));
    await disk.link(draft, file);
    isLinked = true;
    await disk.remove(draft);
    return true;
  } catch (error) {
    await disk.remove(draft).catch(() => undefined);
    // EEXIST: another run holds it. ENOENT: another run just released it and removed the folder.
    const code = errorCode(error);
    if (code === "EEXIST" || code === "ENOENT") return false;
    await removeLock(state, isLinked ? file : null, disk);
    return await step(`write in the folder ${STATE}`, () => Promise.reject(error));
  }
}

async function makeState(state: string, disk: Disk): Promise<void> {
  await step(`create the folder ${STATE}`, async () => {
    try {
      await disk.makeDirectory(state);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      if ((await disk.kind(state)) === "link") {
        throw new WriteError(
          "MG805",
          `${STATE} is a symbolic link; mcpgen needs a folder of that name`,
          "remove it",
        );
      }
    }
  });
}

async function removeLock(state: string, file: string | null, disk: Disk): Promise<void> {
  // A lock that cannot be removed is harmless: this process ends, and the next run takes it over.
  if (file !== null) await disk.remove(file).catch(() => undefined);
  await disk.removeDirectory(state).catch(() => undefined);
}

async function readLock(file: string, disk: Disk): Promise<string | null> {
  try {
    return new TextDecoder().decode(await disk.read(file));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    return await step(`read ${STATE}/lock`, () => Promise.reject(error));
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("pid" in value) || !("host" in value)) return null;
    const { pid, host } = value;
    return Number.isSafeInteger(pid) && typeof host === "string" ? { pid: Number(pid), host } : null;
  } catch {
    // Not written by this program, or damaged by a power failure.
    return null;
  }
}

function isAlive({ pid, host }: Holder, file: string): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return (runs.get(file) ?? 0) > 1;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

/**
 * Removes the lock of a process that no longer runs. Two runs may try at the same time: each first renames the file, and puts it back
 * if it turns out to be a new lock.
 */
async function removeStaleLock(file: string, expected: string, disk: Disk): Promise<void> {
  const aside = `${file}.${process.pid}.aside`;
  try {
    await disk.rename(file, aside);
    if ((await readLock(aside, disk)) !== expected) await disk.link(aside, file);
    await disk.remove(aside);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EEXIST") {
      await step(`take over ${STATE}/lock`, () => Promise.reject(error));
    }
  }
}

function lockedError({ pid, host }: Holder): WriteError {
  const where = host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  return new WriteError(
    "MG807",
    `another run of mcpgen (${where}) is writing to this directory`,
    `wait for it to end; if it no longer runs, delete ${STATE}/lock there`,
  );
}
