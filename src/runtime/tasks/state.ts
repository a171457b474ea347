import { getOwn, type JsonObject } from "../../common/object.js";
import { McpError } from "../core/errors.js";
import type { Auth } from "../core/ports/transport.js";
import type { Identity } from "../core/session/config.js";

/** The caller of requests that create or name tasks. */
export interface Requester {
  readonly principal: string | undefined;
  /** The principal, or the session (in a cluster, its key) if there is none; undefined for a requester that cannot be identified. */
  readonly key: unknown;
}

/** The status of a task (specification: "Tasks"). */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** The public part of a task. Times are in ISO 8601, durations in milliseconds. */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number | null;
  readonly pollInterval: number;
}

export type TaskError = Pick<McpError, "code" | "message" | "data">;

/** The outcome of a task. It may be read several times. */
export type Outcome = { readonly result: JsonObject } | { readonly error: TaskError };

/** A question that is part of a task. */
export interface Question {
  /** As it is sent. */
  readonly request: JsonObject;
  /** The run of the work that asked it last. */
  readonly attempt: number;
  /** What a client answered; until `isClosed`, the work may not accept it. */
  readonly answer?: unknown;
  /** True once the work has the answer, or does not wait for one any more. */
  readonly isClosed?: boolean;
}

/** What a task needs to run again in another process, if its process stops. */
export interface Restart {
  /** The name of the server. */
  readonly server: string;
  readonly revision: string;
  readonly method: string;
  readonly params: JsonObject;
  /** The caller of the request, as JSON: without the members that are not enumerable, such as the token that `protect` keeps. */
  readonly auth?: Auth | undefined;
  readonly client: Identity;
  /** The number of processes that have begun to run it. */
  readonly attempt: number;
  /** The results of `context.once`, by key. */
  readonly once: JsonObject;
}

/** A task, as JSON: in the memory of the process that runs it, and in the store of a cluster. */
export interface TaskState {
  readonly view: TaskView;
  /** Undefined until the task has ended. */
  readonly outcome?: Outcome | undefined;
  /** By key. A task never uses a key twice. */
  readonly questions: Readonly<Record<string, Question>>;
  /** Undefined if the task runs once at most. */
  readonly restart?: Restart | undefined;
}

/** True once the status of a task no longer changes (TASK-05). */
export const hasEnded = ({ view: { status } }: Pick<TaskState, "view">): boolean =>
  status !== "working" && status !== "input_required";

/** When the time of a task is over, in milliseconds since 1970. */
export const endOf = ({ view: { createdAt, ttl } }: Pick<TaskState, "view">): number =>
  Date.parse(createdAt) + Number(ttl);

export const isOver = (task: Pick<TaskState, "view">): boolean => endOf(task) <= Date.now();

/** The number of the run of the work. */
export const attemptOf = ({ restart }: TaskState): number => restart?.attempt ?? 1;

/** The state with another status (TASK-05). */
export function movedTo<T extends TaskState>(state: T, status: TaskStatus, statusMessage?: string): T {
  const { statusMessage: _, ...view } = state.view;
  const lastUpdatedAt = new Date().toISOString();
  return {
    ...state,
    view: { ...view, status, lastUpdatedAt, ...(statusMessage !== undefined && { statusMessage }) },
  };
}

/** The questions for which the work waits, as they are sent, by key. */
export function openQuestions(state: TaskState): JsonObject {
  const open = Object.entries(state.questions).filter(
    ([, { isClosed, attempt }]) => !isClosed && attempt === attemptOf(state),
  );
  return Object.fromEntries(open.map(([key, { request }]) => [key, request]));
}

/** Those of these answers that a question still takes, also one of an earlier run, which the present one may ask again (XTASK-06). */
export function openAnswers({ questions }: TaskState, answers: JsonObject): JsonObject {
  const isOpen = (key: string): boolean => getOwn(questions, key)?.isClosed === undefined;
  return Object.fromEntries(
    Object.entries(answers).filter(([key]) => Object.hasOwn(questions, key) && isOpen(key)),
  );
}

export const errorOf = (reason: unknown): TaskError => {
  const { code, message, data } = McpError.from(reason);
  return { code, message, data };
};
