import { withMeta } from "./outgoing.js";
import type { Exchange } from "../jsonrpc/dispatcher.js";
import { isId, type Params, type RequestId, metaOf } from "../message.js";
import { getOwn, type JsonObject } from "../../../common/object.js";
import type { ClientContext, Identity } from "./config.js";
import type { Session } from "./session.js";

/**
 * The context of a request that a handler answers. Members are getters, to
 * create values only when used. Functions do not use `this`, so that a handler
 * can destructure the context.
 */
export abstract class RequestContext implements Omit<ClientContext, "server"> {
  /** The session that the request belongs to. */
  readonly session: Session;
  readonly exchange: Exchange;
  /** The params of the request. */
  readonly params: unknown;
  /** Members to add to the `_meta` of notifications. */
  extraMeta: JsonObject | undefined;
  #pace: Pace | undefined;

  constructor(session: Session, exchange: Exchange, params: unknown) {
    this.session = session;
    this.exchange = exchange;
    this.params = params;
  }

  /** The same context for work of this exchange, such as that of a task. */
  abstract during(exchange: Exchange): RequestContext;

  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  get requestId(): RequestId | undefined {
    return this.exchange.id;
  }

  get revision(): string {
    return this.session.config.side.revision.revision;
  }

  /**
   * Sends progress for a request with a token (PROG-01), only if it increases
   * (PROG-03), at a limited rate (PROG-09).
   */
  get progress(): (progress: number, total?: number, message?: string) => void {
    return (progress, total, message) => {
      const { wellKnown, meta } = this.session.config.side.revision;
      const progressToken = getOwn(metaOf(this.params), meta.progressToken);
      if (!isId(progressToken) || !wellKnown.progress) return;
      const { exchange } = this;
      const pace = (this.#pace ??= new Pace());
      if (!(progress > pace.last)) return;
      pace.last = progress;
      if (this.silent) return;
      exchange.flush = pace.flush;
      pace.take(() => {
        // A pending notification may be sent after the handler is done, but not
        // after the answer.
        if (!exchange.ended)
          this.#emit(wellKnown.progress, {
            progressToken,
            progress,
            total,
            message,
          });
      });
    };
  }

  /** True if no more messages may be sent for the request (PROG-02). */
  protected get silent(): boolean {
    return this.exchange.ended;
  }

  /** Sends a notification on behalf of the request. */
  send(method: string, params: Params): void {
    if (!this.silent) this.#emit(method, params);
  }

  #emit(method: string | undefined, params: Params): void {
    const { extraMeta } = this;
    const sentParams = extraMeta ? withMeta(params, extraMeta) : params;
    this.session.emit(method, sentParams, { inReplyTo: this.exchange.id });
  }
}

/**
 * Enough to look smooth. Of any more progress, only the latest is sent: when
 * the second ends, or before the answer.
 */
const progressPerSecond = 20;

/** A context on the client. */
export class ClientRequestContext
  extends RequestContext
  implements ClientContext
{
  declare readonly session: Session & { readonly peer: Identity };

  get server(): Identity {
    return this.session.peer;
  }

  during(exchange: Exchange): ClientRequestContext {
    // A bundler renames a class that names itself, and stack traces show the
    // name.
    return Reflect.construct(this.constructor, [
      this.session,
      exchange,
      this.params,
    ]) as this;
  }
}

/**
 * Limits progress messages per second. Of the messages above the limit only the
 * latest is sent: when the second ends, or at `flush`.
 */
class Pace {
  /** The last progress. */
  last = -Infinity;
  #count = 0;
  #pending: (() => void) | undefined;
  #timer: (ReturnType<typeof setTimeout> & { unref?(): unknown }) | undefined;

  /** Calls `send` now, or later; never if a later message replaces it. */
  take(send: () => void): void {
    if (this.#count++ < progressPerSecond) send();
    else this.#pending = send;
    this.#timer ??= setTimeout(this.#next, 1000);
    this.#timer.unref?.();
  }

  /** Sends the pending message, if any. */
  readonly flush = (): void => {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.();
  };

  readonly #next = (): void => {
    this.#timer = undefined;
    this.#count = 0;
    this.flush();
  };
}
