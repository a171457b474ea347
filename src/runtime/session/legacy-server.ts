import {
  answering,
  checkDeclared,
  checkRequest,
  checkResult,
  covers,
  declares,
  either,
  faultInForm,
  own,
  rpcError,
  ServerContext,
  ServerLink,
  settle,
  unknown,
  ValidationError,
} from "../index.js";
import type { ServerAnswers } from "../jsonrpc/answers.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import type { JsonObject, Params, WireRequest } from "../jsonrpc/message.js";
import type { NotificationFacts } from "../tables.js";
import type { RequestId } from "../transport/transport.js";
import type { AskOptions, Handler, Identity, ServerHost } from "./host.js";

/** A server of a revision that opens with a handshake; what was agreed on holds for the connection. */
export function legacyServer(host: ServerHost, answers: ServerAnswers): ServerLink {
  return new LegacyServer(host, answers);
}

class LegacyServer extends ServerLink {
  /** LOG-02: the least severe level the client wants; until it says, all of them. */
  threshold = 0;
  /** Resolves with the client's word that the handshake is done (LIFE-05). */
  readonly ready: Promise<void>;
  #client: Identity | undefined;
  #open!: () => void;
  #opened = false;
  readonly #subscriptions = new Set<unknown>();

  constructor(host: ServerHost, answers: ServerAnswers) {
    super(host, answers);
    this.ready = new Promise((resolve) => (this.#open = resolve));
  }

  request(message: WireRequest, exchange: Exchange): unknown {
    const { side, handlers, trim } = this.host;
    const { jobs } = side.revision;
    const { method } = message;
    // PING-01: at any time.
    if (method === jobs.ping) return {};
    if (method === jobs.initialize) return this.#initialize(message);
    const client = this.#client ?? (exchange.info?.isAlone && { info: undefined, capabilities: {} });
    // LIFE-07
    if (!client) throw rpcError("INVALID_REQUEST", `${method}: the session has not been initialized.`);
    const handler = handlers.get(method);
    const ours = this.#builtIn(method);
    const row = this.rowOf(method, handler, ours !== undefined);
    checkRequest(side, row, message);
    const { params } = message;
    return this.answers.whenFree(exchange, () => {
      const result = handler?.(params as never, this.contextOf(exchange, params, client) as never);
      if (!ours && !trim) return result;
      return settle(result, (value) => {
        ours?.(params as JsonObject);
        return trim?.(method, value) ?? value;
      });
    });
  }

  announce(facts: NotificationFacts, params: Params): void {
    // LIFE-05
    if (!this.#opened) return;
    const { subject, needs, needsOf, method } = facts;
    const { jobs, levels } = this.host.side.revision;
    if (needs && needsOf === "client" && !declares(this.#client?.capabilities, needs)) return;
    // RES-05
    if (subject !== undefined && ![...this.#subscriptions].some((one) => covers(one, params?.[subject])))
      return;
    // LOG-02
    if (method === jobs.log && levels.indexOf(String(params?.["level"])) < this.threshold) return;
    this.connection.notify(method, params).catch(() => {});
  }

  contextOf(exchange: Exchange, params: unknown, client: Identity): ServerContext {
    return new LegacyContext(this, exchange, params, client);
  }

  protected heard({ method }: NotificationFacts, params: Params, handler: Handler | undefined): void {
    const client = this.#client;
    if (!client) return;
    if (method === this.host.side.revision.jobs.initialized) {
      this.#opened = true;
      this.#open();
    }
    if (handler) this.tell(handler, params, client);
  }

  /** LIFE-02, VERS-02: the offer, if it is spoken here, was what chose this revision. */
  #initialize(message: WireRequest): unknown {
    const { side, info, capabilities, settings } = this.host;
    // LIFE-08
    if (this.#client) throw rpcError("INVALID_REQUEST", "The session has been initialized already.");
    checkRequest(side, this.rowOf(message.method, undefined, true), message);
    const params = message.params as JsonObject;
    this.#client = {
      info: params["clientInfo"] as JsonObject,
      capabilities: params["capabilities"] as JsonObject,
    };
    this.connection.adopt(side.revision);
    this.connection.transport.speak?.(side.revision, true);
    const { revision } = side.revision;
    return { protocolVersion: revision, capabilities, serverInfo: info, instructions: settings.instructions };
  }

  /** What the engine itself does for a request, once its handler agreed; undefined when it is the handler's alone. */
  #builtIn(method: string): ((params: JsonObject) => void) | undefined {
    const { side, capabilities } = this.host;
    const { jobs, levels } = side.revision;
    const { setLevel, subscribe, unsubscribe } = jobs;
    if (method !== setLevel && method !== subscribe && method !== unsubscribe) return undefined;
    const needs = own(side.hears, method)?.facts.needs;
    if (needs && !declares(capabilities, needs)) return undefined;
    if (method === setLevel)
      return (params) => void (this.threshold = levels.indexOf(String(params["level"])));
    return (params) => {
      for (const { subject } of Object.values(side.announces)) {
        if (subject !== undefined) this.#subscribe(params[subject], method === subscribe);
      }
    };
  }

  #subscribe(subject: unknown, wanted: boolean): void {
    const { maxSubscriptions = 1000 } = this.host.settings;
    if (!wanted) return void this.#subscriptions.delete(subject);
    if (this.#subscriptions.size >= maxSubscriptions) {
      const message = `A client has at most ${maxSubscriptions} subscriptions.`;
      throw rpcError("INTERNAL_ERROR", message);
    }
    this.#subscriptions.add(subject);
  }
}

class LegacyContext extends ServerContext {
  declare protected readonly link: LegacyServer;

  protected get threshold(): number {
    return this.link.threshold;
  }

  protected async ask(method: string, params: Params, options: AskOptions): Promise<unknown> {
    const { link, exchange, client } = this;
    const { side } = link.host;
    const row = own(side.sends, method);
    if (!row) throw unknown(side, method);
    checkDeclared(row.facts, params, client.capabilities, "client");
    await link.ready;
    const { cancelled } = side.revision.jobs;
    const cancel = (requestId: RequestId, reason: string): void => {
      if (cancelled) link.connection.notify(cancelled, { requestId, reason }, exchange.id).catch(() => {});
    };
    const signal = either(options.signal, exchange.signal);
    const call = { ...options, signal, inReplyTo: exchange.id, cancel };
    const answer = await link.ask(row.facts, params, call, 300_000);
    checkResult(side, answering(row, params), answer);
    // ELIC-06
    const fault = faultInForm(params ?? {}, answer as JsonObject);
    if (fault) throw new ValidationError(`${method} result: ${fault}`, [{ message: fault, path: [] }]);
    return answer;
  }
}
