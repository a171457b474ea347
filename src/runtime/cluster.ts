/**
 * Clusters: a server in several processes, any of which answers any request.
 * @module
 */
export { cluster, type ClusterOptions } from "./cluster/cluster.js";
export type { ClusterHealth } from "./core/ports/cluster.js";
export type { ServerCluster as Cluster } from "./core/session/config.js";
export type { HttpCluster } from "./core/ports/http-cluster.js";
export {
  type AppendOptions,
  type Entry,
  memorySharedStore,
  type MemorySharedStore,
  type PutOptions,
  type SharedStore,
  type Stored,
} from "./cluster/store.js";
