import type { RequestOptions } from "../jsonrpc/calls.js";
import type { Connection } from "../jsonrpc/connection.js";
import type { Exchange } from "../jsonrpc/exchange.js";
import type { JsonObject, Params, RequestId, WireNotification, WireRequest } from "../message.js";
import type { ServerDispatcher } from "../jsonrpc/dispatcher.js";
import type { ClientLimits, Limits, ServerLimits } from "../jsonrpc/limits.js";
import type { Quota, RateLimit } from "../quota.js";
import type { Reporting } from "../report.js";
import type { Awaitable } from "../timing.js";
import type {
  Fittings,
  NotificationFacts,
  OutgoingNotification,
  OutgoingRequest,
  RequestFacts,
  SideTable,
} from "../tables.js";
import type { Auth } from "../transport/transport.js";
import type { CallerHeaders } from "../transport/binding.js";
import type { Mirror } from "../transport/http/param-headers.js";

/** What one side said of itself. */
export interface Identity<Info = JsonObject, Declared = JsonObject> {
  /** Its name and version, for display only (META-04); some revisions let a side keep them to itself. */
  readonly info: Info | undefined;
  readonly capabilities: Declared;
  /** Advice on using a server, written for a model. */
  readonly instructions?: string | undefined;
}

/** Settings that clients and servers share. */
export interface Settings extends Reporting {
  /** Longest silence while waiting for an answer, in milliseconds. By default 60,000, and 300,000 for a server's questions. */
  readonly timeout?: number;
  /** Longest wait for an answer in all, however much progress is made, in milliseconds; by default ten times `timeout`. */
  readonly maxTimeout?: number;
  /** The most that it takes on. */
  readonly limits?: Limits | undefined;
}

/** How a client behaves. */
export interface ClientSettings extends Settings {
  /** The most that it takes on. */
  readonly limits?: ClientLimits | undefined;
  /** Told once the connection is gone; the error says why unless it was closed in good order. */
  onClose?(error?: Error): void;
  /** Longest wait for a server to tell which revisions it speaks before older ones are tried, in milliseconds; 10,000 by default. */
  readonly probeTimeout?: number;
  /** Keeps results for as long as they say, where the revision lets them say so: `responseCache()`; not by default. */
  readonly cache?: () => ResponseCache;
  /** How a stream of announcements that breaks is opened again, where the revision has them. */
  readonly listening?: ListeningOptions;
  /** Makes an ordinary answer of one that an extension puts in its place, by its `resultType`. */
  readonly follow?: Readonly<Record<string, Follow>>;
}

/**
 * How often, and how soon, a stream of announcements that was open and broke is opened again. Each time its first notice tells
 * again what will be heard, which is also a sign that something may have gone unheard; what a cache holds is forgotten.
 */
export interface ListeningOptions {
  /** Most tries that follow on each other with less than a minute between them; 10 by default, 0 for never. */
  readonly maxReconnects?: number;
  /** The wait before the first of them, in milliseconds, which then doubles; 500 by default. */
  readonly reconnectTime?: number;
  /** Longest wait, in milliseconds; 30,000 by default. */
  readonly maxReconnectTime?: number;
}

/** Asks the server in the name of this caller; calls `keep` with a result that may be kept. */
export type AskForCache = (
  keep: (result: JsonObject) => void,
  caller: CallerHeaders | undefined,
) => Promise<unknown>;

/** Who makes a call that a cache may answer, and how long the caller waits. */
export interface CachedCall {
  /** The headers that say who asks; absent where the transport has none. */
  readonly caller: CallerHeaders | Promise<CallerHeaders> | undefined;
  /** Longest wait for these headers, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** The results that one client keeps. */
export interface ResponseCache {
  /** A result that is still fresh and meant for this caller, or what comes of asking. */
  call(facts: RequestFacts, params: Params, ask: AskForCache, asking: CachedCall): Promise<unknown>;
  /** Forgets what an announcement makes stale. */
  announced(facts: NotificationFacts, params: Params): void;
  /** Forgets what is for one caller alone, since the server takes this one for another from now on. */
  renewed(): void;
  /** Forgets everything: announcements may have gone unheard. */
  clear(): void;
}

/** How a server behaves. */
export interface ServerSettings extends Settings {
  /** The most that it takes on. */
  readonly limits?: ServerLimits | undefined;
  /** How long answers may still take once the client sends nothing more, or the server closes, in milliseconds; 1,000 by default. */
  readonly drainTime?: number | undefined;
  /** Advice on using the server, written for a model. */
  readonly instructions?: string;
  /**
   * Replaces the message of an error that a tool throws, unless it is a `ToolError`, by "The tool failed." By default the model
   * reads the message of any error. `onError` gets the error itself in both cases.
   */
  readonly maskErrors?: boolean;
  /**
   * May this caller hear of changes of `subject`, such as the URI of a resource? Called when a client subscribes, and again before
   * each notification, since who subscribes to a folder hears of everything in it. By default everybody may.
   */
  mayReceive?(
    subject: string,
    context: { readonly method: string; readonly auth: Auth | undefined },
  ): boolean;
  /**
   * Secrets of 32 bytes or more that seal what a client carries between two rounds of one call: the first one seals, all
   * of them open. Without them a random one is used, and another process refuses what this one has sealed.
   */
  readonly stateKeys?: readonly (Uint8Array | string)[];
  /** How long a client may take to come back with its answers, in milliseconds; 600,000 by default. */
  readonly stateLifetime?: number;
}

/** How a handler asks the client. */
export interface AskOptions extends RequestOptions {
  /**
   * Names the question among those of this call, so that its answer finds it when the handler runs again. By default
   * made from the method and the params.
   */
  readonly key?: string | undefined;
}

/** What any handler knows of the request it answers. */
export interface ClientContext {
  /** What the server that asks said of itself, for people to see who asks (ELIC-18). */
  readonly server: Identity;
  /** Aborts when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** The request's id; for one that rode inside a result, its key there; undefined for a notification. */
  readonly requestId: RequestId | undefined;
  /** The revision being spoken. */
  readonly revision: string;
  /** Tells how far the work has got, if the peer asked for it. A value that is not larger than the last is dropped. */
  progress(progress: number, total?: number, message?: string): void;
}

/** What a server's handler knows of the request it answers. */
export interface HandlerContext extends Omit<ClientContext, "server"> {
  /** Who is calling, where the carrier knows. */
  readonly auth: Auth | undefined;
  /**
   * Lets the connection of a long call go: the client comes back for the answer, after `retryMs` milliseconds when given.
   * Does nothing where it could not come back.
   */
  release(retryMs?: number): void;
  /**
   * Runs `work` once per call, also when the handler runs several times because it asks the client: for what must not
   * happen twice before a question. The result must be JSON; it travels to the client and back, sealed.
   */
  once<T>(key: string, work: () => Awaitable<T>): Promise<T>;
}

/** A handler, or a listener, whatever its types. */
export type Handler = (params: never, context: never) => unknown;
export type Handlers = Readonly<Record<string, Handler | undefined>>;

/** Pages that clients were sent to, by their elicitation ids, each with the session that sent its client there. */
export type Pages = Map<string, { readonly session: WeakRef<object>; readonly url: unknown }>;

/** What the session layer gets from the layer above: one side, made ready once and shared by its connections. */
export interface SessionConfig<Side extends SideTable = SideTable, Options extends Settings = Settings> {
  readonly side: Side;
  readonly info: JsonObject;
  readonly capabilities: JsonObject;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly settings: Options;
}
export interface ClientSessionConfig extends SessionConfig<SideTable, ClientSettings> {
  /** What makes an ordinary answer of one that an extension put in its place, by its `resultType`. */
  readonly follow: Readonly<Record<string, Follow>>;
}
export interface ServerSessionConfig extends SessionConfig<ServerSide, ServerSettings> {
  /** What goes out for a result, or for params of the server's own, in this revision. */
  readonly fit: (part: "results" | "params", method: string, value: unknown) => unknown;
  /** Which arguments of a call its headers repeat, where the handler tells. */
  readonly mirrors?: ((method: string, params: JsonObject) => readonly Mirror[]) | undefined;
  /** May this request listen for what becomes of the subject? */
  readonly mayListen?:
    ((facts: NotificationFacts, subject: unknown, exchange: Exchange) => boolean) | undefined;
  readonly pages: Pages;
  /** The bytes of what sessions subscribed to. */
  readonly subscribed: Quota;
  /** What bounds how often a caller sends a request, by its method. */
  readonly rates?: ReadonlyMap<string, RateLimit> | undefined;
  /** The sessions that are open at the moment. */
  readonly sessions?: ReadonlySet<ServerEngineSession> | undefined;
}

/** What the follower of an answer can do in the name of the call. */
export interface Following {
  /** Aborts when nobody waits for the call any more. */
  readonly signal: AbortSignal;
  /** Sends a request, and resolves with its result. */
  ask(method: string | undefined, params: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
  /** Has questions of the server's answered, by their keys. */
  answer(requests: JsonObject): Promise<JsonObject>;
}
/** Resolves with the ordinary answer to the call whose first answer is given. */
export type Follow = (first: JsonObject, following: Following) => Promise<unknown>;

/** A session of a client, as an engine makes it. */
export interface ClientEngineSession {
  /** That of the revision which was agreed on, once the session is open. */
  readonly config: ClientSessionConfig;
  readonly server: Identity;
  /** Agrees on a revision. Rejects with the error of the server. */
  open(timeout?: number): Promise<void>;
  /** Sends a request and resolves with its result. */
  call(row: OutgoingRequest, params: Params, options: RequestOptions): Promise<unknown>;
  /** Sends a notification. */
  announce(row: OutgoingNotification, params: Params): Promise<void>;
}

/** A session of a server, as an engine makes it. */
export interface ServerEngineSession {
  /** Answers a request: returns or resolves with a result, and throws or rejects with the error to send. */
  request(message: WireRequest, exchange: Exchange): unknown;
  /** Receives a notification. */
  notification(message: WireNotification): void;
  /** Sends a notification, if this client is allowed and wants to receive it. */
  announce(facts: NotificationFacts, params: Params): void;
  /** Ends open streams in good order. */
  finish?(): void;
}

/** Makes a session that may agree on the revision of any of the configs, in the order of preference. */
export type ClientEngine = (
  configs: readonly ClientSessionConfig[],
  connection: Connection,
) => ClientEngineSession;

/** `supported` names all revisions that are served together, the newest first. */
export type ServerEngine = (
  config: ServerSessionConfig,
  dispatcher: ServerDispatcher,
  supported: readonly string[],
) => ServerEngineSession;

/** All that a client of one revision sends and hears, and how it opens a session. */
export interface ClientSide extends SideTable {
  readonly side: "client";
  readonly engine: ClientEngine;
}

/** All that a server of one revision hears and sends, and how it keeps a session. */
export interface ServerSide extends SideTable {
  readonly side: "server";
  /** The severities of log messages, from the least to the most severe; empty when the revision has no log. */
  readonly levels: readonly string[];
  readonly fitting: Fittings;
  readonly engine: ServerEngine;
}
