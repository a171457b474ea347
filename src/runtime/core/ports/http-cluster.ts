import type {
  AdmittedRequest,
  HttpRequest,
  HttpResponse,
} from "../role/http-server/exchange.js";
import type { Body } from "../role/http-server/open-work.js";
import type { SessionRequests } from "../role/http-server/sessions.js";
import type { ServerDefinition } from "../role/server.js";
import type { Cluster, SharedSession } from "./cluster.js";

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

/**
 * Several processes that serve the same clients: `cluster` of
 * `@mcpgen/runtime/cluster` returns one. Its members are for the functions of
 * this package, except `close`.
 */
export interface HttpCluster extends Cluster {
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
    own: SessionRequests | undefined,
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
