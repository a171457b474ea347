import { invalidAt, type McpError, rpcError, TimeoutError } from "../errors.js";
import { either, within } from "../timing.js";
import { pageIdOf, rememberPage } from "./asked.js";
import { declares } from "./capabilities.js";
import { answering, checkRequest, checkResult, covers, mayReceive } from "./check.js";
import { ServerContext } from "./context.js";
import { faultInForm, withoutStray } from "./form.js";
import { prepareQuestion } from "./question.js";
import { ServerSideSession } from "./server-side.js";
import type { ServerDispatcher } from "../jsonrpc/dispatcher.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import {
  getOwn,
  isObject,
  type JsonObject,
  type Params,
  type RequestId,
  type WireRequest,
} from "../message.js";
import type { IncomingRequest, NotificationFacts } from "../tables.js";
import type { Auth } from "../transport/transport.js";
import type { AskOptions, Handler, Identity, ServerSessionConfig } from "./config.js";

/** A server of a revision that opens with a handshake; what was agreed on holds for the connection. */
export function legacyServer(config: ServerSessionConfig, dispatcher: ServerDispatcher): ServerSideSession {
  return new LegacyServer(config, dispatcher);
}

/** Who subscribed, and what it counts for. */
interface Subscription {
  readonly auth: Auth | undefined;
  readonly caller: unknown;
  readonly bytes: number;
}

class LegacyServer extends ServerSideSession {
  /** LOG-02: the least severe level the client wants; until it says, all of them. */
  threshold = 0;
  // Before what sets it.
  #open!: () => void;
  /** Resolves when the client says that the handshake is done. LIFE-05 */
  readonly #ready: Promise<void> = new Promise((resolve) => (this.#open = resolve));
  #client: Identity | undefined;
  #opened = false;
  readonly #subscriptions = new Map<unknown, Subscription>();

  request(message: WireRequest, exchange: Exchange): unknown {
    const { side, handlers } = this.config;
    const { wellKnown } = side.revision;
    const { method } = message;
    exchange.side = side;
    // PING-01: at any time.
    if (method === wellKnown.ping) return {};
    if (method === wellKnown.initialize) return this.#initialize(message);
    const client = this.#client ?? (exchange.info?.isAlone && { info: undefined, capabilities: {} });
    // LIFE-07
    if (!client) throw rpcError("INVALID_REQUEST", `${method}: the session has not been initialized.`);
    const handler = handlers.get(method);
    const isOurs = this.#isBuiltIn(method);
    const row = this.rowOf(method, handler, isOurs);
    checkRequest(side, row, message);
    this.admit(method, exchange);
    const { params } = message;
    const auth = exchange.info?.auth;
    if (isOurs && method === wellKnown.subscribe) this.#checkReceiver(params as JsonObject, auth);
    const accept = (value: unknown): unknown => {
      // What stands alone has no session to which anything could come.
      if (isOurs && !exchange.info?.isAlone) this.#obey(method, params as JsonObject, auth);
      return this.complete(answering(row, params as Params), value);
    };
    exchange.accept = accept;
    exchange.failed = this.#failed;
    return this.dispatcher.whenFree(exchange, () =>
      handler?.(params as never, this.contextOf(exchange, params, client) as never),
    );
  }

  announce(facts: NotificationFacts, params: Params): void {
    // LIFE-05
    if (!this.#opened) return;
    const { subject, needs, needsOf, method } = facts;
    if (!this.concerns(params)) return;
    const { levels, revision } = this.config.side;
    if (needs && needsOf === "client" && !declares(this.#client?.capabilities, needs)) return;
    // RES-05
    if (subject !== undefined && !this.#isSubscribed(facts, params?.[subject])) return;
    // LOG-02: one without a level is for the check to refuse.
    const severity = levels.indexOf(String(params?.["level"]));
    if (method === revision.wellKnown.log && severity !== -1 && severity < this.threshold) return;
    this.emit(method, params);
  }

  /** ELIC-11: who was not sent to a page does not hear that it is done. */
  override concerns(params: Params): boolean {
    const id = pageIdOf(params);
    return id === undefined || this.config.pages.get(id)?.session.deref() === this;
  }

  /** ELIC-10: an error may send the client to pages too, also to those that it was sent to before. */
  #failed = ({ data }: McpError): void => {
    const sent = isObject(data) ? data["elicitations"] : undefined;
    for (const one of Array.isArray(sent) ? sent : []) {
      try {
        rememberPage(this.config, this, one);
      } catch (error) {
        this.connection.report(error);
      }
    }
  };

  /** Waits for the end of the handshake before the client is asked something. Throws a `TimeoutError` when it does not come. */
  async untilReady({ timeout, signal }: AskOptions, method: string): Promise<void> {
    if (this.#opened) return;
    const time = timeout ?? this.config.settings.timeout ?? 300_000;
    const stopped = new Promise<never>((_, reject) => {
      const stop = (): void => reject(signal?.reason as Error);
      if (signal?.aborted) stop();
      signal?.addEventListener("abort", stop, { once: true });
    });
    await within(time, Promise.race([this.#ready, stopped]));
    if (this.#opened) return;
    const { initialized } = this.config.side.revision.wellKnown;
    throw new TimeoutError(
      `${method} was not sent: the client did not send ${initialized} within ${time} ms.`,
    );
  }

  contextOf(exchange: Exchange, params: unknown, client: Identity): ServerContext {
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
      this.#opened = true;
      this.#open();
    }
    if (handler) this.tell(method, handler, params, client);
  }

  /** LIFE-02, VERS-02: the offer, if it is spoken here, was what chose this revision. */
  #initialize(message: WireRequest): unknown {
    const { side, info, capabilities, settings } = this.config;
    // LIFE-08
    if (this.#client) throw rpcError("INVALID_REQUEST", "The session has been initialized already.");
    const row = this.rowOf(message.method, undefined, true);
    checkRequest(side, row, message);
    const params = message.params as JsonObject;
    this.#client = {
      info: params["clientInfo"] as JsonObject,
      capabilities: params["capabilities"] as JsonObject,
    };
    this.connection.adopt(side.revision);
    this.connection.transport.binding?.useRevision?.(side.revision, true);
    const { revision } = side.revision;
    const { instructions } = settings;
    const result = { protocolVersion: revision, capabilities, serverInfo: info, instructions };
    return this.complete(row, result);
  }

  complete(row: IncomingRequest, value: unknown): unknown {
    const { side, fit } = this.config;
    return checkResult(side, row, fit("results", row.facts.method, value ?? {}));
  }

  /** Does the engine itself do something for the request, where this server has declared what it needs? */
  #isBuiltIn(method: string): boolean {
    const { side, capabilities } = this.config;
    const { setLevel, subscribe, unsubscribe } = side.revision.wellKnown;
    if (method !== setLevel && method !== subscribe && method !== unsubscribe) return false;
    return declares(capabilities, getOwn(side.incomingRequests, method)?.facts.needs ?? {});
  }

  /** What it does once the request's handler agreed. */
  #obey(method: string, params: JsonObject, auth: Auth | undefined): void {
    const { outgoingNotifications, levels, revision } = this.config.side;
    const { wellKnown } = revision;
    if (method === wellKnown.setLevel) this.threshold = levels.indexOf(String(params["level"]));
    else {
      for (const { facts } of Object.values(outgoingNotifications)) {
        const { subject } = facts;
        if (subject !== undefined) this.#subscribe(params[subject], method === wellKnown.subscribe, auth);
      }
    }
  }

  /** Throws where the caller may not hear of what it subscribes to. */
  #checkReceiver(params: JsonObject, auth: Auth | undefined): void {
    for (const { facts } of Object.values(this.config.side.outgoingNotifications)) {
      const { subject } = facts;
      if (subject !== undefined && !mayReceive(this.config, facts, params[subject], auth)) {
        throw rpcError("INVALID_PARAMS", `There is no ${subject} ${JSON.stringify(params[subject])}.`);
      }
    }
  }

  #isSubscribed(facts: NotificationFacts, subject: unknown): boolean {
    for (const [one, { auth }] of this.#subscriptions) {
      if (covers(one, subject) && mayReceive(this.config, facts, subject, auth)) return true;
    }
    return false;
  }

  #subscribe(subject: unknown, wanted: boolean, auth: Auth | undefined): void {
    const { settings, subscribed } = this.config;
    const { subscriptions = 1000 } = settings.limits ?? {};
    this.#unsubscribe(subject);
    if (!wanted) return;
    const caller = auth?.principal ?? this;
    const bytes = new TextEncoder().encode(String(subject)).length;
    if (this.#subscriptions.size >= subscriptions) {
      throw rpcError("INTERNAL_ERROR", `A client has at most ${subscriptions} subscriptions.`);
    }
    if (subscribed.fullFor(caller, bytes)) {
      throw rpcError("INTERNAL_ERROR", "There is no room for the text of more subscriptions.");
    }
    subscribed.add(caller, bytes);
    this.#subscriptions.set(subject, { auth, caller, bytes });
    this.connection.gone.addEventListener("abort", this.#forget);
  }

  #unsubscribe(subject: unknown): void {
    const { caller, bytes = 0 } = this.#subscriptions.get(subject) ?? {};
    if (this.#subscriptions.delete(subject)) this.config.subscribed.add(caller, -bytes);
  }

  #forget = (): void => {
    for (const subject of this.#subscriptions.keys()) this.#unsubscribe(subject);
  };
}

class LegacyContext extends ServerContext {
  declare readonly session: LegacyServer;

  protected get threshold(): number {
    return this.session.threshold;
  }

  protected async ask(method: string, given: Params, options: AskOptions): Promise<unknown> {
    const { session, exchange, client } = this;
    const { side } = session.config;
    const { row, params } = prepareQuestion(session.config, method, given, client.capabilities);
    const asked = { ...options, signal: either(options.signal, exchange.signal) };
    await session.untilReady(asked, method);
    rememberPage(session.config, session, params);
    const { cancelled } = side.revision.wellKnown;
    const inReplyTo = exchange.id;
    const cancel = (requestId: RequestId, reason: string): void => {
      session.emit(cancelled, { requestId, reason }, { inReplyTo });
    };
    const answer = await session.ask(row, params, asked, { defaultTimeout: 300_000, inReplyTo, cancel });
    checkResult(side, answering(row, params), answer);
    // ELIC-06
    const fault = faultInForm(params ?? {}, answer as JsonObject);
    if (fault) throw invalidAt(`${method} result`, fault, []);
    return withoutStray(params ?? {}, answer as JsonObject);
  }
}
