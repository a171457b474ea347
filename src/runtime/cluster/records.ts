import { sha256 } from "../../common/base64.js";
import { rpcError } from "../core/errors.js";
import { realClock } from "./bus.js";
import type { Sealer } from "../../common/secrets.js";
import type { SharedStore } from "./store.js";

/** How often changes are tried again because another process was faster. */
const maxTries = 30;
/** The wait before the store is asked again, in milliseconds. */
export const retryTime = 500;

/** A key that does not show the text, which may be long or give access. */
export const keyOf = async (kind: string, text: string): Promise<string> => `${kind}/${await sha256(text)}`;

/** A change of a value that waits until it is written. */
interface Change {
  readonly ttl: number;
  readonly change: (value: never) => unknown;
  readonly admit: Admit | undefined;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** Called with the length of a text and its version before it is written. It throws if there is no room for it. */
export type Admit = (length: number, version: string) => void;

/** Writes a value, or removes it if it is undefined. With a version, only if the store has this one; "" for none. False if it has not. */
type Replace = (
  key: string,
  version: string | undefined,
  value: unknown,
  ttl: number,
  admit?: Admit,
) => Promise<boolean>;

export type LimitedRecords = ReturnType<typeof makeRecords>;

/** Records of which some have a limit. */
export function makeRecords(store: SharedStore, sealer: Sealer) {
  /** By key: first the changes that are being written, then those that have come meanwhile. */
  const waiting = new Map<string, Change[]>();

  async function open<T>(key: string, sealed: string): Promise<T | undefined> {
    const text = await sealer.open(sealed, key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  async function get<T>(key: string): Promise<T | undefined> {
    const stored = await store.get(key);
    return stored && open<T>(key, stored.value);
  }

  const replace: Replace = async (key, replaces, value, ttl, admit) => {
    const version = crypto.randomUUID();
    const sealed = value === undefined ? undefined : await sealer.seal(JSON.stringify(value), key);
    if (sealed !== undefined) admit?.(sealed.length, version);
    return store.put(key, sealed, { ttl, version, replaces });
  };

  /** Writes the changes of a key until none waits. All that wait when the value has been read are written together. */
  async function write(key: string, changes: Change[]): Promise<void> {
    for (let tries = 0; changes.length > 0;) {
      let count = changes.length;
      try {
        const stored = await store.get(key);
        let value = stored && (await open<unknown>(key, stored.value));
        count = changes.length;
        let last: Change | undefined;
        let ttl = 0;
        const results: unknown[] = [];
        for (let i = 0; i < count; i++) {
          const one = changes[i] as Change;
          try {
            const next = one.change(value as never);
            results.push(next);
            if (next === undefined) continue;
            [value, last, ttl] = [next, one, Math.max(ttl, one.ttl)];
          } catch (error) {
            one.reject(error);
            results.push(undefined);
          }
        }
        const isWritten = !last || (await replace(key, stored?.version ?? "", value, ttl, last.admit));
        if (isWritten) {
          for (const [i, { resolve }] of changes.splice(0, count).entries()) resolve(results[i]);
          tries = 0;
        } else if (++tries === maxTries)
          throw rpcError("INTERNAL_ERROR", "Too many processes change this at once.");
      } catch (error) {
        for (const { reject } of changes.splice(0, count)) reject(error);
        tries = 0;
      }
    }
    waiting.delete(key);
  }

  return {
    get: <T>(key: string): Promise<T | undefined> => get<T>(key),
    replace: replace as Replace,
    async fetch<T>(key: string, isNeeded: () => boolean): Promise<T | undefined> {
      while (isNeeded()) {
        try {
          return await get<T>(key);
        } catch {
          await new Promise<void>((resolve) => realClock.after(retryTime, resolve));
        }
      }
      return undefined;
    },
    async set(key: string, value: unknown, ttl: number, admit?: Admit): Promise<void> {
      await replace(key, undefined, value, ttl, admit);
    },
    update<T>(
      key: string,
      ttl: number,
      change: (value: T | undefined) => T | undefined,
      admit?: Admit,
    ): Promise<T | undefined> {
      return new Promise<T | undefined>((resolve, reject) => {
        const one: Change = { ttl, change, admit, resolve: resolve as Change["resolve"], reject };
        const changes = waiting.get(key);
        if (changes) return void changes.push(one);
        const own = [one];
        waiting.set(key, own);
        void write(key, own);
      });
    },
  };
}
