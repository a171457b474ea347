import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { readFile, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { hasCode } from "./files.js";

/** The time after which a lock that is not renewed counts as abandoned, in milliseconds. */
const lease = 10_000;
/** The maximum base of the random wait between two attempts to get a lock, in milliseconds. */
const maxWait = 250;

/**
 * Runs work while no other process holds the lock file. A lock whose process has ended is taken at once on the same machine, and after a
 * lease of ten seconds on another one.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const id = randomUUID();
  for (let wait = 10; !(await tryLock(path, id)); wait = Math.min(maxWait, wait * 1.5)) {
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
  }
  const renewal = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, lease / 4);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // After a pause of the machine, another process may hold the lock.
    if ((await holderOf(path))?.id === id) await unlink(path).catch(() => {});
  }
}

/** The content of a lock file. */
interface Holder {
  readonly id: string;
  readonly machine: string;
  readonly pid: number;
}

/** Identifies the machine and the PID namespace, within which a process id is unique: a container has its own. */
const machine = ((): string => {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
})();

async function tryLock(path: string, id: string): Promise<boolean> {
  if (await create(path, id)) return true;
  if (!(await isAbandoned(path))) return false;
  // If several processes detect an abandoned lock, only one removes it, after a second check: the lock may have a new holder meanwhile.
  const removal = `${path}.removal`;
  if (!(await create(removal, id))) {
    if (await isAbandoned(removal)) await unlink(removal).catch(() => {});
    return false;
  }
  try {
    if (await isAbandoned(path)) await unlink(path).catch(() => {});
  } finally {
    await unlink(removal).catch(() => {});
  }
  return create(path, id);
}

async function create(path: string, id: string): Promise<boolean> {
  const holder: Holder = { id, machine, pid: process.pid };
  try {
    await writeFile(path, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    // Windows answers EPERM for a file that is being removed.
    const isBusy = process.platform === "win32" && hasCode(error, "EPERM");
    if (isBusy || hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > lease) return true;
  } catch {
    return false;
  }
  const holder = await holderOf(path);
  return holder?.machine === machine && typeof holder.pid === "number" && !isRunning(holder.pid);
}

/** The holder of a lock; undefined if the file does not exist or is incomplete. */
async function holderOf(path: string): Promise<Partial<Holder> | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Partial<Holder>;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}
