import type { SharedStore } from "@mcpgen/runtime/cluster";
import { type NodeRedisClient, valkey } from "@mcpgen/runtime/cluster/valkey";

/**
 * A store that has written a value only once a replica has it, too: within 100
 * ms, or `put` rejects.
 */
export function replicated(client: NodeRedisClient): SharedStore {
  const store = valkey(client);
  return {
    ...store,
    async put(...args) {
      if (!(await store.put(...args))) return false;
      const replicas = await client.sendCommand(["WAIT", "1", "100"]);
      if (Number(replicas) === 0)
        throw new Error("No replica has the value yet.");
      return true;
    },
  };
}
