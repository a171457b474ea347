import type { CallerOptions, CallOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import { getOwn, type JsonObject, type Params, type RequestId, type WireNotification } from "../message.js";
import type { IncomingNotification, NotificationFacts, OutgoingRequest } from "../tables.js";
import type { SendOptions } from "../transport/transport.js";
import { isTransportError } from "../errors.js";
import { checkParams, acceptsParams } from "./check.js";
import { validationErrorOf } from "./conform.js";
import type { Handler, Identity, SessionConfig } from "./config.js";
import type { RequestContext } from "./context.js";
import { asSent, canHaveMeta } from "./outgoing.js";

/** Options that a side sets for its requests. */
export interface RequestDefaults extends Pick<CallOptions, "inReplyTo" | "accept" | "cancel"> {
  /** The timeout if neither the call nor the settings have one, in milliseconds. */
  readonly defaultTimeout: number;
  /** Members to add to `_meta` of the request. */
  readonly meta?: JsonObject | undefined;
}

/** A session of a client or a server, legacy or modern. */
export abstract class Session<Config extends SessionConfig = SessionConfig> {
  config: Config;
  readonly connection: Connection;

  constructor(config: Config, connection: Connection) {
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
    // An invalid notification is ignored and reported (CANC-04).
    if (!acceptsParams(row, params)) {
      return this.connection.report(validationErrorOf(method, side, params, "params"), method);
    }
    if (method === wellKnown.progress) this.connection.calls.progress(params as never);
    else if (method === wellKnown.cancelled) this.cancelled(params?.["requestId"], params?.["reason"]);
    else this.handleNotification(row.facts, params, handlers.get(method));
  }

  /** Creates the context of a handler. On a server, `client` is the sender of the request. */
  abstract contextOf(exchange: Exchange, params: unknown, client?: Identity): RequestContext;

  protected abstract cancelled(id: unknown, reason: unknown): void;

  protected abstract handleNotification(
    facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void;

  /** Params as they are sent. */
  protected toWire(_method: string, params: Params): Params {
    return asSent(params) as Params;
  }

  /** Sends a notification. Rejects with a `ValidationError` if the params do not match their type. */
  async notify(row: IncomingNotification, params: Params, options?: SendOptions): Promise<void> {
    const { method } = row.facts;
    const wireParams = checkParams(this.config.side, row, this.toWire(method, params));
    await this.connection.notify(method, wireParams, options);
  }

  /** Sends a notification without waiting, if the revision has it. Reports an error, except that of a closed transport. */
  emit(method: string | undefined, params: Params, options?: SendOptions): void {
    const row = getOwn(this.config.side.outgoingNotifications, method);
    const onError = (error: unknown): void => {
      if (!isTransportError(error)) this.connection.report(error);
    };
    if (row) this.notify(row, params, options).catch(onError);
  }

  /**
   * Sends a request. The options of the caller take precedence over the defaults of the side.
   *
   * @throws ValidationError if the params do not match their type.
   */
  ask(
    row: OutgoingRequest,
    input: Params,
    options: CallerOptions,
    defaults: RequestDefaults,
  ): Promise<unknown> {
    const { connection } = this;
    const { settings, side } = this.config;
    const { facts } = row;
    const { method, augments } = facts;
    const params = this.toWire(method, input);
    const { defaultTimeout, meta, inReplyTo, accept, cancel } = defaults;
    const { signal, onProgress, onNotice, timeout = settings.timeout ?? defaultTimeout } = options;
    const id = connection.nextId();
    const ownMeta = params?.["_meta"] as JsonObject | undefined;
    if (!canHaveMeta(params)) checkParams(side, row, params);
    let token: RequestId | undefined;
    let _meta = ownMeta && meta ? { ...ownMeta, ...meta } : (ownMeta ?? meta);
    const key = side.revision.meta.progressToken;
    if (onProgress && key !== undefined) {
      // The caller's own token, or the id, which is unique (PROG-01).
      token = (ownMeta?.[key] ?? id) as RequestId;
      _meta = { ..._meta, [key]: token };
    }
    // V8 copies an object several times faster if the spread comes last.
    const withMeta = _meta === ownMeta ? params : ownMeta ? { ...params, _meta } : { _meta, ...params };
    const wireParams = checkParams(side, row, withMeta);
    const { ping, readResource } = side.revision.wellKnown;
    const isRead = facts.items !== undefined || facts.cacheable || method === readResource;
    return connection.call(id, method, wireParams, {
      isSafe: isRead || method === ping,
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
      headers: connection.transport.binding?.headerPolicy?.headers(side.revision, facts, wireParams),
    });
  }
}
