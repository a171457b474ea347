import type { Sealer } from "../../../common/secrets.js";
import type { Params, RequestId } from "../message.js";

/**
 * The state of a cluster in one process, for the health check of a balancer.
 */
export interface ClusterHealth {
  /** A name of this process that no other one has, also not after a restart. */
  readonly process: string;
  /** True if messages of other processes arrive; undefined without a store. */
  readonly isConnected?: boolean | undefined;
  /** The number of messages that the store has not taken yet. */
  readonly unsent?: number | undefined;
}

/**
 * Several processes that serve the same clients. Its members are for the
 * functions of this package, except `close`. `Config` is the configuration of
 * a server of one revision.
 */
export interface Cluster<Config> {
  /** Encrypts the state of calls, in place of `stateKeys`. */
  readonly stateSealer: Sealer;
  /**
   * Adds a server of one revision, and returns its configuration in the
   * cluster. `announce` sends a notification to the sessions of this process
   * that may receive it.
   */
  join(config: Config, announce: Announce<Config>): Config;
  health(): ClusterHealth;
  /**
   * Leaves the cluster: the others know at once that this process has ended.
   * Never rejects.
   */
  close(): Promise<void>;
}

/** Sends a notification to the sessions of a server in this process. */
export type Announce<Config> = (
  config: Config,
  method: string,
  params: Params,
) => void;

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
  /**
   * Called when the session makes room for others although its client has sent
   * nothing but `initialize`.
   */
  dropped(): void;
  /** Called when the client got a URL elicitation with this id. */
  elicited(elicitationId: string): void;
  /**
   * Returns a name that no process has used for a stream: of the responses to
   * these requests, or of notifications without them.
   */
  streamName(ids?: readonly (RequestId | undefined)[]): string;
  /**
   * Called when the client has changed a setting: see `LegacyServer.set`.
   * Resolves once all processes can know.
   */
  changed(name: string, value: unknown): Promise<void>;
  /**
   * Called when the client listens to notifications here. With a gap, it gets
   * each notification again that it may have missed.
   */
  listened(hasGap: boolean): void;
}
