import type { Awaitable } from "../../common/timing.js";
import type { SharedValues } from "../shared-store.js";

/**
 * Stores which proofs were used. Processes that serve the same clients share a
 * store: with Redis, `SET key "" NX PXAT expiresAt`.
 */
export interface ReplayStore {
  /**
   * Adds a key of 43 characters until `expiresAt`, in milliseconds since 1970.
   * Returns false if the key was there already. An error rejects the request.
   * `principal` is the caller, so that a store can limit its share.
   */
  add(key: string, expiresAt: number, principal?: string): Awaitable<boolean>;
}

/**
 * The length of a generation, in milliseconds: its keys expire in the same
 * minute.
 */
const minute = 60_000;

interface Generation {
  readonly keys: Set<string>;
  /** The number of keys by principal. */
  readonly shares: Map<string | undefined, number>;
}

/**
 * A replay store in the memory of this process. It removes a key at most one
 * minute after it expires, and never before. A key takes about 100 bytes and is
 * stored for about 5 minutes.
 *
 * `add` throws if the store has `maxEntries` keys, or a quarter of them is of
 * one principal, so that nobody can lock the others out.
 */
export function memoryReplayStore(maxEntries = 1_000_000): ReplayStore {
  const generations = new Map<number, Generation>();
  return {
    add(key, expiresAt, principal) {
      const now = Date.now();
      let size = 0;
      let share = 0;
      for (const [end, { keys, shares }] of generations) {
        if (end <= now) generations.delete(end);
        else if (keys.has(key)) return false;
        else {
          size += keys.size;
          share += shares.get(principal) ?? 0;
        }
      }
      if (
        size >= maxEntries ||
        (principal !== undefined && share >= maxEntries / 4)
      )
        throw new Error(
          `The replay store is full: it has ${size} keys, ${share} of this principal. Raise the limit: \`memoryReplayStore(maxEntries)\`.`,
        );
      const end = Math.ceil(expiresAt / minute) * minute;
      let generation = generations.get(end);
      if (!generation)
        generations.set(
          end,
          (generation = { keys: new Set(), shares: new Map() }),
        );
      const { keys, shares } = generation;
      keys.add(key);
      shares.set(principal, (shares.get(principal) ?? 0) + 1);
      return true;
    },
  };
}

/**
 * A replay store in a store that several processes share: a proof is used once
 * in all of them. `add` rejects if the engine does not answer.
 */
export function replayStore(store: SharedValues): ReplayStore {
  return {
    add(key, expiresAt) {
      const ttl = Math.max(1, expiresAt - Date.now());
      return store.put(`proof/1/${key}`, "", {
        ttl,
        version: crypto.randomUUID(),
        replaces: "",
      });
    },
  };
}
