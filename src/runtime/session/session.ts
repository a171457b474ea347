import type { CallerOptions, CallOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import { getOwn, type JsonObject, type Params, type RequestId, type WireNotification } from "../message.js";
import type { IncomingNotification, NotificationFacts, OutgoingRequest } from "../tables.js";
import type { SendOptions } from "../transport/transport.js";
import { isTransportError } from "../errors.js";
import { checkParams, fits, invalid } from "./check.js";
import { isMarkable } from "./meta.js";
import type { Handler, SessionConfig } from "./config.js";
import { asSent } from "./plain.js";

/** How one side sends a request. */
export interface RequestDefaults extends Pick<CallOptions, "inReplyTo" | "accept" | "cancel"> {
  /** The timeout where nobody set one, in milliseconds. */
  readonly defaultTimeout: number;
  /** Goes into the request's `_meta`. */
  readonly meta?: JsonObject | undefined;
}

/** One end of a session: what clients and servers of both eras do alike. */
export abstract class Session<H extends SessionConfig = SessionConfig> {
  config: H;
  readonly connection: Connection;

  constructor(config: H, connection: Connection) {
    this.config = config;
    this.connection = connection;
  }

  notification(message: WireNotification): void {
    const { side, handlers } = this.config;
    const { wellKnown } = side.revision;
    const { method } = message;
    const params = message.params as Params;
    const row = getOwn(side.incomingNotifications, method);
    if (!row) return;
    // CANC-04: a malformed notification has no effect, but does not go by in silence.
    if (!fits(row, params)) return this.connection.report(invalid(method, side, params, "params"), method);
    if (method === wellKnown.progress) this.connection.calls.progress(params as never);
    else if (method === wellKnown.cancelled) this.cancelled(params?.["requestId"], params?.["reason"]);
    else this.handleNotification(row.facts, params, handlers.get(method));
  }

  protected abstract cancelled(id: unknown, reason: unknown): void;

  protected abstract handleNotification(
    facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void;

  /** What goes out for params of ours. */
  protected fitted(_method: string, params: Params): Params {
    return asSent(params) as Params;
  }

  /** Sends a notification. Rejects with a `ValidationError`, and sends nothing, if the params are not of its type. */
  async notify(row: IncomingNotification, params: Params, options?: SendOptions): Promise<void> {
    const { method } = row.facts;
    const sent = this.fitted(method, params);
    checkParams(this.config.side, row, sent);
    await this.connection.notify(method, sent, options);
  }

  /** Sends a notification that nobody waits for, where the revision has it; one that cannot be sent is reported. */
  emit(method: string | undefined, params: Params, options?: SendOptions): void {
    const row = getOwn(this.config.side.outgoingNotifications, method);
    const failed = (error: unknown): void => {
      if (!isTransportError(error)) this.connection.report(error);
    };
    if (row) this.notify(row, params, options).catch(failed);
  }

  /**
   * Sends a request as its caller and its side want it.
   *
   * @throws ValidationError when the params are not of its type.
   */
  ask(row: OutgoingRequest, asked: Params, options: CallerOptions, ways: RequestDefaults): Promise<unknown> {
    const { connection } = this;
    const { settings, side } = this.config;
    const { facts } = row;
    const { method, augments } = facts;
    const params = this.fitted(method, asked);
    const { defaultTimeout, meta, inReplyTo, accept, cancel } = ways;
    const { signal, onProgress, onNotice, timeout = settings.timeout ?? defaultTimeout } = options;
    const id = connection.nextId();
    const given = params?.["_meta"] as JsonObject | undefined;
    if (!isMarkable(params)) checkParams(side, row, params);
    let token: RequestId | undefined;
    let _meta = given && meta ? { ...given, ...meta } : (given ?? meta);
    const key = side.revision.meta.progressToken;
    if (onProgress && key !== undefined) {
      // PROG-01: the caller's own token, or the id, which is unique anyway.
      token = (given?.[key] ?? id) as RequestId;
      _meta = { ..._meta, [key]: token };
    }
    // Named members first, then one copy: several times as fast as the other way round.
    const sent = _meta === given ? params : given ? { ...params, _meta } : { _meta, ...params };
    checkParams(side, row, sent);
    return connection.call(id, method, sent, {
      signal,
      timeout,
      maxTimeout: options.maxTimeout ?? settings.maxTimeout ?? timeout * 10,
      token,
      onProgress,
      onNotice,
      caller: options.caller,
      inReplyTo,
      accept,
      cancel,
      outlasts: augments !== undefined && params?.[augments] !== undefined,
      headers: connection.transport.binding?.headerPolicy?.headers(side.revision, facts, sent),
    });
  }
}
