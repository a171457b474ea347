import { RefusedError, rpcError, type RpcErrorName } from "../errors.js";
import type { CallOptions, RequestOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import { type Exchange, settle } from "../jsonrpc/exchange.js";
import { isObject, type JsonObject, type WireNotification } from "../jsonrpc/message.js";
import type { NotificationFacts, OutgoingRequest, RequestFacts } from "../tables.js";
import type { RequestId, SendOptions } from "../transport/transport.js";
import { missing } from "./capabilities.js";
import { checkDeclared, checkPrefixes, checkRequest, invalid, own } from "./check.js";
import { RequestContext } from "./context.js";
import { fillForm } from "./form.js";
import type { ClientHost, ClientLink, Identity } from "./host.js";

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
    connection.onNotification = this.#hear;
    connection.answerer = undefined;
  }

  abstract open(timeout?: number): Promise<void>;
  abstract call(
    row: OutgoingRequest,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<unknown>;

  announce(facts: NotificationFacts, params: JsonObject | undefined): Promise<void> {
    const headers = this.#headers(facts, params);
    return this.connection.notify(facts.method, params, undefined, headers);
  }

  protected abstract cancelled(id: unknown, reason: unknown): void;

  /** Hears of every notification before its handler does. */
  protected announced(_facts: NotificationFacts, _params: JsonObject | undefined): void {}

  /** Sends one request of a call; `meta` is what the engine puts into its `_meta`. */
  protected send(
    { facts }: OutgoingRequest,
    params: JsonObject | undefined,
    options: RequestOptions,
    meta?: JsonObject,
    accept?: CallOptions["accept"],
  ): Promise<unknown> {
    const { settings, side } = this.host;
    const { jobs, meta: keys } = side.revision;
    const { method, uncancellable } = facts;
    checkDeclared(facts, params, this.server.capabilities, "server");
    const {
      onProgress,
      onNotice,
      signal,
      timeout = method === jobs.listen ? Infinity : (settings.timeout ?? 60_000),
    } = options;
    const maxTimeout = options.maxTimeout ?? settings.maxTimeout ?? timeout * 10;
    const id = this.connection.nextId();
    const given = params?.["_meta"] as JsonObject | undefined;
    let token: RequestId | undefined;
    let _meta = given && meta ? { ...given, ...meta } : (given ?? meta);
    const key = keys.progressToken;
    if (onProgress && key !== undefined) {
      // PROG-01: the caller's own token, or the id, which is unique anyway.
      token = (given?.[key] ?? id) as RequestId;
      _meta = { ..._meta, [key]: token };
    }
    // Named members first, then one copy: several times as fast as the other way round.
    const sent = _meta === given ? params : given ? { ...params, _meta } : { _meta, ...params };
    const cancel = uncancellable ? undefined : this.#cancel;
    return this.connection.call(id, method, sent, {
      signal,
      timeout,
      maxTimeout,
      token,
      onProgress,
      onNotice,
      cancel,
      accept,
      outlasts: facts.augments !== undefined && params?.[facts.augments] !== undefined,
      headers: this.#headers(facts, sent),
    });
  }

  #headers(facts: RequestFacts | NotificationFacts, params: JsonObject | undefined): SendOptions["headers"] {
    return this.connection.transport.mirroring?.headers(this.host.side.revision, facts, params);
  }

  /** The first host whose revision is among these. VERS-04: they are compared for equality and nothing else. */
  protected hostOf(revisions: unknown): ClientHost | undefined {
    return this.hosts.find(
      ({ side }) => Array.isArray(revisions) && revisions.includes(side.revision.revision),
    );
  }

  /** The error for a server that speaks none of our revisions. */
  protected noneOf(supported: unknown): RefusedError {
    const ours = this.hosts.map(({ side }) => side.revision.revision);
    const message = `The server speaks ${String(supported)}; this client speaks ${String(ours)}.`;
    return new RefusedError("revision", message, { cause: { supported } });
  }

  /** Lets the handler answer a question of the server's, once it is known to be one that this client declared. */
  protected answer(
    message: { readonly method: string; readonly params?: unknown },
    exchange: Exchange,
  ): unknown {
    const { side, handlers, capabilities } = this.host;
    const { method, params } = message;
    const row = own(side.hears, method);
    const handler = handlers.get(method);
    // LIFE-10
    if (!row || !handler) throw this.refusal("METHOD_NOT_FOUND", `This client does not answer ${method}.`);
    checkRequest(side, row, message);
    // ELIC-02, SAMP-04
    // TASK-02: what only asks for another kind of answer may be ignored.
    const { augments } = row.facts;
    const asked = augments !== undefined && isObject(params) ? { ...params, [augments]: undefined } : params;
    const needs = missing(row.facts, asked, capabilities);
    if (needs) throw this.refusal("INVALID_PARAMS", `${method}: this client lacks ${JSON.stringify(needs)}.`);
    const answer = handler(
      params as never,
      new RequestContext(this.host, this.connection, exchange, params) as never,
    );
    return settle(answer, (given) => {
      checkPrefixes(row.facts, given);
      return isObject(params) && isObject(given) ? fillForm(params, given) : given;
    });
  }

  /** The error for a question that this client did not declare. */
  protected refusal(name: RpcErrorName, message: string): Error {
    return rpcError(name, message);
  }

  /** CANC-01, CANC-07: tells the server that an answer is no longer wanted. */
  #cancel = (requestId: RequestId, reason: string): void => {
    const { transport } = this.connection;
    const { jobs, opening } = this.host.side.revision;
    // HTTP-20: where dropping what would carry the answer tells nothing, a message does.
    const isTold = opening === "per-request" && transport.cancel;
    if (!isTold && jobs.cancelled)
      this.connection.notify(jobs.cancelled, { requestId, reason }).catch(() => {});
    transport.cancel?.(requestId);
  };

  #hear = (message: WireNotification): void => {
    const { side, handlers } = this.host;
    const { jobs } = side.revision;
    const { method } = message;
    const row = own(side.notices, method);
    if (!row) return;
    // CANC-04: a malformed notification has no effect, but does not go by in silence.
    if (!row.notification(message)) return this.connection.report(invalid(method, side, message));
    const params = message.params as JsonObject | undefined;
    this.announced(row.facts, params);
    if (method === jobs.progress) this.connection.calls.progress(params as never);
    else if (method === jobs.cancelled) this.cancelled(params?.["requestId"], params?.["reason"]);
    else handlers.get(method)?.(params as never, undefined as never);
  };
}
