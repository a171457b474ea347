import { report } from "../core/report.js";
import type { Settings } from "../core/session/config.js";
import type { Auth } from "../core/ports/transport.js";
import type { TaskStatus } from "./state.js";
import type { Task } from "./task.js";

/** An event in the life of a task. */
export interface TaskEvent {
  /** `read`: a request named the task. `removed`: the task was deleted. */
  readonly kind: "created" | "changed" | "read" | "removed";
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string | undefined;
  /** The caller: for `read` the reader, otherwise the one who started the task. Undefined on a client. */
  readonly auth: Auth | undefined;
}

/** Calls the user's `onTask` with an event. Never throws. */
export type TaskLog = (
  kind: TaskEvent["kind"],
  task: {
    readonly view: Pick<Task["view"], "taskId" | "status" | "statusMessage">;
    readonly exchange?: Task["exchange"];
  },
  auth?: Auth,
) => void;

/** Creates a `TaskLog`. An error in `onTask` is reported. */
export function taskLog(onTask: ((event: TaskEvent) => void) | undefined, settings: Settings): TaskLog {
  return (kind, { view, exchange }, auth = exchange?.info?.auth) => {
    const { taskId, status, statusMessage } = view;
    try {
      onTask?.({ kind, taskId, status, statusMessage, auth });
    } catch (error) {
      report(settings, error, "onTask");
    }
  };
}
