import { Exchange, type JsonObject, maxDelay, type RequestContext, type RequestId } from "../../index.js";

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
  /** Who asked for it. TASK-12 */
  readonly principal: string | undefined;
  readonly client: unknown;
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

  constructor(view: TaskView, context: RequestContext) {
    this.view = view;
    this.exchange = new Exchange(undefined, context.exchange.info, context.exchange.method);
    this.principal = principalOf(context);
    this.client = clientOf(context);
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

const principalOf = (context: RequestContext): string | undefined => context.exchange.info?.auth?.principal;
/** What a server knows its client by, as long as the session lasts. */
const clientOf = (context: RequestContext): unknown => (context as { readonly client?: unknown }).client;

/** How long tasks are kept, and how many. */
export interface StoreLimits {
  /** Milliseconds from its creation to keep a task whose requester does not say; 3,600,000 by default. */
  readonly ttl?: number | undefined;
  /** Most milliseconds to keep one that a requester asks for; 86,400,000 by default. */
  readonly maxTtl?: number | undefined;
  /** Milliseconds that a requester should leave between two questions how it is; 1,000 by default. */
  readonly pollInterval?: number | undefined;
  /** Most tasks at a time; 1,000 by default. When there are as many, one of the requester's own that is over makes room. */
  readonly maxTasks?: number | undefined;
}

/** The tasks there are, in the order in which they were asked for. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #limits: StoreLimits;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  /** TASK-04, TASK-06: a new task under an id that nobody can guess; undefined when there is no room for it. */
  create(ttl: unknown, context: RequestContext): Task | undefined {
    const { maxTasks = 1000, maxTtl = 86_400_000, pollInterval = 1000 } = this.#limits;
    if (this.#tasks.size >= maxTasks && !this.#makeRoom(principalOf(context))) return undefined;
    const wanted = typeof ttl === "number" && ttl >= 0 ? ttl : (this.#limits.ttl ?? 3_600_000);
    const kept = Math.min(wanted, maxTtl);
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
    const task = new Task(view, context);
    this.#tasks.set(taskId, task);
    const timer: unknown = setTimeout(() => this.#expire(task), Math.min(kept, maxDelay));
    (timer as { unref?(): void }).unref?.();
    return task;
  }

  /** TASK-12: a task that this requester may know of. */
  get(taskId: unknown, context: RequestContext): Task | undefined {
    const task = this.#tasks.get(String(taskId));
    return task?.principal === principalOf(context) ? task : undefined;
  }

  /** TASK-12: without a principal, those of the same session. */
  of(context: RequestContext): ReadonlyMap<string, TaskView> {
    const principal = principalOf(context);
    const own = [...this.#tasks].filter(
      ([, task]) =>
        task.principal === principal && (principal !== undefined || task.client === clientOf(context)),
    );
    return new Map(own.map(([taskId, { view }]) => [taskId, view]));
  }

  #expire(task: Task): void {
    this.#tasks.delete(task.view.taskId);
    task.cancel(new Error("The task has expired."));
  }

  #makeRoom(principal: string | undefined): boolean {
    for (const [taskId, task] of this.#tasks) {
      if (task.isOver && task.principal === principal) return this.#tasks.delete(taskId);
    }
    return false;
  }
}
