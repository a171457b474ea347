import {
  isMcpError,
  isTimeoutError,
  mayPass,
  TimeoutError,
} from "../errors.js";
import { normalizeUri } from "./uri.js";
import type { Params } from "../message.js";
import type { JsonObject } from "../../../common/object.js";
import {
  isThenable,
  unlessAborted,
  withTimeout,
} from "../../../common/timing.js";
import type { CallerHeaders } from "../ports/transport.js";
import { urisAbove } from "./check.js";
import { canonical, digest } from "./digest.js";
import type { CachedCall, ResponseCache } from "./config.js";

/** Options of `responseCache`. */
export interface CacheOptions {
  /**
   * If set, an expired result is returned when the server cannot be reached or
   * does not answer in time. This function is then called with the method and
   * the error (CACHE-09). A result that a notification invalidated is never
   * returned.
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

/** The maximum number of results in a cache. */
const maxEntries = 256;

/**
 * A cache of results for one client, for as long as the server allows
 * (`ttlMs`): `{ cache: responseCache() }`. It never sends requests on its own
 * (CACHE-08). Specification: "Caching" of the revisions that have it.
 */
export function responseCache({
  onStale,
}: CacheOptions = {}): () => ResponseCache {
  return () => {
    const entries = new Map<string, Entry>();
    // Increases with each invalidation, so that a result requested before is
    // not stored.
    let generation = 0;
    const forget = (isStale: (entry: Entry) => boolean): void => {
      generation++;
      for (const [key, entry] of entries)
        if (isStale(entry)) entries.delete(key);
    };
    const write = (
      entry: Omit<Entry, "isPrivate" | "expires">,
      sharedKey: string,
      callerKey: string,
    ): void => {
      const { ttlMs: time, cacheScope } = entry.result;
      if (typeof time !== "number" || !(time > 0)) return;
      const isPrivate = cacheScope !== "public";
      const key = isPrivate ? callerKey : sharedKey;
      for (const old of [sharedKey, callerKey]) entries.delete(old);
      entries.set(key, {
        ...entry,
        isPrivate,
        expires: performance.now() + time,
      });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries) entries.delete(oldest as string);
    };
    return {
      // Returns the result of an identical request (CACHE-02) while it is fresh
      // (CACHE-03), as a copy that the caller may change. A private result is
      // only for a caller with the same headers (CACHE-04).
      async call({ method, items }, params, request, cachedCall) {
        const caller = await callerOf(method, cachedCall);
        const sharedKey = keyOf(method, params);
        const callerKey = `${await principalOf(caller)} ${sharedKey}`;
        const find = (): Entry | undefined =>
          entries.get(callerKey) ?? entries.get(sharedKey);
        const entry = find();
        if (entry && performance.now() < entry.expires)
          return structuredClone(entry.result);
        const startGeneration = generation;
        try {
          return await request((result) => {
            if (generation === startGeneration)
              write(
                { method, params, result: structuredClone(result) },
                sharedKey,
                callerKey,
              );
          }, caller);
        } catch (error) {
          // A cursor that is no longer valid means that the list has changed
          // (CACHE-07).
          if (
            items !== undefined &&
            params?.["cursor"] !== undefined &&
            isMcpError(error)
          )
            forget((entry) => entry.method === method);
          const isUnanswered = isTimeoutError(error) || mayPass(error);
          if (!onStale || find() !== entry || !entry || !isUnanswered)
            throw error;
          onStale(method, error);
          return structuredClone(entry.result);
        }
      },
      // Removes all results of the same family of methods, or those for the
      // subject of the notification (CACHE-05).
      announced({ method, subject }, params) {
        const [, family] = method.split("/");
        forget((entry) => {
          if (entry.method.split("/")[0] !== family) return false;
          return (
            subject === undefined ||
            covers(entry.params?.[subject], params?.[subject])
          );
        });
      },
      // Private results belong to the former caller (CACHE-04).
      renewed: () => forget(({ isPrivate }) => isPrivate),
      clear: () => forget(() => true),
    };
  };
}

/** True if a subscription to `parent` includes `subject`. */
function covers(parent: unknown, subject: unknown): boolean {
  const above = normalizeUri(String(parent));
  const below = normalizeUri(String(subject));
  if (above === below) return true;
  // A server may name a subject with a million slashes: those after the parent
  // say nothing, and two characters tell "a:/b" from the authority of "a://b".
  return urisAbove(below.slice(0, above.length + 2)).includes(above);
}

/** Headers that do not identify the caller. */
const impersonalHeader =
  /^(traceparent|tracestate|baggage|user-agent|accept-language)$/;

/**
 * Identifies the caller by a digest, so that no secret of the headers is
 * stored.
 */
async function principalOf(headers: CallerHeaders = {}): Promise<string> {
  const personal = Object.entries(headers).filter(
    ([name]) => !impersonalHeader.test(name),
  );
  return personal.length > 0
    ? digest(canonical(Object.fromEntries(personal)))
    : "";
}

/**
 * Waits for the caller's headers, at most as long as the caller waits for the
 * result.
 */
async function callerOf(
  method: string,
  { caller, timeout, signal }: CachedCall,
): Promise<CallerHeaders | undefined> {
  if (!isThenable(caller)) return caller;
  const headers = await withTimeout(timeout, unlessAborted(caller, signal));
  if (headers) return headers;
  throw new TimeoutError(
    `${method}: the headers were not ready within ${timeout} ms.`,
  );
}

/**
 * The key of a request. It ignores `_meta`, which does not change the result.
 */
function keyOf(method: string, params: JsonObject = {}): string {
  const { _meta, ...rest } = params;
  return JSON.stringify([method, rest]);
}
