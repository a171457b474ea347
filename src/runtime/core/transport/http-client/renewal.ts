import { isTimeoutError, isTransportError, mayPass } from "../../errors.js";
import type { Renewal } from "../headers.js";

/** The transport whose server may lose the session. */
export interface RenewalHost {
  /** No new session could be opened for now: the next call tries again. */
  forgetSession(): void;
  /** No session can be opened. */
  fail(error: Error): Promise<void>;
  warn(text: string): void;
}

/** Opens a new session when the server has lost this one, and sends the request once more (SESS-06). */
export class SessionRenewal implements Renewal {
  #count = 0;
  #running: Promise<void> | undefined;
  readonly #host: RenewalHost;

  constructor(host: RenewalHost) {
    this.#host = host;
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
      this.#host.warn(
        "The server lost the session and a new one was opened. Set subscriptions and log levels again.",
      );
    } catch (error) {
      const isTemporary =
        mayPass(error) || isTimeoutError(error) || (isTransportError(error) && error.isRetryable);
      if (!isTemporary) await this.#host.fail(error as Error);
      this.#host.forgetSession();
      throw error;
    } finally {
      this.#running = undefined;
    }
  }
}
