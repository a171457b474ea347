import { rpcError } from "../core/errors.js";
import type { Admit } from "./records.js";

/** How many characters an entry of an engine takes besides its value. */
const overhead = 300;
/** The time between two searches for records whose time is over, in milliseconds. */
const sweepTime = 60_000;

/** What a process has written for a caller. */
export interface Written {
  /** Undefined for anonymous callers, who share one room. */
  readonly caller: string | undefined;
  /** How long the store keeps the record, in milliseconds. */
  readonly ttl: number;
  /** True for a record that any other may replace. It replaces only such records itself. */
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
 * Limits how much a process makes a store keep for a caller: to `max` characters. Records that are not in use make room for others, the oldest
 * first.
 */
export function makeRoom(max: number) {
  const shares = new Map<string | undefined, Share>();
  let swept = 0;

  function sweep(now: number): void {
    swept = now;
    for (const [caller, share] of shares) {
      for (const [key, { end }] of share.entries) if (end <= now) drop(share, key);
      if (share.entries.size === 0) shares.delete(caller);
    }
  }

  return {
    /** Returns the function that counts a record before it is written. It throws an `McpError` if there is no room. */
    admit(key: string, written: Written): Admit {
      return (length, version) => {
        const now = Date.now();
        if (now - swept >= sweepTime) sweep(now);
        const { caller } = written;
        const share = shares.get(caller) ?? { size: 0, entries: new Map<string, Entry>() };
        shares.set(caller, share);
        const size = length + overhead;
        const maxOthers = max - size + (share.entries.get(key)?.size ?? 0);
        for (const [other, entry] of share.entries) {
          if (share.size <= maxOthers) break;
          const isOver = entry.end <= now;
          const mayGo = isOver || entry.isMinor || !(written.isMinor || entry.isInUse?.());
          if (other === key || !mayGo) continue;
          drop(share, other);
          if (!isOver) entry.remove(entry.version);
        }
        if (share.size > maxOthers)
          throw rpcError("INTERNAL_ERROR", "The server keeps as much for this client as it can.");
        drop(share, key);
        share.entries.set(key, { ...written, size, version, end: now + written.ttl });
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
