import { toBase64Url } from "../../shared/base64.js";
import type { JsonObject } from "../../shared/object.js";
import { pause } from "../../shared/timing.js";
import { McpError, rpcError } from "../errors.js";
import type { FeatureContext } from "../role/features/feature.js";
import type { SharedTasks } from "../role/tasks/shared.js";
import type { Requester } from "../role/tasks/requester.js";
import type { FoundTask, Outcome, StoreOptions, Task, TaskStatus, TaskView } from "../role/tasks/store.js";
import type { RequestContext } from "../session/context.js";
import { beatTime, type Bus } from "./bus.js";
import type { Records } from "./records.js";

/** What all processes know of a task. Only its worker changes it while it runs, but for answers and its end. */
interface TaskRecord {
  readonly view: TaskView;
  readonly principal?: string | undefined;
  /** The principal or the key of the session that created it. */
  readonly key?: string | undefined;
  /** The process that runs it. */
  readonly worker: string;
  readonly outcome?: StoredOutcome | undefined;
  readonly openQuestions: JsonObject;
  readonly answers: JsonObject;
}
type StoredOutcome = { readonly result: JsonObject } | { readonly error: StoredError };
type StoredError = Pick<McpError, "code" | "message" | "data">;

/** A task of this process. */
interface Running {
  readonly task: Task;
  hasChanged: boolean;
  saving: Promise<boolean> | undefined;
}

/** A task of a requester, and when it ends, in milliseconds since 1970. */
type Listed = readonly [taskId: string, end: number];

interface TaskHost {
  readonly self: string;
  readonly records: Records;
  readonly bus: Pick<Bus, "publish" | "judge">;
  report(error: unknown): void;
}

/** The wait before the store is asked again for a change that it has not taken, in milliseconds. */
const retryTime = 500;

const endOf = ({ createdAt, ttl }: TaskView): number => Date.parse(createdAt) + Number(ttl);
const timeOf = (view: TaskView): number => Math.max(1, endOf(view) - Date.now());
const hasEnded = ({ status }: TaskView): boolean => status !== "working" && status !== "input_required";
const errorOf = (reason: unknown): StoredError => {
  const { code, message, data } = McpError.from(reason);
  return { code, message, data };
};

/** Keys do not show the id, which may give access. */
async function keyOf(kind: string, text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `${kind}/${toBase64Url(new Uint8Array(digest))}`;
}

/** The tasks of a cluster, as one process has them. */
export class TaskBoard {
  readonly #host: TaskHost;
  readonly #running = new Map<string, Running>();
  /** Called when a task may have changed. */
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(host: TaskHost) {
    this.#host = host;
  }

  /** The tasks as a server with these options has them. */
  share({ list, limits = {} }: StoreOptions): SharedTasks {
    return {
      add: async (task) => {
        const { key } = task.requester as { readonly key: string | undefined };
        if (list && key !== undefined && !(await this.#enroll(task, key, limits.requesterTasks ?? 100)))
          return false;
        await this.#add(task);
        return true;
      },
      save: (task) => this.#save(task),
      find: async (taskId, requester) => {
        const key = await keyOf("tasks", taskId);
        const record = await this.#read(key);
        const mayRead = record?.principal === requester.principal && (!list || record?.key === requester.key);
        return record && mayRead ? this.#found(key, record) : undefined;
      },
      list: (requester) => this.#list(requester),
    };
  }

  /** A task has changed in another process. Without a key, any may have. */
  changed(key?: string): void {
    for (const [other, running] of this.#running)
      if (key === undefined || key === other) void this.#refresh(other, running);
    this.#wake(key);
  }

  #wake(key: string | undefined): void {
    const all = key === undefined ? [...this.#listeners.values()] : [this.#listeners.get(key) ?? []];
    for (const listeners of all) for (const listener of listeners) listener();
  }

  #publish(key: string): void {
    this.#host.bus.publish({ kind: "task-changed", key });
    this.changed(key);
  }

  async #add(task: Task): Promise<void> {
    const { view, requester, openQuestions } = task;
    const { principal } = requester;
    const record: TaskRecord = {
      view,
      principal,
      key: requester.key as string | undefined,
      worker: this.#host.self,
      openQuestions,
      answers: {},
    };
    const key = await keyOf("tasks", view.taskId);
    await this.#host.records.set(key, record, timeOf(view)).catch(unavailable);
    this.#running.set(key, { task, hasChanged: false, saving: undefined });
  }

  async #save(task: Task): Promise<boolean> {
    const key = await keyOf("tasks", task.view.taskId);
    const running = this.#running.get(key);
    if (!running) return false;
    running.hasChanged = true;
    running.saving ??= this.#write(key, running);
    return running.saving;
  }

  /** Writes until the store has the state of the task. Resolves with false if the task has ended otherwise, or its time is over. */
  async #write(key: string, running: Running): Promise<boolean> {
    const { task } = running;
    let isSaved = false;
    while (running.hasChanged && Date.now() < endOf(task.view)) {
      running.hasChanged = false;
      const { view, outcome, openQuestions } = task;
      const stored = outcome && ("error" in outcome ? { error: errorOf(outcome.error) } : outcome);
      try {
        const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
          isSaved = record !== undefined && (!hasEnded(record.view) || record.view.status === view.status);
          return record && !hasEnded(record.view)
            ? { ...record, view, outcome: stored, openQuestions }
            : undefined;
        };
        await this.#host.records.update(key, timeOf(view), change);
      } catch (error) {
        this.#host.report(error);
        running.hasChanged = true;
        await pause(retryTime);
      }
    }
    running.saving = undefined;
    if (hasEnded(task.view)) this.#running.delete(key);
    this.#host.bus.publish({ kind: "task-changed", key });
    this.#wake(key);
    return isSaved;
  }

  /** Takes over what others have changed about a task of this process. */
  async #refresh(key: string, { task }: Running): Promise<void> {
    const record = await this.#host.records.look<TaskRecord>(key);
    if (!record) return;
    if (hasEnded(record.view)) task.cancel(new DOMException("The task was cancelled.", "AbortError"));
    else task.answer(record.answers);
  }

  /** Reads a task. One whose worker has ended has failed. */
  async #read(key: string): Promise<TaskRecord | undefined> {
    const record = await this.#host.records.get<TaskRecord>(key).catch(unavailable);
    if (!record || hasEnded(record.view) || this.#host.bus.judge(record.worker) !== "dead") return record;
    const message = "The process that ran the task has stopped.";
    const data = { reason: "process-lost", mayHaveRun: true };
    return this.#end(key, "failed", { code: -32603, message, data });
  }

  /** Ends a task that has not ended. Resolves with its record then. */
  async #end(key: string, status: TaskStatus, error: StoredError): Promise<TaskRecord | undefined> {
    let last: TaskRecord | undefined;
    const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
      last = record;
      if (!record || hasEnded(record.view)) return undefined;
      const view = {
        ...record.view,
        status,
        statusMessage: error.message,
        lastUpdatedAt: new Date().toISOString(),
      };
      return (last = { ...record, view, outcome: { error }, openQuestions: {} });
    };
    const view = (await this.#host.records.get<TaskRecord>(key).catch(unavailable))?.view;
    if (view) await this.#host.records.update(key, timeOf(view), change).catch(unavailable);
    this.#publish(key);
    return last;
  }

  #found(key: string, record: TaskRecord): FoundTask {
    const found = { view: record.view };
    const { openQuestions, outcome } = record;
    return Object.assign(found, {
      isOver: hasEnded(record.view),
      openQuestions,
      outcome: outcome && outcomeOf(outcome),
      cancel: async (error: unknown) => {
        const ended = await this.#end(key, "cancelled", errorOf(error));
        found.view = ended?.view ?? found.view;
        return found.view.status === "cancelled";
      },
      answer: (responses: JsonObject) => this.#answer(key, record.view, responses),
      attend: (context: RequestContext) => this.#attend(key, context),
    });
  }

  async #answer(key: string, view: TaskView, responses: JsonObject): Promise<void> {
    const change = (record: TaskRecord | undefined): TaskRecord | undefined => {
      const open = Object.entries(responses).filter(([name]) =>
        Object.hasOwn(record?.openQuestions ?? {}, name),
      );
      return record && open.length > 0
        ? { ...record, answers: { ...record.answers, ...Object.fromEntries(open) } }
        : undefined;
    };
    if (await this.#host.records.update(key, timeOf(view), change).catch(unavailable)) this.#publish(key);
  }

  /** Waits for the end of a task, and sends its questions on the stream of this request. */
  async #attend(key: string, context: RequestContext): Promise<Outcome> {
    const asked = new Set<string>();
    let hasNews = true;
    let wake = (): void => {};
    const listener = (): void => {
      hasNews = true;
      wake();
    };
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    try {
      for (;;) {
        const news = new Promise<void>((resolve) => (wake = resolve));
        if (!hasNews) await Promise.race([news, pause(beatTime, context.signal)]);
        hasNews = false;
        const record = await this.#read(key);
        if (!record) throw rpcError("INVALID_PARAMS", "The task has expired.");
        if (record.outcome && hasEnded(record.view)) return outcomeOf(record.outcome);
        for (const [name, question] of Object.entries(record.openQuestions)) {
          if (asked.has(name)) continue;
          asked.add(name);
          void this.#ask(key, record.view, name, question as JsonObject, context);
        }
      }
    } finally {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    }
  }

  async #ask(
    key: string,
    view: TaskView,
    name: string,
    { method, params }: JsonObject,
    context: RequestContext,
  ): Promise<void> {
    const { request } = context as unknown as FeatureContext;
    const answer = await request(String(method), params as never).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: errorOf(error) }),
    );
    // Another request for the result asks again.
    if (context.signal.aborted) return;
    await this.#answer(key, view, { [name]: answer }).catch((error: unknown) => this.#host.report(error));
  }

  async #list({ key }: Requester): Promise<ReadonlyMap<string, TaskView>> {
    const { records } = this.#host;
    const listed = await records.get<Listed[]>(await keyOf("task-list", String(key))).catch(unavailable);
    const views = new Map<string, TaskView>();
    for (const [taskId] of listed ?? []) {
      const record = await this.#read(await keyOf("tasks", taskId));
      if (record) views.set(taskId, record.view);
    }
    return views;
  }

  /** Adds a task to those of its requester. False if all have not ended and there are too many. */
  async #enroll({ view }: Task, key: string, limit: number): Promise<boolean> {
    const { records } = this.#host;
    const index = await keyOf("task-list", key);
    const listed = (await records.get<Listed[]>(index).catch(unavailable)) ?? [];
    let replaced: string | undefined;
    if (listed.filter(([, end]) => end > Date.now()).length >= limit)
      for (const [taskId] of listed) {
        const record = await this.#read(await keyOf("tasks", taskId));
        if (record && !hasEnded(record.view)) continue;
        replaced = taskId;
        break;
      }
    const change = (all: readonly Listed[] = []): readonly Listed[] | undefined => {
      const others = all.filter(([taskId, end]) => end > Date.now() && taskId !== replaced);
      return others.length < limit ? [...others, [view.taskId, endOf(view)]] : undefined;
    };
    const longest = Math.max(endOf(view), ...listed.map(([, end]) => end)) - Date.now();
    return (await records.update(index, Math.max(1, longest), change).catch(unavailable)) !== undefined;
  }
}

const outcomeOf = (outcome: StoredOutcome): Outcome => {
  if (!("error" in outcome)) return outcome;
  const { code, message, data } = outcome.error;
  return { error: new McpError(code, message, data) };
};

/** The store does not answer. Nobody may be told that there is no such task. */
function unavailable(cause: unknown): never {
  const message = "The tasks cannot be reached now. Try again.";
  throw Object.assign(rpcError("INTERNAL_ERROR", message), { cause });
}
