import {
  checkDeclared,
  checkRequest,
  checkResult,
  type AskOptions,
  type Connection,
  covers,
  declares,
  type Exchange,
  fault,
  faultInForm,
  type Handler,
  type HandlerContext,
  type Identity,
  isId,
  isObject,
  type JsonObject,
  McpError,
  type NotificationFacts,
  onceIn,
  own,
  RefusedError,
  type RequestId,
  ServerContext,
  type ServerHost,
  type ServerLink,
  settle,
  ValidationError,
  type WireNotification,
  type WireRequest,
} from "../index.js";

/** A server of a revision that opens with a handshake; what was agreed on holds for the connection. */
export function legacyServer(host: ServerHost, connection: Connection): ServerLink {
  return new LegacyServer(host, connection);
}

class LegacyServer implements ServerLink {
  readonly host: ServerHost;
  readonly connection: Connection;
  client: Identity | undefined;
  /** LOG-02: the least severe level the client wants; until it says, all of them. */
  threshold = 0;
  /** Resolves with the client's word that the handshake is done (LIFE-05). */
  readonly ready: Promise<void>;
  #open!: () => void;
  #opened = false;
  readonly #subscriptions = new Set<unknown>();

  constructor(host: ServerHost, connection: Connection) {
    this.host = host;
    this.connection = connection;
    this.ready = new Promise((resolve) => (this.#open = resolve));
  }

  request(message: WireRequest, exchange: Exchange): unknown {
    const { side, handlers } = this.host;
    const { codes } = this.connection;
    const { jobs } = side.revision;
    const { method } = message;
    // PING-01: at any time.
    if (method === jobs.ping) return {};
    if (method === jobs.initialize) return this.#initialize(message);
    // LIFE-07
    if (!this.client)
      throw new McpError(codes.INVALID_REQUEST, `${method}: the session has not been initialized.`);
    const row = own(side.hears, method);
    const handler = handlers.get(method);
    const built = row && this.#builtIn(method, row.facts.needs);
    // LIFE-09
    if (!row || (!handler && !built))
      throw new McpError(codes.METHOD_NOT_FOUND, `This server does not answer ${method}.`);
    checkRequest(row, message, codes.INVALID_PARAMS);
    const run = (): unknown => {
      if (exchange.over) return undefined;
      const { params } = message;
      const context = new LegacyContext(this, exchange, params, this.client as Identity);
      const result = handler?.(params as never, context as never);
      if (!built && !this.host.trim) return result;
      return settle(result, (value) => {
        built?.(params as JsonObject);
        return this.host.trim?.(method, value) ?? value;
      });
    };
    const turn = this.connection.turn();
    return turn ? turn.then(run) : run();
  }

  notification(message: WireNotification): void {
    const { side, handlers } = this.host;
    const { jobs } = side.revision;
    const { method } = message;
    const row = own(side.notices, method);
    if (!row) return;
    if (!row.notification.is(message)) {
      // CANC-04: a malformed notification has no effect, but does not go by in silence.
      return this.connection.report(new Error(`${method}: ${fault(row.notification, message).message}`));
    }
    const params = message.params as JsonObject | undefined;
    if (method === jobs.initialized) {
      if (!this.client) return;
      this.#opened = true;
      return this.#open();
    }
    if (method === jobs.cancelled) {
      const id = params?.["requestId"];
      const reason = params?.["reason"] ?? "The client no longer wants an answer.";
      return isId(id) ? this.connection.cancel(id, String(reason)) : undefined;
    }
    if (method === jobs.progress) {
      return this.connection.progress(params?.["progressToken"] as RequestId, params as never);
    }
    const handler = this.client && handlers.get(method);
    if (handler) this.#listen(handler, params, message);
  }

  announce(facts: NotificationFacts, params: JsonObject | undefined): void {
    // LIFE-05
    if (!this.#opened || !this.client) return;
    if (facts.needs && facts.needsOf === "client" && !declares(this.client.capabilities, facts.needs)) return;
    if (facts.subject !== undefined && !this.#subscribed(params?.[facts.subject])) return;
    const { jobs, levels } = this.host.side.revision;
    if (facts.method === jobs.log && levels.indexOf(String(params?.["level"])) < this.threshold) return;
    this.connection.notify(facts.method, params).catch(() => {});
  }

  finish(): void {}

  #initialize(message: WireRequest): unknown {
    const { side, info, capabilities, settings } = this.host;
    const { codes } = this.connection;
    // LIFE-08
    if (this.client) throw new McpError(codes.INVALID_REQUEST, "The session has been initialized already.");
    const row = own(side.hears, message.method);
    if (row) checkRequest(row, message, codes.INVALID_PARAMS);
    const params = message.params as JsonObject;
    this.client = {
      info: params["clientInfo"] as JsonObject,
      capabilities: params["capabilities"] as JsonObject,
    };
    this.connection.adopt(side.revision);
    // VERS-02: the offer, if it is spoken here, was what chose this revision.
    const { revision } = side.revision;
    return { protocolVersion: revision, capabilities, serverInfo: info, instructions: settings.instructions };
  }

  /** What the engine itself does for a request, once its handler agreed; undefined when it is the handler's alone. */
  #builtIn(method: string, needs: NotificationFacts["needs"]): ((params: JsonObject) => void) | undefined {
    const { jobs, levels } = this.host.side.revision;
    if (method !== jobs.setLevel && method !== jobs.subscribe && method !== jobs.unsubscribe)
      return undefined;
    if (needs && !declares(this.host.capabilities, needs)) return undefined;
    if (method === jobs.setLevel) {
      return (params) => void (this.threshold = Math.max(0, levels.indexOf(String(params["level"]))));
    }
    return (params) => {
      for (const { subject } of Object.values(this.host.side.announces)) {
        if (subject !== undefined) this.#subscribe(params[subject], method === jobs.subscribe);
      }
    };
  }

  #subscribe(subject: unknown, wanted: boolean): void {
    const { maxSubscriptions = 1000 } = this.host.settings;
    if (!wanted) return void this.#subscriptions.delete(subject);
    if (this.#subscriptions.size >= maxSubscriptions) {
      throw new McpError(
        this.connection.codes.INTERNAL_ERROR,
        `A client has at most ${maxSubscriptions} subscriptions.`,
      );
    }
    this.#subscriptions.add(subject);
  }

  /** RES-05 */
  #subscribed(subject: unknown): boolean {
    return (
      this.#subscriptions.has(subject) || [...this.#subscriptions].some((wanted) => covers(wanted, subject))
    );
  }

  #listen(handler: Handler, params: JsonObject | undefined, message: WireNotification): void {
    const exchange = this.connection.detached();
    const context = new LegacyContext(this, exchange, message.params, this.client as Identity);
    this.connection.release(exchange, handler(params as never, context as never));
  }
}

class LegacyContext extends ServerContext {
  declare protected readonly link: LegacyServer;
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(link: LegacyServer, exchange: Exchange, params: unknown, client: Identity) {
    super(link.host, link.connection, exchange, params, link, client);
  }

  /** A handler runs once here, so this only keeps a key from running twice. */
  get once(): HandlerContext["once"] {
    return (key, work) => onceIn(this.#done, key, work);
  }

  protected get threshold(): number {
    return this.link.threshold;
  }

  protected async ask(method: string, params: JsonObject | undefined, options: AskOptions): Promise<unknown> {
    const { connection, exchange, client } = this;
    const { side, settings } = this.link.host;
    const row = own(side.sends, method);
    if (!row)
      throw new RefusedError(
        "method",
        `Revision ${this.revision} has no request ${method} for a server to send.`,
      );
    checkDeclared(row.facts, params, client.capabilities, "client");
    await this.link.ready;
    const id = connection.nextId();
    const token = options.onProgress ? id : undefined;
    const key = side.revision.meta.progressToken as string;
    const meta = isObject(params?.["_meta"]) ? params["_meta"] : {};
    const sent = token === undefined ? params : { ...params, _meta: { ...meta, [key]: token } };
    const timeout = options.timeout ?? settings.timeout ?? 300_000;
    const { cancelled } = side.revision.jobs;
    const answer = await connection.call(id, method, sent, {
      signal: options.signal ? AbortSignal.any([options.signal, exchange.signal]) : exchange.signal,
      timeout,
      maxTimeout: options.maxTimeout ?? settings.maxTimeout ?? timeout * 10,
      token,
      onProgress: options.onProgress,
      inReplyTo: exchange.id,
      cancel: (asked, reason) => {
        if (cancelled)
          connection.notify(cancelled, { requestId: asked, reason }, exchange.id).catch(() => {});
      },
    });
    checkResult(row, answer);
    const fault = faultInForm(params ?? {}, answer as JsonObject);
    if (fault) throw new ValidationError(`${method} result: ${fault}`, [{ message: fault, path: [] }]);
    return answer;
  }
}
