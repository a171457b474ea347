import { rpcError } from "../errors.js";
import { declares } from "./capabilities.js";
import { checkExtension, covers, mayReceive, members } from "./check.js";
import { withMeta } from "./meta.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import { isObject, type JsonObject, type Params } from "../message.js";
import type { NotificationFacts } from "../tables.js";
import type { Identity, ServerSessionConfig } from "./config.js";
import type { ServerSideSession } from "./server-side.js";

interface Stream {
  readonly exchange: Exchange;
  readonly filter: JsonObject;
  finish(result: JsonObject): void;
}

/** The streams of announcements that one connection listens to. SUBS-06: several at once, told apart by their ids. */
export class Listening {
  readonly #config: ServerSessionConfig;
  readonly #session: ServerSideSession;
  readonly #streams = new Set<Stream>();

  constructor(session: ServerSideSession) {
    this.#config = session.config;
    this.#session = session;
  }

  /** SUBS-02: first comes what will be heard of what was asked for. Resolves when the server ends the stream. */
  open(exchange: Exchange, params: JsonObject, client: Identity): Promise<JsonObject> {
    if (this.#streams.size >= (this.#config.settings.limits?.listeners ?? 100)) {
      throw rpcError("INTERNAL_ERROR", "Too many streams.");
    }
    const filter = this.#honoured(params["notifications"], exchange, client);
    const { acknowledged } = this.#config.side.revision.wellKnown;
    if (acknowledged) this.#send(acknowledged, { notifications: filter }, exchange);
    return new Promise((finish) => {
      const stream = { exchange, filter, finish };
      this.#streams.add(stream);
      // CANC-03, SUBS-07: the client ends it without an answer.
      exchange.signal.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    });
  }

  /** SUBS-03, SUBS-05: only what a stream asked for. */
  announce(facts: NotificationFacts, params: Params): void {
    if (facts.filter === undefined) return;
    for (const { filter, exchange } of this.#streams) {
      const wanted = filter[facts.filter];
      const subject = facts.subject === undefined ? undefined : params?.[facts.subject];
      const isWanted =
        wanted === true ||
        (Array.isArray(wanted) &&
          wanted.some((one) => covers(one, subject)) &&
          mayReceive(this.#config, facts, subject, exchange.info?.auth));
      if (isWanted) {
        this.#send(facts.method, params ?? {}, exchange);
      }
    }
  }

  /** SUBS-08: ends the streams in good order. */
  finish(): void {
    const { cancelled } = this.#config.side.revision.wellKnown;
    for (const { exchange, finish } of this.#streams) {
      const _meta = this.#tag(exchange);
      finish({ resultType: "complete", _meta });
      // CANC-10: where no stream of its own ends with the result. The result goes first.
      if (!this.#session.connection.transport.binding?.endsWithAnswer)
        queueMicrotask(() => this.#session.emit(cancelled, { requestId: exchange.id, _meta }));
    }
    this.#streams.clear();
  }

  #honoured(asked: unknown, exchange: Exchange, client: Identity): JsonObject {
    const filter: Record<string, unknown> = {};
    const { subscriptions = 1000 } = this.#config.settings.limits ?? {};
    for (const { facts } of Object.values(this.#config.side.outgoingNotifications)) {
      const { filter: member, needs, extension } = facts;
      if (member === undefined || !isObject(asked) || !Object.hasOwn(asked, member)) continue;
      checkExtension(this.#config.side, extension, client);
      if (needs && !declares(this.#config.capabilities, needs)) continue;
      const wanted = asked[member];
      if (wanted === true) filter[member] = true;
      if (!Array.isArray(wanted)) continue;
      const heard = wanted.filter(
        (one) =>
          (this.#config.mayListen?.(facts, one, exchange) ?? true) &&
          mayReceive(this.#config, facts, one, exchange.info?.auth),
      );
      filter[member] = heard.slice(0, subscriptions);
    }
    return filter;
  }

  /** SUBS-04 */
  #tag(exchange: Exchange): JsonObject {
    return members([this.#config.side.revision.meta.subscriptionId, exchange.id]);
  }

  #send(method: string, params: JsonObject, exchange: Exchange): void {
    this.#session.emit(method, withMeta(params, this.#tag(exchange)), { inReplyTo: exchange.id });
  }
}
