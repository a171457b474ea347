import type { Exchange } from "../jsonrpc/dispatcher.js";
import { type McpError, rpcError } from "../errors.js";
import { rememberElicitation } from "./elicitation.js";
import {
  augmentedRow,
  checkRequest,
  checkResult,
  mayReceive,
  noQuestionsError,
  urisAbove,
} from "./check.js";
import { declares } from "../capabilities.js";
import { ServerContext } from "./server-context.js";
import { toRevision } from "./outgoing.js";
import { ServerSideSession } from "./server-side.js";
import { normalizeUri } from "./uri.js";
import { elicitationIdOf, type Params, type WireRequest } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { RequestRow, NotificationFacts } from "../tables.js";
import type { Auth } from "../ports/transport.js";
import { settle } from "../../../common/timing.js";
import type { AskOptions, Handler, Identity, ServerEngine } from "./config.js";

/**
 * Creates a server session for a revision that opens with `initialize`. One
 * connection has one session.
 */
export const legacyServer: ServerEngine = (config, dispatcher) =>
  new LegacyServer(config, dispatcher);

/** A subscription, its caller, and its size. */
interface Subscription {
  readonly subject: string;
  readonly auth: Auth | undefined;
  readonly caller: unknown;
  readonly bytes: number;
}

/** The client of a request without a session. */
const unknownClient: Identity = { info: undefined, capabilities: {} };

/** What a client sets, and the value. */
type Setting = readonly [name: string, value: unknown];

export class LegacyServer extends ServerSideSession {
  /**
   * The index of the least severe level that the client requested; all levels
   * by default (LOG-02).
   */
  threshold = 0;
  isInitialized = false;
  /** Made by the first question that waits for it. */
  #ready: Promise<void> | undefined;
  #resolveReady: (() => void) | undefined;
  #client: Identity | undefined;
  /** By URI, as `normalizeUri` writes it. */
  #subscriptions: Map<string, Subscription> | undefined;

  request(message: WireRequest, exchange: Exchange): unknown {
    const { side, handlers } = this.config;
    const { wellKnown } = side.revision;
    const { method } = message;
    exchange.side = side;
    // A ping is answered at any time (PING-01).
    if (method === wellKnown.ping) return {};
    if (method === wellKnown.initialize) return this.#initialize(message);
    const client =
      this.#client ?? (exchange.info?.isStateless && unknownClient);
    // Other requests need an initialized session (LIFE-07).
    if (!client)
      throw rpcError(
        "INVALID_REQUEST",
        `${method}: the session is not initialized.`,
      );
    const handler = handlers.get(method);
    const isBuiltIn = this.#isBuiltIn(method);
    const row = this.rowOf(method, handler, isBuiltIn);
    const params = checkRequest(side, row, message);
    if (this.config.rates.has(method)) this.admit(method, exchange);
    const auth = exchange.info?.auth;
    const setting = isBuiltIn
      ? this.#settingOf(method, params as JsonObject, auth)
      : undefined;
    exchange.completer = this;
    exchange.row = augmentedRow(row, params as Params);
    return this.dispatcher.whenFree(exchange, () => {
      const result = handler?.(
        params as never,
        this.contextOf(exchange, params, client) as never,
      );
      // Without a session, the caller cannot receive notifications later.
      if (!setting || exchange.info?.isStateless) return result;
      return settle(result, (value) => {
        this.set(...setting, auth);
        return (
          this.connection.transport.shared
            ?.changed(...setting)
            .then(() => value) ?? value
        );
      });
    });
  }

  get followed(): readonly string[] {
    return [...(this.#subscriptions?.values() ?? [])].map(
      ({ subject }) => subject,
    );
  }

  announce(facts: NotificationFacts, params: Params): void {
    // Nothing is sent before the client is initialized (LIFE-05).
    if (!this.isInitialized) return;
    const { subject, needs, needsOf, method } = facts;
    if (!this.concerns(params)) return;
    const { levels, revision } = this.config.side;
    if (
      needs &&
      needsOf === "client" &&
      !declares(this.#client?.capabilities, needs)
    )
      return;
    // Only subscribers are notified (RES-05).
    if (subject !== undefined && !this.#isSubscribed(facts, params?.[subject]))
      return;
    // A message below the level is dropped (LOG-02). A message without a level
    // is rejected by the check of its params.
    const severity = levels.indexOf(String(params?.["level"]));
    if (
      method === revision.wellKnown.log &&
      severity !== -1 &&
      severity < this.threshold
    )
      return;
    this.emit(method, params);
  }

  /**
   * Only the client that got a URL elicitation is notified when it completes
   * (ELIC-11).
   */
  override concerns(params: Params): boolean {
    const id = elicitationIdOf(params);
    return (
      id === undefined ||
      this.config.elicitations.get(id)?.session.deref() === this
    );
  }

  /**
   * An error may contain URL elicitations too, also repeated ones (ELIC-10).
   */
  failed({ data }: McpError): void {
    const elicitations = isObject(data) ? data["elicitations"] : undefined;
    for (const elicitation of Array.isArray(elicitations) ? elicitations : []) {
      try {
        rememberElicitation(this, elicitation);
      } catch (error) {
        this.connection.report(error);
      }
    }
  }

  /** Resolves when the client sends `notifications/initialized` (LIFE-05). */
  get ready(): Promise<void> {
    return (this.#ready ??= new Promise(
      (resolve) => (this.#resolveReady = resolve),
    ));
  }

  contextOf(
    exchange: Exchange,
    params: unknown,
    client: Identity,
  ): ServerContext {
    return new LegacyContext(this, exchange, params, client);
  }

  protected handleNotification(
    { method }: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    const client = this.#client;
    if (!client) return;
    if (method === this.config.side.revision.wellKnown.initialized) {
      this.isInitialized = true;
      this.#resolveReady?.();
    }
    if (handler) this.runHandler(method, handler, params, client);
  }

  /**
   * Answers `initialize` (LIFE-02). The server was already chosen by the
   * offered revision (VERS-02).
   */
  #initialize(message: WireRequest): unknown {
    const { side, info, capabilities, settings } = this.config;
    // A session is initialized once (LIFE-08).
    if (this.#client)
      throw rpcError("INVALID_REQUEST", "The session is already initialized.");
    const row = this.rowOf(message.method, undefined, true);
    const params = checkRequest(side, row, message) as JsonObject;
    this.#client = {
      info: params["clientInfo"] as JsonObject,
      capabilities: params["capabilities"] as JsonObject,
    };
    this.connection.rules = side.revision;
    const { transport } = this.connection;
    transport.useRevision?.(side.revision, true);
    transport.shared?.attach(this);
    const { revision } = side.revision;
    const { instructions } = settings;
    const result = {
      protocolVersion: revision,
      capabilities,
      serverInfo: info,
      instructions,
    };
    return this.complete(row, result);
  }

  complete(row: RequestRow, value: unknown): unknown {
    const { config } = this;
    return checkResult(
      config.side,
      row,
      toRevision(this, "results", row.method, value ?? {}),
    );
  }

  /**
   * True if the engine implements the request and the server declares the
   * capability that it needs.
   */
  #isBuiltIn(method: string): boolean {
    const { side, capabilities } = this.config;
    const { setLevel, subscribe, unsubscribe } = side.revision.wellKnown;
    if (method !== setLevel && method !== subscribe && method !== unsubscribe)
      return false;
    return declares(
      capabilities,
      getOwn(side.incomingRequests, method)?.needs ?? {},
    );
  }

  /**
   * What a built-in request sets. Throws "invalid params" if the caller may not
   * receive notifications about the subject.
   */
  #settingOf(
    method: string,
    params: JsonObject,
    auth: Auth | undefined,
  ): Setting {
    const { outgoingNotifications, revision } = this.config.side;
    const { setLevel, subscribe } = revision.wellKnown;
    if (method === setLevel) return ["level", params["level"]];
    const isSubscribe = method === subscribe || undefined;
    let value: unknown;
    for (const row of Object.values(outgoingNotifications)) {
      const { subject } = row;
      if (subject === undefined) continue;
      value = params[subject];
      if (isSubscribe && !mayReceive(this.config, row, value, auth))
        throw rpcError(
          "INVALID_PARAMS",
          `There is no ${subject} ${JSON.stringify(value)}.`,
        );
    }
    return [`+${value as string}`, isSubscribe];
  }

  /**
   * Applies a setting of the client, whose name is "level", or "+" and the
   * subject of a subscription. Undefined is the value of none.
   */
  set(name: string, value: unknown, auth: Auth | undefined): void {
    if (name === "level")
      this.threshold = this.config.side.levels.indexOf(value as string);
    else this.#subscribe(name.slice(1), value === true, auth);
  }

  #isSubscribed(facts: NotificationFacts, subject: unknown): boolean {
    return urisAbove(subject).some((uri) => {
      const found = this.#subscriptions?.get(uri);
      return found && mayReceive(this.config, facts, subject, found.auth);
    });
  }

  /** Adds or removes a subscription of a caller. */
  #subscribe(subject: string, isSubscribe: boolean, auth?: Auth): void {
    const { settings, subscribed } = this.config;
    const { subscriptions = 1000 } = settings.limits ?? {};
    const uri = normalizeUri(subject);
    const known = this.#subscriptions?.get(uri);
    if (known && this.#subscriptions?.delete(uri))
      subscribed.add(known.caller, -known.bytes);
    if (!isSubscribe) return;
    const caller = auth?.principal ?? this;
    const bytes = new TextEncoder().encode(subject).length;
    if (!this.#subscriptions) {
      this.#subscriptions = new Map();
      this.connection.closeSignal.addEventListener("abort", () => {
        for (const one of this.followed) this.#subscribe(one, false);
      });
    }
    if (this.#subscriptions.size >= subscriptions)
      throw rpcError(
        "INTERNAL_ERROR",
        `A client may have at most ${subscriptions} subscriptions.`,
      );
    if (subscribed.fullFor(caller, bytes))
      throw rpcError(
        "INTERNAL_ERROR",
        "The server has reached its limit of subscriptions.",
      );
    subscribed.add(caller, bytes);
    this.#subscriptions.set(uri, { subject, auth, caller, bytes });
  }
}

export class LegacyContext extends ServerContext {
  declare readonly session: LegacyServer;

  get sessionEnd(): AbortSignal | undefined {
    const { connection } = this.session;
    return this.exchange.info?.isStateless ? undefined : connection.closeSignal;
  }

  protected get threshold(): number {
    return this.session.threshold;
  }

  protected async ask(
    method: string,
    input: Params,
    options: AskOptions,
  ): Promise<unknown> {
    const { side } = this.session.config;
    if (!side.askOnWire) throw noQuestionsError(method);
    return side.askOnWire(this, method, input, options);
  }
}
