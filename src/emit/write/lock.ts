import { hostname } from "node:os";
import { join } from "node:path";
import { errorCode, type Disk } from "./disk.js";
import { STATE } from "./paths.js";
import { WriteError, step } from "./write-error.js";

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

/** The locks of this process. Another lock with the same process id is that of a killed process. */
const ownLocks = new Set<string>();
let drafts = 0;

/**
 * Locks an existing destination. Takes over the lock of a process that no longer runs. A lock of another machine is respected, because
 * its process cannot be checked.
 */
export async function acquireLock(out: string, disk: Disk): Promise<Lock> {
  const state = join(out, STATE);
  const file = join(state, "lock");
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await makeState(state, disk);
    if (await tryLock(state, file, disk)) return { release: () => release(state, file, disk) };
    const lock = await readLock(file, disk);
    if (lock === null) continue;
    const holder = parseHolder(lock);
    if (holder !== null && isAlive(holder, file)) throw lockedError(holder);
    await removeStaleLock(file, lock, disk);
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
  try {
    await disk.remove(draft).catch(() => undefined);
    await disk.create(draft, JSON.stringify(holder));
    await disk.link(draft, file);
    ownLocks.add(file);
    await disk.remove(draft);
    return true;
  } catch (error) {
    await disk.remove(draft).catch(() => undefined);
    // EEXIST: another run holds it. ENOENT: another run just released it and removed the folder.
    const code = errorCode(error);
    if (code === "EEXIST" || code === "ENOENT") return false;
    await release(state, file, disk, ownLocks.has(file));
    return await step(`write in the folder ${STATE} of the output directory`, () => Promise.reject(error));
  }
}

async function makeState(state: string, disk: Disk): Promise<void> {
  await step(`create the folder ${STATE} in the output directory`, async () => {
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

async function release(state: string, file: string, disk: Disk, isOwn = true): Promise<void> {
  // A lock that cannot be removed is harmless: this process ends, and the next run takes it over.
  if (isOwn) await disk.remove(file).catch(() => undefined);
  await disk.removeDirectory(state).catch(() => undefined);
  if (isOwn) ownLocks.delete(file);
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
  if (pid === process.pid) return ownLocks.has(file);
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
