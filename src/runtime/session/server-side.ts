import { rpcError } from "../errors.js";
import type { ServerDispatcher } from "../jsonrpc/dispatcher.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import { RateLimit } from "../quota.js";
import { getOwn, type Params, type WireRequest } from "../message.js";
import type { SendOptions } from "../transport/transport.js";
import type { IncomingRequest, NotificationFacts } from "../tables.js";
import type { ServerContext } from "./context.js";
import type { Handler, Identity, ServerSessionConfig } from "./config.js";
import { Session } from "./session.js";

/** A session seen from the server. */
export abstract class ServerSideSession extends Session<ServerSessionConfig> {
  readonly dispatcher: ServerDispatcher;
  #logs: RateLimit | undefined;
  #dropped = 0;

  constructor(config: ServerSessionConfig, dispatcher: ServerDispatcher) {
    super(config, dispatcher.connection);
    this.dispatcher = dispatcher;
  }

  /** Returns or resolves with a result; an error that is thrown becomes the answer. */
  abstract request(message: WireRequest, exchange: Exchange): unknown;
  /** Sends a notification if this client may and wants to hear it. */
  abstract announce(facts: NotificationFacts, params: Params): void;
  /** May a notification with these params be for this client? */
  concerns(_params: Params): boolean {
    return true;
  }

  /** What a handler gets to know of what it is called for. */
  abstract contextOf(exchange: Exchange, params: unknown, client: Identity): ServerContext;
  /** What goes out for a result. Throws a `ValidationError` where it is not of its type. */
  abstract complete(row: IncomingRequest, value: unknown, client: Identity): unknown;
  /** Ends in good order what is still open. */
  finish?(): void;

  protected override fitted(method: string, params: Params): Params {
    return this.config.fit("params", method, params) as Params;
  }

  /** LOG-07 */
  override emit(method: string | undefined, params: Params, options?: SendOptions): void {
    const { side, settings } = this.config;
    if (method === side.revision.wellKnown.log) {
      const { logsPerSecond = 100 } = settings.limits ?? {};
      this.#logs ??= new RateLimit(logsPerSecond);
      if (!this.#logs.allows(this)) return this.#drop(logsPerSecond);
    }
    super.emit(method, params, options);
  }

  /** Counts a log message that is not sent, and warns of all of them once within a second. */
  #drop(limit: number): void {
    if (this.#dropped++ > 0) return;
    const timer = setTimeout(() => {
      const count = this.#dropped;
      this.#dropped = 0;
      this.connection.warn(
        `${count} log messages were not sent: there were more than ${limit} in one second (limits.logsPerSecond).`,
      );
    }, 1000);
    (timer as { unref?(): void }).unref?.();
  }

  /** TOOL-19, COMP-07: throws when the caller sends too many requests of this kind. */
  protected admit(method: string, { info }: Exchange): void {
    const rate = this.config.rates?.get(method);
    const caller = info?.auth?.principal ?? (info?.isAlone ? undefined : this);
    if (rate && !rate.allows(caller)) {
      throw rpcError("INTERNAL_ERROR", `${method}: too many requests in one second.`);
    }
  }

  protected cancelled(id: unknown, reason: unknown): void {
    this.dispatcher.cancel(id, reason);
  }

  /** Has a handler hear of a notification. */
  protected tell(method: string, handler: Handler, params: unknown, client: Identity): void {
    this.dispatcher.work(method, (exchange) =>
      handler(params as never, this.contextOf(exchange, params, client) as never),
    );
  }

  /** The row of a request and its handler. LIFE-09, DISC-02: throws "method not found" where there is neither handler nor engine. */
  protected rowOf(method: string, handler: Handler | undefined, isOurs: boolean): IncomingRequest {
    const row = getOwn(this.config.side.incomingRequests, method);
    if (row && (handler || isOurs)) return row;
    throw rpcError("METHOD_NOT_FOUND", `This server does not answer ${method}.`);
  }
}
