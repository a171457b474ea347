import { within } from "../../timing.js";

/** Does one thing after the other, so that nothing overtakes anything. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  /** Begins the work once all before it is over, whatever came of it, and resolves as the work does. */
  add(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves once nothing is left to do, or after a time in milliseconds. */
  idle(time: number): Promise<void> {
    return within(time, this.#last);
  }
}
