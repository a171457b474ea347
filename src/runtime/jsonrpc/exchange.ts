import type { McpError } from "../errors.js";
import type { SideTable } from "../tables.js";
import type { MessageInfo } from "../transport/transport.js";
import type { RequestId } from "../message.js";
import { isThenable } from "../timing.js";

/** One request of the peer while it is being answered. */
export class Exchange {
  /** Undefined for a notification. */
  readonly id: RequestId | undefined;
  readonly info: MessageInfo | undefined;
  /** The wire method, for reports. */
  readonly method: string | undefined;
  /** True once the request is answered, cancelled or disconnected: nothing more may be sent for it. */
  over = false;
  /** True while its handler runs; false while it waits in the queue. */
  busy = false;
  /** The tables of the revision of this request, once it is known. */
  side: SideTable | undefined;
  /**
   * Checks and converts the result before it is sent, or throws. A callback, because one more promise would cost as much as
   * the check.
   */
  accept: ((result: unknown) => unknown) | undefined;
  /** Called with the error that is sent as the answer. */
  onError: ((error: McpError) => void) | undefined;
  /** Sends the notifications that were held back and must precede the answer. */
  flush: (() => void) | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(id: RequestId | undefined, info: MessageInfo | undefined, method?: string) {
    this.id = id;
    this.info = info;
    this.method = method;
  }

  /** Aborts when the peer cancels or disconnects. Created on first use, because most handlers do not use it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Ends the request without an answer. */
  abort(reason: unknown): void {
    this.over = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** Calls `convert` with the value: now, or once it resolves if it is a promise. */
export function settle(value: unknown, convert: (value: unknown) => unknown): unknown {
  return isThenable(value) ? value.then((resolved) => convert(resolved)) : convert(value);
}
