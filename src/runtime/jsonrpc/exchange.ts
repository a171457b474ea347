import type { McpError } from "../errors.js";
import type { SideTable } from "../tables.js";
import type { MessageInfo } from "../transport/transport.js";
import type { RequestId } from "../message.js";

/** One request of the peer's, for as long as it is being answered. */
export class Exchange {
  /** Undefined for the work on a notification. */
  readonly id: RequestId | undefined;
  readonly info: MessageInfo | undefined;
  /** The wire method, for reports. */
  readonly method: string | undefined;
  /** Answered, cancelled or cut off: nothing more may be sent for it. */
  over = false;
  /** Being worked on, and not waiting for its turn. */
  busy = false;
  /** The tables of the revision that the peer speaks in this request, once it is known. */
  side: SideTable | undefined;
  /** Makes of the result what goes out, or throws; here, since a promise more would cost as much as the check. */
  accept: ((result: unknown) => unknown) | undefined;
  /** Called with the error that is sent as the answer. */
  failed: ((error: McpError) => void) | undefined;
  /** Sends what waits to go out before the answer. */
  flush: (() => void) | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;

  constructor(id: RequestId | undefined, info: MessageInfo | undefined, method?: string) {
    this.id = id;
    this.info = info;
    this.method = method;
  }

  /** Aborts when the peer cancels or goes away. Made when first asked for, since most handlers never look. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Ends the work without an answer. */
  abort(reason: unknown): void {
    this.over = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** Is it a promise, of this realm or another? */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** What `make` makes of a value, at once or when the promise of it is kept. */
export function settle(value: unknown, make: (value: unknown) => unknown): unknown {
  return isThenable(value) ? value.then((kept) => make(kept)) : make(value);
}
