import { sha256 } from "../../shared/sha256.js";
import { within } from "../../shared/timing.js";
import { rpcError } from "../errors.js";
import { realClock } from "./bus.js";
import type { Sealer } from "../../shared/secrets.js";
import type { SharedStore } from "./store.js";

/** How often a change is tried again because another process was faster. */
const maxTries = 30;
/** How long a request waits for what it can do without, in milliseconds. */
const readTime = 1000;
/** The wait before the store is asked again, in milliseconds. */
const retryTime = 500;

const newVersion = (): string => crypto.randomUUID();

/** A key that does not show the text, which may be long or give access. */
export const keyOf = async (kind: string, text: string): Promise<string> => `${kind}/${await sha256(text)}`;

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

  /** The same, for what can do without: resolves with undefined if the store does not answer soon. */
  look<T>(key: string): Promise<{ readonly value: T | undefined } | undefined> {
    const found = this.get<T>(key).then((value) => ({ value }));
    return within(readTime, found).catch(() => undefined);
  }

  /** The same, for what must be known: asks until the store answers. Resolves with undefined once it is not needed any more. */
  async fetch<T>(key: string, isNeeded: () => boolean): Promise<T | undefined> {
    while (isNeeded()) {
      try {
        return await this.get<T>(key);
      } catch {
        await new Promise<void>((resolve) => realClock.after(retryTime, resolve));
      }
    }
    return undefined;
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
