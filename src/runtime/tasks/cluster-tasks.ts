import { getOwn, type JsonObject } from "../../common/object.js";
import { pause, withTimeout } from "../../common/timing.js";
import { StoreError } from "../core/errors.js";
import type { RequestContext } from "../core/session/context.js";
import type { ServerSideSession } from "../core/session/server-side.js";
import type { SideTable } from "../core/tables.js";
import type { FeatureContext } from "../features/feature.js";
import {
  addToList,
  changeInList,
  listed,
  removeEnded,
  updateList,
} from "./list.js";
import {
  canRead,
  keyOf,
  recordOf,
  type TaskHost,
  type TaskRecord,
  timeOf,
  withState,
} from "./record.js";
import { detachedSession } from "./detached-session.js";
import { makeRestarts, type Restarts, type Settled } from "./restarts.js";
import { followTask, type RunningTask } from "./running.js";
import {
  errorOf,
  hasEnded,
  isOver,
  movedTo,
  openAnswers,
  openQuestions,
  type Outcome,
  type Requester,
  type Restart,
  type TaskError,
  type TaskState,
  type TaskStatus,
  type TaskView,
  type Task,
} from "./task.js";
import { expired, maxTtl, type StoreOptions, type Tasks } from "./store.js";

/**
 * The part of a cluster that tasks need. It knows nothing of them, so that a
 * server without tasks does not contain their code.
 */
export interface TaskCluster {
  /**
   * The tasks of this process, which the first server with tasks makes;
   * undefined if the processes share no store.
   */
  clusterTasks(
    make: (host: TaskHost) => ClusterTasks,
  ): ClusterTasks | undefined;
}

/** A server of this process, for the tasks that it runs again. */
interface TaskServer {
  readonly side: SideTable;
  /** True if it may run one more task. */
  hasRoom(): boolean;
  /** Runs a task from the first line, for the caller who started it. */
  runAgain(
    record: TaskRecord,
    restart: Restart,
    session: ServerSideSession,
  ): Task;
}

/**
 * The wait before the store is asked again for a change that it has not taken,
 * in milliseconds.
 */
const retryTime = 500;
/**
 * How often a store is given an answer that it does not take: for longer than
 * an engine needs to start again.
 */
const maxTries = 40;
/**
 * How often a task that somebody waits for is read, in milliseconds, also if no
 * process says that it has changed.
 */
const readTime = 3000;
/**
 * How long a process that closes waits for the store to take changes, in
 * milliseconds.
 */
const closeTime = 1000;

/** Maximum number of processes that run a task, one after the other. */
const maxAttempts = 3;
/**
 * How long a process answers for the end of its tasks, in milliseconds: an
 * engine that fails over, or starts from a copy, may have forgotten as much.
 */
const endedTime = 60_000;

/**
 * The tasks of a cluster, as one process has them. Each runs in one process,
 * and all processes read and change its record.
 */
export class ClusterTasks implements Tasks {
  readonly #host: TaskHost;
  readonly #report: (error: unknown) => void;
  readonly #servers: TaskServer[] = [];
  /** Those that run here, or have ended here lately. */
  readonly #running = new Map<string, RunningTask>();
  /** The tasks that are becoming tasks of this process, by key. */
  readonly #claims = new Map<string, Promise<TaskRecord | undefined>>();
  /** Wakes the requests that wait for a change of a task, by its key. */
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #restarts: Restarts;

  constructor(host: TaskHost, report: (error: unknown) => void) {
    this.#host = host;
    this.#report = report;
    const own = (): string[] =>
      [...this.#running]
        .filter(([, { task }]) => task.state.restart && !task.hasEnded)
        .map(([key]) => key);
    const settle = async (key: string): Promise<Settled> => {
      if (!canRead(key)) return "waits";
      const record = await this.#settle(key, await this.#get(key));
      if (!record || hasEnded(record) || isOver(record)) return "ended";
      return this.#hasWorker(key, record.worker) ? "runs" : "waits";
    };
    this.#restarts = makeRestarts(host, own, settle, report);
  }

  /** Adds a server, which may run tasks again. */
  serve(server: TaskServer): void {
    this.#servers.push(server);
  }

  /**
   * Stores a new task, before anyone knows its id. False if its requester has
   * too many.
   */
  async add(task: Task, { list, limits = {} }: StoreOptions): Promise<boolean> {
    const { records, self: worker } = this.#host;
    const { state, view, requester } = task;
    const own =
      list && requester.key !== undefined
        ? { requester: String(requester.key), ttl: maxTtl(limits) }
        : undefined;
    if (own && !(await addToList(records, { view, worker }, own, limits)))
      return false;
    const key = await keyOf(view.taskId);
    // First, because a list may have it as soon as it is stored.
    this.#run(key, task, own);
    try {
      await this.#waitUntilHeard();
      await records.set(key, recordOf(task, own, worker), timeOf(task));
      if (state.restart) await this.#restarts.store();
    } catch (error) {
      this.#running.delete(key);
      // If the store does not take this either, the lists have it until its
      // time is over.
      changeInList(records, view.taskId, own, () => undefined).catch(() => {});
      if (state.restart) this.#restarts.store().catch(() => {});
      throw error;
    }
    return true;
  }

  async read(
    taskId: string,
    { principal, key: caller }: Requester,
  ): Promise<TaskRecord | undefined> {
    const key = await keyOf(taskId);
    const record = await this.#get(key);
    if (
      !record ||
      record.principal !== principal ||
      (record.list && record.key !== caller)
    )
      return undefined;
    return this.#settle(key, record);
  }

  /** The tasks of a requester. Those whose worker has stopped are read. */
  async list({
    key: requester,
  }: Requester): Promise<ReadonlyMap<string, TaskView>> {
    const views = new Map<string, TaskView>();
    for (const one of await listed(this.#host.records, String(requester))) {
      const { taskId } = one.view;
      const key = await keyOf(taskId);
      const isLeft =
        !hasEnded(one) && this.#hasWorker(key, one.worker) === false;
      const { view } = isLeft
        ? ((await this.#settle(key, await this.#get(key))) ?? {})
        : one;
      if (view) views.set(taskId, view);
    }
    return views;
  }

  async cancel(
    taskId: string,
    reason: unknown,
  ): Promise<TaskState | undefined> {
    return this.#end(await keyOf(taskId), "cancelled", errorOf(reason));
  }

  async answer(taskId: string, responses: JsonObject): Promise<void> {
    const key = await keyOf(taskId);
    const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
      const open = record ? Object.entries(openAnswers(record, responses)) : [];
      if (!record || open.length === 0) return undefined;
      const answered = open.map(([name, answer]) => [
        name,
        { ...getOwn(record.questions, name), answer },
      ]);
      return {
        ...record,
        questions: { ...record.questions, ...Object.fromEntries(answered) },
      };
    };
    if (await this.#update(key, change)) this.#publish(key);
  }

  async attend(taskId: string, context: RequestContext): Promise<Outcome> {
    const key = await keyOf(taskId);
    const { signal } = context;
    const asked = new Set<string>();
    let go = (): void => {};
    const wake = (): void => go();
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting.add(wake));
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        // First, so that a change while the task is read is news.
        const news = new Promise<void>((resolve) => (go = resolve));
        signal.throwIfAborted();
        const state = await this.#settle(key, await this.#get(key));
        if (!state) throw expired();
        if (state.outcome && hasEnded(state)) return state.outcome;
        for (const [name, question] of Object.entries(openQuestions(state))) {
          if (asked.has(name)) continue;
          asked.add(name);
          void this.#ask(context, taskId, name, question as JsonObject);
        }
        await withTimeout(readTime, news);
      }
    } finally {
      waiting.delete(wake);
      if (waiting.size === 0) this.#waiting.delete(key);
    }
  }

  /**
   * Sends a question on the stream of a request, and gives its answer to the
   * task. Never rejects.
   */
  async #ask(
    context: RequestContext,
    taskId: string,
    name: string,
    question: JsonObject,
  ): Promise<void> {
    const { request } = context as unknown as FeatureContext;
    const response = await request(
      String(question["method"]),
      question["params"] as never,
    ).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: errorOf(error) }),
    );
    // Another request for the result asks again.
    if (context.signal.aborted) return;
    for (let i = 0; i < maxTries; i++) {
      try {
        return await this.answer(taskId, { [name]: response });
      } catch (error) {
        this.#report(error);
        await pause(retryTime);
      }
    }
  }

  #wake(key: string): void {
    for (const wake of this.#waiting.get(key) ?? []) wake();
  }

  /** Deletes a task, if it has ended. Never rejects. */
  async remove(taskId: string): Promise<void> {
    this.#running.delete(await keyOf(taskId));
    // Its time ends it if the store does not answer.
    await removeEnded(this.#host.records, taskId).catch(() => {});
  }

  /** A task has changed in another process. */
  changed(key: string): void {
    void this.#running.get(key)?.refresh();
    this.#wake(key);
  }

  /**
   * Any task may have changed, any process may have stopped, and the engine may
   * have forgotten some seconds.
   */
  catchUp(): void {
    for (const key of this.#waiting.keys()) this.#wake(key);
    this.#answerFor([...this.#running.values()]);
  }

  /**
   * Runs the tasks of processes that have stopped, if they may run again. First
   * this process answers for its name: it ends again what the engine says still
   * runs here, so that no other process does a step twice, and no client hears
   * for ever that its task is working.
   */
  sweep(): void {
    const all = [...this.#running.values()];
    this.#answerFor(all.filter(({ task }) => task.hasEnded));
  }

  #answerFor(tasks: readonly RunningTask[]): void {
    void Promise.all(tasks.map((one) => one.refresh())).then(() =>
      this.#restarts.sweep(),
    );
  }

  /**
   * Aborts the tasks of this process: another one runs or ends them. Before
   * that, changes have a moment to be stored.
   */
  async close(): Promise<void> {
    this.#restarts.close();
    const all = [...this.#running.values()];
    await withTimeout(closeTime, Promise.all(all.map((one) => one.stored())));
    this.#running.clear();
    for (const { task } of all)
      task.cancel(new DOMException("The server is closing.", "AbortError"));
  }

  #publish(key: string): void {
    this.#host.bus.publish({ kind: "task-changed", key });
    this.changed(key);
  }

  #run(key: string, task: Task, list: TaskRecord["list"]): void {
    const forget = (): void => void (isHere() && this.#running.delete(key));
    const onStored = (): void => {
      if (isOver(task)) forget();
      else if (task.hasEnded) this.#host.after(endedTime, forget);
      this.#host.bus.publish({ kind: "task-changed", key });
      this.#wake(key);
    };
    const isHere = (): boolean => this.#running.get(key)?.task === task;
    this.#running.set(
      key,
      followTask(task, key, list, this.#host, isHere, onStored, this.#report),
    );
  }

  /**
   * A process that the others have not heard counts as one that has stopped.
   */
  async #waitUntilHeard(): Promise<void> {
    const { bus } = this.#host;
    for (let i = 0; !bus.isConnected && i < 4; i++) await pause(retryTime);
    if (!bus.isConnected)
      throw new StoreError(
        new Error("The other processes do not hear this one."),
      );
  }

  /**
   * Stores the state of a task of this process. False if it has ended
   * otherwise.
   */
  async storeChange(task: Task): Promise<boolean> {
    const running = this.#running.get(await keyOf(task.view.taskId));
    return running?.store() ?? false;
  }

  #get(key: string): Promise<TaskRecord | undefined> {
    return this.#host.records.get<TaskRecord>(key);
  }

  /** Changes a record, which is stored for as long as its task. */
  async #update(
    key: string,
    change: (record: TaskRecord | undefined) => TaskRecord | undefined,
  ): Promise<TaskRecord | undefined> {
    const record = await this.#get(key);
    return record && this.#host.records.update(key, timeOf(record), change);
  }

  /** Whether a process runs a task; undefined while that is not certain. */
  #hasWorker(key: string, worker: string): boolean | undefined {
    const { self, bus } = this.#host;
    // The store may have made this process the worker without saying so.
    return worker === self
      ? this.#running.has(key) || this.#claims.has(key)
      : bus.isRunning(worker);
  }

  /**
   * Decides what becomes of a task: one whose worker has stopped runs here from
   * now on, if it may run again; otherwise it has failed. Resolves with its
   * record then, or with undefined if its time is over.
   */
  async #settle(
    key: string,
    record: TaskRecord | undefined,
  ): Promise<TaskRecord | undefined> {
    if (
      !record ||
      hasEnded(record) ||
      this.#hasWorker(key, record.worker) !== false
    )
      return record;
    // A store has a record for a while after the time of its task, because the
    // clocks of processes differ.
    if (isOver(record)) return undefined;
    const { restart, worker } = record;
    if (restart && restart.attempt < maxAttempts)
      return this.#claim(key, record, restart);
    const message = "The process that ran the task has stopped.";
    const data = { reason: "process-lost", mayHaveRun: true };
    return this.#end(key, "failed", { code: -32603, message, data }, worker);
  }

  /**
   * Runs a task in this process, if it has a server for it with room, unless
   * another process was faster. Calls at once do so together.
   */
  #claim(
    key: string,
    record: TaskRecord,
    restart: Restart,
  ): Promise<TaskRecord | undefined> {
    const end = (): void => void this.#claims.delete(key);
    const claim =
      this.#claims.get(key) ??
      this.#runAgain(key, record, restart).finally(end);
    this.#claims.set(key, claim);
    return claim;
  }

  async #runAgain(
    key: string,
    record: TaskRecord,
    restart: Restart,
  ): Promise<TaskRecord | undefined> {
    const { self, records } = this.#host;
    const [server, session] = this.#serverFor(restart) ?? [];
    if (!server || !session) return record;
    const change = (stored: TaskRecord | undefined): TaskRecord | undefined =>
      stored?.worker === record.worker && stored.restart && !hasEnded(stored)
        ? {
            ...movedTo(stored, "working"),
            worker: self,
            restart: { ...stored.restart, attempt: stored.restart.attempt + 1 },
          }
        : undefined;
    const claimed = await records
      .update(key, timeOf(record), change)
      .catch((error: unknown) => {
        // The store may have accepted the change although it reported an error,
        // and then no other process runs the task.
        this.#restarts.sweep(retryTime);
        throw error;
      });
    if (!claimed?.restart) return this.#get(key);
    this.#run(
      key,
      server.runAgain(claimed, claimed.restart, session),
      claimed.list,
    );
    await this.#updateList(claimed);
    this.#publish(key);
    return claimed;
  }

  #serverFor(
    restart: Restart,
  ): readonly [TaskServer, ServerSideSession] | undefined {
    for (const server of this.#servers) {
      if (
        server.side.revision.revision !== restart.revision ||
        !server.hasRoom()
      )
        continue;
      const config = this.#host.configOf(server.side);
      if (config?.info["name"] === restart.server)
        return [server, detachedSession(config)];
    }
    return undefined;
  }

  /**
   * Ends a task that has not ended, and if it is named, of this worker.
   * Resolves with its record then.
   */
  async #end(
    key: string,
    status: TaskStatus,
    error: TaskError,
    worker?: string,
  ): Promise<TaskRecord | undefined> {
    let last: TaskRecord | undefined;
    await this.#update(key, (record) => {
      last = record;
      if (!record || hasEnded(record)) return undefined;
      // Another process may run it meanwhile.
      if (worker !== undefined && record.worker !== worker) return undefined;
      return (last = withState(record, {
        ...movedTo(record, status, error.message),
        outcome: { error },
      }));
    });
    if (last && hasEnded(last)) await this.#updateList(last);
    this.#publish(key);
    return last;
  }

  /**
   * Writes what a record says to the list that has the task. Never rejects: the
   * record counts.
   */
  #updateList(record: TaskRecord): Promise<void> {
    return updateList(this.#host.records, record).catch(this.#report);
  }
}
