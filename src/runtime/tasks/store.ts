import { type McpError, rpcError } from "../core/errors.js";
import type { JsonObject } from "../../common/object.js";
import { type Awaitable, maxDelay } from "../../common/timing.js";
import type { RequestContext } from "../core/session/context.js";
import {
  endOf,
  type Outcome,
  type Requester,
  type TaskState,
  type TaskView,
  Task,
} from "./task.js";

/**
 * Where requests find tasks: in this process, or in a cluster. A task is named
 * by its id, which `read` has checked.
 */
export interface Tasks {
  /** The task with an id, if the requester may read it. */
  read(taskId: string, requester: Requester): Awaitable<TaskState | undefined>;
  /** The tasks that the requester may list, by id (TASK-12). */
  list(requester: Requester): Awaitable<ReadonlyMap<string, TaskView>>;
  /**
   * Cancels the task, unless it has ended. Returns it as it is then; undefined
   * if its time is over.
   */
  cancel(taskId: string, reason: unknown): Awaitable<TaskState | undefined>;
  /**
   * Answers questions by key. An answer to a question that is not open is
   * ignored.
   */
  answer(taskId: string, responses: JsonObject): Awaitable<void>;
  /**
   * Waits for the outcome on behalf of a request. Meanwhile messages of the
   * task are sent on the stream of this request.
   */
  attend(taskId: string, context: RequestContext): Promise<Outcome>;
}

/** Limits of the tasks of one side. */
export interface TaskLimits {
  /** Maximum number of stored tasks of all requesters; 1,000 by default. */
  readonly tasks?: number | undefined;
  /**
   * Maximum number of stored tasks of one requester, which is a principal, or a
   * session without one; 100 by default. At either limit, a new task replaces
   * the oldest finished task of the requester; without one, the request fails.
   */
  readonly requesterTasks?: number | undefined;
  /**
   * Maximum time to keep a task after its creation, in milliseconds; 86,400,000
   * (one day) by default, and at most 24.8 days.
   */
  readonly ttl?: number | undefined;
  /**
   * Maximum number of requests about tasks (get, result, list, update, cancel)
   * of one requester per second; 500 by default.
   */
  readonly requestsPerSecond?: number | undefined;
}

/**
 * The maximum time to keep a task, which a timer can measure, in milliseconds.
 */
export const maxTtl = ({ ttl = 86_400_000 }: TaskLimits): number =>
  Math.min(ttl, maxDelay);

/** Options of storing tasks. */
export interface StoreOptions {
  /**
   * How long to keep a task after its creation if the requester sets no `ttl`,
   * in milliseconds; 3,600,000 (one hour) by default.
   */
  readonly ttl?: number | undefined;
  /**
   * The poll interval that requesters should use, in milliseconds; 1,000 by
   * default.
   */
  readonly pollInterval?: number | undefined;
  /**
   * True to let requesters list their tasks. Only requesters with a principal
   * or a session can.
   */
  readonly list?: boolean | undefined;
  readonly limits?: TaskLimits | undefined;
}

/** The tasks of one side in this process, in the order of their creation. */
export class TaskStore implements Tasks {
  readonly #tasks = new Map<string, Task>();
  /** A timer refers to its task. */
  readonly #timers = new WeakMap<Task, ReturnType<typeof setTimeout>>();
  readonly #options: StoreOptions;
  /** Called after a task is deleted. */
  onRemoved: ((task: Task) => void) | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /**
   * Creates a task with an unguessable id (TASK-04, TASK-06). Returns undefined
   * at a limit.
   */
  create(
    ttl: unknown,
    context: RequestContext,
    requester: Requester,
  ): Task | undefined {
    const { limits = {}, pollInterval = 1000 } = this.#options;
    if (!this.#makeRoom(requester)) return undefined;
    const requestedTtl =
      typeof ttl === "number" && ttl >= 0
        ? ttl
        : (this.#options.ttl ?? 3_600_000);
    // A maximum applies to the requested time (TASK-21).
    const actualTtl = Math.min(requestedTtl, maxTtl(limits));
    const taskId = crypto.randomUUID();
    const createdAt = new Date().toISOString();
    const view = {
      taskId,
      status: "working" as const,
      createdAt,
      lastUpdatedAt: createdAt,
      ttl: actualTtl,
      pollInterval,
    };
    const task = new Task({ view, questions: {} }, context, requester);
    this.adopt(task);
    return task;
  }

  /** Adds a task, until its time is over. */
  adopt(task: Task): void {
    const time = Math.max(0, endOf(task) - Date.now());
    this.#tasks.set(task.view.taskId, task);
    const timer = setTimeout(() => this.#expire(task), time);
    (timer as { unref?(): void }).unref?.();
    this.#timers.set(task, timer);
  }

  /**
   * Returns a task that the requester may read: one of its principal (TASK-12).
   * Without a principal, the id gives access from any session, unless tasks can
   * be listed: then only the session that created the task may read it
   * (TASK-19).
   */
  read(taskId: string, { principal, key }: Requester): TaskState | undefined {
    const task = this.#tasks.get(taskId);
    if (!task || task.requester.principal !== principal) return undefined;
    return this.#options.list && task.requester.key !== key
      ? undefined
      : task.state;
  }

  list({ key }: Requester): ReadonlyMap<string, TaskView> {
    return new Map(this.#tasksOf(key).map(({ view }) => [view.taskId, view]));
  }

  /** The tasks of a requester; none of one that cannot be identified. */
  #tasksOf(key: unknown): readonly Task[] {
    return key === undefined
      ? []
      : [...this.#tasks.values()].filter(
          ({ requester }) => requester.key === key,
        );
  }

  cancel(taskId: string, reason: unknown): TaskState | undefined {
    const task = this.#tasks.get(taskId);
    task?.cancel(reason);
    return task?.state;
  }

  answer(taskId: string, responses: JsonObject): void {
    this.#tasks.get(taskId)?.answer(responses);
  }

  async attend(taskId: string, context: RequestContext): Promise<Outcome> {
    const task = this.#tasks.get(taskId);
    if (!task) throw expired();
    return task.attend(context);
  }

  #expire(task: Task): void {
    if (this.#tasks.get(task.view.taskId) !== task) return;
    this.remove(task);
    task.isExpired = true;
    task.cancel(expired());
  }

  /** True if fewer tasks run than may be stored. */
  get hasRoom(): boolean {
    const { tasks = 1000 } = this.#options.limits ?? {};
    return (
      [...this.#tasks.values()].filter((task) => !task.hasEnded).length < tasks
    );
  }

  /** Deletes a task. */
  remove(task: Task): void {
    this.forget(task);
    this.onRemoved?.(task);
  }

  /** Deletes a task only here: other processes have it too. */
  forget(task: Task): void {
    this.#tasks.delete(task.view.taskId);
    clearTimeout(this.#timers.get(task));
  }

  /**
   * Returns true if there is room for a task, after deleting a finished one of
   * the requester if needed (TASK-20).
   */
  #makeRoom({ key, principal }: Requester): boolean {
    const { tasks = 1000, requesterTasks = 100 } = this.#options.limits ?? {};
    const ownTasks = this.#tasksOf(key);
    if (this.#tasks.size < tasks && ownTasks.length < requesterTasks)
      return true;
    const candidates = key === undefined ? [...this.#tasks.values()] : ownTasks;
    const ended = candidates.find(
      (task) => task.hasEnded && task.requester.principal === principal,
    );
    if (ended) this.remove(ended);
    return ended !== undefined;
  }
}

/** The error for a request about a task whose time is over. */
export const expired = (): McpError =>
  rpcError("INVALID_PARAMS", "The task has expired.");
