import type {
  Exchange,
  RequestDispatcher,
  ServerDispatcher,
} from "../jsonrpc/dispatcher.js";
import type { RequestOptions } from "../jsonrpc/calls.js";
import type { McpError } from "../errors.js";
import type { Connection } from "../jsonrpc/connection.js";
import type {
  Params,
  RequestId,
  WireNotification,
  WireRequest,
} from "../message.js";
import type { JsonObject } from "../../../common/object.js";
import type { ClientLimits, Limits, ServerLimits } from "../jsonrpc/limits.js";
import type { Observing } from "../ports/observe.js";
import type { Quota, RateLimit } from "../quota.js";
import type { Awaitable } from "../../../common/timing.js";
import type {
  Downgrades,
  Guard,
  NotificationFacts,
  RequestFacts,
  RequestRow,
  SideTable,
} from "../tables.js";
import type { Auth, CallerHeaders } from "../ports/transport.js";
import type { ParamHeader } from "../transport/param-headers.js";
import type { Cluster } from "../ports/cluster.js";

/** The name, version and capabilities of one side. */
export interface Identity<Info = JsonObject, Declared = JsonObject> {
  /**
   * Its name and version, for display only (META-04). Optional in some
   * revisions.
   */
  readonly info: Info | undefined;
  readonly capabilities: Declared;
  /** Instructions on using a server, written for a model. */
  readonly instructions?: string | undefined;
}

/** Settings that clients and servers share. */
export interface Settings extends Observing {
  /**
   * Maximum time without an answer or progress, in milliseconds. By default
   * 60,000; 300,000 for questions to the client, and 600,000 for an
   * elicitation. It does not elapse while a handler of a question of the server
   * runs. It is also the maximum time until the connection of a client is open.
   */
  readonly timeout?: number;
  /**
   * Maximum time until the answer, regardless of progress, in milliseconds; by
   * default ten times `timeout`.
   */
  readonly maxTimeout?: number;
  /** Limits of messages, requests and rates. */
  readonly limits?: Limits | undefined;
}

/** The revision of each server, by its address. */
export interface RevisionCache {
  get(address: string): string | undefined;
  set(address: string, revision: string): unknown;
}

/** Settings of a client. */
export interface ClientSettings extends Settings {
  /** Limits of messages, requests and rates. */
  readonly limits?: ClientLimits | undefined;
  /**
   * Called when the connection closes, with the error unless it was closed
   * normally.
   */
  onClose?(error?: Error): void;
  /**
   * How long to wait for the answer to `server/discover`, in milliseconds; by
   * default `timeout`, and at most 10,000. Without an answer `initialize` is
   * tried, or the connection fails if the client has no revision with it
   * (COMPAT-02, COMPAT-11).
   */
  readonly probeTimeout?: number;
  /**
   * Caches results in revisions with `ttlMs`: `responseCache()`. No cache by
   * default.
   */
  readonly cache?: () => ResponseCache;
  /**
   * Of `connect`: the revision of each server address, such as a `Map`. A
   * server that is known to be legacy is not probed again (COMPAT-10). It may
   * be persistent.
   */
  readonly revisionCache?: RevisionCache | undefined;
  /**
   * How a broken notification stream is opened again, in revisions that have
   * such streams.
   */
  readonly listening?: ListeningOptions;
  /**
   * The tables of the requests of the server, which handlers of these requests
   * need: `clientQuestions` of the generated code. Without them the client
   * answers none.
   */
  readonly questions?: ClientQuestions | readonly ClientQuestions[] | undefined;
  /**
   * For each `resultType` of an extension: a function that resolves with the
   * ordinary result.
   */
  readonly follow?: Readonly<Record<string, Follow>>;
}

/**
 * How often, and after which delays, a notification stream that breaks is
 * opened again. Notifications may have been lost meanwhile: the
 * acknowledgement, the first notification of each new stream, signals that, and
 * the cache is cleared.
 */
export interface ListeningOptions {
  /**
   * Maximum number of consecutive attempts, less than a minute apart; 10 by
   * default, 0 for none.
   */
  readonly maxReconnects?: number;
  /**
   * Delay before the first attempt, in milliseconds; it doubles with each
   * attempt; 500 by default.
   */
  readonly reconnectTime?: number;
  /** Maximum delay, in milliseconds; 30,000 by default. */
  readonly maxReconnectTime?: number;
}

/**
 * Sends a request for this caller, and calls `keep` with a result that may be
 * cached.
 */
export type AskForCache = (
  keep: (result: JsonObject) => void,
  caller: CallerHeaders | undefined,
) => Promise<unknown>;

/** The caller of a request that a cache may answer, and how long it waits. */
export interface CachedCall {
  /**
   * The headers that identify the caller; undefined for a transport without
   * headers.
   */
  readonly caller: CallerHeaders | Promise<CallerHeaders> | undefined;
  /** How long to wait for these headers, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** The cached results of one client. */
export interface ResponseCache {
  /** Returns a fresh result for this caller, or calls `request`. */
  call(
    facts: RequestFacts,
    params: Params,
    request: AskForCache,
    call: CachedCall,
  ): Promise<unknown>;
  /** Removes the results that a notification invalidates. */
  announced(facts: NotificationFacts, params: Params): void;
  /**
   * Removes private results, because the server identifies the caller
   * differently from now on.
   */
  renewed(): void;
  /** Removes all results, because notifications may have been lost. */
  clear(): void;
}

/** Settings of a server. */
export interface ServerSettings extends Settings {
  /** Limits of messages, requests and rates. */
  readonly limits?: ServerLimits | undefined;
  /**
   * How long open requests may still take after the client stops sending or the
   * server closes, over any transport, in milliseconds; 5,000 by default. It
   * must be shorter than the time after which a supervisor kills the process.
   */
  readonly drainTime?: number | undefined;
  /** Instructions on using the server, written for a model. */
  readonly instructions?: string;
  /**
   * What handlers that ask the client need (`context.request`):
   * `serverQuestions` of the generated code. Without it they cannot ask.
   */
  readonly questions?: ServerQuestions | readonly ServerQuestions[] | undefined;
  /**
   * Replaces the message of an error that a tool throws, unless it is a
   * `ToolError`, with "The tool failed." By default the model gets the message
   * of any error. `onError` gets the error itself in both cases.
   */
  readonly maskErrors?: boolean;
  /**
   * Returns true if this caller may be notified of changes of `subject`, such
   * as the URI of a resource. Called when a client subscribes, and before each
   * notification, because a subscription to a folder includes everything in it.
   * By default every caller may.
   */
  mayReceive?(
    subject: string,
    context: { readonly method: string; readonly auth: Auth | undefined },
  ): boolean;
  /**
   * Secrets of at least 32 bytes that encrypt the state which a client returns
   * between two rounds of one call. The first one encrypts, all of them
   * decrypt. Without them a random key is used, and other processes reject the
   * state of this one.
   */
  readonly stateKeys?: readonly (Uint8Array | string)[];
  /**
   * Maximum time until a client returns its answers to questions, in
   * milliseconds; 600,000 by default.
   */
  readonly stateLifetime?: number;
  /**
   * The processes that serve the same clients: `cluster` of
   * `@mcpgen/runtime/cluster`.
   */
  readonly cluster?: ServerCluster | undefined;
}

/** Options of a request from a handler to the client. */
export interface AskOptions extends RequestOptions {
  /**
   * Identifies the question among those of this call, so that its answer is
   * found when the handler runs again. By default derived from the method and
   * the params.
   */
  readonly key?: string | undefined;
}

/** The context of a request that a handler answers. */
export interface ClientContext {
  /** The server that sends the request, to show to the user (ELIC-18). */
  readonly server: Identity;
  /** Aborts when the request is cancelled or the connection closes. */
  readonly signal: AbortSignal;
  /**
   * The id of the request; the key of a request that is inside a result;
   * undefined for a notification.
   */
  readonly requestId: RequestId | undefined;
  /** The revision of the request. */
  readonly revision: string;
  /**
   * Sends progress if the peer requested it. A value that does not increase is
   * ignored.
   */
  progress(progress: number, total?: number, message?: string): void;
}

/** The context of a request that a handler of a server answers. */
export interface HandlerContext extends Omit<ClientContext, "server"> {
  /** The caller, if the transport knows it. */
  readonly auth: Auth | undefined;
  /**
   * The `_meta` of the request: a trace context, or data of a vendor; an empty
   * object without one.
   */
  readonly meta: Readonly<Record<string, unknown>>;
  /**
   * Aborts when the session of the client ends, however that happens; undefined
   * for a request without a session, as in revisions without `initialize`.
   */
  readonly sessionEnd: AbortSignal | undefined;
  /**
   * Closes the connection of a long call. The client reconnects for the answer,
   * after `retryMs` milliseconds if given. Does nothing if the client cannot
   * reconnect.
   */
  release(retryMs?: number): void;
  /**
   * Runs `work` once per call, even if the handler runs several times because
   * it asks the client. The result must be JSON; the client carries it,
   * encrypted.
   */
  once<T>(key: string, work: () => Awaitable<T>): Promise<T>;
}

/** A handler of any message. */
export type Handler = (params: never, context: never) => unknown;

/** The processes that serve the clients of a server. */
export type ServerCluster = Cluster<ServerSessionConfig>;

/**
 * URL elicitations by `elicitationId`, each with the session whose client got
 * it.
 */
type Elicitations = Map<
  string,
  { readonly session: WeakRef<object>; readonly url: unknown }
>;

/**
 * The configuration of one side for one revision, shared by all of its
 * connections.
 */
export interface SessionConfig<
  Side extends SideTable = SideTable,
  Options extends Settings = Settings,
> {
  readonly side: Side;
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly settings: Options;
}
export interface ClientSessionConfig extends SessionConfig<
  ClientSide,
  ClientSettings
> {
  /**
   * For each `resultType` of an extension: a function that resolves with the
   * ordinary result.
   */
  readonly follow: Readonly<Record<string, Follow>>;
}
export interface ServerSessionConfig extends SessionConfig<
  ServerSide,
  ServerSettings
> {
  /** Warns the author of the server, once of each text. */
  readonly warnOnce: (text: string) => void;
  /**
   * The `_meta` of each result, which identifies the server, if the revision
   * has one (META-03).
   */
  readonly signature: JsonObject | undefined;
  /** The arguments of a call that its headers repeat (`x-mcp-header`). */
  readonly paramHeaders?:
    | ((method: string, params: JsonObject) => readonly ParamHeader[])
    | undefined;
  /**
   * The scopes that a request requires because of its params, such as those of
   * the tool that it calls.
   */
  readonly scopes?:
    ((method: string, params: JsonObject) => readonly string[]) | undefined;
  /**
   * The kind and name of something that requires scopes; undefined if nothing
   * that does not change does.
   */
  readonly scoped?: string | undefined;
  /**
   * True if this listen request may receive notifications about the subject.
   */
  readonly mayListen?:
    | ((
        facts: NotificationFacts,
        subject: unknown,
        exchange: Exchange,
      ) => Awaitable<boolean>)
    | undefined;
  readonly elicitations: Elicitations;
  /** The size of the subscribed values of all sessions, in bytes. */
  readonly subscribed: Quota;
  /** Rate limits per caller, by method. */
  readonly rates: ReadonlyMap<string, RateLimit>;
  /** The open sessions. */
  readonly sessions: Set<ServerEngineSession>;
  /**
   * The capabilities with those that clients do not learn, because the
   * processes of a server share no store.
   */
  readonly withheld?: JsonObject | undefined;
  /** Passes an announcement to the sessions in other processes. */
  readonly publish?: ((method: string, params: Params) => void) | undefined;
}

/** Functions that a `Follow` function can call on behalf of its call. */
interface Following {
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal;
  /** Sends a request, and resolves with its result. */
  ask(
    method: string | undefined,
    params: JsonObject,
    signal?: AbortSignal,
  ): Promise<JsonObject>;
  /** Answers questions of the server, by their keys. */
  answer(requests: JsonObject): Promise<JsonObject>;
}
/**
 * Resolves with the ordinary result of a call whose first result was of another
 * type.
 */
export type Follow = (
  first: JsonObject,
  following: Following,
) => Promise<unknown>;

/** A session that an engine creates for a client. */
interface ClientEngineSession {
  /** The configuration of the negotiated revision, once the session is open. */
  readonly config: ClientSessionConfig;
  /** Negotiates a revision. Rejects with the error of the server. */
  open(): Promise<void>;
}

/** A session that an engine creates for a server. */
export interface ServerEngineSession {
  /**
   * Answers a request: returns or resolves with a result, and throws or rejects
   * with the error to send.
   */
  request(message: WireRequest, exchange: Exchange): unknown;
  /** Receives a notification. */
  notification(message: WireNotification): void;
  /** What the client follows, such as URIs of resources. */
  readonly followed: readonly unknown[];
  /**
   * Sends a notification if this client may receive it and has subscribed to
   * it.
   */
  announce(facts: NotificationFacts, params: Params): void;
  /**
   * Sends a notification; one without params that is repeated before `later`
   * runs its function is sent twice in all.
   */
  coalesce(
    key: string,
    params: Params,
    send: () => void,
    later: (work: () => void) => void,
  ): void;
  /** Ends open streams normally. */
  endStreams?(): void;
  /**
   * The error for a message over HTTP whose headers do not match it; undefined
   * if they do. Absent if they repeat nothing.
   */
  headerError?(source: HeaderSource, message: unknown): McpError | undefined;
}

/** The headers of a request, by names in lower case. */
export interface HeaderSource {
  header(name: string): string | undefined;
}

/**
 * Creates a session that negotiates the revision of one of the configs, which
 * are in order of preference. `renewed` is called when the server identifies
 * the client differently from then on.
 */
export type ClientEngine = (
  configs: readonly ClientSessionConfig[],
  connection: Connection & { renewed?: () => void },
) => ClientEngineSession;

/**
 * Creates a session of one revision. `supported` names all revisions of the
 * server, the newest first.
 */
export type ServerEngine = (
  config: ServerSessionConfig,
  dispatcher: ServerDispatcher,
  supported: readonly string[],
) => ServerEngineSession;

/** The tables and the engine of a client of one revision. */
export interface ClientSide
  extends SideTable, Partial<Pick<ClientQuestions, "answering" | "input">> {
  readonly side: "client";
  readonly engine: ClientEngine;
}

/** A request of the server, on the wire or inside a result. */
export type QuestionMessage = Pick<WireRequest, "method" | "params">;

/**
 * How a client answers requests of the server. Types only, so that importing
 * them bundles no engine.
 */
export interface Answering {
  /** Answers the requests of the connection of a session. */
  dispatcher(session: ClientEngineSession): RequestDispatcher;
  /** Answers the questions of a result, by their keys. */
  fulfil(
    session: ClientEngineSession,
    questions: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject>;
}

/**
 * What a client of one revision needs, besides its handlers, to answer requests
 * of the server: sampling, elicitation, roots. It is apart from the tables of
 * the client, so that only a program that answers such requests bundles it.
 */
export interface ClientQuestions extends Pick<
  SideTable,
  "revision" | "incomingRequests" | "failures"
> {
  readonly answering: Answering;
  /** Checks a result that asks for input. */
  readonly input?: Guard;
}

/** The tables and the engine of a server of one revision. */
export interface ServerSide
  extends
    SideTable,
    Partial<Omit<ServerQuestions, "revision" | "outgoingRequests">> {
  readonly side: "server";
  /**
   * The levels of log messages, from the least to the most severe; empty if the
   * revision has no logging.
   */
  readonly levels: readonly string[];
  readonly downgrades: Downgrades;
  readonly engine: ServerEngine;
}

/** A request whose handler may ask inside a result. */
export interface CallInRounds {
  readonly server: ServerEngineSession;
  readonly row: RequestRow;
  readonly message: WireRequest;
  readonly exchange: Exchange;
  readonly client: Identity;
  readonly handler: Handler;
}

/**
 * What a server of one revision needs to ask clients: sampling, elicitation,
 * roots. It is apart from the tables of the server, so that only a program that
 * asks bundles it.
 */
export interface ServerQuestions extends Pick<
  SideTable,
  "revision" | "outgoingRequests"
> {
  /**
   * Asks with a request of its own, in revisions that open with `initialize`.
   */
  askOnWire?(
    context: HandlerContext,
    method: string,
    params: Params,
    options: AskOptions,
  ): Promise<unknown>;
  /**
   * Answers a request whose handler may ask inside a result, in other
   * revisions.
   */
  answerInRounds?(call: CallInRounds): unknown;
  /** Checks a result that asks for input. */
  readonly input?: Guard;
}
