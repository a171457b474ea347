/**
 * The tasks extension, io.modelcontextprotocol/tasks, as its schema declares it. What only its text says is in
 * additions.ts.
 */
import type {
  Error as JSONRPCErrorObject,
  InputRequests,
  InputResponses,
  JSONRPCNotification,
  JSONRPCRequest,
  NotificationParams,
  Result,
} from "../../2026-07-28/schema.js";

/**
 * Status of a task. The last three values are final.
 *
 * @category `tasks`
 */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/**
 * The state of a request that runs as a task.
 *
 * @category `tasks`
 */
export interface Task {
  /** Id of the task, chosen by the server. */
  taskId: string;

  /** Status of the task. */
  status: TaskStatus;

  /** Text about the status, for people or a model. */
  statusMessage?: string;

  /** Time of creation, in ISO 8601. */
  createdAt: string;

  /** Time of the last change, in ISO 8601. */
  lastUpdatedAt: string;

  /**
   * Milliseconds from creation after which the server may delete the task. Null means never. The value may
   * change.
   * @format int
   * @nullable
   */
  ttlMs: number | null;

  /**
   * Milliseconds to wait between two `tasks/get` requests. The value may change.
   * @format int
   */
  pollIntervalMs?: number;
}

/**
 * A task that the server is processing.
 *
 * @category `tasks`
 */
export interface WorkingTask extends Task {
  status: "working";
}

/**
 * A task that waits for input.
 *
 * @category `tasks`
 */
export interface InputRequiredTask extends Task {
  status: "input_required";

  /**
   * All input requests that have no response yet. A key identifies the same input request during the whole
   * task.
   */
  inputRequests: InputRequests;
}

/**
 * A task whose request succeeded.
 *
 * @category `tasks`
 */
export interface CompletedTask extends Task {
  status: "completed";

  /** The result of the original request, such as a `CallToolResult` for `tools/call`. */
  result: { [key: string]: unknown };
}

/**
 * A task whose request failed with a JSON-RPC error. A task whose tool result has `isError` is completed, not
 * failed.
 *
 * @category `tasks`
 */
export interface FailedTask extends Task {
  status: "failed";

  /** The error. */
  error: JSONRPCErrorObject;
}

/**
 * A task that was cancelled.
 *
 * @category `tasks`
 */
export interface CancelledTask extends Task {
  status: "cancelled";
}

/**
 * A task with the members that depend on its status.
 *
 * @category `tasks`
 */
export type DetailedTask = WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/**
 * The immediate result of a request that runs as a task.
 *
 * @category `tasks`
 */
export type CreateTaskResult = Result &
  Task & {
    /** Distinguishes this result from the result of the method. */
    resultType: "task";
  };

/**
 * Gets the current state of a task.
 *
 * @category `tasks/get`
 */
export type GetTaskRequest = JSONRPCRequest & {
  method: "tasks/get";
  params: {
    /** The task. */
    taskId: string;
  };
};

/**
 * The task, with the members that depend on its status.
 *
 * @category `tasks/get`
 */
export type GetTaskResult = Result &
  DetailedTask & {
    /** Marks the result as complete. */
    resultType: "complete";
  };

/**
 * Sends the responses to input requests of a task.
 *
 * @category `tasks/update`
 */
export type UpdateTaskRequest = JSONRPCRequest & {
  method: "tasks/update";
  params: {
    /** The task. */
    taskId: string;

    /** The responses, by the keys of their input requests. Others may follow later. */
    inputResponses: InputResponses;
  };
};

/**
 * Confirms only that the server received the responses.
 *
 * @category `tasks/update`
 */
export type UpdateTaskResult = Result & {
  /** Marks the result as complete. */
  resultType: "complete";
};

/**
 * Requests the cancellation of a task.
 *
 * @category `tasks/cancel`
 */
export type CancelTaskRequest = JSONRPCRequest & {
  method: "tasks/cancel";
  params: {
    /** The task. */
    taskId: string;
  };
};

/**
 * Confirms only that the server received the request. The task may still end with another status.
 *
 * @category `tasks/cancel`
 */
export type CancelTaskResult = Result & {
  /** Marks the result as complete. */
  resultType: "complete";
};

/**
 * A task with the members that depend on its status.
 *
 * @category `notifications/tasks`
 */
export type TaskStatusNotificationParams = NotificationParams & DetailedTask & { [key: string]: unknown };

/**
 * Reports to subscribers that the status of a task has changed. Servers need not send it.
 *
 * @category `notifications/tasks`
 */
export type TaskStatusNotification = JSONRPCNotification & {
  method: "notifications/tasks";
  params: TaskStatusNotificationParams;
};

/**
 * Members that the extension adds to the filter of `subscriptions/listen`.
 *
 * @category `subscriptions`
 */
export interface TaskSubscriptionNotifications {
  /** Ids of the tasks whose notifications to send. */
  taskIds?: string[];
}

/**
 * Members that the extension adds to the acknowledgement of a subscription.
 *
 * @category `subscriptions`
 */
export interface TaskSubscriptionAcknowledgedNotifications {
  /** Ids of the tasks whose notifications the server sends. */
  taskIds?: string[];
}

/**
 * Settings of the extension: an empty object.
 *
 * @category `tasks`
 */
export type TasksExtensionCapability = Record<string, never>;
