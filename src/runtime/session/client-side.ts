import { invalidAt, SessionError, rpcError, type RpcErrorName } from "../errors.js";
import type { CallerOptions, CallOptions, RequestOptions } from "../jsonrpc/calls.js";
import type { Connection, NotificationReceiver } from "../jsonrpc/connection.js";
import type { Exchange } from "../jsonrpc/dispatcher.js";
import { settle } from "../timing.js";
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
import { newTexts, warn } from "../report.js";
import { missingCapabilities } from "./capabilities.js";
import { augmentedRow, checkPrefixes, checkRequest, checkResult, undeclaredError } from "./check.js";
import { ClientRequestContext } from "./context.js";
import type { ClientSessionConfig, Handler, Identity } from "./config.js";
import { readResult } from "./read-result.js";
import {
  emitNotification,
  receiveNotification,
  sendNotification,
  sendRequest,
  type Session,
} from "./session.js";
import { asSent } from "./outgoing.js";

/** A session on the client. Once it is open, `config` is that of the negotiated revision. */
export abstract class ClientSideSession implements Session<ClientSessionConfig>, NotificationReceiver {
  config: ClientSessionConfig;
  readonly connection: Connection;
  server: Identity = { info: undefined, capabilities: {} };
  protected readonly configs: readonly ClientSessionConfig[];
  #questions: RateLimit | undefined;
  readonly #isNewWarning = newTexts();

  constructor(configs: readonly ClientSessionConfig[], connection: Connection) {
    this.config = configs[0] as ClientSessionConfig;
    this.connection = connection;
    this.configs = configs;
    connection.notifications = this;
    connection.requests = undefined;
  }

  /** Negotiates a revision. Rejects with the error of the server. */
  abstract open(): Promise<void>;
  abstract call(row: OutgoingRequest, params: Params, options: RequestOptions): Promise<unknown>;

  announce(row: IncomingNotification, params: Params): Promise<void> {
    const { headerPolicy } = this.connection.transport;
    const headers = headerPolicy?.headers(this.config.side.revision, row.facts, params);
    return sendNotification(this, row, asSent(params) as Params, { headers });
  }

  contextOf(exchange: Exchange, params: unknown): ClientRequestContext {
    return new ClientRequestContext(this, exchange, params);
  }

  notification(message: WireNotification): void {
    const facts = receiveNotification(this, message);
    if (!facts) return;
    const { method } = facts;
    const params = message.params as Params;
    if (method === this.config.side.revision.wellKnown.cancelled)
      this.cancelled(params?.["requestId"], params?.["reason"]);
    else this.handleNotification(facts, params, this.config.handlers.get(method));
  }

  emit(method: string | undefined, params: Params): void {
    emitNotification(this, method, () => asSent(params) as Params);
  }

  /** The server cancelled its request. */
  protected abstract cancelled(id: unknown, reason: unknown): void;

  protected handleNotification(
    _facts: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    handler?.(params as never, undefined as never);
  }

  /** Sends one request of a call. `meta` holds the members of `_meta` that the engine adds. */
  protected send(
    row: OutgoingRequest,
    params: Params,
    options: CallerOptions,
    meta?: JsonObject,
    accept?: CallOptions["accept"],
  ): Promise<unknown> {
    const { facts } = row;
    const needs = missingCapabilities(facts, params, this.server.capabilities);
    if (needs) {
      const error = undeclaredError(facts.method, needs, "server");
      if (facts.items === undefined) throw error;
      // A server without the capability has nothing to list (LIFE-06).
      this.#warnOnce(`${error.message} The list is empty.`);
      return Promise.resolve({ ...facts.engineDefaults, [facts.items]: [] });
    }
    const cancel = facts.uncancellable ? undefined : this.#cancel;
    return sendRequest(this, row, asSent(params) as Params, options, {
      defaultTimeout: 60_000,
      meta,
      accept,
      cancel,
    });
  }

  /** Checks a result of the server. Warns once about each entry of a list that is left out or changed. */
  protected read(row: OutgoingRequest, result: JsonObject): JsonObject {
    const { side } = this.config;
    return readResult(side, row, result, this.#warnOnce);
  }

  readonly #warnOnce = (text: string): void => {
    if (this.#isNewWarning(text)) warn(this.config.settings, text);
  };

  /** The first config whose revision is in the list. Revisions are compared for equality, never ordered (VERS-04). */
  protected configOf(revisions: unknown): ClientSessionConfig | undefined {
    return this.configs.find(
      ({ side }) => Array.isArray(revisions) && revisions.includes(side.revision.revision),
    );
  }

  /** The error for a server that shares no revision with this client. */
  protected noSharedRevision(supported: unknown): SessionError {
    const ownRevisions = this.configs.map(({ side }) => side.revision.revision);
    const message = `The server supports ${JSON.stringify(supported)?.slice(0, 200)}; this client supports ${String(ownRevisions)}. Generate a client of a revision of the server (\`mcpgen --version\`).`;
    return new SessionError("revision", message, { cause: { supported } });
  }

  /** Checks a request of the server, calls its handler, and checks the result. */
  protected answer(
    message: { readonly method: string; readonly params?: unknown },
    exchange: Exchange,
  ): unknown {
    const { side, handlers, capabilities, settings } = this.config;
    const { method } = message;
    exchange.side = side;
    const row = getOwn(side.incomingRequests, method);
    const handler = handlers.get(method);
    // A request without a handler needs a capability that this client did not declare (LIFE-10).
    if (!row || !handler)
      throw this.unsupportedError("METHOD_NOT_FOUND", `This client does not answer ${method}.`);
    const params = checkRequest(side, row, message);
    // Modes and tools that this client did not declare are invalid params (ELIC-02, SAMP-04). The member that requests a task is not,
    // because a receiver without tasks ignores it (TASK-02).
    const { augments } = row.facts;
    const plain = augments !== undefined && isObject(params) ? { ...params, [augments]: undefined } : params;
    const needs = missingCapabilities(row.facts, plain, capabilities);
    if (needs)
      throw this.unsupportedError(
        "INVALID_PARAMS",
        `${method}: this client does not declare ${JSON.stringify(needs)}.`,
      );
    try {
      row.rules?.check(method, params, settings);
    } catch (error) {
      throw this.unsupportedError("INVALID_PARAMS", (error as Error).message);
    }
    const { questionsPerMinute = 600 } = settings.limits ?? {};
    this.#questions ??= new RateLimit(questionsPerMinute, 60_000);
    if (!this.#questions.allows(this))
      throw this.unsupportedError(
        "INTERNAL_ERROR",
        `${method}: more than ${questionsPerMinute} requests in one minute (limits.questionsPerMinute).`,
      );
    const answer = this.#whilePaused(exchange, () =>
      handler(params as never, this.contextOf(exchange, params) as never),
    );
    return settle(answer, (value) => {
      let result = asSent(value) ?? {};
      const { form } = row.rules ?? {};
      if (form && isObject(params) && isObject(result)) {
        const complete = form.fill(params, result);
        result = form.withoutContent(params, complete);
        if (result !== complete)
          warn(settings, `${method}: content is omitted, because only an accepted form has content.`);
        const message = form.issueIn(params, result as JsonObject);
        if (message) throw invalidAt(`${method} result`, message, ["content"]);
      }
      checkPrefixes(row.facts, result);
      return checkResult(side, augmentedRow(row, params as Params), result);
    });
  }

  /** Stops the timeouts of open calls until the work is done or the exchange is over: a person may take long to answer. */
  #whilePaused(exchange: Exchange, work: () => unknown): unknown {
    const { calls } = this.connection;
    let isPaused = true;
    const resume = (): void => {
      if (isPaused) calls.resume();
      isPaused = false;
    };
    calls.pause();
    exchange.signal.addEventListener("abort", resume);
    return new Promise((resolve) => resolve(work())).finally(resume);
  }

  /** The error for a request of the server that this client does not support. */
  protected unsupportedError(name: RpcErrorName, message: string): Error {
    return rpcError(name, message);
  }

  /** Cancels a request, by a notification or by closing its stream (CANC-01, CANC-07). */
  #cancel = (requestId: RequestId, reason: string): void => {
    const { transport } = this.connection;
    const { wellKnown, opening } = this.config.side.revision;
    // In legacy revisions a closed stream is not a cancellation (HTTP-20).
    const closesStream = opening === "per-request" && transport.cancel;
    if (!closesStream) this.emit(wellKnown.cancelled, { requestId, reason });
    transport.cancel?.(requestId);
  };
}
