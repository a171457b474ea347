import type { Awaitable } from "../timing.js";

/**
 * Remembers which proofs were used. Servers that share their clients share a store: one with Redis is `SET key "" NX PXAT expiresAt`.
 */
export interface ReplayStore {
  /**
   * Adds a key of 43 characters until `expiresAt`, in milliseconds since 1970. Returns false if the key was there already. An error
   * rejects the request.
   */
  add(key: string, expiresAt: number): Awaitable<boolean>;
}

/** The keys of one generation expire in the same minute, in milliseconds. */
const minute = 60_000;

/**
 * A replay store in the memory of this process. It forgets a key at most one minute after it expires, and never before. A key of a proof
 * takes about 100 bytes and is kept for about 5 minutes.
 *
 * `add` throws if the store has `maxEntries` keys.
 */
export function memoryReplayStore(maxEntries = 1_000_000): ReplayStore {
  const generations = new Map<number, Set<string>>();
  return {
    add(key, expiresAt) {
      const now = Date.now();
      let size = 0;
      for (const [end, keys] of generations) {
        if (end <= now) generations.delete(end);
        else if (keys.has(key)) return false;
        else size += keys.size;
      }
      if (size >= maxEntries)
        throw new Error(
          `The replay store has ${size} keys and accepts no more until some expire; \`memoryReplayStore\` takes a larger maximum.`,
        );
      const end = Math.ceil(expiresAt / minute) * minute;
      const keys = generations.get(end);
      if (keys) keys.add(key);
      else generations.set(end, new Set([key]));
      return true;
    },
  };
}
