import { TimeoutError } from "../core/errors.js";
import { pause } from "../../common/timing.js";

/** The minimum time between two requests for the status of a task, in milliseconds. */
const minInterval = 50;
/** The maximum wait for a task if neither the caller nor the server sets one, in milliseconds: one day. */
const maxWait = 86_400_000;

/** Limits how often and how long a task is polled. */
export class Deadline {
  readonly #time: number;
  readonly #end: number;

  constructor(ttl: unknown, maxTimeout?: number) {
    this.#time =
      maxTimeout ?? (typeof ttl === "number" ? Math.min(Math.max(ttl, minInterval), maxWait) : maxWait);
    this.#end = performance.now() + this.#time;
  }

  /** The time until the deadline, in milliseconds. */
  get remaining(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /**
   * Waits for the poll interval that the server set, in milliseconds, or one second by default (TASK-09).
   *
   * @throws TimeoutError at the deadline; the signal's reason if it aborts.
   */
  async wait(pollInterval: unknown, signal: AbortSignal | undefined): Promise<void> {
    const isValid = typeof pollInterval === "number" && pollInterval >= 0;
    const interval = isValid ? Math.max(pollInterval, minInterval) : 1000;
    await pause(Math.min(interval, this.remaining), signal);
    if (this.remaining === 0) throw new TimeoutError(`The task did not end within ${this.#time} ms.`);
  }
}
