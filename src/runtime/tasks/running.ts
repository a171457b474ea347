import { pause } from "../../common/timing.js";
import { rpcError } from "../core/errors.js";
import { changeInList, updateList } from "./list.js";
import { isStorable, type TaskList, type TaskRecord, timeOf, withState } from "./record.js";
import type { TaskHost } from "./shared.js";
import { hasEnded } from "./state.js";
import type { Task } from "./task.js";

/** The wait before the store is asked again for a change that it has not taken, in milliseconds. */
const retryTime = 500;

/** A task that this process runs, and its record. */
export class RunningTask {
  readonly task: Task;
  readonly #key: string;
  /** The list that has it. */
  readonly #list: TaskList | undefined;
  readonly #host: TaskHost;
  readonly #onStored: () => void;
  readonly #report: (error: unknown) => void;
  /** When its time is over, by a clock that nobody sets. */
  readonly #end: number;
  #hasChanged = false;
  /** False once this process no longer runs the task. */
  isHere = true;
  /** Resolves once the store has the state of the task. */
  storing: Promise<boolean> | undefined;

  /** `onStored` is called each time that the store has the state of the task, or does not take it any more. */
  constructor(
    task: Task,
    key: string,
    list: TaskList | undefined,
    host: TaskHost,
    onStored: () => void,
    report: (error: unknown) => void,
  ) {
    this.task = task;
    this.#key = key;
    this.#list = list;
    this.#host = host;
    this.#onStored = onStored;
    this.#report = report;
    this.#end = performance.now() + timeOf(task);
  }

  /** Stores the state of the task. Resolves with false if the task has ended otherwise, or its time is over. */
  store(): Promise<boolean> {
    this.#hasChanged = true;
    return (this.storing ??= this.#write());
  }

  /** Takes over what others have changed. */
  async refresh(): Promise<void> {
    const { task } = this;
    const record = await this.#host.records.fetch<TaskRecord>(this.#key, () => this.isHere);
    if (!record) return;
    if (hasEnded(record) || record.worker !== this.#host.self)
      return task.cancel(new DOMException("The task was cancelled.", "AbortError"));
    const answers = Object.entries(record.questions).filter(([, { answer }]) => answer !== undefined);
    task.answer(Object.fromEntries(answers.map(([name, { answer }]) => [name, answer])));
  }

  async #write(): Promise<boolean> {
    const { task } = this;
    const { records, self } = this.#host;
    let isStored = false;
    let stored: TaskRecord | undefined;
    /** What the store is given; undefined if it is not JSON. */
    let text: string | undefined;
    while (this.isHere && this.#hasChanged && performance.now() < this.#end) {
      this.#hasChanged = false;
      const { view } = task;
      text = "";
      try {
        const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
          stored = record;
          const isOwn = record?.worker === self;
          isStored = isOwn && (!hasEnded(record) || record.view.status === view.status);
          if (!isOwn || hasEnded(record)) return undefined;
          const next = withState(record, task.state);
          text = undefined;
          text = JSON.stringify(next);
          return next;
        };
        // First, so that a task that is known to have ended can be replaced.
        await changeInList(records, view.taskId, this.#list, (one) =>
          one.worker === self ? { view, worker: self } : one,
        );
        await records.update(this.#key, timeOf(task), change);
        if (isStored) continue;
        task.cancel(new DOMException("Another process has ended the task, or runs it.", "AbortError"));
        if (stored) await updateList(records, stored).catch(this.#report);
      } catch (error) {
        this.#report(error);
        this.#hasChanged = true;
        if (isStorable(text)) await pause(retryTime);
        else
          task.fail(rpcError("INTERNAL_ERROR", "What the task keeps is too long to store, or is not JSON."));
      }
    }
    // At once: the next change begins again.
    this.storing = undefined;
    this.#onStored();
    return isStored;
  }
}
