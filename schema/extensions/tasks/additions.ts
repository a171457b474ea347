/**
 * What the text of the tasks extension says and its schema does not: its key, who sends its messages, which
 * request it augments, and what the filter of a subscription contains. An interface or union with a name of the
 * revision adds its members to that declaration.
 */
import type {
  CancelTaskRequest,
  CancelTaskResult,
  CreateTaskResult,
  GetTaskRequest,
  GetTaskResult,
  TaskStatusNotification,
  TaskSubscriptionNotifications,
  UpdateTaskRequest,
  UpdateTaskResult,
} from "./schema.js";

/** The key under which both sides declare the extension. */
export const EXTENSION_IDENTIFIER = "io.modelcontextprotocol/tasks";

/** Requests that a client sends. */
export type ClientRequest = GetTaskRequest | UpdateTaskRequest | CancelTaskRequest;

/** Notifications that a server sends. */
export type ServerNotification = TaskStatusNotification;

/** Results that a server returns. */
export type ServerResult = CreateTaskResult | GetTaskResult | UpdateTaskResult | CancelTaskResult;

/** The response to a tool call, which may be a task. */
export interface CallToolResultResponse {
  result: CreateTaskResult;
}

/** The notifications to send on the new stream. */
export interface SubscriptionFilter extends TaskSubscriptionNotifications {}
