import { Exchange } from "../../jsonrpc/exchange.js";
import type { JsonObject, RequestId } from "../../message.js";
import { maxDelay } from "../../timing.js";
import type { RequestContext } from "../../session/context.js";
import type { Requester } from "./requester.js";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as its requester sees it. Times are ISO 8601, durations milliseconds. */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number | null;
  readonly pollInterval: number;
}

/** What came of a task, to be given as often as it is asked for. */
export type Outcome = { readonly result: JsonObject } | { readonly error: unknown };

/** A request that goes on after its first answer. */
export class Task {
  view: TaskView;
  /** The work, as against the request that began it: what is sent for it goes out with a request for its result. */
  readonly exchange: Exchange;
  readonly requester: Requester;
  readonly done: Promise<Outcome>;
  /** What came of it, once it is over. */
  outcome: Outcome | undefined;
  /** Told of each change. */
  onChange: ((task: Task) => void) | undefined;
  readonly #results = new Set<RequestId>();
  #end!: (outcome: Outcome) => void;
  #attended: (() => void) | undefined;
  #arrival: Promise<void> | undefined;
  #asks = 0;

  constructor(view: TaskView, context: RequestContext, requester: Requester) {
    this.view = view;
    this.exchange = new Exchange(undefined, context.exchange.info, context.exchange.method);
    this.requester = requester;
    this.done = new Promise((resolve) => (this.#end = resolve));
  }

  /** TASK-05: nothing changes any more. */
  get isOver(): boolean {
    return this.exchange.over;
  }

  /** TASK-05, TASK-13: whoever listens hears of the change while the task may still be heard of. */
  move(status: TaskStatus, statusMessage?: string): void {
    if (this.isOver) return;
    const { statusMessage: _, ...view } = this.view;
    const lastUpdatedAt = now();
    this.view = { ...view, status, lastUpdatedAt, ...(statusMessage !== undefined && { statusMessage }) };
    this.onChange?.(this);
  }

  finish(status: TaskStatus, outcome: Outcome, statusMessage?: string): void {
    if (this.isOver) return;
    this.exchange.flush?.();
    this.outcome = outcome;
    this.move(status, statusMessage);
    this.exchange.over = true;
    this.#end(outcome);
  }

  /** TASK-10: the work is told to stop, and whatever it still gives is dropped. */
  cancel(error: unknown): void {
    if (this.isOver) return;
    this.finish("cancelled", { error });
    this.exchange.abort(error);
  }

  /** Asks the requester something once it waits for the result, as it should when the task needs input. */
  async ask(question: () => Promise<unknown>): Promise<unknown> {
    if (this.#asks++ === 0) this.move("input_required");
    try {
      while (this.#results.size === 0 && !this.isOver) {
        this.#arrival ??= new Promise((resolve) => (this.#attended = resolve));
        await Promise.race([this.#arrival, this.done]);
      }
      this.exchange.signal.throwIfAborted();
      if (this.isOver) throw new Error("The task is over; nothing is asked for it any more.");
      return await question();
    } finally {
      if (--this.#asks === 0) this.move("working");
    }
  }

  /** Waits for the outcome; meanwhile, what the task sends goes out with this request. */
  async attend(id: RequestId, signal: AbortSignal): Promise<Outcome> {
    this.#results.add(id);
    this.#carry();
    this.#attended?.();
    this.#arrival = undefined;
    try {
      const gone = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      return await Promise.race([this.done, gone]);
    } finally {
      this.#results.delete(id);
      this.#carry();
    }
  }

  #carry(): void {
    (this.exchange as { id: RequestId | undefined }).id = [...this.#results].at(-1);
  }
}

const now = (): string => new Date().toISOString();

/** Bounds of the tasks of one side. */
export interface TaskLimits {
  /** Most tasks at a time, over all requesters; 1,000 by default. */
  readonly tasks?: number | undefined;
  /**
   * Most tasks at a time of one requester, which is a principal, or a session where there is no principal; 100 by default.
   * At either bound, the oldest finished task of the requester makes room for a new one; without one, the request is refused.
   */
  readonly requesterTasks?: number | undefined;
  /** Longest time to keep a task after its creation, in milliseconds; 86,400,000 (one day) by default. */
  readonly ttl?: number | undefined;
  /** Most requests about tasks (get, result, list, update, cancel) of one requester in one second; 500 by default. */
  readonly requestsPerSecond?: number | undefined;
}

/** How tasks are kept. */
export interface StoreOptions {
  /** How long to keep a task whose requester does not say, in milliseconds after its creation; 3,600,000 (one hour) by default. */
  readonly ttl?: number | undefined;
  /** How long a requester should wait before it asks for the status again, in milliseconds; 1,000 by default. */
  readonly pollInterval?: number | undefined;
  /** May requesters list their tasks? Only for those who can be told apart: by their principal, or by their session. */
  readonly list?: boolean | undefined;
  readonly limits?: TaskLimits | undefined;
}

/** The tasks of one side, in the order of their creation. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #byRequester = new Map<unknown, Set<Task>>();
  readonly #options: StoreOptions;
  /** Called when a task is no longer kept. */
  onRemoved: ((task: Task) => void) | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Creates a task under an id that nobody can guess (TASK-04, TASK-06). Returns undefined when there is no room for it. */
  create(ttl: unknown, context: RequestContext, requester: Requester): Task | undefined {
    const { limits = {}, pollInterval = 1000 } = this.#options;
    if (!this.#hasRoom(requester)) return undefined;
    const wanted = typeof ttl === "number" && ttl >= 0 ? ttl : (this.#options.ttl ?? 3_600_000);
    // TASK-21
    const kept = Math.min(wanted, limits.ttl ?? 86_400_000);
    const taskId = crypto.randomUUID();
    const createdAt = now();
    const view = {
      taskId,
      status: "working" as const,
      createdAt,
      lastUpdatedAt: createdAt,
      ttl: kept,
      pollInterval,
    };
    const task = new Task(view, context, requester);
    this.#tasks.set(taskId, task);
    if (requester.key !== undefined) {
      const own = this.#byRequester.get(requester.key);
      if (own) own.add(task);
      else this.#byRequester.set(requester.key, new Set([task]));
    }
    const timer: unknown = setTimeout(() => this.#expire(task), Math.min(kept, maxDelay));
    (timer as { unref?(): void }).unref?.();
    return task;
  }

  /**
   * Returns a task that the requester may read: one of its principal (TASK-12). Without a principal, the id alone gives access
   * from any session, unless tasks can be listed: then what is not in the list cannot be read either (TASK-19).
   */
  get(taskId: unknown, { principal, key }: Requester): Task | undefined {
    const task = this.#tasks.get(String(taskId));
    if (!task || task.requester.principal !== principal) return undefined;
    return this.#options.list && task.requester.key !== key ? undefined : task;
  }

  /** The tasks that the requester may list, by their ids (TASK-12). */
  of({ key }: Requester): ReadonlyMap<string, TaskView> {
    const own = [...(this.#byRequester.get(key) ?? [])];
    return new Map(own.map(({ view }) => [view.taskId, view]));
  }

  #expire(task: Task): void {
    if (this.#tasks.get(task.view.taskId) !== task) return;
    this.#remove(task);
    task.cancel(new Error("The task has expired."));
  }

  #remove(task: Task): void {
    const { key } = task.requester;
    this.#tasks.delete(task.view.taskId);
    const own = this.#byRequester.get(key);
    if (own?.delete(task) && own.size === 0) this.#byRequester.delete(key);
    this.onRemoved?.(task);
  }

  /** TASK-20: within both bounds, or after the removal of a finished task of the same requester. */
  #hasRoom({ key, principal }: Requester): boolean {
    const { tasks = 1000, requesterTasks = 100 } = this.#options.limits ?? {};
    const own = this.#byRequester.get(key);
    if (this.#tasks.size < tasks && (own?.size ?? 0) < requesterTasks) return true;
    const candidates = own ?? (key === undefined ? this.#tasks.values() : []);
    for (const task of candidates) {
      if (!task.isOver || task.requester.principal !== principal) continue;
      this.#remove(task);
      return true;
    }
    return false;
  }
}
