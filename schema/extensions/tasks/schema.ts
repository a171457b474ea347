/**
 * The tasks extension. What it shares a name with in the revision it adds to: an interface gets members more, a union
 * members more. The rest is new.
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

/** The key under which both sides declare the extension. */
export const EXTENSION_IDENTIFIER = "io.modelcontextprotocol/tasks";

/**
 * How far a task has got. The last three are final.
 *
 * @category `tasks`
 */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/**
 * A request that goes on after its first answer, as its requester sees it.
 *
 * @category `tasks`
 */
export interface Task {
  /** Names the task; chosen by the server. */
  taskId: string;

  /** How far it has got. */
  status: TaskStatus;

  /** More about the status, for people or a model. */
  statusMessage?: string;

  /** When it was created, in ISO 8601. */
  createdAt: string;

  /** When anything about it last changed, in ISO 8601. */
  lastUpdatedAt: string;

  /**
   * Milliseconds from its creation after which the server may forget it; null for never. May change.
   * @format int
   * @nullable
   */
  ttlMs: number | null;

  /**
   * Milliseconds to leave between two `tasks/get`. May change.
   * @format int
   */
  pollIntervalMs?: number;
}

/**
 * A task that is being worked on.
 *
 * @category `tasks`
 */
export interface WorkingTask extends Task {
  status: "working";
}

/**
 * A task that waits for answers.
 *
 * @category `tasks`
 */
export interface InputRequiredTask extends Task {
  status: "input_required";

  /** All questions that have no answer yet. A key stands for one question as long as the task lives. */
  inputRequests: InputRequests;
}

/**
 * A task whose request was answered.
 *
 * @category `tasks`
 */
export interface CompletedTask extends Task {
  status: "completed";

  /** What the request would have been answered with: for `tools/call`, a `CallToolResult`. */
  result: { [key: string]: unknown };
}

/**
 * A task whose request failed with a JSON-RPC error. A tool that says `isError` has completed.
 *
 * @category `tasks`
 */
export interface FailedTask extends Task {
  status: "failed";

  /** The error. */
  error: JSONRPCErrorObject;
}

/**
 * A task that was given up.
 *
 * @category `tasks`
 */
export interface CancelledTask extends Task {
  status: "cancelled";
}

/**
 * A task with all that goes with its status.
 *
 * @category `tasks`
 */
export type DetailedTask = WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/**
 * The first answer to a request that goes on as a task.
 *
 * @category `tasks`
 */
export type CreateTaskResult = Result &
  Task & {
    /** Tells it from an ordinary result. */
    resultType: "task";
  };

/**
 * Asks how a task is.
 *
 * @category `tasks/get`
 */
export type GetTaskRequest = JSONRPCRequest & {
  method: "tasks/get";
  params: {
    /** Which task. */
    taskId: string;
  };
};

/**
 * The task, and what goes with its status.
 *
 * @category `tasks/get`
 */
export type GetTaskResult = Result &
  DetailedTask & {
    /** An ordinary result. */
    resultType: "complete";
  };

/**
 * Answers questions of a task's.
 *
 * @category `tasks/update`
 */
export type UpdateTaskRequest = JSONRPCRequest & {
  method: "tasks/update";
  params: {
    /** Which task. */
    taskId: string;

    /** Answers under the keys of their questions; others may follow later. */
    inputResponses: InputResponses;
  };
};

/**
 * Says only that the answers arrived.
 *
 * @category `tasks/update`
 */
export type UpdateTaskResult = Result & {
  /** An ordinary result. */
  resultType: "complete";
};

/**
 * Asks to give a task up.
 *
 * @category `tasks/cancel`
 */
export type CancelTaskRequest = JSONRPCRequest & {
  method: "tasks/cancel";
  params: {
    /** Which task. */
    taskId: string;
  };
};

/**
 * Says only that the wish arrived; the task may still end otherwise.
 *
 * @category `tasks/cancel`
 */
export type CancelTaskResult = Result & {
  /** An ordinary result. */
  resultType: "complete";
};

/**
 * A task with all that goes with its status.
 *
 * @category `notifications/tasks`
 */
export type TaskStatusNotificationParams = NotificationParams & DetailedTask & { [key: string]: unknown };

/**
 * Tells those who listen for this task that its status has changed. Servers need not send it.
 *
 * @category `notifications/tasks`
 */
export type TaskStatusNotification = JSONRPCNotification & {
  method: "notifications/tasks";
  params: TaskStatusNotificationParams;
};

/**
 * What the extension adds to the filter of `subscriptions/listen`.
 *
 * @category `subscriptions`
 */
export interface TaskSubscriptionNotifications {
  /** The tasks to hear of. */
  taskIds?: string[];
}

/**
 * What the extension adds to what a server agrees to send.
 *
 * @category `subscriptions`
 */
export interface TaskSubscriptionAcknowledgedNotifications {
  /** The tasks that will be heard of. */
  taskIds?: string[];
}

/**
 * How the extension is declared: by an empty object.
 *
 * @category `tasks`
 */
export type TasksExtensionCapability = Record<string, never>;

// What the extension says in prose alone: who sends its messages, which request it augments and what it is listened for by.

/** Requests that a client sends. */
export type ClientRequest = GetTaskRequest | UpdateTaskRequest | CancelTaskRequest;

/** Notifications that a server sends. */
export type ServerNotification = TaskStatusNotification;

/** Results that a server answers with. */
export type ServerResult = CreateTaskResult | GetTaskResult | UpdateTaskResult | CancelTaskResult;

/** A tool's answer, which may be a task. */
export interface CallToolResultResponse {
  result: CreateTaskResult;
}

/** What a new stream should carry. */
export interface SubscriptionFilter extends TaskSubscriptionNotifications {}
