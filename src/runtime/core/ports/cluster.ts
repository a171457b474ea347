import type { SealingKey } from "../../../common/sealing.js";
import type { RequestId } from "../message.js";
import type { ReadBody } from "../role/http-server/body.js";
import type { AdmittedRequest, HttpRequest, HttpResponse } from "../role/http-server/exchange.js";
import type { SessionTransport } from "../role/http-server/session-transport.js";
import type { Sessions } from "../role/http-server/sessions.js";
import type { ServerDefinition } from "../role/server.js";
import type { ServerSessionConfig } from "../session/config.js";

/** The state of a cluster in one process, for the health check of a balancer. */
export interface ClusterHealth {
  /** A name of this process that no other one has, also not after a restart. */
  readonly process: string;
  /** True if messages of other processes arrive; undefined without a store. */
  readonly isConnected?: boolean | undefined;
  /** The number of messages that the store has not taken yet. */
  readonly unsent?: number | undefined;
}

/** Several processes that serve the same clients. Its members are for the functions of this package, except `close`. */
export interface Cluster {
  /** The keys of the state of calls, in place of `stateKeys`. The first one encrypts. */
  stateKeys(): Promise<readonly SealingKey[]>;
  /** Adds a server of one revision, and returns its configuration in the cluster. */
  join(config: ServerSessionConfig): ServerSessionConfig;
  health(): ClusterHealth;
  /** Leaves the cluster: the others know at once that this process has ended. Never rejects. */
  close(): Promise<void>;
}

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
   * Adds a handler. Returns how it answers the requests of its sessions, which all processes share, and a function that removes it: with the
   * last one, this process leaves the cluster.
   *
   * @throws TypeError if one of the servers is not of this cluster, or the cluster has ended.
   */
  enter(
    servers: readonly ServerDefinition[],
    own: OwnSessions | undefined,
  ): { readonly sessions: HttpSessions | undefined; leave(): Promise<void> };
}

/** A session that several processes share, as one of them has it. */
export interface SharedSession {
  /** The id that the client has. */
  readonly id: string;
  /** Identifies the session in all processes. Knowing it gives no access. */
  readonly key: string;
  /** Called when the server in this process has accepted the session. */
  attach(server: object): void;
  /** Called when the session closes in this process. */
  detach(): void;
  /** Called when the session makes room for others although its client has sent nothing but `initialize`. */
  dropped(): void;
  /** Called when the client got a URL elicitation with this id. */
  elicited(elicitationId: string): void;
  /** Returns a name that no process has used for a stream: of the responses to these requests, or of notifications without them. */
  streamName(ids?: readonly (RequestId | undefined)[]): string;
  /** Called when the client has changed a setting: see `LegacyServer.set`. Resolves once all processes can know. */
  changed(name: string, value: unknown): Promise<void>;
  /** Called when the client listens to notifications here. With a gap, it gets each notification again that it may have missed. */
  listened(hasGap: boolean): void;
  /** Answers a client that resumes a stream of another process after this event. Returns false, and answers nothing, if there was none. */
  resume(lastEventId: string, response: HttpResponse): boolean;
}
