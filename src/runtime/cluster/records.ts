import { sha256 } from "../../shared/base64.js";
import { rpcError } from "../errors.js";
import { realClock } from "./bus.js";
import type { Sealer } from "../../shared/secrets.js";
import type { SharedRecords } from "../role/tasks/shared.js";
import type { SharedStore } from "./store.js";

/** How often a change is tried again because another process was faster. */
const maxTries = 30;
/** The wait before the store is asked again, in milliseconds. */
const retryTime = 500;

/** A key that does not show the text, which may be long or give access. */
export const keyOf = async (kind: string, text: string): Promise<string> => `${kind}/${await sha256(text)}`;

export function makeRecords(store: SharedStore, sealer: Sealer): SharedRecords {
  async function open<T>(key: string, sealed: string): Promise<T | undefined> {
    const text = await sealer.open(sealed, key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  async function get<T>(key: string): Promise<T | undefined> {
    const stored = await store.get(key);
    return stored && open<T>(key, stored.value);
  }

  async function put(key: string, value: unknown, ttl: number, replaces?: string): Promise<boolean> {
    const sealed = await sealer.seal(JSON.stringify(value), key);
    return store.put(key, sealed, { ttl, version: crypto.randomUUID(), replaces });
  }

  return {
    get,
    async fetch<T>(key: string, isNeeded: () => boolean) {
      while (isNeeded()) {
        try {
          return await get<T>(key);
        } catch {
          await new Promise<void>((resolve) => realClock.after(retryTime, resolve));
        }
      }
      return undefined;
    },
    async set(key, value, ttl) {
      await put(key, value, ttl);
    },
    async update<T, R extends T | undefined>(key: string, ttl: number, change: (value: T | undefined) => R) {
      for (let i = 0; i < maxTries; i++) {
        const stored = await store.get(key);
        const next = change(stored && (await open<T>(key, stored.value)));
        if (next === undefined || (await put(key, next, ttl, stored?.version ?? ""))) return next;
      }
      throw rpcError("INTERNAL_ERROR", "Too many processes change this at once.");
    },
  };
}
