import { invalidAt, RefusedError, rpcError, type RpcErrorName } from "../errors.js";
import type { CallerOptions, CallOptions, RequestOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import { type Exchange, settle } from "../jsonrpc/exchange.js";
import {
  getOwn,
  isObject,
  type JsonObject,
  type Params,
  type RequestId,
  type WireNotification,
} from "../message.js";
import type { IncomingNotification, NotificationFacts, OutgoingRequest } from "../tables.js";
import { RateLimit } from "../quota.js";
import { warn } from "../report.js";
import { missing } from "./capabilities.js";
import { answering, checkDeclared, checkPrefixes, checkRequest, checkResult } from "./check.js";
import { ClientRequestContext } from "./context.js";
import { faultInForm, fillForm, withoutStray } from "./form.js";
import { checkQuestion } from "./question.js";
import type { ClientSessionConfig, Handler, Identity } from "./config.js";
import { Session } from "./session.js";
import { asSent } from "./plain.js";

/** A session seen from the client: opened once, then asked. Its config is in the end the one whose revision was agreed on. */
export abstract class ClientSideSession extends Session<ClientSessionConfig> {
  server: Identity = { info: undefined, capabilities: {} };
  protected readonly configs: readonly ClientSessionConfig[];
  #questions: RateLimit | undefined;

  constructor(configs: readonly ClientSessionConfig[], connection: Connection) {
    super(configs[0] as ClientSessionConfig, connection);
    this.configs = configs;
    const hear = (message: WireNotification): void => this.notification(message);
    connection.onNotification = hear;
    connection.requests = undefined;
  }

  /** Agrees on a revision. Rejects with what the server answered. */
  abstract open(timeout?: number): Promise<void>;
  abstract call(row: OutgoingRequest, params: Params, options: RequestOptions): Promise<unknown>;

  announce(row: IncomingNotification, params: Params): Promise<void> {
    const { binding } = this.connection.transport;
    const headers = binding?.headerPolicy?.headers(this.config.side.revision, row.facts, params);
    return this.notify(row, params, { headers });
  }

  protected handleNotification(
    _facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    handler?.(params as never, undefined as never);
  }

  /** Sends one request of a call; `meta` is what the engine puts into its `_meta`. */
  protected send(
    row: OutgoingRequest,
    params: Params,
    options: CallerOptions,
    meta?: JsonObject,
    accept?: CallOptions["accept"],
  ): Promise<unknown> {
    const { facts } = row;
    checkDeclared(facts, params, this.server.capabilities, "server");
    const cancel = facts.uncancellable ? undefined : this.#cancel;
    return this.ask(row, params, options, { defaultTimeout: 60_000, meta, accept, cancel });
  }

  /** The first config whose revision is among these. VERS-04: they are compared for equality and nothing else. */
  protected configOf(revisions: unknown): ClientSessionConfig | undefined {
    return this.configs.find(
      ({ side }) => Array.isArray(revisions) && revisions.includes(side.revision.revision),
    );
  }

  /** The error for a server that speaks none of our revisions. */
  protected noSharedRevision(supported: unknown): RefusedError {
    const ours = this.configs.map(({ side }) => side.revision.revision);
    const message = `The server speaks ${String(supported)}; this client speaks ${String(ours)}.`;
    return new RefusedError("revision", message, { cause: { supported } });
  }

  /** Lets the handler answer a question of the server's, once it is known to be one that this client declared. */
  protected answer(
    message: { readonly method: string; readonly params?: unknown },
    exchange: Exchange,
  ): unknown {
    const { side, handlers, capabilities, settings } = this.config;
    const { method, params } = message;
    exchange.side = side;
    const row = getOwn(side.incomingRequests, method);
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
    try {
      checkQuestion(method, params, settings);
    } catch (error) {
      throw this.refusal("INVALID_PARAMS", (error as Error).message);
    }
    const { questionsPerMinute = 600 } = settings.limits ?? {};
    this.#questions ??= new RateLimit(questionsPerMinute, 60_000);
    if (!this.#questions.allows(this))
      throw this.refusal(
        "INTERNAL_ERROR",
        `${method}: more than ${questionsPerMinute} questions in one minute.`,
      );
    const answer = handler(params as never, new ClientRequestContext(this, exchange, params) as never);
    return settle(answer, (value) => {
      const given = asSent(value);
      let result = given ?? {};
      if (isObject(params) && isObject(result)) {
        // ELIC-07, ELIC-05
        const made = fillForm(params, result);
        result = withoutStray(params, made);
        if (result !== made)
          warn(settings, `${method}: the content was left out, since only a form that is accepted has any.`);
        // ELIC-06
        const message = faultInForm(params, result as JsonObject);
        if (message) throw invalidAt(`${method} result`, message, ["content"]);
      }
      checkPrefixes(row.facts, result);
      return checkResult(side, answering(row, params as Params), result);
    });
  }

  /** The error for a question that this client did not declare. */
  protected refusal(name: RpcErrorName, message: string): Error {
    return rpcError(name, message);
  }

  /** CANC-01, CANC-07: tells the server that an answer is no longer wanted. */
  #cancel = (requestId: RequestId, reason: string): void => {
    const { transport } = this.connection;
    const { wellKnown, opening } = this.config.side.revision;
    // HTTP-20: where dropping what would carry the answer tells nothing, a message does.
    const isTold = opening === "per-request" && transport.cancel;
    if (!isTold) this.emit(wellKnown.cancelled, { requestId, reason });
    transport.cancel?.(requestId);
  };
}
