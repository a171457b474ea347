import { type Clock, pause } from "./clock.js";

/** How long a process counts as alive after its last entry, in milliseconds. */
export const lease = 10_000;
/** Maximum number of processes that are known; more only while they run. */
const maxAuthors = 1000;
/** The time between two looks at a process, in milliseconds. */
const lookTime = 500;
/** The time of the last entry of a process that has left. */
const ended = -Infinity;

/** An entry of the bus: plain data. Each kind has one reader. */
export interface BusEntry {
  readonly kind: string;
  readonly [member: string]: unknown;
}

export type Processes = ReturnType<typeof makeProcesses>;

/**
 * What this process knows of the others by their entries. One whose entries
 * stay away has ended: nobody else says so of a process that was killed.
 */
export function makeProcesses(self: string, clock: Clock) {
  const authors = new Map<string, { count: number; time: number }>();
  /** Since when every entry arrives; NaN while the log is not followed. */
  let since = NaN;
  /**
   * When the last heartbeat that came back was published. The arrival time is
   * useless: a process that was suspended first reads old entries, including
   * its own.
   */
  let ownTime = -Infinity;

  /**
   * Whether a process runs. False only if this process has heard from all
   * others for a whole lease, and still does; undefined otherwise.
   */
  function isRunning(author: string): boolean | undefined {
    const { time = NaN } = authors.get(author) ?? {};
    if (time === ended) return false;
    if (author === self || clock.now() - time < lease) return true;
    return clock.now() - since >= lease && clock.now() - ownTime < lease / 2
      ? false
      : undefined;
  }

  return {
    isRunning: (author: string): boolean | undefined => isRunning(author),
    /**
     * Resolves once it is certain whether a process runs: with the next entry
     * of it, or when its lease is over. Resolves with undefined if that takes
     * too long, as while the store is away.
     */
    async find(author: string): Promise<boolean | undefined> {
      for (
        let waited = 0;
        isRunning(author) === undefined && waited < 2 * lease;
        waited += lookTime
      )
        await pause(clock, lookTime);
      return isRunning(author);
    },
    /** True if this process reads and writes the log. */
    get isConnected(): boolean {
      return clock.now() - ownTime < lease;
    },
    /** Every entry arrives from now on; none counts as missing if it is NaN. */
    since(time: number): void {
      since = time;
    },
    /**
     * Reads who has sent an entry, and with which number. Undefined if it has
     * come before, as a client of an engine may send an entry twice; true if
     * one before it is missing.
     */
    heard(
      author: string,
      count: number,
      { kind, at }: BusEntry,
    ): boolean | undefined {
      const time = clock.now();
      const seen = authors.get(author);
      if (seen && count <= seen.count) return undefined;
      authors.set(author, { count, time: kind === "gone" ? ended : time });
      if (author === self && kind === "beat") ownTime = Number(at);
      // After one lease, every older process has sent a heartbeat.
      return seen ? count > seen.count + 1 : time - since >= lease && count > 1;
    },
    /**
     * Returns true if a process has ended of which that was not known. A
     * process that was killed may have changed something without an entry about
     * it.
     */
    forgetEnded(): boolean {
      let isNew = false;
      for (const [author, seen] of authors)
        if (seen.time === ended) {
          if (authors.size > maxAuthors) authors.delete(author);
        } else if (isRunning(author) === false) {
          seen.time = ended;
          isNew = true;
        }
      return isNew;
    },
  };
}
