import { hostname } from "node:os";
import { join } from "node:path";
import { faultCode, type Disk } from "./disk.js";
import { STATE } from "./paths.js";
import { Refusal, step } from "./refusal.js";

/** Who holds a destination. Enough to tell, on the same machine, whether that process still lives. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** A destination held against every other run, until `release`. */
export interface Lock {
  /** Gives the destination free, and removes the state folder if nothing is left in it. */
  release(): Promise<void>;
}

const ATTEMPTS = 20;

/** The locks of this process: a lock with our own process id that is not among them is a killed predecessor's. */
const held = new Set<string>();
let drafts = 0;

/**
 * Holds a destination, whose directory exists already. A lock whose process is gone (it was killed) is taken over; one
 * that was taken on another machine cannot be judged and is left alone.
 */
export async function acquireLock(out: string, disk: Disk): Promise<Lock> {
  const state = join(out, STATE);
  const file = join(state, "lock");
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await makeState(state, disk);
    if (await tryLock(state, file, disk)) return { release: () => release(state, file, disk) };
    const found = await readLock(file, disk);
    if (found === null) continue;
    const holder = parseHolder(found);
    if (holder !== null && isAlive(holder, file)) throw heldRefusal(holder);
    await takeAway(file, found, disk);
  }
  throw new Refusal("MG807", "other runs of mcpgen keep writing to this directory", "wait for them to end");
}

/** Written aside and given its name in one step, so that nobody ever reads half a lock. */
async function tryLock(state: string, file: string, disk: Disk): Promise<boolean> {
  const draft = `${file}.${process.pid}.${drafts++}`;
  const mine: Holder = { pid: process.pid, host: hostname() };
  try {
    await disk.remove(draft).catch(() => undefined);
    await disk.create(draft, JSON.stringify(mine));
    await disk.keep(draft, file);
    held.add(file);
    await disk.remove(draft);
    return true;
  } catch (error) {
    await disk.remove(draft).catch(() => undefined);
    // EEXIST: somebody holds it. ENOENT: somebody just gave it free and removed the folder.
    const code = faultCode(error);
    if (code === "EEXIST" || code === "ENOENT") return false;
    await release(state, file, disk, held.has(file));
    return await step(`write in the folder ${STATE} of the output directory`, () => Promise.reject(error));
  }
}

async function makeState(state: string, disk: Disk): Promise<void> {
  await step(`create the folder ${STATE} in the output directory`, async () => {
    try {
      await disk.makeDirectory(state);
    } catch (error) {
      if (faultCode(error) !== "EEXIST") throw error;
      if ((await disk.kind(state)) === "link") {
        throw new Refusal(
          "MG805",
          `${STATE} is a symbolic link; mcpgen keeps its own folder there`,
          "remove it",
        );
      }
    }
  });
}

async function release(state: string, file: string, disk: Disk, ours = true): Promise<void> {
  // A lock that cannot be removed is harmless: this process ends, and the next run takes it over.
  if (ours) await disk.remove(file).catch(() => undefined);
  await disk.removeDirectory(state).catch(() => undefined);
  if (ours) held.delete(file);
}

async function readLock(file: string, disk: Disk): Promise<string | null> {
  try {
    return new TextDecoder().decode(await disk.read(file));
  } catch (error) {
    if (faultCode(error) === "ENOENT") return null;
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
    // Not a lock that we write: torn by a machine that lost its power, or put there by hand.
    return null;
  }
}

function isAlive({ pid, host }: Holder, file: string): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return held.has(file);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return faultCode(error) !== "ESRCH";
  }
}

/**
 * Takes a dead holder's lock away. Two runs may try at once: each moves the file aside first, and whoever finds that it
 * moved a living lock puts it back.
 */
async function takeAway(file: string, expected: string, disk: Disk): Promise<void> {
  const aside = `${file}.${process.pid}.aside`;
  try {
    await disk.rename(file, aside);
    if ((await readLock(aside, disk)) !== expected) await disk.keep(aside, file);
    await disk.remove(aside);
  } catch (error) {
    if (faultCode(error) !== "ENOENT" && faultCode(error) !== "EEXIST") {
      await step(`take over ${STATE}/lock`, () => Promise.reject(error));
    }
  }
}

function heldRefusal({ pid, host }: Holder): Refusal {
  const where = host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
  return new Refusal(
    "MG807",
    `another run of mcpgen (${where}) is writing to this directory`,
    `wait for it to end; if it is gone, delete ${STATE}/lock there`,
  );
}
