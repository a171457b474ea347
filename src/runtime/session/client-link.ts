import { McpError } from "../errors.js";
import type { CallOptions, Connection } from "../jsonrpc/connection.js";
import { type Exchange, settle } from "../jsonrpc/exchange.js";
import type { JsonObject, WireNotification, WireRequest } from "../jsonrpc/message.js";
import { isId, isObject } from "../jsonrpc/message.js";
import type { NotificationFacts, OutgoingRequest } from "../tables.js";
import type { RequestId } from "../transport/transport.js";
import { missing } from "./capabilities.js";
import { checkRequest, invalid, own } from "./check.js";
import { metaOf, RequestContext } from "./context.js";
import { fillForm } from "./form.js";
import type { ClientHost, ClientLink, Identity, RequestOptions } from "./host.js";

/** What the clients of both eras do alike. */
export abstract class BaseClientLink implements ClientLink {
  host: ClientHost;
  server: Identity = { info: undefined, capabilities: {} };
  protected readonly hosts: readonly ClientHost[];
  protected readonly connection: Connection;

  constructor(hosts: readonly ClientHost[], connection: Connection) {
    this.hosts = hosts;
    this.host = hosts[0] as ClientHost;
    this.connection = connection;
  }

  /** Hears what the server announces from here on; the engines go on from there. */
  async open(_timeout?: number): Promise<void> {
    this.connection.onNotification = (message) => this.#hear(message);
    this.connection.answerer = undefined;
  }

  abstract conclusive(error: unknown): boolean;
  abstract call(
    row: OutgoingRequest,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<unknown>;

  announce(facts: NotificationFacts, params: JsonObject | undefined): Promise<void> {
    return this.connection.notify(facts.method, params);
  }

  protected abstract cancelled(id: unknown, reason: unknown): void;

  /** Lets the handler answer a request of the server's, once it is known to be one that this client declared. */
  protected answer(
    message: WireRequest | Pick<WireRequest, "method" | "params">,
    exchange: Exchange,
  ): unknown {
    const { side, handlers, capabilities } = this.host;
    const { codes } = this.connection;
    const { method, params } = message;
    const row = own(side.hears, method);
    const handler = handlers.get(method);
    // LIFE-10
    if (!row || !handler)
      throw this.refusal(codes.METHOD_NOT_FOUND, `This client does not answer ${method}.`);
    checkRequest(side, row, message, codes.INVALID_PARAMS);
    // ELIC-02, SAMP-04
    const needs = missing(row.facts, params, capabilities);
    if (needs) {
      const message = `${method} needs ${JSON.stringify(needs)}, which this client does not declare.`;
      throw this.refusal(codes.INVALID_PARAMS, message);
    }
    const context = new RequestContext(this.host, this.connection, exchange, params);
    const answer = handler(params as never, context as never);
    return isObject(params)
      ? settle(answer, (given) => (isObject(given) ? fillForm(params, given) : given))
      : answer;
  }

  /** The error for a question that this client did not declare. */
  protected refusal(code: number, message: string): Error {
    return new McpError(code, message);
  }

  /** The times and hooks of one call; `token` names its progress. */
  protected callOptions(
    row: OutgoingRequest,
    options: RequestOptions,
    token: RequestId | undefined,
  ): CallOptions {
    const { settings, side } = this.host;
    const listens = row.facts.method === side.revision.jobs.listen;
    const timeout = options.timeout ?? (listens ? Infinity : (settings.timeout ?? 60_000));
    const maxTimeout = options.maxTimeout ?? settings.maxTimeout ?? timeout * 10;
    const { signal, onProgress } = options;
    return {
      signal,
      timeout,
      maxTimeout,
      token,
      onProgress,
      cancel: row.facts.uncancellable ? undefined : this.cancel,
    };
  }

  /** Tells the server that an answer is no longer wanted. */
  protected cancel = (id: RequestId, reason: string): void => {
    const { cancelled } = this.host.side.revision.jobs;
    if (cancelled) this.connection.notify(cancelled, { requestId: id, reason }).catch(() => {});
  };

  /** The token that names a call's progress: the caller's own, or the id, which is unique anyway. PROG-01 */
  protected tokenOf(
    id: RequestId,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): RequestId | undefined {
    if (!options.onProgress) return undefined;
    const token = own(metaOf(params), this.host.side.revision.meta.progressToken);
    return isId(token) ? token : id;
  }

  #hear(message: WireNotification): void {
    const { side, handlers } = this.host;
    const { jobs } = side.revision;
    const { method } = message;
    const row = own(side.notices, method);
    if (!row) return;
    // CANC-04: a malformed notification has no effect, but does not go by in silence.
    if (!row.notification(message)) return this.connection.report(invalid(method, this.host.side, message));
    const params = message.params as JsonObject | undefined;
    if (method === jobs.progress) this.connection.progress(params as never);
    else if (method === jobs.cancelled) this.cancelled(params?.["requestId"], params?.["reason"]);
    else handlers.get(method)?.(params as never, undefined as never);
  }
}
