import type { JsonObject } from "../../common/object.js";
import { pause, within } from "../../common/timing.js";
import type { RequestContext } from "../core/session/context.js";
import { rpcError } from "../core/errors.js";
import { attend } from "./attend.js";
import { addToList, changeInList, listed, removeEnded } from "./list.js";
import { Listeners } from "./listeners.js";
import {
  claimedBy,
  endOf,
  errorOf,
  hasEnded,
  isStorable,
  keyOf,
  movedTo,
  openAnswers,
  outcomeOf,
  restored,
  stateOf,
  type StoredError,
  type TaskList,
  type TaskRecord,
  timeOf,
  unavailable,
} from "./record.js";
import type { Resume, SharedTasks, TaskHost } from "./shared.js";
import {
  type FoundTask,
  maxTtl,
  type StoreOptions,
  type Task,
  type TaskStatus,
  type TaskView,
} from "./store.js";

/** The part of a cluster that tasks need. It knows nothing of them, so that a server without tasks does not contain their code. */
export interface TaskCluster {
  /** The tasks of this process, which the first server with tasks makes; undefined if the processes share no store. */
  shareTasks(make: (host: TaskHost) => TaskBoard): TaskBoard | undefined;
}

/** A task of this process. */
interface Running {
  readonly task: Task;
  /** The list that has it. */
  readonly list: TaskList | undefined;
  /** When its time is over, by a clock that nobody sets. */
  readonly end: number;
  hasChanged: boolean;
  saving: Promise<boolean> | undefined;
}

/** The wait before the store is asked again for a change that it has not taken, in milliseconds. */
const retryTime = 500;
/** How long a process that closes waits for the store to take changes, in milliseconds. */
const closeTime = 1000;

/** Maximum number of processes that run a task, one after the other. */
const maxAttempts = 3;

/** The tasks of a cluster, as one process has them. */
export class TaskBoard {
  readonly #host: TaskHost;
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<string, Running>();
  /** The tasks that are becoming tasks of this process, by key. */
  readonly #claims = new Map<string, Promise<TaskRecord | undefined>>();
  readonly #listeners = new Listeners();

  constructor(host: TaskHost, report: (error: unknown) => void) {
    this.#host = host;
    this.#report = report;
  }

  /** The tasks as a server with these options has them. */
  share({ list, limits = {} }: StoreOptions): SharedTasks {
    const { records, self } = this.#host;
    return {
      add: async (task) => {
        const { key } = task.requester;
        const own = list && key !== undefined ? { requester: String(key), ttl: maxTtl(limits) } : undefined;
        if (own && !(await addToList(records, { view: task.view, worker: self }, own, limits))) return false;
        await this.#add(task, own);
        return true;
      },
      save: (task) => this.#save(task),
      find: async (taskId, requester, resume) => {
        const key = await keyOf(taskId);
        const { principal } = requester;
        const mayRead = (one: TaskRecord): boolean =>
          one.principal === principal && (!list || one.key === requester.key);
        const record = await this.#read(key, resume, mayRead);
        return record && this.#found(key, record, resume);
      },
      list: ({ key }) => this.#list(String(key)),
      // Its time ends it if the store does not answer.
      remove: (taskId) => removeEnded(records, taskId).catch(() => {}),
    };
  }

  /** A task has changed in another process. Without a key, any may have. */
  changed(key?: string): void {
    for (const [other, running] of this.#running)
      if (key === undefined || key === other) void this.#refresh(other, running);
    this.#listeners.wake(key);
  }

  /** Aborts the tasks of this process: another one runs or ends them. Before that, changes have a moment to be stored. */
  async close(): Promise<void> {
    const all = [...this.#running.values()];
    await within(closeTime, Promise.all(all.map(({ saving }) => saving)));
    this.#running.clear();
    for (const { task } of all) task.cancel(new DOMException("The server is closing.", "AbortError"));
  }

  #publish(key: string): void {
    this.#host.bus.publish({ kind: "task-changed", key });
    this.changed(key);
  }

  /** The tasks of a requester. Those whose worker has stopped are read, and end if they cannot run again. */
  async #list(requester: string): Promise<ReadonlyMap<string, TaskView>> {
    const views = new Map<string, TaskView>();
    for (const one of await listed(this.#host.records, requester)) {
      const { taskId } = one.view;
      const key = await keyOf(taskId);
      const isLeft = !hasEnded(one.view) && this.#isLeft(key, one);
      const { view } = isLeft ? ((await this.#read(key)) ?? {}) : one;
      if (view) views.set(taskId, view);
    }
    return views;
  }

  async #add(task: Task, list: TaskList | undefined): Promise<void> {
    const { view, requester } = task;
    const { principal } = requester;
    const owner = { principal, key: requester.key as string | undefined, list };
    const record: TaskRecord = { ...stateOf(task), ...owner, worker: this.#host.self, answers: {} };
    const key = await keyOf(view.taskId);
    // First, because a list may have it as soon as it is stored.
    this.#run(key, task, list);
    const { records } = this.#host;
    try {
      await this.#waitUntilHeard();
      await records.set(key, record, timeOf(view));
    } catch (error) {
      this.#running.delete(key);
      // If the store does not take this either, the list has it until its time is over.
      changeInList(records, view.taskId, list, () => undefined).catch(() => {});
      unavailable(error);
    }
  }

  #run(key: string, task: Task, list: TaskList | undefined): void {
    const end = performance.now() + timeOf(task.view);
    this.#running.set(key, { task, list, end, hasChanged: false, saving: undefined });
  }

  /** Others take a process that they have not heard of for one that has stopped. */
  async #waitUntilHeard(): Promise<void> {
    const { bus } = this.#host;
    for (let i = 0; !bus.isConnected && i < 4; i++) await pause(retryTime);
    if (!bus.isConnected) throw new Error("The other processes do not hear this one.");
  }

  async #save(task: Task): Promise<boolean> {
    const key = await keyOf(task.view.taskId);
    const running = this.#running.get(key);
    if (!running) return false;
    running.hasChanged = true;
    running.saving ??= this.#write(key, running);
    return running.saving;
  }

  /** Writes until the store has the state of the task. Resolves with false if the task has ended otherwise, or its time is over. */
  async #write(key: string, running: Running): Promise<boolean> {
    const { task, list, end } = running;
    const { records, self } = this.#host;
    let isSaved = false;
    let stored: TaskRecord | undefined;
    /** What the store is given; undefined if it is not JSON. */
    let text: string | undefined;
    while (this.#running.has(key) && running.hasChanged && performance.now() < end) {
      running.hasChanged = false;
      const { view } = task;
      text = "";
      try {
        const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
          stored = record;
          const isOwn = record?.worker === self;
          isSaved = isOwn && (!hasEnded(record.view) || record.view.status === view.status);
          if (!isOwn || hasEnded(record.view)) return undefined;
          const state = { ...record, ...stateOf(task) };
          const next = { ...state, answers: openAnswers(state, record.answers) };
          text = undefined;
          text = JSON.stringify(next);
          return next;
        };
        // First, so that a task that is known to have ended can be replaced.
        await changeInList(records, view.taskId, list, (one) =>
          one.worker === self ? { view, worker: self } : one,
        );
        await records.update(key, timeOf(view), change);
        if (isSaved) continue;
        task.cancel(new DOMException("Another process has ended the task, or runs it.", "AbortError"));
        if (stored) await this.#updateList(stored);
      } catch (error) {
        this.#report(error);
        running.hasChanged = true;
        if (isStorable(text)) await pause(retryTime);
        else
          task.fail(rpcError("INTERNAL_ERROR", "What the task keeps is too long to store, or is not JSON."));
      }
    }
    running.saving = undefined;
    if (hasEnded(task.view)) this.#running.delete(key);
    this.#host.bus.publish({ kind: "task-changed", key });
    this.#listeners.wake(key);
    return isSaved;
  }

  /** Takes over what others have changed about a task of this process. */
  async #refresh(key: string, running: Running): Promise<void> {
    const { task } = running;
    const isRunning = (): boolean => this.#running.get(key) === running;
    const record = await this.#host.records.fetch<TaskRecord>(key, isRunning);
    if (!record) return;
    if (hasEnded(record.view) || record.worker !== this.#host.self)
      task.cancel(new DOMException("The task was cancelled.", "AbortError"));
    else task.answer(record.answers);
  }

  #get(key: string): Promise<TaskRecord | undefined> {
    return this.#host.records.get<TaskRecord>(key).catch(unavailable);
  }

  /** Reads a task. One whose worker has stopped runs here from now on, if it may run again; otherwise it has failed. */
  async #read(
    key: string,
    resume?: Resume,
    mayRead?: (record: TaskRecord) => boolean,
  ): Promise<TaskRecord | undefined> {
    const record = await this.#get(key);
    if (record && mayRead?.(record) === false) return undefined;
    if (!record || hasEnded(record.view) || !this.#isLeft(key, record)) return record;
    const { restart, worker } = record;
    if (restart && restart.attempt < maxAttempts) {
      const mayRun = resume?.revision === restart.revision && Date.now() < endOf(record.view);
      return mayRun ? this.#resume(key, record, resume) : record;
    }
    const message = "The process that ran the task has stopped.";
    const data = { reason: "process-lost", mayHaveRun: true };
    return this.#end(key, "failed", { code: -32603, message, data }, worker);
  }

  /** True if the worker of a task has stopped. This process may be its worker without knowing: the store did not say that it became it. */
  #isLeft(key: string, { worker }: Pick<TaskRecord, "worker">): boolean {
    const { self, bus } = this.#host;
    if (worker !== self) return bus.judge(worker) === "dead";
    return !this.#running.has(key) && !this.#claims.has(key);
  }

  /** Runs a task in this process, unless another one was faster. Requests at once do so together. */
  #resume(key: string, record: TaskRecord, resume: Resume): Promise<TaskRecord | undefined> {
    const end = (): void => void this.#claims.delete(key);
    const claim = this.#claims.get(key) ?? this.#claim(key, record, resume).finally(end);
    this.#claims.set(key, claim);
    return claim;
  }

  async #claim(key: string, { view, worker }: TaskRecord, resume: Resume): Promise<TaskRecord | undefined> {
    const { self, records } = this.#host;
    const change = (record: TaskRecord | undefined): TaskRecord | undefined =>
      record?.worker === worker && !hasEnded(record.view) ? claimedBy(self, record) : undefined;
    try {
      const claimed = await records.update(key, timeOf(view), change);
      if (!claimed?.restart) return await this.#get(key);
      const task = resume.run(claimed.view, restored(claimed.restart));
      this.#run(key, task, claimed.list);
      await this.#updateList(claimed);
      this.#publish(key);
      return claimed;
    } catch (error) {
      // The store may have taken the change all the same, and then nobody else runs the task.
      const isKept = (): boolean => Date.now() < endOf(view);
      void records
        .fetch(key, isKept)
        .then(() => this.#read(key, resume))
        .catch((reason: unknown) => this.#report(reason));
      return unavailable(error);
    }
  }

  /** Ends a task that has not ended. Resolves with its record then. */
  async #end(
    key: string,
    status: TaskStatus,
    error: StoredError,
    worker?: string,
  ): Promise<TaskRecord | undefined> {
    let last: TaskRecord | undefined;
    const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
      last = record;
      // Another process may run it meanwhile.
      const isOther = worker !== undefined && record?.worker !== worker;
      if (!record || isOther || hasEnded(record.view)) return undefined;
      return (last = { ...movedTo(status, record, error.message), outcome: { error } });
    };
    const view = (await this.#get(key))?.view;
    if (view) await this.#host.records.update(key, timeOf(view), change).catch(unavailable);
    if (last && hasEnded(last.view)) await this.#updateList(last);
    this.#publish(key);
    return last;
  }

  /** Writes what the record of a task says to the list that has it. Never rejects: the record counts. */
  #updateList({ view, worker, list }: TaskRecord): Promise<void> {
    const { records } = this.#host;
    return changeInList(records, view.taskId, list, () => ({ view, worker })).catch(this.#report);
  }

  #found(key: string, record: TaskRecord, resume: Resume | undefined): FoundTask {
    const found = { view: record.view };
    const { openQuestions, outcome } = record;
    const answer = (responses: JsonObject): Promise<void> => this.#answer(key, record.view, responses);
    return Object.assign(found, {
      hasEnded: hasEnded(record.view),
      openQuestions,
      outcome: outcome && outcomeOf(outcome),
      cancel: async (error: unknown) => {
        const ended = await this.#end(key, "cancelled", errorOf(error));
        found.view = ended?.view ?? found.view;
        return found.view.status === "cancelled";
      },
      answer,
      attend: (context: RequestContext) =>
        attend(context, {
          read: () => this.#read(key, resume),
          listen: (listener) => this.#listeners.add(key, listener),
          answer,
          report: this.#report,
        }),
    });
  }

  async #answer(key: string, view: TaskView, responses: JsonObject): Promise<void> {
    const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
      const open = record ? openAnswers(record, responses) : {};
      return record && Object.keys(open).length > 0
        ? { ...record, answers: { ...record.answers, ...open } }
        : undefined;
    };
    if (await this.#host.records.update(key, timeOf(view), change).catch(unavailable)) this.#publish(key);
  }
}
