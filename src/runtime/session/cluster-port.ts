import type { SealingKey } from "../../shared/sealing.js";
import type { ServerSessionConfig } from "./config.js";

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
