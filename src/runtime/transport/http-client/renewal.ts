import { isTransportError } from "../../errors.js";
import type { Renewal } from "../binding.js";

/** SESS-06: where the server refuses because it has forgotten the session, opens another one and asks once more. */
export class SessionRenewal implements Renewal {
  #count = 0;
  #running: Promise<void> | undefined;

  async call(send: () => Promise<unknown>, reopen: () => Promise<void>): Promise<unknown> {
    await this.#running;
    const before = this.#count;
    try {
      return await send();
    } catch (error) {
      if (!isTransportError(error) || !error.isSessionLost || error.status === undefined) throw error;
      // Whoever else was refused meanwhile needs no session more.
      if (before === this.#count) await (this.#running ??= this.#run(reopen));
      return send();
    }
  }

  async #run(reopen: () => Promise<void>): Promise<void> {
    try {
      await reopen();
      this.#count++;
    } finally {
      this.#running = undefined;
    }
  }
}
