import { within } from "../../../../common/timing.js";

/** Runs asynchronous tasks one after the other. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when all earlier work has ended, even if it failed. Settles as the work does. */
  add(work: () => Promise<void>): Promise<void> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when no work is left, or after a time in milliseconds. */
  idle(time: number): Promise<unknown> {
    return within(time, this.#last);
  }
}
