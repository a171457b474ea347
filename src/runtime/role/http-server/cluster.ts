import type { Cluster } from "../../session/cluster-port.js";
import type { SharedSession } from "../../transport/shared-session.js";
import type { ServerDefinition } from "../server.js";
import type { ReadBody } from "./body.js";
import type { AdmittedRequest, HttpRequest } from "./exchange.js";
import type { SessionTransport } from "./session-transport.js";
import type { Sessions } from "./sessions.js";

/** How an endpoint answers the requests of sessions. */
export interface HttpSessions {
  /** The HTTP methods of the endpoint. */
  readonly methods: readonly string[];
  /** True if the request has the id of a session, which may be open in another process. */
  knows(request: HttpRequest): boolean;
  post(admitted: AdmittedRequest, body: ReadBody, isInitialize: boolean): Promise<void> | void;
  get(admitted: AdmittedRequest): Promise<void> | void;
  delete(admitted: AdmittedRequest): Promise<void> | void;
  keepAlive(): void;
}

/** The sessions of one process, which a cluster shares with others. */
export interface OwnSessions extends HttpSessions {
  readonly sessions: Sessions;
  /** The name of the header that holds the id of a session. */
  readonly header: string;
  /** Answers `initialize`, in a session that other processes have too. */
  open(admitted: AdmittedRequest, body: ReadBody, shared: SharedSession): Promise<void>;
  /** Makes a session, which is open once it has received `initialize`. */
  make(id: string, caller: string | undefined, shared: SharedSession): Promise<SessionTransport>;
}

/**
 * Several processes that serve the same clients: `cluster` of `@mcpgen/runtime/cluster` returns one. Its members are for the functions of
 * this package, except `close`.
 */
export interface HttpCluster extends Cluster {
  /**
   * Returns how requests of sessions are answered that all processes share.
   *
   * @throws TypeError if one of the servers is not of this cluster.
   */
  share(own: OwnSessions, servers: readonly ServerDefinition[]): HttpSessions;
  /** Adds a handler. Returns a function that removes it; with the last one, this process leaves the cluster. */
  enter(): () => Promise<void>;
}
