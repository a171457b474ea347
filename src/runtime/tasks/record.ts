import { sha256 } from "../../common/base64.js";
import { getOwn } from "../../common/object.js";
import { outage } from "../core/errors.js";
import { endOf, hasEnded, type Question, type TaskState } from "./state.js";

/** The list of the tasks of a requester. */
export interface TaskList {
  readonly requester: string;
  /** How long it is stored, in milliseconds: no task in it is stored for longer. */
  readonly ttl: number;
}

/** What all processes know of a task. Only its worker changes it while it runs, but for answers and its end. */
export interface TaskRecord extends TaskState {
  readonly principal?: string | undefined;
  /** The principal or the key of the session that created it. */
  readonly key?: string | undefined;
  /** The list that has it. */
  readonly list?: TaskList | undefined;
  /** The process that runs it. */
  readonly worker: string;
}

/** The key of a task, whose id may give access. */
export const keyOf = async (taskId: string): Promise<string> => `tasks/${await sha256(taskId)}`;

/** How long a change is stored at least, unless the whole time of the task is shorter, in milliseconds. */
const minTime = 60_000;
/** What every store takes, in bytes of JSON: 1,048,576 characters, of which encryption takes a quarter. */
const maxLength = 786_000;

/** How long a task is still stored. The clock of a process may be ahead of the others: its requester still learns of the end. */
export const timeOf = (state: Pick<TaskState, "view">): number =>
  Math.max(1, Math.min(minTime, Number(state.view.ttl)), endOf(state) - Date.now());

/** True for JSON that every store takes: if it is refused, the store is away. */
export const isStorable = (text: string | undefined): boolean =>
  text !== undefined && new TextEncoder().encode(text).length <= maxLength;

/** The record with the state of the task in the process that runs it. Answers that the process has not read yet stay. */
export function withState(record: TaskRecord, state: TaskState): TaskRecord {
  if (hasEnded(state)) return { ...record, ...state, questions: {}, restart: undefined };
  const questions = Object.entries(state.questions).map(([key, question]): readonly [string, Question] => {
    const answer = question.isClosed ? undefined : getOwn(record.questions, key)?.answer;
    return [key, answer === undefined ? question : { ...question, answer }];
  });
  return { ...record, ...state, questions: Object.fromEntries(questions) };
}

/** Throws because the store does not answer: it is not known whether the task exists. */
export function unavailable(cause: unknown): never {
  throw outage("The tasks cannot be reached now. Try again.", cause);
}
