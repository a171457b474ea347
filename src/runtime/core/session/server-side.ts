import type { Exchange, ServerDispatcher } from "../jsonrpc/dispatcher.js";
import { rpcError } from "../errors.js";
import type { Connection } from "../jsonrpc/connection.js";
import { RateLimit } from "../quota.js";
import type { Params, WireNotification, WireRequest } from "../message.js";
import { getOwn } from "../../../common/object.js";
import type { SendOptions } from "../ports/transport.js";
import type { RequestRow, NotificationFacts } from "../tables.js";
import type { ServerContext } from "./server-context.js";
import type {
  Handler,
  Identity,
  ServerEngineSession,
  ServerSessionConfig,
} from "./config.js";
import { toRevision } from "./outgoing.js";
import {
  emitNotification,
  receiveNotification,
  type Session,
} from "./session.js";

/**
 * The number of log messages to one session per second. A client that asks for
 * all levels could not read more, and memory would fill.
 */
const logsPerSecond = 100;

/** A session on the server. */
export abstract class ServerSideSession
  implements Session<ServerSessionConfig>, ServerEngineSession
{
  readonly config: ServerSessionConfig;
  readonly connection: Connection;
  readonly dispatcher: ServerDispatcher;
  /**
   * The keys of notifications without params that were just sent, each with how
   * to send the last repetition.
   */
  #repeats: Map<string, (() => void) | undefined> | undefined;
  #logs: RateLimit | undefined;
  #dropCount = 0;

  constructor(config: ServerSessionConfig, dispatcher: ServerDispatcher) {
    this.config = config;
    this.connection = dispatcher.connection;
    this.dispatcher = dispatcher;
  }

  /**
   * Answers a request: returns or resolves with the result, and throws or
   * rejects with the error to send.
   */
  abstract request(message: WireRequest, exchange: Exchange): unknown;
  /**
   * Sends a notification if this client may receive it and has subscribed to
   * it.
   */
  abstract readonly followed: readonly unknown[];
  abstract announce(facts: NotificationFacts, params: Params): void;
  /**
   * Sends a notification. Notifications without params, such as a change of a
   * list, can be merged: of several with one key before `later` runs its
   * function, the first and the last one are sent.
   */
  coalesce(
    key: string,
    params: Params,
    send: () => void,
    later: (work: () => void) => void,
  ): void {
    if (params !== undefined) return send();
    const repeats = (this.#repeats ??= new Map<
      string,
      (() => void) | undefined
    >());
    const isFirst = !repeats.has(key);
    repeats.set(key, isFirst ? undefined : send);
    if (!isFirst) return;
    send();
    later(() => {
      const repeat = repeats.get(key);
      repeats.delete(key);
      repeat?.();
    });
  }

  /** True if a notification with these params may be for this client. */
  concerns(_params: Params): boolean {
    return true;
  }

  abstract contextOf(
    exchange: Exchange,
    params: unknown,
    client: Identity,
  ): ServerContext;
  /**
   * The result as it is sent. Throws a `ValidationError` if it does not match
   * its type.
   */
  abstract complete(row: RequestRow, value: unknown, client: Identity): unknown;
  /** Ends open streams normally. */
  endStreams?(): void;

  notification(message: WireNotification): void {
    const { dispatcher, config } = this;
    const received = receiveNotification(this, message);
    if (!received) return;
    const [facts, params] = received;
    const { method } = facts;
    if (method === config.side.revision.wellKnown.cancelled)
      dispatcher.cancel(params?.["requestId"], params?.["reason"]);
    else this.handleNotification(facts, params, config.handlers.get(method));
  }

  protected abstract handleNotification(
    facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void;

  /** Sends a notification; log messages are rate limited (LOG-07). */
  emit(
    method: string | undefined,
    params: Params,
    options?: SendOptions,
  ): void {
    if (method === this.config.side.revision.wellKnown.log) {
      this.#logs ??= new RateLimit(logsPerSecond);
      if (!this.#logs.allows(this)) return this.#drop();
    }
    const toWire = (known: string): Params =>
      toRevision(this, "params", known, params) as Params;
    emitNotification(this, method, toWire, options);
  }

  /** Counts a dropped log message. Warns once per second with their number. */
  #drop(): void {
    if (this.#dropCount++ > 0) return;
    const timer = setTimeout(() => {
      const count = this.#dropCount;
      this.#dropCount = 0;
      this.connection.warn(
        `${count} log messages were not sent: the limit is ${logsPerSecond} per second.`,
      );
    }, 1000);
    (timer as { unref?(): void }).unref?.();
  }

  /**
   * Throws if the caller exceeds the rate limit of this method (TOOL-19,
   * COMP-07).
   */
  protected admit(method: string, { info }: Exchange): void {
    const rate = this.config.rates.get(method);
    const caller =
      info?.auth?.principal ?? (info?.isStateless ? undefined : this);
    if (rate && !rate.allows(caller)) {
      throw rpcError(
        "INTERNAL_ERROR",
        `${method}: too many requests in one second.`,
      );
    }
  }

  /** Calls the handler of a notification. */
  protected runHandler(
    method: string,
    handler: Handler,
    params: unknown,
    client: Identity,
  ): void {
    this.dispatcher.work(method, (exchange) =>
      handler(
        params as never,
        this.contextOf(exchange, params, client) as never,
      ),
    );
  }

  /**
   * The row of a request. Throws "method not found" if neither a handler nor
   * the engine answers it (LIFE-09, DISC-02).
   */
  protected rowOf(
    method: string,
    handler: Handler | undefined,
    isBuiltIn: boolean,
  ): RequestRow {
    const row = getOwn(this.config.side.incomingRequests, method);
    if (row && (handler || isBuiltIn)) return row;
    throw rpcError(
      "METHOD_NOT_FOUND",
      `This server does not answer ${method}.`,
    );
  }
}
