import type { Exchange, ServerDispatcher } from "../jsonrpc/dispatcher.js";
import { McpError, SessionError, rpcError } from "../errors.js";
import {
  checkExtension,
  checkRequest,
  checkResult,
  type Leniency,
  mayReceive,
  members,
  noQuestionsError,
  nullIsAbsent,
  rowForType,
  urisAbove,
} from "./check.js";
import { declares } from "../capabilities.js";
import { ServerContext } from "./server-context.js";
import { ServerSideSession } from "./server-side.js";
import { either, settle } from "../../../common/timing.js";
import { type Params, type WireRequest, metaOf } from "../message.js";
import { getOwn, isObject, type JsonObject } from "../../../common/object.js";
import type { RequestRow, NotificationFacts } from "../tables.js";
import type {
  AskOptions,
  Handler,
  HandlerContext,
  HeaderSource,
  Identity,
  ServerEngine,
  ServerSessionConfig,
} from "./config.js";
import type { InputCollector } from "./input-rounds.js";
import { headerMismatch, learnHeaders } from "./modern-headers.js";
import { toRevision, withMeta } from "./outgoing.js";
import { normalizeUri } from "./uri.js";

/**
 * The number of streams of one connection: a client needs one, or one for each
 * of its parts.
 */
const maxStreams = 100;

/** One stream and the notifications that it gets. */
interface Stream {
  readonly exchange: Exchange;
  readonly filter: JsonObject;
  answer(result: JsonObject): void;
}

/**
 * Creates a server session for a revision whose requests carry their own
 * metadata. It keeps no state between requests (LIFE-11).
 */
export const modernServer: ServerEngine = (config, dispatcher, supported) =>
  new ModernServer(config, dispatcher, supported);

export class ModernServer extends ServerSideSession {
  readonly #supported: readonly string[];
  /**
   * The open notification streams. There may be several, each with its own id
   * (SUBS-06).
   */
  #streams: Set<Stream> | undefined;

  constructor(
    config: ServerSessionConfig,
    dispatcher: ServerDispatcher,
    supported: readonly string[],
  ) {
    super(config, dispatcher);
    this.#supported = supported;
  }

  request(original: WireRequest, exchange: Exchange): unknown {
    const { side, handlers } = this.config;
    const { wellKnown } = side.revision;
    const { method } = original;
    exchange.side = side;
    const client = this.#identify(original);
    const handler = handlers.get(method);
    const row = this.rowOf(
      method,
      handler,
      method === wellKnown.listen || method === wellKnown.discover,
    );
    if (row.extension) checkExtension(side, row, client);
    if (this.config.rates.has(method)) this.admit(method, exchange);
    const { asksInput } = row;
    if (asksInput && handler && side.answerInRounds)
      return side.answerInRounds({
        server: this,
        row,
        message: original,
        exchange,
        client,
        handler,
      });
    const checked = checkRequest(
      side,
      row,
      original,
      asksInput ? nullIsAbsent : answersAreOptional,
    );
    if (
      asksInput &&
      getOwn(Object(checked) as JsonObject, "requestState") !== undefined
    )
      throw rpcError(
        "INVALID_PARAMS",
        `${method}: params.requestState: this server has not sent any.`,
      );
    if (method === wellKnown.listen)
      return this.#listen(exchange, checked as JsonObject, client);
    exchange.completer = this;
    exchange.row = row;
    exchange.client = client;
    if (!handler) return this.#discover();
    const isPaged = row.items !== undefined && row.cacheable;
    let params = checked;
    let scope: Scope | undefined;
    if (isPaged) [params, scope] = scopeOf(checked as Params);
    return this.dispatcher.whenFree(exchange, () => {
      const result = handler(
        params as never,
        this.contextOf(exchange, params, client) as never,
      );
      return isPaged
        ? settle(result, (page) => inScope(method, page, scope))
        : result;
    });
  }

  /**
   * The error for a message over HTTP that is not one message (HTTP-41), or
   * whose headers do not match it (HTTP-40); undefined if they do. A client of
   * an older revision sends no such headers, so the error lists the revisions
   * of this server (VERS-09).
   */
  headerError(source: HeaderSource, message: unknown): McpError | undefined {
    if (!isObject(message) || typeof message["method"] !== "string")
      return rpcError(
        "INVALID_REQUEST",
        "Expected a body of one request or one notification.",
      );
    const text = headerMismatch(source, message, this.config, this.#supported);
    const code = this.config.side.revision.errors["HEADER_MISMATCH"] ?? -32020;
    return text === undefined
      ? undefined
      : new McpError(code, text, { supported: this.#supported });
  }

  /**
   * Adds `resultType` (JRPC-09), the server's identity and defaults, and checks
   * the result.
   */
  complete(row: RequestRow, value: unknown, client: Identity): JsonObject {
    const handlerResult = toRevision(
      this,
      "results",
      row.method,
      value ?? {},
    ) as JsonObject;
    // V8 copies an object several times faster if the spread comes last.
    const result: Record<string, unknown> = {
      resultType: "complete",
      _meta: this.config.signature,
      ...handlerResult,
    };
    if (handlerResult["_meta"] !== undefined)
      result["_meta"] = this.metaFor(handlerResult);
    const { method, items = "", engineDefaults, variants } = row;
    const { side } = this.config;
    const type = String(result["resultType"]);
    // A result type of an extension is only for a client that declares it
    // (XTASK-01).
    const extension = variants && getOwn(variants, type);
    if (extension) checkExtension(side, { extension }, client);
    for (const member in engineDefaults)
      if (result[member] === undefined) result[member] = engineDefaults[member];
    if (
      method === side.revision.wellKnown.listTools &&
      this.connection.transport.carrier === "http"
    )
      learnHeaders(this.config, result[items]);
    return checkResult(
      side,
      type === "complete" ? row : rowForType(side, row, type),
      result,
    );
  }

  /** The `_meta` of a result, with the server's identity. */
  metaFor(result: JsonObject): JsonObject | undefined {
    const ownMeta = result["_meta"];
    if (ownMeta === undefined) return this.config.signature;
    // The check of the result rejects a value that is not an object.
    return isObject(ownMeta)
      ? { ...this.config.signature, ...ownMeta }
      : (ownMeta as JsonObject);
  }

  contextOf(
    exchange: Exchange,
    params: unknown,
    client: Identity,
    collector?: InputCollector,
  ): ServerContext {
    return new ModernContext(this, exchange, params, client, collector);
  }

  protected handleNotification(
    { method }: NotificationFacts,
    params: Params,
    handler: Handler | undefined,
  ): void {
    if (handler)
      this.runHandler(method, handler, params, {
        info: undefined,
        capabilities: {},
      });
  }

  /**
   * Reads the client from `_meta` of this request only (META-05). Its info is
   * optional (META-02).
   *
   * @throws McpError if the revision or the capabilities are missing (META-01),
   *   or the revision is another one (VERS-07).
   */
  #identify({ method, params }: WireRequest): Identity {
    const { meta, revision, errors } = this.config.side.revision;
    const {
      protocolVersion = "",
      clientCapabilities = "",
      clientInfo = "",
    } = meta;
    const requestMeta = metaOf(params);
    const version = requestMeta[protocolVersion];
    const capabilities = requestMeta[clientCapabilities];
    const info = requestMeta[clientInfo];
    if (typeof version !== "string" || !isObject(capabilities)) {
      const key =
        typeof version !== "string" ? protocolVersion : clientCapabilities;
      // The data tells a legacy client which revisions the server supports
      // (VERS-09).
      throw rpcError(
        "INVALID_PARAMS",
        `${method}: params._meta: expected ${JSON.stringify(key)}.`,
        {
          supported: this.#supported,
        },
      );
    }
    if (version !== revision) {
      const code = errors["UNSUPPORTED_PROTOCOL_VERSION"] ?? -32022;
      throw new McpError(
        code,
        `This server does not support revision ${version}.`,
        {
          supported: this.#supported,
          requested: version,
        },
      );
    }
    return { info: isObject(info) ? info : undefined, capabilities };
  }

  /**
   * Opens a stream, whose first notification acknowledges the filter (SUBS-02).
   * Resolves when the server ends the stream.
   */
  #listen(
    exchange: Exchange,
    params: JsonObject,
    client: Identity,
  ): Promise<JsonObject> {
    if ((this.#streams?.size ?? 0) >= maxStreams)
      throw rpcError("INTERNAL_ERROR", "Too many streams.");
    return new Promise((answer, reject) => {
      this.#accept(params["notifications"], exchange, client)
        .then((filter) => this.#beginStream({ exchange, filter, answer }))
        .catch(reject);
    });
  }

  #beginStream(stream: Stream): void {
    const { exchange, filter } = stream;
    // A stream that the client ends, also before it begins, gets no answer
    // (CANC-03, SUBS-07).
    if (exchange.signal.aborted) return;
    const { acknowledged } = this.config.side.revision.wellKnown;
    if (acknowledged)
      this.#sendOn(acknowledged, { notifications: filter }, exchange);
    const streams = (this.#streams ??= new Set());
    streams.add(stream);
    exchange.signal.addEventListener("abort", () => streams.delete(stream), {
      once: true,
    });
  }

  get followed(): readonly unknown[] {
    return [...(this.#streams ?? [])].flatMap(({ filter }) =>
      Object.values(filter).flat(),
    );
  }

  /**
   * Sends a notification to the streams whose filter includes it (SUBS-03,
   * SUBS-05).
   */
  announce(facts: NotificationFacts, params: Params): void {
    if (facts.filter === undefined) return;
    const subject = params?.[facts.subject ?? ""];
    const uris = urisAbove(subject);
    for (const { filter, exchange } of this.#streams ?? []) {
      const filterValue = filter[facts.filter];
      const matches =
        filterValue === true ||
        (Array.isArray(filterValue) &&
          filterValue.some((one) => uris.includes(normalizeUri(String(one)))) &&
          mayReceive(this.config, facts, subject, exchange.info?.auth));
      if (matches) this.#sendOn(facts.method, params ?? {}, exchange);
    }
  }

  /** Ends the streams with a result (SUBS-08). */
  override endStreams(): void {
    const { cancelled } = this.config.side.revision.wellKnown;
    for (const { exchange, answer } of this.#streams ?? []) {
      const _meta = this.#tag(exchange);
      answer({ resultType: "complete", _meta });
      // If the result does not close a stream of the transport, a cancellation
      // follows it (CANC-10).
      if (!this.connection.transport.endsWithAnswer)
        queueMicrotask(() =>
          this.emit(cancelled, { requestId: exchange.id, _meta }),
        );
    }
    this.#streams?.clear();
  }

  /**
   * The part of a requested filter that this server supports and this caller
   * may receive.
   */
  async #accept(
    requestedFilter: unknown,
    exchange: Exchange,
    client: Identity,
  ): Promise<JsonObject> {
    const filter: Record<string, unknown> = {};
    const { subscriptions = 1000 } = this.config.settings.limits ?? {};
    for (const row of Object.values(this.config.side.outgoingNotifications)) {
      const { filter: member, needs } = row;
      if (
        member === undefined ||
        !isObject(requestedFilter) ||
        !Object.hasOwn(requestedFilter, member)
      )
        continue;
      checkExtension(this.config.side, row, client);
      if (needs && !declares(this.config.capabilities, needs)) continue;
      const requestedValue = requestedFilter[member];
      if (requestedValue === true) filter[member] = true;
      if (!Array.isArray(requestedValue)) continue;
      const subjects: unknown[] = [];
      for (const subject of requestedValue.slice(0, subscriptions))
        if (
          mayReceive(this.config, row, subject, exchange.info?.auth) &&
          ((await this.config.mayListen?.(row, subject, exchange)) ?? true)
        )
          subjects.push(subject);
      filter[member] = subjects;
    }
    return filter;
  }

  /** The `_meta` that names the stream (SUBS-04). */
  #tag(exchange: Exchange): JsonObject {
    return members([
      this.config.side.revision.meta.subscriptionId,
      exchange.id,
    ]);
  }

  #sendOn(method: string, params: JsonObject, exchange: Exchange): void {
    this.emit(method, withMeta(params, this.#tag(exchange)), {
      inReplyTo: exchange.id,
    });
  }

  /**
   * The result of `server/discover`, with all revisions of the server (DISC-01,
   * DISC-04).
   */
  #discover(): JsonObject {
    const { capabilities, settings } = this.config;
    return {
      supportedVersions: this.#supported,
      capabilities,
      instructions: settings.instructions,
    };
  }
}

/**
 * Leaves malformed answers out of a request that is no answer itself, such as
 * one for a task, which ignores them (XTASK-06).
 */
const answersAreOptional: Leniency = {
  omit: (path, isNull) =>
    nullIsAbsent.omit(path, isNull) ??
    (path[0] === "inputResponses" && path.length > 1
      ? path.slice(0, 2)
      : undefined),
};

/** The context of a request that carries its own metadata. */
class ModernContext extends ServerContext {
  /** There are no sessions. */
  declare readonly sessionEnd: undefined;
  readonly #collector: InputCollector | undefined;
  #signal: AbortSignal | undefined;

  constructor(
    session: ServerSideSession,
    exchange: Exchange,
    params: unknown,
    client: Identity,
    collector?: InputCollector | undefined,
  ) {
    super(session, exchange, params, client);
    this.#collector = collector;
  }

  override get signal(): AbortSignal {
    if (!this.#collector) return this.exchange.signal;
    return (this.#signal ??= either(
      this.exchange.signal,
      this.#collector.signal,
    ));
  }

  override get once(): HandlerContext["once"] {
    const collector = this.#collector;
    return collector ? (key, work) => collector.once(key, work) : super.once;
  }

  /**
   * Work that continues after the answer has no stream for progress and logs
   * (XTASK-11).
   */
  protected override get silent(): boolean {
    return (
      this.exchange.ended ||
      this.exchange.id === undefined ||
      this.#collector?.ended === true
    );
  }

  /**
   * The level of this request; without one, no log messages are sent (LOG-04).
   */
  protected get threshold(): number {
    const { levels, revision } = this.session.config.side;
    const index = levels.indexOf(
      String(metaOf(this.params)[revision.meta.logLevel ?? ""]),
    );
    return index === -1 ? Infinity : index;
  }

  /**
   * Asks the client through the input rounds of a request that allows them
   * (MRTR-01).
   */
  protected ask(
    method: string,
    params: Params,
    options: AskOptions,
  ): Promise<unknown> {
    if (this.#collector) return this.#collector.ask(method, params, options);
    if (!this.session.config.side.answerInRounds)
      return Promise.reject(noQuestionsError(method));
    const message = `${method} was not sent: in revision ${this.revision} this handler cannot send requests to the client.`;
    return Promise.reject(new SessionError("place", message));
  }
}

/** The cache scope of a list. All of its pages have that of the first page. */
type Scope = "public" | "private";

/*
 * The server keeps no state between two pages, so the cursor carries the scope of the first page as a one-character prefix. A private
 * cursor gets a prefix only if it would otherwise begin with one.
 */
const scopePrefixes: Readonly<Record<string, Scope>> = {
  "+": "public",
  "-": "private",
};

/**
 * The params without the prefix of the cursor, and the scope; the first page
 * has no scope.
 */
function scopeOf(params: Params): readonly [params: Params, scope?: Scope] {
  const cursor = params?.["cursor"];
  if (typeof cursor !== "string") return [params];
  const scope = scopePrefixes[cursor.charAt(0)];
  return scope
    ? [{ ...params, cursor: cursor.slice(1) }, scope]
    : [params, "private"];
}

/**
 * Sets the scope of the first page in another page, and adds its prefix to
 * `nextCursor` (CACHE-06).
 */
function inScope(
  method: string,
  page: unknown,
  scope: Scope | undefined,
): unknown {
  if (!isObject(page)) return page;
  const { cacheScope: ownScope, nextCursor: next } = page;
  if (scope === "public" && ownScope === "private") {
    throw new Error(
      `${method}: this page is private, but the first page was public; all pages must have one cacheScope.`,
    );
  }
  const cacheScope = scope ?? ownScope;
  const isPublic = cacheScope === "public";
  const hasPrefix =
    typeof next === "string" &&
    (isPublic || scopePrefixes[next.charAt(0)] !== undefined);
  return {
    ...page,
    cacheScope,
    nextCursor: hasPrefix ? (isPublic ? "+" : "-") + next : next,
  };
}
