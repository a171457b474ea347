import { withTimeout } from "../../common/timing.js";
import { shortJson } from "../core/short-json.js";
import type { Sealer } from "../../common/secrets.js";
import type { SharedStore } from "./store.js";

/** The time of a process. Tests replace it. */
export interface Clock {
  /** Milliseconds since some moment. It never goes back. */
  now(): number;
  /** Calls a function once, after a time in milliseconds. */
  after(time: number, call: () => void): void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(time, call) {
    const timer: unknown = setTimeout(call, time);
    // The process may end; in browsers the timer has no `unref`.
    (timer as { unref?(): void }).unref?.();
  },
};

/** How long a process counts as alive after its last entry, in milliseconds. */
export const lease = 10_000;
/**
 * The time between two entries that only say that a process is alive, in
 * milliseconds.
 */
export const heartbeatTime = 3000;
/** The wait before the store is asked again, in milliseconds. */
const retryTime = 500;
/** The maximum wait until an entry has come back, in milliseconds. */
const readTime = 1000;
/**
 * Maximum number of entries that wait for the store; the oldest are dropped
 * first, and the readers see the gap.
 */
const maxUnsent = 10_000;
/** Maximum length of these entries, in characters. */
const maxUnsentText = 33_554_432;
/**
 * Maximum number of entries that are sent together, and their length, in
 * characters, which one entry may exceed.
 */
const maxBatch = 100;
const maxBatchText = 1_048_576;
/**
 * Maximum number of entries that have arrived and are not read yet. Others are
 * dropped, which shows as a gap.
 */
const maxUnread = 10_000;
/** Maximum number of processes that are known; more only while they run. */
const maxAuthors = 1000;
/** The time of the last entry of a process that has left. */
const ended = -Infinity;
/** Maximum length of an entry, in bytes of its JSON. */
const maxEntry = 65_536;
const log = "bus";
const logOptions = { ttl: 600_000, keep: 10_000 };

/** An entry of the bus: plain data. Each kind has one reader. */
export interface BusEntry {
  readonly kind: string;
  readonly [member: string]: unknown;
}

export interface BusOptions {
  readonly store: Pick<SharedStore, "append" | "follow">;
  /** The name of this process, which no other one ever has. */
  readonly self: string;
  readonly clock: Clock;
  /**
   * Seals an entry, so that it opens only as that of its author with its
   * number.
   */
  readonly sealer: Sealer;
  /**
   * Called with each entry of other processes and of this one, in the order of
   * the log, each once.
   */
  receive(entry: BusEntry, author: string): void;
  /** Called when entries may have been missed. */
  lost(): void;
  /** Called when an entry of somebody who does not know the secrets arrives. */
  foreign(): void;
  report(error: unknown): void;
  /**
   * Called when the store takes entries again, after an error that was
   * reported.
   */
  back(): void;
}

interface Unsent {
  readonly count: number;
  readonly text: string;
}

const lengthOf = (entries: readonly Unsent[]): number =>
  entries.reduce((sum, { text }) => sum + text.length, 0);

export type Bus = ReturnType<typeof makeBus>;

/**
 * The log that all processes of a cluster follow and append to. Entries are
 * numbered by their authors: what comes twice is dropped, and a gap is reported
 * as lost.
 *
 * The log is also how processes know of each other: each appends an entry now
 * and then, and one whose entries stay away has ended. So a process that no
 * longer reads or writes does not look alive.
 */
export function makeBus(options: BusOptions) {
  const { store, self, clock, sealer, receive, lost, foreign, report, back } =
    options;
  const now = (): number => clock.now();
  let last = 0;
  let unsent: Unsent[] = [];
  let sending: Promise<void> | undefined;
  let unread = 0;
  /** Entries are opened one after the other, so that their order stays. */
  let reading: Promise<void> = Promise.resolve();
  const authors = new Map<string, { count: number; time: number }>();
  /** Since when every entry arrives; NaN while the log is not followed. */
  let since = NaN;
  /**
   * When the last heartbeat that came back was published. The arrival time is
   * useless: a process that was suspended first reads old entries, including
   * its own.
   */
  let ownTime = -Infinity;
  let stop: (() => void) | undefined;
  let isClosed = false;
  /** Called with the number of each entry of this process that comes back. */
  const comingBack = new Set<(count: number) => void>();

  const pause = (time: number): Promise<void> =>
    new Promise((resolve) => clock.after(time, resolve));

  /**
   * Waits until the store is asked again. Reports the first error of an outage
   * only.
   */
  function failed(error: unknown, isAway: boolean): Promise<void> {
    if (!isAway) report(error);
    return pause(retryTime);
  }

  /**
   * Appends an entry. It is sent until the store takes it, also if that means
   * twice. False if it is too long.
   */
  function publish(entry: BusEntry): boolean {
    const text = shortJson(entry, maxEntry);
    if (text === undefined) return false;
    // Others would take it for a sign of life.
    if (isClosed) return true;
    unsent.push({ count: ++last, text });
    while (unsent.length > maxUnsent || lengthOf(unsent) > maxUnsentText)
      unsent.shift();
    sending ??= send();
    return true;
  }

  async function send(): Promise<void> {
    for (let isAway = false; unsent.length > 0;) {
      let length = 0;
      const fits = ({ text }: Unsent, i: number): boolean =>
        (length += text.length) <= maxBatchText || i === 0;
      const batch = unsent.slice(0, maxBatch).filter(fits);
      try {
        const entries = batch.map(async ({ count, text }) => {
          const name = `${self}.${count}`;
          return `${name}.${await sealer.seal(text, name)}`;
        });
        await store.append(log, await Promise.all(entries), logOptions);
        unsent = unsent.filter(
          ({ count }) => count > (batch.at(-1) as Unsent).count,
        );
        if (isAway) back();
        isAway = false;
      } catch (error) {
        await failed(error, isAway);
        isAway = true;
      }
    }
    sending = undefined;
  }

  /**
   * Whether a process runs. False only if this process has heard from all
   * others for a whole lease, and still does; undefined otherwise.
   */
  function isRunning(author: string): boolean | undefined {
    const { time = NaN } = authors.get(author) ?? {};
    if (time === ended) return false;
    if (author === self || now() - time < lease) return true;
    return now() - since >= lease && now() - ownTime < lease / 2
      ? false
      : undefined;
  }

  function sendHeartbeat(): void {
    if (isClosed) return;
    publish({ kind: "beat", at: now() });
    forgetEnded();
    clock.after(heartbeatTime, sendHeartbeat);
  }

  /**
   * A process that was killed may have changed something without an entry about
   * it.
   */
  function forgetEnded(): void {
    let isNew = false;
    for (const [author, seen] of authors)
      if (seen.time === ended) {
        if (authors.size > maxAuthors) authors.delete(author);
      } else if (isRunning(author) === false) {
        seen.time = ended;
        isNew = true;
      }
    if (isNew) lost();
  }

  /** Entries may have been missed. */
  function lose(): void {
    since = now();
    lost();
  }

  /** A store may fail to stop, as when its client was closed before. */
  const unfollow = (): void => void Promise.resolve().then(stop).catch(report);

  async function follow(): Promise<void> {
    for (let isAway = false; ; isAway = true) {
      try {
        stop = await store.follow(log, arrived, lose);
        if (isClosed) return unfollow();
        // This process may have served requests before.
        return lose();
      } catch (error) {
        if (isClosed) return;
        await failed(error, isAway);
      }
    }
  }

  function arrived({ value }: { readonly value: string }): void {
    if (unread >= maxUnread) return;
    unread++;
    const read = (): Promise<void> => open(value).finally(() => unread--);
    reading = reading.then(read).catch(report);
  }

  async function open(value: string): Promise<void> {
    const [author = "", digits, sealed = ""] = value.split(".");
    const text = await sealer.open(sealed, `${author}.${digits}`);
    if (text === undefined) return foreign();
    const count = Number(digits);
    const time = now();
    const seen = authors.get(author);
    // A client of an engine may send an entry twice.
    if (seen && count <= seen.count) return;
    // After one lease, every older process has sent a heartbeat.
    const isGap = seen
      ? count > seen.count + 1
      : time - since >= lease && count > 1;
    const entry = JSON.parse(text) as BusEntry;
    authors.set(author, { count, time: entry.kind === "gone" ? ended : time });
    if (author === self) for (const onBack of comingBack) onBack(count);
    if (author === self && entry.kind === "beat") ownTime = Number(entry["at"]);
    if (isGap) lost();
    receive(entry, author);
  }

  return {
    /** The number of entries that the store has not taken yet. */
    get unsent(): number {
      return unsent.length;
    },
    /** True if this process reads and writes the log. */
    get isConnected(): boolean {
      return now() - ownTime < lease;
    },
    /** Begins to follow the log, and does not give up. */
    start(): void {
      // A beat that is appended before would not come back.
      void follow().then(sendHeartbeat);
    },
    publish: (entry: BusEntry): boolean => publish(entry),
    /**
     * Resolves once what was published has come back, which is about when the
     * other processes read it, or after a second.
     */
    async read(): Promise<void> {
      const number = last;
      let onBack: (count: number) => void = () => {};
      const back = new Promise<void>((resolve) => {
        onBack = (count) => count >= number && resolve();
      });
      comingBack.add(onBack);
      await withTimeout(readTime, back);
      comingBack.delete(onBack);
    },
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
        waited += retryTime
      )
        await pause(retryTime);
      return isRunning(author);
    },
    /**
     * Stops following. Others know that this process has ended once the promise
     * resolves, unless the store does not answer.
     */
    async close(): Promise<void> {
      if (isClosed) return;
      publish({ kind: "gone" });
      isClosed = true;
      await Promise.race([sending, pause(1000)]);
      unsent = [];
      unfollow();
      since = NaN;
    },
  };
}
