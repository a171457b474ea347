import type { Requester } from "./requester.js";
import type { FoundTask, Restart, Task, TaskView } from "./store.js";

/** What a client answered to a question of a task, in a revision that sends questions on the wire. */
export interface Answer {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How a task runs again. */
export interface Resume {
  /** The revision of the request. A task of another one is not run for it. */
  readonly revision: string;
  /** Runs a task from the first line. */
  run(view: TaskView, restart: Restart): Task;
}

/** The tasks of a cluster: each runs in one process, and all processes read and change its record. */
export interface SharedTasks {
  /** Stores a new task, before anyone knows its id. False if its requester has too many. */
  add(task: Task): Promise<boolean>;
  /** Stores the state of a task of this process. False if it has ended otherwise. */
  save(task: Task): Promise<boolean>;
  /** The task with an id, if the requester may read it. `resume` runs it in this process if its own has stopped. */
  find(taskId: string, requester: Requester, resume?: Resume): Promise<FoundTask | undefined>;
  /** The tasks that the requester may list, by id. */
  list(requester: Requester): Promise<ReadonlyMap<string, TaskView>>;
  /** Deletes a task, if it has ended. Never rejects. */
  remove(taskId: string): Promise<void>;
}

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
    judge(process: string): "alive" | "dead" | "unknown";
    /** True if this process reads and writes the log, and so the others hear it. */
    readonly isConnected: boolean;
  };
}
