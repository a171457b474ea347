import { rpcError } from "../errors.js";
import type { Connection } from "../jsonrpc/connection.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import type { JsonObject, WireNotification, WireRequest } from "../jsonrpc/message.js";
import type { ServerAnswers } from "../jsonrpc/answers.js";
import type { IncomingRequest, NotificationFacts } from "../tables.js";
import { invalid, own } from "./check.js";
import type { Handler, ServerHost, ServerLink } from "./host.js";

/** What the servers of both eras do alike. */
export abstract class BaseServerLink implements ServerLink {
  readonly host: ServerHost;
  readonly answers: ServerAnswers;
  readonly connection: Connection;

  constructor(host: ServerHost, answers: ServerAnswers) {
    this.host = host;
    this.answers = answers;
    this.connection = answers.connection;
  }

  abstract request(message: WireRequest, exchange: Exchange): unknown;
  abstract announce(facts: NotificationFacts, params: JsonObject | undefined): void;

  notification(message: WireNotification): void {
    const { side, handlers } = this.host;
    const { jobs } = side.revision;
    const { method } = message;
    const row = own(side.notices, method);
    if (!row) return;
    // CANC-04: a malformed notification has no effect, but does not go by in silence.
    if (!row.notification(message)) return this.connection.report(invalid(method, side, message));
    const params = message.params as JsonObject | undefined;
    if (method === jobs.cancelled) this.answers.cancel(params?.["requestId"], params?.["reason"]);
    else if (method === jobs.progress) this.connection.calls.progress(params as never);
    else this.heard(method, params, handlers.get(method));
  }

  protected abstract heard(
    method: string,
    params: JsonObject | undefined,
    handler: Handler | undefined,
  ): void;

  /** The row of a request and its handler. LIFE-09, DISC-02: throws "method not found" where there is neither handler nor engine. */
  protected rowOf(method: string, handler: Handler | undefined, isOurs: boolean): IncomingRequest {
    const row = own(this.host.side.hears, method);
    if (row && (handler || isOurs)) return row;
    throw rpcError("METHOD_NOT_FOUND", `This server does not answer ${method}.`);
  }
}
