import type { JsonObject } from "../../../shared/object.js";
import { sha256 } from "../../../shared/sha256.js";
import { McpError, outage } from "../../errors.js";
import type { Outcome, Restart, TaskStatus, TaskView } from "./store.js";

/** What all processes know of a task. Only its worker changes it while it runs, but for answers and its end. */
export interface TaskRecord {
  readonly view: TaskView;
  readonly principal?: string | undefined;
  /** The principal or the key of the session that created it. */
  readonly key?: string | undefined;
  /** The process that runs it. */
  readonly worker: string;
  readonly outcome?: StoredOutcome | undefined;
  readonly openQuestions: JsonObject;
  readonly answers: JsonObject;
  readonly restart?: StoredRestart | undefined;
}

/** `Restart`, whose maps are lists of their entries. */
export type StoredRestart = {
  readonly [K in keyof Restart]: Restart[K] extends Map<infer Key, infer Value>
    ? readonly (readonly [Key, Value])[]
    : Restart[K];
};
type StoredOutcome = { readonly result: JsonObject } | { readonly error: StoredError };
export type StoredError = Pick<McpError, "code" | "message" | "data">;

/** The key of a task, whose id may give access. */
export const keyOf = async (taskId: string): Promise<string> => `tasks/${await sha256(taskId)}`;

export const endOf = ({ createdAt, ttl }: TaskView): number => Date.parse(createdAt) + Number(ttl);
export const timeOf = (view: TaskView): number => Math.max(1, endOf(view) - Date.now());
export const hasEnded = ({ status }: TaskView): boolean =>
  status !== "working" && status !== "input_required";
export const errorOf = (reason: unknown): StoredError => {
  const { code, message, data } = McpError.from(reason);
  return { code, message, data };
};

/** The record with another status, and without questions. */
export const movedTo = (status: TaskStatus, record: TaskRecord, statusMessage?: string): TaskRecord => {
  const lastUpdatedAt = new Date().toISOString();
  const view = {
    ...record.view,
    status,
    lastUpdatedAt,
    ...(statusMessage !== undefined && { statusMessage }),
  };
  return { ...record, view, openQuestions: {} };
};

export const stored = (restart: Restart | undefined): StoredRestart | undefined =>
  restart && { ...restart, once: [...restart.once], answers: [...restart.answers] };

export const outcomeOf = (outcome: StoredOutcome): Outcome => {
  if (!("error" in outcome)) return outcome;
  const { code, message, data } = outcome.error;
  return { error: new McpError(code, message, data) };
};

/** The store does not answer. Nobody may be told that there is no such task. */
export function unavailable(cause: unknown): never {
  throw outage("The tasks cannot be reached now. Try again.", cause);
}
