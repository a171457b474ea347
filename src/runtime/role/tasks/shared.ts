import type { Requester } from "./requester.js";
import type { FoundTask, Restart, StoreOptions, Task, TaskView } from "./store.js";

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
  find(taskId: string, requester: Requester, resume: Resume): Promise<FoundTask | undefined>;
  /** The tasks that the requester may list, by id. */
  list(requester: Requester): Promise<ReadonlyMap<string, TaskView>>;
}

/** The part of a cluster that tasks need. */
export interface TaskCluster {
  /** The tasks of all processes; undefined if they share no store. */
  shareTasks(options: StoreOptions): SharedTasks | undefined;
}
