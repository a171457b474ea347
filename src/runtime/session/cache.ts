import { isMcpError, isTimeoutError, mayPass } from "../errors.js";
import type { JsonObject, Params } from "../jsonrpc/message.js";
import { covers } from "./check.js";
import type { ResponseCache } from "./host.js";

/** How much a client keeps of what may be kept. */
export interface CacheOptions {
  /** Most results; 256 by default. */
  readonly maxEntries?: number;
  /**
   * When given, a result that is no longer fresh is served all the same if the server cannot be reached or does not answer in
   * time, and this is told which result that was, and why (CACHE-09). What an announcement made stale is never served.
   */
  onStale?(method: string, error: Error): void;
}

interface Entry {
  readonly method: string;
  readonly params: Params;
  readonly result: JsonObject;
  readonly isPrivate: boolean;
  /** On the clock of `performance`. */
  readonly expires: number;
}

/** Keeps what one client is told for as long as the server says: `{ cache: responseCache() }`. CACHE-08: time alone asks for nothing. */
export function responseCache({ maxEntries = 256, onStale }: CacheOptions = {}): () => ResponseCache {
  return () => {
    const entries = new Map<string, Entry>();
    // Changes with everything that makes what is on its way stale.
    let stamp = 0;
    const forget = (isStale: (entry: Entry) => boolean): void => {
      stamp++;
      for (const [key, entry] of entries) if (isStale(entry)) entries.delete(key);
    };
    const write = (entry: Omit<Entry, "isPrivate" | "expires">, key: string): void => {
      const { ttlMs: time, cacheScope } = entry.result;
      if (typeof time !== "number" || !(time > 0)) return;
      entries.delete(key);
      const expires = performance.now() + time;
      entries.set(key, { ...entry, isPrivate: cacheScope !== "public", expires });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries) entries.delete(oldest as string);
    };
    return {
      // CACHE-02, CACHE-03: the result of the very same request, for whoever asks to do with as they like.
      async call({ method, items }, params, ask) {
        const key = keyOf(method, params);
        const kept = entries.get(key);
        if (kept && performance.now() < kept.expires) return structuredClone(kept.result);
        const before = stamp;
        try {
          return await ask((result) => {
            if (stamp === before) write({ method, params, result: structuredClone(result) }, key);
          });
        } catch (error) {
          // CACHE-07: a page that is gone tells of a list that has changed.
          if (items !== undefined && params?.["cursor"] !== undefined && isMcpError(error))
            forget((entry) => entry.method === method);
          const isUnanswered = isTimeoutError(error) || mayPass(error);
          if (!onStale || entries.get(key) !== kept || !kept || !isUnanswered) throw error;
          onStale(method, error);
          return structuredClone(kept.result);
        }
      },
      // CACHE-05: all of its family, or what it names.
      announced({ method, subject }, params) {
        const [, family] = method.split("/");
        forget((entry) => {
          if (entry.method.split("/")[0] !== family) return false;
          return subject === undefined || covers(entry.params?.[subject], params?.[subject]);
        });
      },
      // CACHE-04
      renewed: () => forget(({ isPrivate }) => isPrivate),
      clear: () => forget(() => true),
    };
  };
}

/** The metadata does not change a result. */
function keyOf(method: string, params: JsonObject = {}): string {
  const { _meta, ...rest } = params;
  return JSON.stringify([method, rest]);
}
