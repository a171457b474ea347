import { sha256 } from "../../common/base64.js";
import { getOwn } from "../../common/object.js";
import type { ServerSessionConfig } from "../core/session/config.js";
import type { SideTable } from "../core/tables.js";
import {
  attemptOf,
  endOf,
  hasEnded,
  type Question,
  type Task,
  type TaskState,
} from "./task.js";

/**
 * Sealed values that all processes have, by key. Times are in milliseconds. If
 * the store does not answer, or a value does not open, each method rejects with
 * an `McpError` that says so to the client. A value whose key starts with
 * "index/" only helps to find others, so it begins anew instead.
 */
export interface SealedRecords {
  get<T>(key: string): Promise<T | undefined>;
  /**
   * The same, but asks until the store answers. Resolves with undefined once
   * the value is not needed any more.
   */
  fetch<T>(key: string, isNeeded: () => boolean): Promise<T | undefined>;
  set(key: string, value: unknown, ttl: number): Promise<void>;
  /**
   * Writes what `change` returns, unless it is undefined. `change` is called
   * again if another process was faster.
   */
  update<T>(
    key: string,
    ttl: number,
    change: (value: T | undefined) => T | undefined,
  ): Promise<T | undefined>;
}

/** What the tasks of a process need of its cluster. */
export interface TaskHost {
  /** The name of this process, which no other one ever has. */
  readonly self: string;
  readonly records: SealedRecords;
  readonly bus: {
    /** Tells the other processes that a task has changed. */
    publish(entry: {
      readonly kind: "task-changed";
      readonly key: string;
    }): void;
    /** Whether a process runs; undefined while that is not certain. */
    isRunning(process: string): boolean | undefined;
    /**
     * True if this process reads and writes the log, and so the others hear it.
     */
    readonly isConnected: boolean;
  };
  /** Calls a function once, after a time in milliseconds. */
  after(time: number, call: () => void): void;
  /** The configuration of the server with these tables. */
  configOf(side: SideTable): ServerSessionConfig | undefined;
}

/** The list of the tasks of a requester. */
export interface TaskList {
  readonly requester: string;
  /**
   * How long it is stored, in milliseconds: no task in it is stored for longer.
   */
  readonly ttl: number;
}

/**
 * What all processes know of a task. Only its worker changes it while it runs,
 * but for answers and its end.
 */
export interface TaskRecord extends TaskState {
  readonly principal?: string | undefined;
  /** The principal or the key of the session that created it. */
  readonly key?: string | undefined;
  /** The list that has it. */
  readonly list?: TaskList | undefined;
  /** The process that runs it. */
  readonly worker: string;
}

/**
 * How the key of each task begins that this release can read. A new form of
 * `TaskRecord` has another number, and is read one release before it is
 * written: a process takes a task that it cannot read for one of others.
 */
const prefix = "tasks/2/";

/** The key of a task, whose id may give access. */
export const keyOf = async (taskId: string): Promise<string> =>
  prefix + (await sha256(taskId));

/** True for the key of a task that this release can read. */
export const canRead = (key: string): boolean => key.startsWith(prefix);

/** The record of a task that this process runs. */
export const recordOf = (
  { state, requester: { principal, key } }: Task,
  list: TaskList | undefined,
  worker: string,
): TaskRecord => ({
  ...state,
  principal,
  key: key as string | undefined,
  list,
  worker,
});

/**
 * True if the record is of this process, which runs the task. An engine that
 * has forgotten some seconds may say that an earlier process runs it.
 */
export const isOf = (
  record: TaskRecord,
  self: string,
  state: TaskState,
): boolean => record.worker === self || attemptOf(record) < attemptOf(state);

/**
 * How long a change is stored at least, unless the whole time of the task is
 * shorter, in milliseconds.
 */
const minTime = 60_000;
/**
 * What every store takes, in bytes of JSON: 1,048,576 characters, of which
 * encryption takes a quarter. If it refuses a shorter record, the store is
 * away.
 */
export const maxRecord = 786_000;

/**
 * How long a task is still stored. The clock of a process may be ahead of the
 * others: its requester still learns of the end.
 */
export const timeOf = (state: Pick<TaskState, "view">): number =>
  Math.max(
    1,
    Math.min(minTime, Number(state.view.ttl)),
    endOf(state) - Date.now(),
  );

/**
 * The record with the state of the task in the process that runs it. Answers
 * that the process has not read yet stay.
 */
export function withState(record: TaskRecord, state: TaskState): TaskRecord {
  if (hasEnded(state))
    return { ...record, ...state, questions: {}, restart: undefined };
  const questions = Object.entries(state.questions).map(
    ([key, question]): readonly [string, Question] => {
      const answer = question.isClosed
        ? undefined
        : getOwn(record.questions, key)?.answer;
      return [key, answer === undefined ? question : { ...question, answer }];
    },
  );
  return { ...record, ...state, questions: Object.fromEntries(questions) };
}
