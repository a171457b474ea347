import { isTransportError } from "../../errors.js";
import type { Renewal } from "../headers.js";

/** Opens a new session when the server has lost this one, and sends the request once more (SESS-06). */
export class SessionRenewal implements Renewal {
  #count = 0;
  #running: Promise<void> | undefined;
  readonly #onFailure: () => void;

  /** `onFailure` is called if no new session could be opened. */
  constructor(onFailure: () => void) {
    this.#onFailure = onFailure;
  }

  async call(send: () => Promise<unknown>, reopen: () => Promise<void>): Promise<unknown> {
    await this.#running;
    const before = this.#count;
    try {
      return await send();
    } catch (error) {
      if (!isTransportError(error) || !error.isSessionLost || error.status === undefined) throw error;
      // Several requests may be rejected at once; one new session serves them all.
      if (before === this.#count) await (this.#running ??= this.#run(reopen));
      return send();
    }
  }

  async #run(reopen: () => Promise<void>): Promise<void> {
    try {
      await reopen();
      this.#count++;
    } catch (error) {
      this.#onFailure();
      throw error;
    } finally {
      this.#running = undefined;
    }
  }
}
