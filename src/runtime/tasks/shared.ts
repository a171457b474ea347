import type { ServerSideSession } from "../core/session/server-side.js";
import type { SideTable } from "../core/tables.js";

/** Sealed values that all processes have, by key. Times are in milliseconds. */
export interface SharedRecords {
  /** Resolves with undefined also for a value that is not one of this cluster. Rejects if the store does not answer. */
  get<T>(key: string): Promise<T | undefined>;
  /** The same, but asks until the store answers. Resolves with undefined once the value is not needed any more. */
  fetch<T>(key: string, isNeeded: () => boolean): Promise<T | undefined>;
  set(key: string, value: unknown, ttl: number): Promise<void>;
  /** Writes what `change` returns, unless it is undefined. `change` is called again if another process was faster. */
  update<T>(
    key: string,
    ttl: number,
    change: (value: T | undefined) => T | undefined,
  ): Promise<T | undefined>;
}

/** What the tasks of a process need of its cluster. */
export interface TaskHost {
  /** The name of this process, which no other one ever has. */
  readonly self: string;
  readonly records: SharedRecords;
  readonly bus: {
    /** Tells the other processes that a task has changed. */
    publish(entry: { readonly kind: "task-changed"; readonly key: string }): void;
    /** Whether a process runs; undefined while that is not certain. */
    isRunning(process: string): boolean | undefined;
    /** True if this process reads and writes the log, and so the others hear it. */
    readonly isConnected: boolean;
  };
  /** Calls a function once, after a time in milliseconds. */
  after(time: number, call: () => void): void;
  /** A session of the server with these tables and without a client, for work whose caller is elsewhere. */
  detachedSession(side: SideTable): ServerSideSession | undefined;
}
