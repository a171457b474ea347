/** A value of a store, with the version that its writer chose. */
export interface Stored {
  readonly value: string;
  readonly version: string;
}

/** One entry of a log. */
export interface Entry {
  /**
   * Where the entry stands in its log: the same text for each follower, and
   * another one for each entry.
   */
  readonly position: string;
  readonly value: string;
}

/** How a value is written. */
export interface PutOptions {
  /**
   * How long the value is stored, in milliseconds: at least 1. Each `put`
   * begins anew.
   */
  readonly ttl: number;
  /**
   * The version of the new value, which the caller chooses: 1 to 64 visible
   * ASCII characters, and never the same for two values of a key.
   */
  readonly version: string;
  /**
   * Writes only if the stored value has this version; "" if there must be none.
   * Without it, the value is written in any case.
   */
  readonly replaces?: string | undefined;
}

/** How long a log keeps its entries. A store may keep more. */
export interface AppendOptions {
  /**
   * How long an entry is kept, in milliseconds: at least 1. A store removes
   * older ones when it appends, or the log some time after its last entry.
   */
  readonly ttl: number;
  /** The number of last entries that are kept for followers that are behind. */
  readonly keep: number;
}

/**
 * Storage that several processes share. Each method is one round trip to an
 * engine, such as Valkey or a database. The cases of
 * `@mcpgen/runtime/cluster/test` show whether an implementation does what is
 * written here.
 *
 * Keys, names of logs, values and entries are text without U+0000 and lone
 * surrogates, and are compared character by character: "a", "A" and "a " are
 * three keys. A key or a name has at most 256 characters, a value or an entry
 * at most 1,048,576. Keys and names of logs do not meet: a log may be called
 * like a key.
 *
 * A method rejects if the engine does not answer in time, as the implementation
 * sets it: no promise stays pending while an engine is stopped. Nobody knows
 * then whether a `put` or an `append` was done, or still will be, and the
 * caller may send it again.
 */
export interface SharedStore {
  /**
   * Resolves with the value and its version; with undefined if there is none or
   * its time is over.
   */
  get(key: string): Promise<Stored | undefined>;
  /**
   * Writes a value, or removes it if it is undefined. Resolves with true if the
   * value is the given one now: also if an earlier call with the same version
   * has written it (or removed it) already, so that a call may be repeated.
   * Resolves with false, and changes nothing, if the stored value is neither
   * the one that `replaces` names nor the given one. Of several calls at once
   * that replace the same version, one wins.
   */
  put(
    key: string,
    value: string | undefined,
    options: PutOptions,
  ): Promise<boolean>;
  /**
   * Adds entries to the end of a log, together and in this order. A repeated
   * call may add them again.
   */
  append(
    log: string,
    entries: readonly string[],
    options: AppendOptions,
  ): Promise<void>;
  /**
   * Follows a log. Resolves once each entry that is appended from now on will
   * be received; rejects if the engine does not answer.
   *
   * `receive` gets the entries of all processes, this one included, each at
   * least once and in the order of the log, which is the same for all. `lost`
   * says that entries may be missing before the next one, or come again. It is
   * called after each reconnect, once the log is followed again: a broken
   * connection is opened again for as long as the log is followed. Neither
   * function may throw.
   *
   * Returns a function that stops: afterwards, neither function is called.
   */
  follow(
    log: string,
    receive: (entry: Entry) => void,
    lost: () => void,
  ): Promise<() => void>;
}

/** Maximum number of values in memory. */
const maxValues = 100_000;

/** A store in memory. */
export interface MemorySharedStore extends SharedStore {
  /**
   * Breaks the connections of all followers, for a test: entries that nobody
   * has received yet are lost, and each follower is told.
   */
  interrupt(): void;
}

/**
 * A store in the memory of this process, for tests of servers that share one:
 * it shares nothing with other processes.
 *
 * `put` rejects if the store has 100,000 values.
 */
export function memorySharedStore(): MemorySharedStore {
  return storeWithClock(() => performance.now());
}

interface Follower {
  readonly log: string;
  readonly receive: (entry: Entry) => void;
  readonly lost: () => void;
}

/**
 * A store in memory with a clock in milliseconds. Nothing in it waits for time:
 * values end when the clock says so.
 */
export function storeWithClock(now: () => number): MemorySharedStore {
  const values = new Map<string, Stored & { readonly end: number }>();
  const followers = new Set<Follower>();
  /** The entries on their way, by follower. */
  const pending = new Map<Follower, Entry[]>();
  let count = 0;
  const read = (key: string): Stored | undefined => {
    const stored = values.get(key);
    return stored && now() < stored.end
      ? { value: stored.value, version: stored.version }
      : undefined;
  };
  const deliver = (follower: Follower): void => {
    const entries = pending.get(follower) ?? [];
    pending.delete(follower);
    for (const entry of entries)
      if (followers.has(follower)) follower.receive(entry);
  };
  return {
    get: (key) => Promise.resolve(read(key)),
    async put(key, value, { ttl, version, replaces }) {
      const stored = read(key);
      const isDone =
        value === undefined
          ? stored === undefined
          : stored?.version === version;
      if (
        replaces !== undefined &&
        !isDone &&
        (stored?.version ?? "") !== replaces
      )
        return false;
      if (value === undefined) {
        values.delete(key);
        return true;
      }
      if (values.size >= maxValues && !values.has(key)) {
        for (const [other, { end }] of values)
          if (end <= now()) values.delete(other);
        if (values.size >= maxValues)
          throw new Error(`The store is full: it has ${maxValues} values.`);
      }
      values.set(key, { value, version, end: now() + ttl });
      return true;
    },
    async append(log, entries) {
      const added = entries.map((value) => ({
        position: String(++count),
        value,
      }));
      for (const follower of followers) {
        if (follower.log !== log) continue;
        const waiting = pending.get(follower);
        if (waiting) waiting.push(...added);
        else {
          pending.set(follower, added.slice());
          queueMicrotask(() => deliver(follower));
        }
      }
    },
    async follow(log, receive, lost) {
      const follower: Follower = { log, receive, lost };
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    interrupt() {
      pending.clear();
      for (const { lost } of followers) lost();
    },
  };
}
