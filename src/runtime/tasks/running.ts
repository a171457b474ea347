import { shortJson } from "../core/short-json.js";
import { pause } from "../../common/timing.js";
import { rpcError } from "../core/errors.js";
import { changeInList, updateList } from "./list.js";
import {
  maxRecord,
  type TaskHost,
  type TaskList,
  type TaskRecord,
  timeOf,
  withState,
} from "./record.js";
import { hasEnded, type Task } from "./task.js";

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
  let hasChanged = false;
  let storing: Promise<boolean> | undefined;

  async function write(): Promise<boolean> {
    let isStored = false;
    let stored: TaskRecord | undefined;
    let isStorable = true;
    // Once also when the time of the task is over, so that the others learn of
    // its end.
    do {
      hasChanged = false;
      const { view } = task;
      isStorable = true;
      try {
        const change = (
          record: TaskRecord | undefined,
        ): TaskRecord | undefined => {
          stored = record;
          const isOwn = record?.worker === self;
          isStored =
            isOwn && (!hasEnded(record) || record.view.status === view.status);
          if (!isOwn || hasEnded(record)) return undefined;
          const next = withState(record, task.state);
          isStorable = shortJson(next, maxRecord) !== undefined;
          return next;
        };
        // First, so that a task that is known to have ended can be replaced.
        await changeInList(records, view.taskId, list, (one) =>
          one.worker === self ? { view, worker: self } : one,
        );
        await records.update(key, task.isExpired ? 1 : timeOf(task), change);
        if (isStored) continue;
        task.cancel(
          new DOMException(
            "Another process has ended the task, or runs it.",
            "AbortError",
          ),
        );
        if (stored) await updateList(records, stored).catch(report);
      } catch (error) {
        report(error);
        hasChanged = true;
        if (isStorable) await pause(retryTime);
        else
          task.fail(
            rpcError(
              "INTERNAL_ERROR",
              "What the task keeps is too long to store, or is not JSON.",
            ),
          );
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
    get storing(): Promise<boolean> | undefined {
      return storing;
    },
    /**
     * Stores the state of the task. Resolves with false if the task has ended
     * otherwise, or its time is over.
     */
    store(): Promise<boolean> {
      hasChanged = true;
      return (storing ??= write());
    },
    /** Takes over what others have changed. */
    async refresh(): Promise<void> {
      const record = await records.fetch<TaskRecord>(key, isHere);
      if (!record) return;
      if (hasEnded(record) || record.worker !== self)
        return task.cancel(
          new DOMException("The task was cancelled.", "AbortError"),
        );
      const answers = Object.entries(record.questions).filter(
        ([, { answer }]) => answer !== undefined,
      );
      task.answer(
        Object.fromEntries(answers.map(([name, { answer }]) => [name, answer])),
      );
    },
  };
}
