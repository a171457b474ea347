import type { Sealer } from "../../shared/secrets.js";
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
/** The time between two entries that only say that a process is alive, in milliseconds. */
export const beatTime = 3000;
/** The wait before the store is asked again, in milliseconds. */
const retryTime = 500;
/** Maximum number of entries that wait for the store; the oldest are dropped first, and the readers see the gap. */
const maxUnsent = 10_000;
/** Maximum length of these entries, in characters. */
const maxUnsentText = 33_554_432;
/** Maximum number of entries that are sent together, and their length, in characters, which one entry may exceed. */
const maxBatch = 100;
const maxBatchText = 1_048_576;
/** Maximum number of entries that have arrived and are not read yet. Others are dropped, which shows as a gap. */
const maxUnread = 10_000;
/** Maximum number of processes that are known; more only while they run. */
const maxAuthors = 1000;
/** The time of the last entry of a process that has left. */
const ended = -Infinity;
/** Maximum length of an entry, in bytes of its JSON: a store takes 1,048,576 characters, and encryption adds a third. */
const maxEntry = 700_000;
const log = "bus";
const logOptions = { ttl: 600_000, keep: 10_000 };

/** An entry of the bus: plain data. Each kind has one reader. */
export interface BusEntry {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** Whether a process runs. Nobody knows it while this process itself is cut off. */
export type Judgement = "alive" | "dead" | "unknown";

export interface BusOptions {
  readonly store: Pick<SharedStore, "append" | "follow">;
  /** The name of this process, which no other one ever has. */
  readonly self: string;
  readonly clock: Clock;
  /** Seals an entry, so that it opens only as that of its author with its number. */
  readonly sealer: Sealer;
  /** Called with each entry of other processes and of this one, in the order of the log, each once. */
  receive(entry: BusEntry, author: string): void;
  /** Called when entries may have been missed. */
  lost(): void;
  /** Called when an entry of somebody who does not know the secrets arrives. */
  foreign(): void;
  report(error: unknown): void;
}

/**
 * The log that all processes of a cluster follow and append to. Entries are numbered by their authors: what comes twice is dropped, and a
 * gap is reported as lost.
 *
 * The log is also how processes know of each other: each appends an entry now and then, and one whose entries stay away has ended. So a
 * process that no longer reads or writes does not look alive.
 */
export class Bus {
  readonly #options: BusOptions;
  #count = 0;
  #unsent: { readonly count: number; readonly text: string }[] = [];
  #unsentText = 0;
  #unread = 0;
  #isSending = false;
  readonly #authors = new Map<string, { count: number; time: number }>();
  /** Since when every entry arrives; NaN while the log is not followed. */
  #since = NaN;
  /** When an entry of this process itself arrived last. */
  #ownTime = -Infinity;
  /** Entries are opened one after the other, so that their order stays. */
  #reading: Promise<void> = Promise.resolve();
  #stop: (() => void) | undefined;
  #isClosed = false;

  constructor(options: BusOptions) {
    this.#options = options;
  }

  get unsent(): number {
    return this.#unsent.length;
  }

  /** True if this process reads and writes the log. */
  get isConnected(): boolean {
    return this.#options.clock.now() - this.#ownTime < lease;
  }

  /** Begins to follow the log, and does not give up. */
  start(): void {
    void this.#follow(true);
    this.#beat();
  }

  /** Appends an entry. It is sent until the store takes it, also if that means twice. False if it is too long. */
  publish(entry: BusEntry): boolean {
    const text = JSON.stringify(entry);
    if (new TextEncoder().encode(text).length > maxEntry) return false;
    // Others would take it for a sign of life.
    if (this.#isClosed) return true;
    this.#unsent.push({ count: ++this.#count, text });
    this.#unsentText += text.length;
    while (this.#unsent.length > maxUnsent || this.#unsentText > maxUnsentText)
      this.#unsentText -= this.#unsent.shift()?.text.length ?? 0;
    void this.#send();
    return true;
  }

  /** Whether a process runs. It is dead only if this process has heard from all others for a whole lease, and still does. */
  judge(author: string): Judgement {
    const { clock, self } = this.#options;
    const now = clock.now();
    const { time = NaN } = this.#authors.get(author) ?? {};
    if (time === ended) return "dead";
    if (author === self || now - time < lease) return "alive";
    const hears = now - this.#since >= lease && now - this.#ownTime < lease / 2;
    return hears ? "dead" : "unknown";
  }

  /**
   * Resolves once it is certain whether a process runs: with the next entry of it, or when its lease is over. Resolves with "unknown" if that
   * takes too long, as while the store is away.
   */
  async find(author: string): Promise<Judgement> {
    for (let waited = 0; this.judge(author) === "unknown" && waited < 2 * lease; waited += retryTime)
      await this.#pause(retryTime);
    return this.judge(author);
  }

  /** Stops following. Others know that this process has ended once the promise resolves, unless the store does not answer. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.publish({ kind: "gone" });
    this.#isClosed = true;
    for (let turn = 0; this.#unsent.length > 0 && turn < 10; turn++) await this.#pause(100);
    this.#unsent = [];
    this.#stop?.();
    this.#since = NaN;
  }

  #pause(time: number): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(time, resolve));
  }

  #beat = (): void => {
    if (this.#isClosed) return;
    this.publish({ kind: "beat" });
    this.#bury();
    this.#options.clock.after(beatTime, this.#beat);
  };

  /** A process that was killed may have changed something, and not have said so. */
  #bury(): void {
    let isNew = false;
    for (const [author, seen] of this.#authors)
      if (seen.time === ended) {
        if (this.#authors.size > maxAuthors) this.#authors.delete(author);
      } else if (this.judge(author) === "dead") {
        seen.time = ended;
        isNew = true;
      }
    if (isNew) this.#options.lost();
  }

  async #follow(isFirst: boolean): Promise<void> {
    const { store, clock, report } = this.#options;
    try {
      const stop = await store.follow(
        log,
        ({ value }) => {
          if (this.#unread >= maxUnread) return;
          this.#unread++;
          const read = (): Promise<void> => this.#read(value).finally(() => this.#unread--);
          this.#reading = this.#reading.then(read).catch(report);
        },
        () => this.#lose(),
      );
      if (this.#isClosed) return stop();
      this.#stop = stop;
      if (isFirst) this.#since = clock.now();
      else this.#lose();
    } catch {
      if (this.#isClosed) return;
      await this.#pause(retryTime);
      return this.#follow(false);
    }
  }

  #lose(): void {
    this.#since = this.#options.clock.now();
    this.#options.lost();
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    const { store, sealer, self } = this.#options;
    while (this.#unsent.length > 0) {
      let length = 0;
      const batch = this.#unsent
        .slice(0, maxBatch)
        .filter(({ text }, i) => (length += text.length) <= maxBatchText || i === 0);
      try {
        const entries = batch.map(async ({ count, text }) => {
          const name = `${self}.${count}`;
          return `${name}.${await sealer.seal(text, name)}`;
        });
        await store.append(log, await Promise.all(entries), logOptions);
        const last = batch.at(-1)?.count ?? 0;
        this.#unsent = this.#unsent.filter(({ count }) => count > last);
        this.#unsentText = this.#unsent.reduce((sum, { text }) => sum + text.length, 0);
      } catch {
        await this.#pause(retryTime);
      }
    }
    this.#isSending = false;
  }

  async #read(value: string): Promise<void> {
    const { sealer, receive, self, clock, foreign } = this.#options;
    const [, name = "", author = "", digits, sealed = ""] =
      /^((\w{1,64})\.(\d{1,15}))\.([\w-]+)$/.exec(value) ?? [];
    const text = await sealer.open(sealed, name);
    if (text === undefined) return foreign();
    const count = Number(digits);
    const now = clock.now();
    const seen = this.#authors.get(author);
    // A client of an engine may send an entry twice.
    if (seen && count <= seen.count) return;
    // Whoever was there before this process has been heard from within a lease.
    const isGap = seen ? count > seen.count + 1 : now - this.#since >= lease && count > 1;
    const entry = JSON.parse(text) as BusEntry;
    this.#authors.set(author, { count, time: entry.kind === "gone" ? ended : now });
    if (author === self) this.#ownTime = now;
    if (isGap) this.#options.lost();
    receive(entry, author);
  }
}
