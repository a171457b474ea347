import { rpcError } from "../errors.js";
import { within } from "../../shared/timing.js";
import type { Sealer } from "./keys.js";
import type { SharedStore } from "./store.js";

/** How often a change is tried again because another process was faster. */
const maxTries = 30;
/** The wait for the first look at a session, in milliseconds: it is served without its record after that. */
const readTime = 1000;

const newVersion = (): string => crypto.randomUUID();

/** Sealed values in the store, by key. */
export class Records {
  readonly #store: SharedStore;
  readonly #sealer: Sealer;

  constructor(store: SharedStore, sealer: Sealer) {
    this.#store = store;
    this.#sealer = sealer;
  }

  /** Resolves with the value; undefined if there is none, or it is not one of this cluster. Rejects if the store does not answer. */
  async get<T>(key: string): Promise<T | undefined> {
    const stored = await this.#store.get(key);
    return stored && this.#open<T>(key, stored.value);
  }

  /** The same, for what can do without: resolves with undefined also if the store does not answer soon. */
  look<T>(key: string): Promise<T | undefined> {
    return within(readTime, this.get<T>(key)).catch(() => undefined);
  }

  async set(key: string, value: unknown, ttl: number): Promise<void> {
    const sealed = await this.#sealer.seal(JSON.stringify(value), key);
    await this.#store.put(key, sealed, { ttl, version: newVersion() });
  }

  /**
   * Changes a value that other processes may change at the same time. `change` is called again if one of them was faster; if it returns
   * undefined, nothing is written.
   */
  async update<T, R extends T | undefined = T>(
    key: string,
    ttl: number,
    change: (value: T | undefined) => R,
  ): Promise<R> {
    for (let i = 0; i < maxTries; i++) {
      const stored = await this.#store.get(key);
      const next = change(stored && (await this.#open<T>(key, stored.value)));
      if (next === undefined) return next;
      const sealed = await this.#sealer.seal(JSON.stringify(next), key);
      const options = { ttl, version: newVersion(), replaces: stored?.version ?? "" };
      if (await this.#store.put(key, sealed, options)) return next;
    }
    throw rpcError("INTERNAL_ERROR", "Too many processes change this at once.");
  }

  async #open<T>(key: string, sealed: string): Promise<T | undefined> {
    const text = await this.#sealer.open(sealed, key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }
}
