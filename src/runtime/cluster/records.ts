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
export const keyOf = async (kind: string, text: string): Promise<string> =>
  `${kind}/${await sha256(text)}`;

/** A change of a value that waits until it is written. */
interface Change {
  readonly ttl: number;
  readonly change: (value: never) => unknown;
  readonly admit: Admit | undefined;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Called with the length of a text and its version before it is written. It
 * throws if there is no room for it.
 */
export type Admit = (length: number, version: string) => void;

/**
 * Writes a value, or removes it if it is undefined. With a version, only if the
 * store has this one; "" for none. False if it has not.
 */
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
  /**
   * By key: first the changes that are being written, then those that have come
   * meanwhile.
   */
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
    const sealed =
      value === undefined
        ? undefined
        : await sealer.seal(JSON.stringify(value), key);
    if (sealed !== undefined) admit?.(sealed.length, version);
    return store.put(key, sealed, { ttl, version, replaces });
  };

  /**
   * Writes the changes of a key until none waits. All that wait when the value
   * has been read are written together.
   */
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
        const isWritten =
          !last ||
          (await replace(key, stored?.version ?? "", value, ttl, last.admit));
        if (isWritten) {
          for (const [i, { resolve }] of changes.splice(0, count).entries())
            resolve(results[i]);
          tries = 0;
        } else if (++tries === maxTries)
          throw rpcError(
            "INTERNAL_ERROR",
            "Too many processes change this at once.",
          );
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
    /** Removes a value, if the store still has this version. Never rejects. */
    async remove(key: string, version: string | undefined): Promise<void> {
      await replace(key, version, undefined, 1).catch(() => {});
    },
    async fetch<T>(
      key: string,
      isNeeded: () => boolean,
    ): Promise<T | undefined> {
      while (isNeeded()) {
        try {
          return await get<T>(key);
        } catch {
          await new Promise<void>((resolve) =>
            realClock.after(retryTime, resolve),
          );
        }
      }
      return undefined;
    },
    async set(
      key: string,
      value: unknown,
      ttl: number,
      admit?: Admit,
    ): Promise<void> {
      await replace(key, undefined, value, ttl, admit);
    },
    update<T>(
      key: string,
      ttl: number,
      change: (value: T | undefined) => T | undefined,
      admit?: Admit,
    ): Promise<T | undefined> {
      return new Promise<T | undefined>((resolve, reject) => {
        const one: Change = {
          ttl,
          change,
          admit,
          resolve: resolve as Change["resolve"],
          reject,
        };
        const changes = waiting.get(key);
        if (changes) return void changes.push(one);
        const own = [one];
        waiting.set(key, own);
        void write(key, own);
      });
    },
  };
}

/** How many characters an entry of an engine takes besides its value. */
const overhead = 300;
/**
 * The time between two searches for records whose time is over, in
 * milliseconds.
 */
const sweepTime = 60_000;

/** What a process has written for a caller. */
export interface Written {
  /** Undefined for anonymous callers, who share one room. */
  readonly caller: string | undefined;
  /** How long the store keeps the record, in milliseconds. */
  readonly ttl: number;
  /**
   * True for a record that any other may replace. It replaces only such records
   * itself.
   */
  readonly isMinor?: boolean;
  /** True while the record must stay. */
  isInUse?(): boolean;
  /** Removes the record from the store, if this version is still there. */
  remove(version: string): void;
}

interface Entry extends Written {
  readonly size: number;
  readonly version: string;
  readonly end: number;
}

interface Share {
  size: number;
  /** By key, the longest written first. */
  readonly entries: Map<string, Entry>;
}

export type Room = ReturnType<typeof makeRoom>;

/**
 * Limits how much a process makes a store keep for a caller: to `max`
 * characters. Records that are not in use make room for others, the oldest
 * first.
 */
export function makeRoom(max: number) {
  const shares = new Map<string | undefined, Share>();
  let swept = 0;

  function sweep(now: number): void {
    swept = now;
    for (const [caller, share] of shares) {
      for (const [key, { end }] of share.entries)
        if (end <= now) drop(share, key);
      if (share.entries.size === 0) shares.delete(caller);
    }
  }

  return {
    /**
     * Returns the function that counts a record before it is written. It throws
     * an `McpError` if there is no room.
     */
    admit(key: string, written: Written): Admit {
      return (length, version) => {
        const now = Date.now();
        if (now - swept >= sweepTime) sweep(now);
        const { caller } = written;
        const share = shares.get(caller) ?? {
          size: 0,
          entries: new Map<string, Entry>(),
        };
        shares.set(caller, share);
        const size = length + overhead;
        const maxOthers = max - size + (share.entries.get(key)?.size ?? 0);
        for (const [other, entry] of share.entries) {
          if (share.size <= maxOthers) break;
          const isOver = entry.end <= now;
          const mayGo =
            isOver || entry.isMinor || !(written.isMinor || entry.isInUse?.());
          if (other === key || !mayGo) continue;
          drop(share, other);
          if (!isOver) entry.remove(entry.version);
        }
        if (share.size > maxOthers)
          throw rpcError(
            "INTERNAL_ERROR",
            "The server keeps as much for this client as it can.",
          );
        drop(share, key);
        share.entries.set(key, {
          ...written,
          size,
          version,
          end: now + written.ttl,
        });
        share.size += size;
      };
    },
    /** True while a record is counted. */
    has(key: string, caller: string | undefined): boolean {
      const entry = shares.get(caller)?.entries.get(key);
      return entry !== undefined && entry.end > Date.now();
    },
  };
}

function drop(share: Share, key: string): void {
  share.size -= share.entries.get(key)?.size ?? 0;
  share.entries.delete(key);
}
