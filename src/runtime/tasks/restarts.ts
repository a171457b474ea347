import { maxDelay } from "../../common/timing.js";
import type { SealedRecords, TaskHost } from "./record.js";

/**
 * How soon the tasks of processes that have stopped are looked for again while
 * some are left, in milliseconds. It doubles each time.
 */
const minWait = 5000;
const maxWait = 60_000;

/**
 * The processes that may have such tasks, each with the time until which that
 * is known, in milliseconds since 1970.
 */
type Index = Readonly<Record<string, number>>;

const indexKey = "index/restarts/1";
/** How long the index is stored: twice as long as any task, in milliseconds. */
const indexTime = 4_294_967_294;
const listKeyOf = (name: string): string => `${indexKey}/${name}`;

/** What becomes of a task: `waits` if it needs a process and has none yet. */
export type Settled = "ended" | "runs" | "waits";

/** The tasks that may run again, of all processes. */
export type Restarts = ReturnType<typeof makeRestarts>;

/**
 * Finds the tasks of processes that have stopped. The store has, for each
 * process, the keys of those that it has created, and an index of these
 * processes. A process stays in the index until its tasks have ended, so that
 * they are found too if the next process to run them stops.
 *
 * `own` returns the keys of the tasks of this process that may run again.
 * `settle` runs a task here if its process has stopped.
 */
export function makeRestarts(
  { records, bus, self, after }: TaskHost,
  own: () => readonly string[],
  settle: (key: string) => Promise<Settled>,
  report: (error: unknown) => void,
) {
  /** Until when the index has this process. */
  let known = 0;
  let round = 0;
  let sweeping: Promise<void> = Promise.resolve();
  let isClosed = false;

  /**
   * Sweeps after a time in milliseconds, and again after `next` while some
   * wait.
   */
  function sweep(wait = 0, next: number = minWait): void {
    const current = ++round;
    const isLast = (): boolean => current === round && !isClosed;
    const run = async (): Promise<void> => {
      if (isLast() && !(await isDone()) && isLast())
        sweep(next, Math.min(2 * next, maxWait));
    };
    const start = (): void => void (sweeping = sweeping.then(run));
    if (wait === 0) start();
    else after(wait, start);
  }

  const settleUnlessClosed = async (key: string): Promise<Settled> =>
    isClosed ? "waits" : settle(key);

  /** Sweeps once. Resolves with true if no task waits. Never rejects. */
  async function isDone(): Promise<boolean> {
    let isDone = true;
    try {
      for (const [name, until] of Object.entries(
        (await records.get<Index>(indexKey)) ?? {},
      )) {
        if (until <= Date.now()) continue;
        // What the store says is of this process, but does not run here, counts
        // as left, too.
        const isRunning = name !== self && bus.isRunning(name);
        if (isRunning) continue;
        const found =
          isRunning === false
            ? await settleAll(records, name, settleUnlessClosed)
            : ["waits"];
        if (found.includes("waits")) isDone = false;
        if (name !== self && found.every((one) => one === "ended"))
          await forget(records, name);
      }
      return isDone;
    } catch (error) {
      // The bus reports that the store is away.
      if (bus.isConnected) report(error);
      return false;
    }
  }

  return {
    /** Stores which tasks of this process may run again. */
    async store(): Promise<void> {
      const now = Date.now();
      await records.update<readonly string[]>(
        listKeyOf(self),
        maxDelay,
        (stored) => {
          // An engine that has lost the list has lost the index, too.
          if (!stored) known = 0;
          return own();
        },
      );
      // No task is stored for longer than `maxDelay`.
      if (known > now + maxDelay) return;
      known = 0;
      await changeIndex(records, (index) => ({
        ...index,
        [self]: now + indexTime,
      }));
      known = now + indexTime;
    },
    /**
     * Runs the tasks of processes that have stopped, and again later while some
     * wait.
     */
    sweep: (wait?: number): void => sweep(wait),
    close: (): void => void (isClosed = true),
  };
}

const changeIndex = (
  records: SealedRecords,
  change: (index: Index) => Index,
): Promise<unknown> =>
  records.update<Index>(indexKey, indexTime, (index = {}) => change(index));

/** Settles the tasks that a process has created, one after the other. */
async function settleAll(
  records: SealedRecords,
  name: string,
  settle: (key: string) => Promise<Settled>,
): Promise<readonly Settled[]> {
  const all: Settled[] = [];
  const keys = await records.get<readonly string[]>(listKeyOf(name));
  for (const key of keys ?? []) all.push(await settle(key));
  return all;
}

/** Removes a process whose tasks have ended. */
async function forget(records: SealedRecords, name: string): Promise<void> {
  await changeIndex(records, (index) =>
    Object.fromEntries(
      Object.entries(index).filter(([other]) => other !== name),
    ),
  );
  await records.set(listKeyOf(name), [], 1);
}
