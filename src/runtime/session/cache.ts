import { isMcpError, isTimeoutError, mayPass, TimeoutError } from "../errors.js";
import type { JsonObject, Params } from "../message.js";
import { either, pause } from "../timing.js";
import type { CallerHeaders } from "../transport/binding.js";
import { covers } from "./check.js";
import { canonical, digest } from "./digest.js";
import type { CachedCall, ResponseCache } from "./config.js";

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
    const write = (entry: Omit<Entry, "isPrivate" | "expires">, common: string, own: string): void => {
      const { ttlMs: time, cacheScope } = entry.result;
      if (typeof time !== "number" || !(time > 0)) return;
      const isPrivate = cacheScope !== "public";
      const key = isPrivate ? own : common;
      for (const old of [common, own]) entries.delete(old);
      entries.set(key, { ...entry, isPrivate, expires: performance.now() + time });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries) entries.delete(oldest as string);
    };
    return {
      // CACHE-02, CACHE-03: the result of the very same request, as a copy that the caller may change.
      // CACHE-04: a private result only for a caller with the same headers.
      async call({ method, items }, params, ask, asking) {
        const caller = await callerOf(method, asking);
        const common = keyOf(method, params);
        const own = `${principalOf(caller)} ${common}`;
        const find = (): Entry | undefined => entries.get(own) ?? entries.get(common);
        const kept = find();
        if (kept && performance.now() < kept.expires) return structuredClone(kept.result);
        const before = stamp;
        try {
          return await ask((result) => {
            if (stamp === before) write({ method, params, result: structuredClone(result) }, common, own);
          }, caller);
        } catch (error) {
          // CACHE-07: a page that is gone tells of a list that has changed.
          if (items !== undefined && params?.["cursor"] !== undefined && isMcpError(error))
            forget((entry) => entry.method === method);
          const isUnanswered = isTimeoutError(error) || mayPass(error);
          if (!onStale || find() !== kept || !kept || !isUnanswered) throw error;
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

/** Headers that do not say who asks. */
const impersonal = /^(traceparent|tracestate|baggage|user-agent|accept-language)$/;

/** Names the caller without keeping what is secret in the headers. */
function principalOf(headers: CallerHeaders = {}): string {
  const personal = Object.entries(headers).filter(([name]) => !impersonal.test(name));
  return personal.length > 0 ? digest(canonical(Object.fromEntries(personal))) : "";
}

/** Waits for the caller's headers, no longer than the caller does. */
async function callerOf(
  method: string,
  { caller, timeout, signal }: CachedCall,
): Promise<CallerHeaders | undefined> {
  if (!(caller instanceof Promise)) return caller;
  const done = new AbortController();
  const late = pause(timeout, either(signal, done.signal)).then(() => {
    throw new TimeoutError(`${method}: the headers were not ready within ${timeout} ms.`);
  });
  return Promise.race([caller, late]).finally(() => done.abort());
}

/** The metadata does not change a result. */
function keyOf(method: string, params: JsonObject = {}): string {
  const { _meta, ...rest } = params;
  return JSON.stringify([method, rest]);
}
