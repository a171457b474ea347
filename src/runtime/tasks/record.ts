import { getOwn, type JsonObject } from "../../common/object.js";
import { sha256 } from "../../common/base64.js";
import { McpError, outage } from "../core/errors.js";
import type { Outcome, Restart, Task, TaskStatus, TaskView } from "./store.js";

/** The list of the tasks of a requester. */
export interface TaskList {
  readonly requester: string;
  /** How long it is stored, in milliseconds: no task in it is stored for longer. */
  readonly ttl: number;
}

/** What all processes know of a task. Only its worker changes it while it runs, but for answers and its end. */
export interface TaskRecord {
  readonly view: TaskView;
  readonly principal?: string | undefined;
  /** The principal or the key of the session that created it. */
  readonly key?: string | undefined;
  /** The list that has it. */
  readonly list?: TaskList | undefined;
  /** The process that runs it. */
  readonly worker: string;
  readonly outcome?: StoredOutcome | undefined;
  readonly openQuestions: JsonObject;
  readonly answers: JsonObject;
  readonly restart?: StoredRestart | undefined;
}

/** `Restart`, whose maps are lists of their entries. */
type StoredRestart = {
  readonly [K in keyof Restart]: Restart[K] extends Map<infer Key, infer Value>
    ? readonly (readonly [Key, Value])[]
    : Restart[K];
};
type StoredOutcome = { readonly result: JsonObject } | { readonly error: StoredError };
export type StoredError = Pick<McpError, "code" | "message" | "data">;

/** The key of a task, whose id may give access. */
export const keyOf = async (taskId: string): Promise<string> => `tasks/${await sha256(taskId)}`;

/** How long a change is stored at least, unless the whole time of the task is shorter, in milliseconds. */
const minTime = 60_000;
/** What every store takes, in bytes of JSON: 1,048,576 characters, of which encryption takes a quarter. */
const maxLength = 786_000;
export const endOf = ({ createdAt, ttl }: TaskView): number => Date.parse(createdAt) + Number(ttl);
/** How long a task is still stored. The clock of a process may be ahead of the others: its requester learns of the end all the same. */
export const timeOf = (view: TaskView): number =>
  Math.max(1, Math.min(minTime, Number(view.ttl)), endOf(view) - Date.now());
export const hasEnded = ({ status }: TaskView): boolean =>
  status !== "working" && status !== "input_required";
export const errorOf = (reason: unknown): StoredError => {
  const { code, message, data } = McpError.from(reason);
  return { code, message, data };
};

/** True for JSON that every store takes: if it is refused, the store is away. */
export const isStorable = (text: string | undefined): boolean =>
  text !== undefined && new TextEncoder().encode(text).length <= maxLength;

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

/** What a task of this process changes in its record. */
export const stateOf = ({
  view,
  outcome,
  openQuestions,
  restart,
}: Task): Pick<TaskRecord, "view" | "outcome" | "openQuestions" | "restart"> => ({
  view,
  outcome: outcome && ("error" in outcome ? { error: errorOf(outcome.error) } : outcome),
  openQuestions: hasEnded(view) ? {} : openQuestions,
  restart:
    restart && !hasEnded(view)
      ? { ...restart, once: [...restart.once], answers: [...restart.answers] }
      : undefined,
});

/** Those of these answers whose questions have none, also if they are questions of an earlier process. */
export function openAnswers({ openQuestions, restart }: TaskRecord, answers: JsonObject): JsonObject {
  const earlier = restart?.answers.filter(([, { value }]) => value === undefined) ?? [];
  const open = new Set([...Object.keys(openQuestions), ...earlier.map(([key]) => key)]);
  return Object.fromEntries(Object.entries(answers).filter(([key]) => open.has(key)));
}

/** The record once another process runs the task again, if it may. That one may pose the same questions, whose answers may be underway. */
export function claimedBy(worker: string, record: TaskRecord): TaskRecord | undefined {
  const { answers, openQuestions, restart } = record;
  if (!restart) return undefined;
  const open = Object.entries(openQuestions).map(([key, request]) => [key, { request }] as const);
  const asked = [...restart.answers, ...open] as StoredRestart["answers"];
  const known = asked.map(([key, one]) => [key, { value: getOwn(answers, key), ...one }] as const);
  const next = { ...restart, attempt: restart.attempt + 1, answers: known };
  return { ...movedTo("working", record), worker, answers: {}, restart: next };
}

export const restored = (restart: StoredRestart): Restart => ({
  ...restart,
  once: new Map(restart.once),
  answers: new Map(restart.answers),
});

export const outcomeOf = (outcome: StoredOutcome): Outcome => {
  if (!("error" in outcome)) return outcome;
  const { code, message, data } = outcome.error;
  return { error: new McpError(code, message, data) };
};

/** Throws because the store does not answer: it is not known whether the task exists. */
export function unavailable(cause: unknown): never {
  throw outage("The tasks cannot be reached now. Try again.", cause);
}
