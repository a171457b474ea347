import type { JsonObject } from "../../common/object.js";
import { shortJson } from "../core/short-json.js";
import { pause } from "../../common/timing.js";
import { type McpError, rpcError } from "../core/errors.js";
import { changeInList, type ListedTask, updateList } from "./list.js";
import {
  isOf,
  maxRecord,
  recordOf,
  type TaskHost,
  type TaskList,
  type TaskRecord,
  timeOf,
  withState,
} from "./record.js";
import { hasEnded, type Task, type TaskView } from "./task.js";

/**
 * The wait before the store is asked again for a change that it has not taken,
 * in milliseconds.
 */
const retryTime = 500;

/** A task that this process runs, and its record. */
export type RunningTask = ReturnType<typeof followTask>;

/**
 * `list` is the list that has the task. `isHere` returns false once this
 * process no longer runs it. `onStored` is called each time that the store has
 * the state of the task, or does not take it any more.
 */
export function followTask(
  task: Task,
  key: string,
  list: TaskList | undefined,
  { records, self }: TaskHost,
  isHere: () => boolean,
  onStored: () => void,
  report: (error: unknown) => void,
) {
  /** When its time is over, by a clock that nobody sets. */
  const end = performance.now() + timeOf(task);
  let hasChanged: boolean;
  let storing: Promise<boolean> | undefined;

  async function write(): Promise<boolean> {
    let isStored = false;
    let isAway = false;
    let stored: TaskRecord | undefined;
    // Once also when the time of the task is over, so that the others learn of
    // its end.
    do {
      hasChanged = false;
      const { view } = task;
      let isStorable = true;
      try {
        const change = (
          known: TaskRecord | undefined,
        ): TaskRecord | undefined => {
          // An engine that has forgotten the task gets it again.
          const record = known ?? recordOf(task, list, self);
          const isOwn = isOf(record, self, task.state);
          const hadEnded = hasEnded(record) && known !== undefined;
          isStored = isOwn && (!hadEnded || record.view.status === view.status);
          stored = isOwn && !hadEnded ? taken(record, self, task) : record;
          isStorable = shortJson(stored, maxRecord) !== undefined;
          return stored === record ? undefined : stored;
        };
        // First, so that a task that is known to have ended can be replaced.
        await changeInList(records, view.taskId, list, ownView(view, self));
        await records.update(key, task.isExpired ? 1 : timeOf(task), change);
        if (isStored) continue;
        task.cancel(aborted("Another process has ended the task, or runs it."));
        if (stored) await updateList(records, stored).catch(report);
      } catch (error) {
        if (!isAway) report(error);
        isAway = hasChanged = true;
        if (isStorable) await pause(retryTime);
        else task.fail(notStorable());
      }
    } while (isHere() && hasChanged && performance.now() < end);
    // At once: the next change begins again.
    storing = undefined;
    onStored();
    return isStored;
  }

  return {
    task: task as Task,
    /** Resolves once the store has the state of the task. */
    stored: async (): Promise<unknown> => storing,
    /**
     * Stores the state of the task. Resolves with false if the task has ended
     * otherwise, or its time is over.
     */
    store(): Promise<boolean> {
      hasChanged = true;
      return (storing ??= write());
    },
    /**
     * Takes over what others have changed, and stores again what the engine has
     * forgotten. Never rejects.
     */
    async refresh(): Promise<void> {
      try {
        const record = await records.fetch<TaskRecord>(key, isHere);
        if (!isHere() || (task.hasEnded && !record)) return;
        if (record && (hasEnded(record) || !isOf(record, self, task.state))) {
          task.cancel(aborted("The task was cancelled."));
          // Its end, too, is one that the engine may forget.
          if (hasEnded(record)) task.state = record;
          return;
        }
        task.answer(answersIn(record));
        if (
          !record ||
          JSON.stringify(taken(record, self, task)) !== JSON.stringify(record)
        )
          await this.store();
      } catch (error) {
        report(error);
      }
    },
  };
}

/** The answers that clients have given at other processes, by question. */
const answersIn = (record: TaskRecord | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(record?.questions ?? {}).flatMap(([name, { answer }]) =>
      answer === undefined ? [] : [[name, answer]],
    ),
  );

/** Replaces the view of a task in a list, if it is one of this process. */
const ownView =
  (view: TaskView, self: string) =>
  (listed: ListedTask): ListedTask =>
    listed.worker === self ? { view, worker: self } : listed;

const aborted = (message: string): DOMException =>
  new DOMException(message, "AbortError");

const notStorable = (): McpError =>
  rpcError(
    "INTERNAL_ERROR",
    "What the task keeps is too long to store, or is not JSON.",
  );

/** The record as the process that runs the task writes it. */
const taken = (
  record: TaskRecord,
  worker: string,
  { state }: Task,
): TaskRecord => withState({ ...record, worker }, state);
