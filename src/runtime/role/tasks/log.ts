import { report } from "../../report.js";
import type { Settings } from "../../session/config.js";
import type { Auth } from "../../transport/transport.js";
import type { Task, TaskStatus } from "./store.js";

/** What happened to a task. */
export interface TaskEvent {
  /** `read` is a request that names the task; `removed` comes when the task is no longer kept. */
  readonly kind: "created" | "changed" | "read" | "removed";
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string | undefined;
  /** Who made the request: for `read` the reader, for the others the one who started the task. Undefined on a client. */
  readonly auth: Auth | undefined;
}

/** Gives an event to the user's `onTask`. Never throws. */
export type TaskLog = (
  kind: TaskEvent["kind"],
  task: {
    readonly view: Pick<Task["view"], "taskId" | "status" | "statusMessage">;
    readonly exchange?: Task["exchange"];
  },
  auth?: Auth,
) => void;

export function taskLog(onTask: ((event: TaskEvent) => void) | undefined, settings: Settings): TaskLog {
  return (kind, { view, exchange }, auth = exchange?.info?.auth) => {
    const { taskId, status, statusMessage } = view;
    try {
      onTask?.({ kind, taskId, status, statusMessage, auth });
    } catch (fault) {
      report(settings, fault, "onTask");
    }
  };
}
