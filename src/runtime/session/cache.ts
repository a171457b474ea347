import { covers, type JsonObject, type NotificationFacts } from "../index.js";

/** How much a client keeps of what may be kept. */
export interface CacheOptions {
  /** Most results; 256 by default. */
  readonly maxEntries?: number;
}

interface Entry {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly result: JsonObject;
  readonly isPrivate: boolean;
  /** On the clock of `performance`. */
  readonly expires: number;
}

/** The results of one client that are still fresh. CACHE-08: time alone asks for nothing. */
export class Cache {
  /** Changes with everything that makes what is on its way stale. */
  stamp = 0;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, Entry>();

  constructor({ maxEntries = 256 }: CacheOptions) {
    this.#maxEntries = maxEntries;
  }

  /** CACHE-02, CACHE-03: the result of the very same request, for whoever asks to do with as they like. */
  read(method: string, params: JsonObject | undefined): JsonObject | undefined {
    const entry = this.#entries.get(keyOf(method, params));
    return entry && performance.now() < entry.expires ? structuredClone(entry.result) : undefined;
  }

  /** Keeps a result for as long as it says, unless something has made it stale since the stamp. */
  write(method: string, params: JsonObject | undefined, result: JsonObject, stamp: number | undefined): void {
    const time = result["ttlMs"];
    if (typeof time !== "number" || !(time > 0) || stamp !== this.stamp) return;
    const key = keyOf(method, params);
    this.#entries.delete(key);
    const isPrivate = result["cacheScope"] !== "public";
    const expires = performance.now() + time;
    this.#entries.set(key, { method, params, result: structuredClone(result), isPrivate, expires });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(oldest as string);
  }

  /** CACHE-05: forgets what an announcement makes stale: all of its family, or what it names. */
  announced({ method, subject }: NotificationFacts, params: JsonObject | undefined): void {
    const [, family] = method.split("/");
    this.#forget((entry) => {
      if (entry.method.split("/")[0] !== family) return false;
      return subject === undefined || covers(entry.params?.[subject], params?.[subject]);
    });
  }

  /** CACHE-07: forgets all pages of a list. */
  drop(method: string): void {
    this.#forget((entry) => entry.method === method);
  }

  /** CACHE-04: whoever asks from now on is somebody else to the server. */
  renewed(): void {
    this.#forget(({ isPrivate }) => isPrivate);
  }

  #forget(isStale: (entry: Entry) => boolean): void {
    this.stamp++;
    for (const [key, entry] of this.#entries) if (isStale(entry)) this.#entries.delete(key);
  }
}

/** The metadata does not change a result. */
function keyOf(method: string, params: JsonObject = {}): string {
  const { _meta, ...rest } = params;
  return JSON.stringify([method, rest]);
}
