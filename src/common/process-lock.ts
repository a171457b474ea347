import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { pause } from "./timing.js";

/**
 * The time after which a lock that is not renewed counts as abandoned, if its
 * process cannot be checked; in milliseconds.
 */
const lease = 10_000;
/**
 * The same for a lock file without a holder: its process ended before it wrote
 * who it is.
 */
const incompleteLease = 1_000;
/**
 * The maximum base of the random wait between two attempts, in milliseconds.
 */
const maxWait = 250;

/** The process that holds a lock, as in the lock file. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

interface LockOptions {
  /**
   * How long to wait for another process, in milliseconds: without a limit by
   * default.
   */
  readonly patience?: number;
  /** Ends the wait; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Makes the error for a process that still holds the lock after that time.
   */
  readonly refuse?: (holder: LockHolder) => Error;
}

/**
 * Runs work while no other process holds the lock file. Creates the folder of
 * the file if it is missing. A lock whose process has ended is taken over at
 * once, and the lock of a running process never. If a process cannot be
 * checked, as one of another machine, its lock is taken over once it is not
 * renewed for ten seconds.
 */
export async function withProcessLock<T>(
  path: string,
  work: () => Promise<T>,
  { patience = Infinity, signal, refuse }: LockOptions = {},
): Promise<T> {
  const attempt: Attempt = { id: randomUUID(), seen: new Map() };
  const end = performance.now() + patience;
  for (
    let wait = 10;
    !tryLock(path, attempt);
    wait = Math.min(maxWait, wait * 1.5)
  ) {
    const holder = read(path)?.holder;
    if (holder && refuse && performance.now() >= end) throw refuse(holder);
    await pause(wait * (0.5 + Math.random()), signal);
  }
  const renewal = setInterval(
    () => ignoreErrors(() => utimesSync(path, new Date(), new Date())),
    lease / 4,
  );
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    release(path, attempt);
  }
}

/** One caller, and what it has seen in lock files: a state, and since when. */
interface Attempt {
  readonly id: string;
  readonly seen: Map<
    string,
    { readonly state: string; readonly since: number }
  >;
}

interface Holder extends LockHolder {
  readonly id: string;
  /** The PID namespace: a container has its own. Only Linux has them. */
  readonly space?: string | undefined;
  /**
   * When the process began, because the system gives its id to another process
   * later. Only Linux tells.
   */
  readonly start?: string | undefined;
}

function tryLock(path: string, attempt: Attempt): boolean {
  if (create(path, attempt)) return true;
  if (!isAbandoned(path, attempt)) return false;
  // Only the holder of a second lock removes an abandoned one, after another
  // check: the lock may have a new holder meanwhile.
  const guard = `${path}.removal`;
  if (!tryLock(guard, attempt)) return false;
  if (isAbandoned(path, attempt)) ignoreErrors(() => unlinkSync(path));
  release(guard, attempt);
  return create(path, attempt);
}

function create(path: string, { id }: Attempt): boolean {
  const { pid } = process;
  const holder: Holder = {
    id,
    pid,
    host: hostname(),
    space: spaceOfThis(),
    start: startOf(pid),
  };
  try {
    writeNew(path, JSON.stringify(holder));
  } catch (error) {
    if (hasCode(error, "ENOENT")) mkdirSync(dirname(path), { recursive: true });
    // Windows answers EPERM for a file that is being removed.
    else if (
      !hasCode(error, "EEXIST") &&
      !(process.platform === "win32" && hasCode(error, "EPERM"))
    )
      throw error;
  }
  // If this process was suspended before it wrote its name, another one has
  // taken the file for abandoned.
  return read(path)?.holder?.id === id;
}

/** Creates a file with a text. Leaves none if the disk is full. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx");
  try {
    writeFileSync(file, text);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Removes a lock, unless another process holds it now. Tries again if that
 * fails: on Windows, a scanner may have opened the file.
 */
function release(path: string, attempt: Attempt, wait = 10): void {
  const lock = read(path);
  if (lock !== undefined && lock.holder?.id !== attempt.id) return;
  if (lock !== undefined) ignoreErrors(() => unlinkSync(path));
  if (existsSync(path))
    setTimeout(release, wait, path, attempt, wait * 2).unref();
}

function isAbandoned(path: string, { seen }: Attempt): boolean {
  const lock = read(path);
  if (lock === undefined) return false;
  const { holder, state } = lock;
  const now = performance.now();
  if (seen.get(path)?.state !== state) seen.set(path, { state, since: now });
  const age = now - (seen.get(path)?.since ?? now);
  if (holder === undefined) return age > incompleteLease;
  const isRunning = runs(holder);
  return isRunning === undefined ? age > lease : !isRunning;
}

/** True if a process still runs; undefined if that is not known. */
function runs({ pid, host, space, start }: Holder): boolean | undefined {
  if (host !== hostname() || (space ?? spaceOfThis()) !== spaceOfThis())
    return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
  }
  const now = startOf(pid);
  return start === undefined || now === undefined ? undefined : start === now;
}

/**
 * The holder in a lock file, undefined if it is incomplete, and a text that
 * changes with each renewal. Undefined if the file cannot be read.
 */
function read(
  path: string,
): { readonly holder: Holder | undefined; readonly state: string } | undefined {
  let text: string;
  let time: number;
  try {
    // A file that is opened has its current time on a network disk, too.
    const file = openSync(path, "r");
    try {
      text = readFileSync(file, "utf8");
      time = fstatSync(file).mtimeMs;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
  return { holder: parseHolder(text), state: `${time} ${text}` };
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder | null;
    return Number.isSafeInteger(holder?.pid) && holder ? holder : undefined;
  } catch {
    return undefined;
  }
}

const spaceOfThis = (): string | undefined =>
  ignoreErrors(() => readlinkSync("/proc/self/ns/pid"));

/**
 * When a running process began: the 22nd field of `/proc/<pid>/stat`. The
 * second one is a name in brackets with any characters.
 */
function startOf(pid: number): string | undefined {
  const text = ignoreErrors(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const [state, ...fields] = text?.replace(/^.*\) /s, "").split(" ") ?? [];
  // A zombie has ended, and its parent does not know it yet.
  return state === "Z" ? "ended" : fields[18];
}

function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  (error as { readonly code?: unknown }).code === code;
