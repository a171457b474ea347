import { withTimeout } from "../../common/timing.js";
import { type Clock, pause } from "./clock.js";
import { log, makeOutbox, type OutboxOptions } from "./outbox.js";
import { type BusEntry, makeProcesses, type Processes } from "./processes.js";

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
 * Maximum number of entries that have arrived and are not read yet. Others are
 * dropped, which shows as a gap.
 */
const maxUnread = 10_000;
export interface BusOptions extends OutboxOptions {
  readonly clock: Clock;
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
}

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
  const { store, self, clock, lost, report } = options;
  const processes = makeProcesses(self, clock);
  const outbox = makeOutbox(options, failed);
  const { publish } = outbox;
  const reader = makeReader(options, processes);
  let stop: (() => void) | undefined;
  let isClosed = false;

  /**
   * Waits until the store is asked again. Reports the first error of an outage
   * only.
   */
  function failed(error: unknown, isAway: boolean): Promise<void> {
    if (!isAway) report(error);
    return pause(clock, retryTime);
  }

  function sendHeartbeat(): void {
    if (isClosed) return;
    publish({ kind: "beat", at: clock.now() });
    if (processes.forgetEnded()) lost();
    clock.after(heartbeatTime, sendHeartbeat);
  }

  /** Entries may have been missed. */
  function lose(): void {
    processes.since(clock.now());
    lost();
  }

  /** A store may fail to stop, as when its client was closed before. */
  const unfollow = (): void => void Promise.resolve().then(stop).catch(report);

  async function follow(): Promise<void> {
    for (let isAway = false; ; isAway = true) {
      try {
        stop = await store.follow(log, reader.arrived, lose);
        if (isClosed) return unfollow();
        // This process may have served requests before.
        return lose();
      } catch (error) {
        if (isClosed) return;
        await failed(error, isAway);
      }
    }
  }

  return {
    /** The number of entries that the store has not taken yet. */
    get unsent(): number {
      return outbox.unsent;
    },
    /** True if this process reads and writes the log. */
    get isConnected(): boolean {
      return processes.isConnected;
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
    read: (): Promise<void> => reader.comesBack(outbox.last),
    isRunning(author: string): boolean | undefined {
      return processes.isRunning(author);
    },
    find(author: string): Promise<boolean | undefined> {
      return processes.find(author);
    },
    /**
     * Stops following. Others know that this process has ended once the promise
     * resolves, unless the store does not answer.
     */
    async close(): Promise<void> {
      if (isClosed) return;
      publish({ kind: "gone" });
      isClosed = true;
      await outbox.close(pause(clock, 1000));
      unfollow();
      processes.since(NaN);
    },
  };
}

/**
 * Reads the entries of all processes, of this one too. The engine may send an
 * entry twice, and a stranger may write what nobody can open: neither reaches a
 * session.
 */
function makeReader(
  { self, sealer, receive, lost, foreign, report }: BusOptions,
  processes: Processes,
) {
  let unread = 0;
  /** Entries are opened one after the other, so that their order stays. */
  let reading: Promise<void> = Promise.resolve();
  /** Called with the number of each entry of this process that comes back. */
  const comingBack = new Set<(count: number) => void>();

  async function open(value: string): Promise<void> {
    const [author = "", digits, sealed = ""] = value.split(".");
    const text = await sealer.open(sealed, `${author}.${digits}`);
    if (text === undefined) return foreign();
    const count = Number(digits);
    const entry = JSON.parse(text) as BusEntry;
    const isGap = processes.heard(author, count, entry);
    if (isGap === undefined) return;
    if (author === self) for (const onBack of comingBack) onBack(count);
    if (isGap) lost();
    receive(entry, author);
  }

  return {
    arrived({ value }: { readonly value: string }): void {
      if (unread >= maxUnread) return;
      unread++;
      const read = (): Promise<void> => open(value).finally(() => unread--);
      reading = reading.then(read).catch(report);
    },
    /**
     * Resolves once an entry of this process, or a later one, has come back, or
     * after a second.
     */
    async comesBack(entry: number): Promise<void> {
      let onBack: (count: number) => void = () => {};
      const back = new Promise<void>((resolve) => {
        onBack = (count) => count >= entry && resolve();
      });
      comingBack.add(onBack);
      await withTimeout(readTime, back);
      comingBack.delete(onBack);
    },
  };
}
