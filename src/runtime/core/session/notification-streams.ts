import { withMeta } from "./outgoing.js";
import { rpcError } from "../errors.js";
import { declares } from "./capabilities.js";
import { checkExtension, covers, mayReceive, members } from "./check.js";
import type { Exchange } from "../jsonrpc/dispatcher.js";
import type { Params } from "../message.js";
import { isObject, type JsonObject } from "../../../common/object.js";
import type { NotificationFacts } from "../tables.js";
import type { Identity, ServerSessionConfig } from "./config.js";
import type { ServerSideSession } from "./server-side.js";

/** The number of streams of one connection: a client needs one, or one for each of its parts. */
const maxStreams = 100;

/** One stream and the notifications that it gets. */
export interface Stream {
  readonly exchange: Exchange;
  readonly filter: JsonObject;
  finish(result: JsonObject): void;
}

/** The open notification streams of one connection. There may be several, each with its own id (SUBS-06). */
export class NotificationStreams {
  readonly #config: ServerSessionConfig;
  readonly #session: ServerSideSession;
  readonly streams: Set<Stream> = new Set();

  constructor(session: ServerSideSession) {
    this.#config = session.config;
    this.#session = session;
  }

  /** Opens a stream, whose first notification acknowledges the filter (SUBS-02). Resolves when the server ends the stream. */
  open(exchange: Exchange, params: JsonObject, client: Identity): Promise<JsonObject> {
    if (this.streams.size >= maxStreams) {
      throw rpcError("INTERNAL_ERROR", "Too many streams.");
    }
    return new Promise((finish, reject) => {
      this.#accept(params["notifications"], exchange, client)
        .then((filter) => this.#begin({ exchange, filter, finish }))
        .catch(reject);
    });
  }

  #begin(stream: Stream): void {
    const { exchange, filter } = stream;
    // A stream that the client ends, also before it begins, gets no answer (CANC-03, SUBS-07).
    if (exchange.signal.aborted) return;
    const { acknowledged } = this.#config.side.revision.wellKnown;
    if (acknowledged) this.#send(acknowledged, { notifications: filter }, exchange);
    this.streams.add(stream);
    exchange.signal.addEventListener("abort", () => this.streams.delete(stream), { once: true });
  }

  /** Sends a notification to the streams whose filter includes it (SUBS-03, SUBS-05). */
  announce(facts: NotificationFacts, params: Params): void {
    if (facts.filter === undefined) return;
    for (const { filter, exchange } of this.streams) {
      const filterValue = filter[facts.filter];
      const subject = facts.subject === undefined ? undefined : params?.[facts.subject];
      const matches =
        filterValue === true ||
        (Array.isArray(filterValue) &&
          filterValue.some((parent) => covers(parent, subject)) &&
          mayReceive(this.#config, facts, subject, exchange.info?.auth));
      if (matches) {
        this.#send(facts.method, params ?? {}, exchange);
      }
    }
  }

  /** Ends the streams with a result (SUBS-08). */
  finish(): void {
    const { cancelled } = this.#config.side.revision.wellKnown;
    for (const { exchange, finish } of this.streams) {
      const _meta = this.#tag(exchange);
      finish({ resultType: "complete", _meta });
      // If the result does not close a stream of the transport, a cancellation follows it (CANC-10).
      if (!this.#session.connection.transport.endsWithAnswer)
        queueMicrotask(() => this.#session.emit(cancelled, { requestId: exchange.id, _meta }));
    }
    this.streams.clear();
  }

  /** The part of a requested filter that this server supports and this caller may receive. */
  async #accept(requestedFilter: unknown, exchange: Exchange, client: Identity): Promise<JsonObject> {
    const filter: Record<string, unknown> = {};
    const { subscriptions = 1000 } = this.#config.settings.limits ?? {};
    for (const { facts } of Object.values(this.#config.side.outgoingNotifications)) {
      const { filter: member, needs } = facts;
      if (member === undefined || !isObject(requestedFilter) || !Object.hasOwn(requestedFilter, member))
        continue;
      checkExtension(this.#config.side, facts, client);
      if (needs && !declares(this.#config.capabilities, needs)) continue;
      const requestedValue = requestedFilter[member];
      if (requestedValue === true) filter[member] = true;
      if (!Array.isArray(requestedValue)) continue;
      const subjects: unknown[] = [];
      for (const subject of requestedValue.slice(0, subscriptions))
        if (
          mayReceive(this.#config, facts, subject, exchange.info?.auth) &&
          ((await this.#config.mayListen?.(facts, subject, exchange)) ?? true)
        )
          subjects.push(subject);
      filter[member] = subjects;
    }
    return filter;
  }

  /** The `_meta` that names the stream (SUBS-04). */
  #tag(exchange: Exchange): JsonObject {
    return members([this.#config.side.revision.meta.subscriptionId, exchange.id]);
  }

  #send(method: string, params: JsonObject, exchange: Exchange): void {
    this.#session.emit(method, withMeta(params, this.#tag(exchange)), { inReplyTo: exchange.id });
  }
}
