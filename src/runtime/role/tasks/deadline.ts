import { TimeoutError } from "../../errors.js";
import { pause } from "../../timing.js";

/** The shortest wait between two requests for the status of a task, in milliseconds, whatever the server wishes. */
const minInterval = 50;
/** Longest wait for a task where neither the caller nor the server sets one, in milliseconds: one day. */
const maxWait = 86_400_000;

/** The time until which a task is asked about: a server may neither be polled at will nor for ever. */
export class Deadline {
  readonly #time: number;
  readonly #end: number;

  constructor(ttl: unknown, maxTimeout?: number) {
    this.#time =
      maxTimeout ?? (typeof ttl === "number" ? Math.min(Math.max(ttl, minInterval), maxWait) : maxWait);
    this.#end = performance.now() + this.#time;
  }

  /** Milliseconds until the deadline. */
  get left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /**
   * Waits for as long as the server wishes, in milliseconds; a second where it has no wish (TASK-09).
   *
   * @throws TimeoutError at the deadline; the signal's reason when it aborts.
   */
  async wait(wish: unknown, signal: AbortSignal | undefined): Promise<void> {
    const interval = typeof wish === "number" && wish >= 0 ? Math.max(wish, minInterval) : 1000;
    await pause(Math.min(interval, this.left), signal);
    if (this.left === 0) throw new TimeoutError(`The task did not end within ${this.#time} ms.`);
  }
}
