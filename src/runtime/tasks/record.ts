import { sha256 } from "../../common/base64.js";
import { getOwn } from "../../common/object.js";
import { outage } from "../core/errors.js";
import type { ServerSideSession } from "../core/session/server-side.js";
import type { SideTable } from "../core/tables.js";
import { endOf, hasEnded, type Question, type TaskState } from "./task.js";

/** Sealed values that all processes have, by key. Times are in milliseconds. */
export interface SealedRecords {
  /**
   * Resolves with undefined also for a value that is not one of this cluster.
   * Rejects if the store does not answer.
   */
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
  /**
   * A session of the server with these tables and without a client, for work
   * whose caller is elsewhere.
   */
  detachedSession(side: SideTable): ServerSideSession | undefined;
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

/** The key of a task, whose id may give access. */
export const keyOf = async (taskId: string): Promise<string> =>
  `tasks/${await sha256(taskId)}`;

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

/**
 * Throws because the store does not answer: it is not known whether the task
 * exists.
 */
export function unavailable(cause: unknown): never {
  throw outage("The tasks cannot be reached now. Try again.", cause);
}
