import { sha256 } from "../../common/base64.js";
import { rpcError, StoreError } from "../core/errors.js";
import { pause } from "../../common/timing.js";
import type { Sealer } from "../../common/secrets.js";
import type { SharedStore, Stored } from "./store.js";

/** How often changes are tried again because another process was faster. */
const maxTries = 30;
/** The wait before the store is asked again, in milliseconds. */
export const retryTime = 500;

/**
 * A key that does not show the text, which may be long or give access. The kind
 * ends with the number of the format of its values.
 */
export const keyOf = async (kind: string, text: string): Promise<string> =>
  `${kind}/${await sha256(text)}`;

/**
 * The result of a method of the store. Only what rejects here is an outage: any
 * other error is a fault of this package, and is reported as one.
 */
async function ofStore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new StoreError(cause);
  }
}

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

/** Sealed values in the store, of which some have a limit. */
export class Records {
  readonly #store: SharedStore;
  readonly #sealer: Sealer;
  readonly #report: (error: unknown) => void;
  /**
   * By key: first the changes that are being written, then those that have come
   * meanwhile.
   */
  readonly #waiting = new Map<string, Change[]>();

  /** `report` is called with the error for each value that does not open. */
  constructor(
    store: SharedStore,
    sealer: Sealer,
    report: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#sealer = sealer;
    this.#report = report;
  }

  async get<T>(key: string): Promise<T | undefined> {
    return this.#open<T>(key, await this.#read(key));
  }

  /**
   * The same, but asks until the store answers. Resolves with undefined once
   * the value is not needed any more.
   */
  async fetch<T>(key: string, isNeeded: () => boolean): Promise<T | undefined> {
    while (isNeeded()) {
      const stored = await this.#read(key).catch(() => null);
      if (stored !== null) return this.#open<T>(key, stored);
      await pause(retryTime);
    }
    return undefined;
  }

  /**
   * Writes a value, or removes it if it is undefined. With a version, only if
   * the store has this one; "" for none. False if it has not.
   */
  async replace(
    key: string,
    replaces: string | undefined,
    value: unknown,
    ttl: number,
    admit?: Admit,
  ): Promise<boolean> {
    const version = crypto.randomUUID();
    const sealed =
      value === undefined
        ? undefined
        : await this.#sealer.seal(JSON.stringify(value), key);
    if (sealed !== undefined) admit?.(sealed.length, version);
    return ofStore(() =>
      this.#store.put(key, sealed, { ttl, version, replaces }),
    );
  }

  async set(
    key: string,
    value: unknown,
    ttl: number,
    admit?: Admit,
  ): Promise<void> {
    await this.replace(key, undefined, value, ttl, admit);
  }

  /** Removes a value, if the store still has this version. Never rejects. */
  async remove(key: string, version: string | undefined): Promise<void> {
    await this.replace(key, version, undefined, 1).catch(() => {});
  }

  /**
   * Writes what `change` returns, unless it is undefined. `change` is called
   * again if another process was faster.
   */
  update<T>(
    key: string,
    ttl: number,
    change: (value: T | undefined) => T | undefined,
    admit?: Admit,
  ): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const added = {
        ttl,
        change,
        admit,
        resolve: resolve as Change["resolve"],
        reject,
      };
      const changes = this.#waiting.get(key);
      if (changes) return void changes.push(added);
      const first = [added];
      this.#waiting.set(key, first);
      void this.#write(key, first);
    });
  }

  #read(key: string): Promise<Stored | undefined> {
    return ofStore(() => this.#store.get(key));
  }

  /**
   * The content of a stored value. One that does not open may say that a
   * session has ended, so it is no missing one: only an index begins anew.
   */
  async #open<T>(
    key: string,
    stored: Stored | undefined,
  ): Promise<T | undefined> {
    if (!stored) return undefined;
    const text = await this.#sealer.open(stored.value, key);
    if (text !== undefined) return JSON.parse(text) as T;
    const [kind = ""] = key.split("/");
    const error = new StoreError(
      new Error(
        `A value in the store ("${kind}") does not open. Give all processes the same secrets, and let nothing else write there.`,
      ),
    );
    this.#report(error);
    if (kind === "index") return undefined;
    throw error;
  }

  /**
   * Writes the changes of a key until none waits. All that wait when the value
   * has been read are written together.
   */
  async #write(key: string, changes: Change[]): Promise<void> {
    for (let tries = 0; changes.length > 0;) {
      let count = changes.length;
      try {
        const stored = await this.#read(key);
        const before = await this.#open<unknown>(key, stored);
        count = changes.length;
        const { results, last, value, ttl } = changedBy(changes, before);
        const isWritten =
          !last ||
          (await this.replace(
            key,
            stored?.version ?? "",
            value,
            ttl,
            last.admit,
          ));
        if (!isWritten && ++tries < maxTries) continue;
        if (!isWritten)
          throw new StoreError(
            new Error(`The store has refused a change ${tries} times.`),
          );
        for (const [i, { resolve }] of changes.splice(0, count).entries())
          resolve(results[i]);
      } catch (error) {
        for (const { reject } of changes.splice(0, count)) reject(error);
      }
      tries = 0;
    }
    this.#waiting.delete(key);
  }
}

/**
 * Applies changes to a value, one after the other, and rejects those that throw.
 * Returns the result of each, the value, and the last change that writes
 * something.
 */
function changedBy(changes: readonly Change[], before: unknown) {
  let value = before;
  let last: Change | undefined;
  let ttl = 0;
  const results = changes.map((one) => {
    try {
      const next = one.change(value as never);
      if (next !== undefined)
        [value, last, ttl] = [next, one, Math.max(ttl, one.ttl)];
      return next;
    } catch (error) {
      one.reject(error);
      return undefined;
    }
  });
  return { results, last, value, ttl };
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
