import { maxDelay } from "../../common/timing.js";
import type { TaskHost } from "./shared.js";

/** How soon the tasks of processes that have stopped are looked for again while some are left, in milliseconds. It doubles each time. */
const minWait = 5000;
const maxWait = 60_000;

/** The processes that may have such tasks, each with the time until which that is known, in milliseconds since 1970. */
type Index = Readonly<Record<string, number>>;

const indexKey = "restarts";
/** How long the index is stored, in milliseconds. */
const indexTime: number = 2 * maxDelay;
const listKeyOf = (name: string): string => `restarts/${name}`;

/** What becomes of a task: `waits` if it needs a process and has none yet. */
export type Settled = "ended" | "runs" | "waits";

/**
 * The tasks that may run again. The store has, for each process, the keys of those that it has created, and an index of these processes. A
 * process stays in the index until its tasks have ended, so that they are found too if the next process to run them stops.
 */
export class Restarts {
  readonly #host: TaskHost;
  readonly #own: () => readonly string[];
  readonly #settle: (key: string) => Promise<Settled>;
  readonly #report: (error: unknown) => void;
  /** Until when the index has this process. */
  #until = 0;
  #round = 0;
  #sweeping: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `own` returns the keys of the tasks of this process that may run again. `settle` runs a task here if its process has stopped. */
  constructor(
    host: TaskHost,
    own: () => readonly string[],
    settle: (key: string) => Promise<Settled>,
    report: (error: unknown) => void,
  ) {
    this.#host = host;
    this.#own = own;
    this.#settle = settle;
    this.#report = report;
  }

  /** Stores which tasks of this process may run again. */
  async store(): Promise<void> {
    const { records, self } = this.#host;
    const now = Date.now();
    let isNew = false;
    await records.update<readonly string[]>(listKeyOf(self), maxDelay, (stored) => {
      isNew = !stored;
      return this.#own();
    });
    // No task is stored for longer than `maxDelay`. An engine that has lost the list has lost the index, too.
    if (!isNew && this.#until > now + maxDelay) return;
    this.#until = 0;
    await this.#changeIndex((index) => ({ ...index, [self]: now + indexTime }));
    this.#until = now + indexTime;
  }

  /** Runs the tasks of processes that have stopped: after a time in milliseconds, and again while some wait. */
  sweep(wait = 0, next: number = minWait): void {
    const round = ++this.#round;
    const isLast = (): boolean => round === this.#round && !this.#isClosed;
    const run = async (): Promise<void> => {
      if (isLast() && !(await this.#isDone()) && isLast()) this.sweep(next, Math.min(2 * next, maxWait));
    };
    const start = (): void => void (this.#sweeping = this.#sweeping.then(run));
    if (wait === 0) start();
    else this.#host.after(wait, start);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Sweeps once. Resolves with true if no task waits. Never rejects. */
  async #isDone(): Promise<boolean> {
    const { records, bus, self } = this.#host;
    let isDone = true;
    try {
      for (const [name, until] of Object.entries((await records.get<Index>(indexKey)) ?? {})) {
        if (name === self || until <= Date.now()) continue;
        const isRunning = bus.isRunning(name);
        if (isRunning) continue;
        const found = isRunning === false ? await this.#settleAll(name) : ["waits"];
        if (found.includes("waits")) isDone = false;
        if (found.every((one) => one === "ended")) await this.#forget(name);
      }
      return isDone;
    } catch (error) {
      // The bus reports that the store is away.
      if (bus.isConnected) this.#report(error);
      return false;
    }
  }

  async #settleAll(name: string): Promise<readonly Settled[]> {
    const keys = (await this.#host.records.get<readonly string[]>(listKeyOf(name))) ?? [];
    const all: Settled[] = [];
    for (const key of keys) all.push(this.#isClosed ? "waits" : await this.#settle(key));
    return all;
  }

  async #forget(name: string): Promise<void> {
    await this.#changeIndex((index) =>
      Object.fromEntries(Object.entries(index).filter(([other]) => other !== name)),
    );
    await this.#host.records.set(listKeyOf(name), [], 1);
  }

  #changeIndex(change: (index: Index) => Index): Promise<unknown> {
    return this.#host.records.update<Index>(indexKey, indexTime, (index = {}) => change(index));
  }
}
