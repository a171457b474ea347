import type {
  AdmittedRequest,
  HttpRequest,
  HttpResponse,
} from "../role/http-server/exchange.js";
import type { Body } from "../role/http-server/open-work.js";
import type { Full } from "../quota.js";
import type { ServerDefinition } from "../role/server.js";
import type { ServerCluster } from "../session/config.js";
import type { SharedSession } from "./cluster.js";
import type { Receiver } from "./transport.js";

/** How an endpoint answers the requests of sessions. */
export interface HttpSessions {
  /** The HTTP methods of the endpoint. */
  readonly methods: readonly string[];
  /**
   * True if the request has the id of a session, which may be open in another
   * process.
   */
  knows(request: HttpRequest): boolean;
  post(
    admitted: AdmittedRequest,
    body: Body,
    isInitialize: boolean,
  ): Promise<void> | void;
  get(admitted: AdmittedRequest): Promise<void> | void;
  delete(admitted: AdmittedRequest): Promise<void> | void;
  /** Returns false if no session is open here, or about to be. */
  keepAlive(): boolean;
}

/** The sessions of an endpoint that are open in this process. */
export interface OwnHttpSessions extends HttpSessions {
  /** The name of the header that holds the id of a session. */
  readonly header: string;
  /** The sessions by id. */
  readonly sessions: {
    has(id: string): boolean;
    values(): Iterable<OpenHttpSession>;
    /** The session, if it is of this caller. */
    use(id: string, caller: string | undefined): OpenHttpSession | undefined;
    /** Ends sessions for one more. Returns the limit that it would exceed. */
    makeRoom(caller: string | undefined): Full | undefined;
  };
  /** Opens a session for a client that sends `initialize`. */
  open(
    admitted: AdmittedRequest,
    body: Body,
    shared: HttpSharedSession,
  ): Promise<void>;
  /** Makes a session that opens once it gets `initialize`. */
  make(
    id: string,
    caller: string | undefined,
    shared: HttpSharedSession,
  ): Promise<OpenHttpSession>;
}

/** A session that is open in this process. */
export interface OpenHttpSession {
  readonly shared: SharedSession | undefined;
  readonly receiver: Receiver | undefined;
  /** Sends messages that belong to no request over this response. */
  listen(response: HttpResponse): void;
  /** Ends the response that `listen` uses. */
  hangUp(): void;
  close(): Promise<void>;
}

/**
 * Several processes that serve the same clients: `cluster` of
 * `@mcpgen/runtime/cluster` returns one. Its members are for the functions of
 * this package, except `close`.
 */
export interface HttpCluster extends ServerCluster {
  /**
   * Adds a handler, and the sessions of this process, if it has any. Returns
   * how it answers the requests of its sessions, which all processes share, and
   * a function that removes it: with the last one, this process leaves the
   * cluster.
   *
   * @throws TypeError if one of the servers is not of this cluster, or the
   *   cluster has ended.
   */
  enter(
    servers: readonly ServerDefinition[],
    own: OwnHttpSessions | undefined,
  ): { readonly sessions: HttpSessions | undefined; leave(): Promise<void> };
}

/** A session of HTTP that several processes share. */
export interface HttpSharedSession extends SharedSession {
  /**
   * Answers a client that resumes a stream of another process after this event.
   * Returns false, and answers nothing, if there was none.
   */
  resume(lastEventId: string, response: HttpResponse): boolean;
}
