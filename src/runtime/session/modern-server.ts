import {
  type AskOptions,
  checkRequest,
  type Connection,
  type Exchange,
  fault,
  type Handler,
  type HandlerContext,
  type Identity,
  type IncomingRequest,
  isId,
  isObject,
  type JsonObject,
  McpError,
  metaOf,
  missing,
  type NotificationFacts,
  onceIn,
  own,
  RefusedError,
  ServerContext,
  type ServerHost,
  type ServerLink,
  settle,
  type WireNotification,
  type WireRequest,
} from "../index.js";
import { Asking, lacking, Round } from "./asking.js";
import { Listening } from "./listening.js";
import { type CallState, fresh, placeOf, record, StateKeeper } from "./state.js";

/** A server of a revision whose every request says for itself what it needs to be understood. LIFE-11: nothing is remembered. */
export function modernServer(
  host: ServerHost,
  connection: Connection,
  supported: readonly string[],
): ServerLink {
  let keeper = keepers.get(host);
  if (!keeper) keepers.set(host, (keeper = new StateKeeper(host)));
  return new ModernServer(host, connection, supported, keeper);
}

/** A call may come back on another connection, so that all connections of a server share its keys. */
const keepers = /* @__PURE__ */ new WeakMap<ServerHost, StateKeeper>();

class ModernServer implements ServerLink {
  readonly host: ServerHost;
  readonly connection: Connection;
  readonly #supported: readonly string[];
  readonly #keeper: StateKeeper;
  readonly #listening: Listening;

  constructor(host: ServerHost, connection: Connection, supported: readonly string[], keeper: StateKeeper) {
    this.host = host;
    this.connection = connection;
    this.#supported = supported;
    this.#keeper = keeper;
    this.#listening = new Listening(host, connection);
    connection.adopt(host.side.revision);
  }

  request(message: WireRequest, exchange: Exchange): unknown {
    const { side, handlers } = this.host;
    const { codes } = this.connection;
    const { jobs } = side.revision;
    const { method } = message;
    const client = this.#identify(message);
    const row = own(side.hears, method);
    const handler = handlers.get(method);
    const listens = method === jobs.listen;
    // LIFE-09, DISC-02
    if (!row || (!handler && !listens && method !== jobs.discover)) {
      throw new McpError(codes.METHOD_NOT_FOUND, `This server does not answer ${method}.`);
    }
    if (row.facts.asksInput && handler) return this.#mayAsk(row, handler, message, exchange, client);
    checkRequest(row, message, codes.INVALID_PARAMS);
    if (listens) return this.#listening.open(exchange, message.params as JsonObject);
    const { params } = message;
    const run = (): unknown => {
      if (exchange.over) return undefined;
      const context = new ModernContext(this, exchange, params, client, undefined);
      const result = handler ? handler(params as never, context as never) : this.#discover();
      return settle(result, (value) => this.#complete(row, value));
    };
    const turn = this.connection.turn();
    return turn ? turn.then(run) : run();
  }

  notification(message: WireNotification): void {
    const { side, handlers } = this.host;
    const { method } = message;
    const row = own(side.notices, method);
    if (!row) return;
    if (!row.notification.is(message)) {
      // CANC-04: a malformed notification has no effect, but does not go by in silence.
      return this.connection.report(new Error(`${method}: ${fault(row.notification, message).message}`));
    }
    const params = message.params as JsonObject | undefined;
    if (method === side.revision.jobs.cancelled) {
      const id = params?.["requestId"];
      const reason = params?.["reason"] ?? "The client no longer wants an answer.";
      return isId(id) ? this.connection.cancel(id, String(reason)) : undefined;
    }
    const handler = handlers.get(method);
    if (!handler) return;
    const exchange = this.connection.detached();
    const client: Identity = { info: undefined, capabilities: {} };
    const context = new ModernContext(this, exchange, params, client, undefined);
    this.connection.release(exchange, handler(params as never, context as never));
  }

  announce(facts: NotificationFacts, params: JsonObject | undefined): void {
    this.#listening.announce(facts, params);
  }

  finish(): void {
    this.#listening.finish();
  }

  closed(): void {
    this.#listening.clear();
  }

  /** META-01, META-02, VERS-07: what the request says of its sender, this request alone (META-05). */
  #identify(message: WireRequest): Identity {
    const { meta, revision, errors } = this.host.side.revision;
    const { codes } = this.connection;
    const given = metaOf(message.params);
    const version = own(given, meta.protocolVersion);
    const capabilities = own(given, meta.clientCapabilities);
    if (typeof version !== "string" || !isObject(capabilities)) {
      const key = (typeof version !== "string" ? meta.protocolVersion : meta.clientCapabilities) as string;
      // VERS-09: one who does not know this era learns which revisions are spoken here.
      throw new McpError(
        codes.INVALID_PARAMS,
        `${message.method}: params._meta[${JSON.stringify(key)}] is missing.`,
        {
          supported: this.#supported,
        },
      );
    }
    if (version !== revision) {
      const code = errors["UNSUPPORTED_PROTOCOL_VERSION"] ?? -32022;
      throw new McpError(code, `This server does not speak revision ${version}.`, {
        supported: this.#supported,
        requested: version,
      });
    }
    const info = own(given, meta.clientInfo);
    return { info: isObject(info) ? info : undefined, capabilities };
  }

  /** DISC-01, DISC-04 */
  #discover(): JsonObject {
    const { capabilities, settings } = this.host;
    return { supportedVersions: this.#supported, capabilities, instructions: settings.instructions };
  }

  /** JRPC-09, META-03: adds what the engine fills and who answers. */
  #complete(row: IncomingRequest, value: unknown): JsonObject {
    const { host } = this;
    const trimmed = host.trim?.(row.facts.method, value) ?? value;
    const result = (trimmed ?? {}) as JsonObject;
    const key = host.side.revision.meta.serverInfo;
    const filled = { ...row.facts.fills, ...result };
    return key === undefined ? filled : { ...filled, _meta: { [key]: host.info, ...metaOf(result) } };
  }

  /** A request whose handler may ask the client; `inputResponses` and `requestState` are ours to judge. */
  #mayAsk(
    row: IncomingRequest,
    handler: Handler,
    message: WireRequest,
    exchange: Exchange,
    client: Identity,
  ): unknown {
    const params = message.params as JsonObject;
    if (params["inputResponses"] === undefined && params["requestState"] === undefined) {
      checkRequest(row, message, this.connection.codes.INVALID_PARAMS);
      return this.#run(row, handler, params, exchange, client, undefined);
    }
    return this.#resume(row, handler, message, exchange, client);
  }

  async #resume(
    row: IncomingRequest,
    handler: Handler,
    message: WireRequest,
    exchange: Exchange,
    client: Identity,
  ): Promise<unknown> {
    const { codes } = this.connection;
    const { inputResponses, requestState, ...rest } = message.params as JsonObject;
    checkRequest(row, { ...message, params: rest }, codes.INVALID_PARAMS);
    if (inputResponses !== undefined && !isObject(inputResponses)) {
      throw new McpError(
        codes.INVALID_PARAMS,
        `${message.method}: params.inputResponses: expected an object.`,
      );
    }
    let state: CallState | undefined;
    if (requestState !== undefined) {
      const place = placeOf(this.host, message.method, rest, exchange, codes.INVALID_PARAMS);
      state = await this.#keeper.read(requestState, place, codes.INVALID_PARAMS);
      record(state, inputResponses ?? {}, this.host.side.sends);
    }
    // A handler that asks by itself gets its own state back, and the answers that are well formed.
    const fits = (entry: [string, unknown]): boolean =>
      row.request.is({ ...message, params: { ...rest, inputResponses: Object.fromEntries([entry]) } });
    const params = {
      ...rest,
      ...(inputResponses && {
        inputResponses: Object.fromEntries(Object.entries(inputResponses).filter(fits)),
      }),
      ...(state?.own !== undefined && { requestState: state.own }),
    };
    return this.#run(row, handler, params, exchange, client, state);
  }

  #run(
    row: IncomingRequest,
    handler: Handler,
    params: JsonObject,
    exchange: Exchange,
    client: Identity,
    state: CallState | undefined,
  ): unknown {
    const asking = new Asking(this.host, client.capabilities, state);
    const context = new ModernContext(this, exchange, params, client, asking);
    const run = (): unknown => {
      if (exchange.over) return undefined;
      const outcome = asking.run(() => handler(params as never, context as never));
      return settle(outcome, (result) => {
        if (result instanceof Round)
          return this.#asks(row, params, exchange, result.inputRequests, result.state, {});
        if (!isObject(result) || result["resultType"] !== "input_required")
          return this.#complete(row, result);
        return this.#askedByHandler(row, params, exchange, client, result, asking.state);
      });
    };
    const turn = this.connection.turn();
    return turn ? turn.then(run) : run();
  }

  /** MRTR-02, MRTR-03, MRTR-04: a handler that wrote the result itself keeps to the same rules. */
  #askedByHandler(
    row: IncomingRequest,
    params: JsonObject,
    exchange: Exchange,
    client: Identity,
    result: JsonObject,
    known: CallState | undefined,
  ): unknown {
    const { method } = row.facts;
    const { inputRequests, requestState } = result;
    if (requestState !== undefined && typeof requestState !== "string") {
      throw new TypeError(`${method}: the handler's requestState is not a string.`);
    }
    if (inputRequests === undefined ? requestState === undefined : !isObject(inputRequests)) {
      throw new TypeError(
        `${method}: the handler asks for input without inputRequests and without requestState.`,
      );
    }
    for (const request of Object.values((inputRequests ?? {}) as JsonObject)) {
      const asked = isObject(request) ? own(this.host.side.sends, String(request["method"])) : undefined;
      if (!asked?.facts.embedded)
        throw new TypeError(`${method}: the handler asks for what is no input request.`);
      const needs = missing(asked.facts, (request as JsonObject)["params"], client.capabilities);
      if (needs) throw lacking(this.host, asked.facts.method, needs);
    }
    const state = { ...(known ?? fresh()), pending: new Map(), own: requestState };
    state.round++;
    const keeps = requestState !== undefined || state.answers.size > 0 || state.done.size > 0;
    return this.#asks(row, params, exchange, inputRequests, keeps ? state : undefined, result);
  }

  async #asks(
    row: IncomingRequest,
    params: JsonObject,
    exchange: Exchange,
    inputRequests: unknown,
    state: CallState | undefined,
    result: JsonObject,
  ): Promise<JsonObject> {
    const { meta } = this.host.side.revision;
    const place = placeOf(
      this.host,
      row.facts.method,
      params,
      exchange,
      this.connection.codes.INVALID_PARAMS,
    );
    const requestState = state && (await this.#keeper.write(state, place));
    const signature = meta.serverInfo === undefined ? {} : { [meta.serverInfo]: this.host.info };
    const asked = { resultType: "input_required", inputRequests, requestState };
    return { ...result, ...asked, _meta: { ...signature, ...metaOf(result) } };
  }
}

class ModernContext extends ServerContext {
  declare protected readonly link: ModernServer;
  readonly #asking: Asking | undefined;
  readonly #done = new Map<string, Promise<unknown>>();
  #signal: AbortSignal | undefined;

  constructor(
    link: ModernServer,
    exchange: Exchange,
    params: unknown,
    client: Identity,
    asking: Asking | undefined,
  ) {
    super(link.host, link.connection, exchange, params, link, client);
    this.#asking = asking;
  }

  override get signal(): AbortSignal {
    if (!this.#asking) return this.exchange.signal;
    return (this.#signal ??= AbortSignal.any([this.exchange.signal, this.#asking.signal]));
  }

  get once(): HandlerContext["once"] {
    return (key, work) => (this.#asking ? this.#asking.once(key, work) : onceIn(this.#done, key, work));
  }

  protected override get silent(): boolean {
    return this.exchange.over || this.#asking?.over === true;
  }

  /** LOG-04: without a level in this very request, nothing is sent. */
  protected get threshold(): number {
    const { meta, levels } = this.host.side.revision;
    const index = levels.indexOf(String(own(metaOf(this.params), meta.logLevel)));
    return index === -1 ? Infinity : index;
  }

  /** MRTR-01 */
  protected ask(method: string, params: JsonObject | undefined, options: AskOptions): Promise<unknown> {
    if (this.#asking) return this.#asking.ask(method, params, options);
    const message = `In revision ${this.revision} the client cannot be asked from here: ${method} was not sent.`;
    return Promise.reject(new RefusedError("place", message));
  }
}
