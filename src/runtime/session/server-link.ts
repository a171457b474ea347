import { rpcError } from "../errors.js";
import type { ServerAnswers } from "../jsonrpc/answers.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import type { Params, WireRequest } from "../jsonrpc/message.js";
import type { IncomingRequest, NotificationFacts } from "../tables.js";
import { own } from "./check.js";
import type { ServerContext } from "./context.js";
import type { Handler, Identity, ServerHost } from "./host.js";
import { Link } from "./link.js";

/** A session seen from the server. */
export abstract class ServerLink extends Link<ServerHost> {
  readonly answers: ServerAnswers;

  constructor(host: ServerHost, answers: ServerAnswers) {
    super(host, answers.connection);
    this.answers = answers;
  }

  /** Returns or resolves with a result; an error that is thrown becomes the answer. */
  abstract request(message: WireRequest, exchange: Exchange): unknown;
  /** Sends a notification if this client may and wants to hear it. */
  abstract announce(facts: NotificationFacts, params: Params): void;
  /** What a handler gets to know of what it is called for. */
  abstract contextOf(exchange: Exchange, params: unknown, client: Identity): ServerContext;
  /** Ends in good order what is still open. */
  finish?(): void;

  protected cancelled(id: unknown, reason: unknown): void {
    this.answers.cancel(id, reason);
  }

  /** Has a handler hear of a notification. */
  protected tell(method: string, handler: Handler, params: unknown, client: Identity): void {
    this.answers.work(method, (exchange) =>
      handler(params as never, this.contextOf(exchange, params, client) as never),
    );
  }

  /** The row of a request and its handler. LIFE-09, DISC-02: throws "method not found" where there is neither handler nor engine. */
  protected rowOf(method: string, handler: Handler | undefined, isOurs: boolean): IncomingRequest {
    const row = own(this.host.side.hears, method);
    if (row && (handler || isOurs)) return row;
    throw rpcError("METHOD_NOT_FOUND", `This server does not answer ${method}.`);
  }
}
