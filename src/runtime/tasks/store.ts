import { type McpError, rpcError, SessionError } from "../core/errors.js";
import { Exchange } from "../core/jsonrpc/dispatcher.js";
import type { RequestId } from "../core/message.js";
import type { JsonObject } from "../../common/object.js";
import { either, maxDelay } from "../../common/timing.js";
import type { AskOptions } from "../core/session/config.js";
import type { RequestContext } from "../core/session/context.js";
import type { Requester } from "./requester.js";

/** The status of a task (specification: "Tasks"). */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** The public part of a task. Times are in ISO 8601, durations in milliseconds. */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number | null;
  readonly pollInterval: number;
}

/** The outcome of a task. It may be read several times. */
export type Outcome = { readonly result: JsonObject } | { readonly error: unknown };

/** A task as a request reads and changes it, in the process that runs it or, in a cluster, in any other. */
export interface FoundTask {
  readonly view: TaskView;
  /** True if the task had ended. */
  readonly hasEnded: boolean;
  /** The outcome, if the task has ended. */
  readonly outcome: Outcome | undefined;
  /** The questions without an answer as they are sent, by key. */
  readonly openQuestions: JsonObject;
  /** Cancels the task. False if it has ended otherwise. */
  cancel(error: unknown): boolean | Promise<boolean>;
  /** Answers questions by key. What is no answer to an open question is ignored. */
  answer(responses: JsonObject): void | Promise<void>;
  /** Waits for the outcome on behalf of a request. Meanwhile messages of the task are sent on the stream of this request. */
  attend(context: RequestContext): Promise<Outcome>;
}

/** What a task needs to run again in another process, if its process stops. */
export interface Restart {
  readonly revision: string;
  readonly method: string;
  readonly params: JsonObject;
  /** The number of processes that have begun to run it. */
  readonly attempt: number;
  /** The results of `context.once`, by key. */
  readonly once: Map<string, unknown>;
  /** The answers by key. Also the questions of earlier processes, without a value if nobody has answered. */
  readonly answers: Map<string, { readonly request: JsonObject; readonly value?: unknown }>;
}

/** A question that is part of a task. */
interface Question {
  readonly request: JsonObject;
  readonly accepts: (value: unknown) => boolean;
  readonly resolve: (value: unknown) => void;
}

/** A request that continues after its first answer. */
export class Task implements FoundTask {
  view: TaskView;
  /** The work of the task. Its messages are sent on the stream of a request for the task's result. */
  readonly exchange: Exchange;
  readonly requester: Requester;
  readonly done: Promise<Outcome>;
  /** The outcome, once the task has ended. */
  outcome: Outcome | undefined;
  /** Undefined if the task runs once at most. */
  restart: Restart | undefined;
  /** Called after each change of the status. */
  onChange: ((task: Task) => void) | undefined;
  /** The questions by key; undefined once one is answered. A task never uses a key twice. */
  readonly #questions = new Map<string, Question | undefined>();
  readonly #results = new Set<RequestId>();
  #end!: (outcome: Outcome) => void;
  #onArrival: (() => void) | undefined;
  #arrival: Promise<void> | undefined;
  #openQuestions = 0;

  constructor(
    view: TaskView,
    { exchange: { info, method } }: RequestContext,
    requester: Requester,
    restart?: Restart,
  ) {
    this.view = view;
    this.restart = restart;
    this.exchange = new Exchange(undefined, info, restart?.method ?? method);
    this.requester = requester;
    this.done = new Promise((resolve) => (this.#end = resolve));
  }

  /** True once the task has ended; its status no longer changes (TASK-05). */
  get hasEnded(): boolean {
    return this.exchange.ended;
  }

  /** Changes the status and calls `onChange` (TASK-05, TASK-13). */
  move(status: TaskStatus, statusMessage?: string): void {
    if (this.hasEnded) return;
    const { statusMessage: _, ...view } = this.view;
    const lastUpdatedAt = now();
    this.view = { ...view, status, lastUpdatedAt, ...(statusMessage !== undefined && { statusMessage }) };
    this.onChange?.(this);
  }

  /** Ends the task with an outcome. Does nothing if it has already ended. */
  finish(status: TaskStatus, outcome: Outcome, statusMessage?: string): void {
    if (this.hasEnded) return;
    this.exchange.flush?.();
    this.outcome = outcome;
    this.move(status, statusMessage);
    this.exchange.ended = true;
    this.#end(outcome);
  }

  /** Aborts the work and ignores its result (TASK-10). */
  cancel(error: unknown): boolean {
    if (this.hasEnded) return false;
    this.finish("cancelled", { error });
    this.exchange.abort(error);
    return true;
  }

  /** Fails the task, also if it has ended: its end could not be stored, so nobody knows of it. */
  fail(error: McpError): void {
    this.exchange.ended = false;
    this.finish("failed", { error }, error.message);
    this.exchange.abort(error);
  }

  get openQuestions(): JsonObject {
    const open = [...this.#questions].filter(([, question]) => question);
    return Object.fromEntries(open.map(([key, question]) => [key, question?.request]));
  }

  /** Makes a question part of the task until it has an answer that `accepts` takes. `sentAs` returns it as it is sent. */
  pose(
    question: JsonObject,
    accepts: Question["accepts"],
    { key = this.#keyFor(question), signal: own }: AskOptions = {},
    sentAs: (key: string) => JsonObject = () => question,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#isFree(key, question)) {
        throw new SessionError("repeat", `The task has already used the key "${key}" for a question.`);
      }
      const signal = either(own, this.exchange.signal);
      signal.throwIfAborted();
      const abort = (): void => {
        this.#questions.set(key, undefined);
        reject(signal.reason as Error);
        this.#continueIfAnswered();
      };
      signal.addEventListener("abort", abort, { once: true });
      const accept = (value: unknown): void => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      };
      const request = sentAs(key);
      const earlier = this.restart?.answers.get(key)?.value;
      if (earlier !== undefined && accepts(earlier)) {
        this.#questions.set(key, undefined);
        return accept(earlier);
      }
      this.#questions.set(key, { request, accepts, resolve: accept });
      this.move("input_required");
    });
  }

  /** The key of the same question in an earlier process, or else one that no question has had. */
  #keyFor(question: JsonObject): string {
    for (let i = 0; ; i++) {
      const key = `${String(question["method"])}:${i}`;
      if (this.#isFree(key, question)) return key;
    }
  }

  /** True unless a question of this process has the key, or another question of an earlier one (XTASK-06). */
  #isFree(key: string, question: JsonObject): boolean {
    const earlier = this.restart?.answers.get(key);
    return !this.#questions.has(key) && (!earlier || isSame(earlier.request, question));
  }

  /** Resolves open questions with their answers. Ignores other answers (XTASK-06). */
  answer(responses: JsonObject): void {
    if (this.hasEnded) return;
    for (const [key, value] of Object.entries(responses)) {
      const question = this.#questions.get(key);
      const earlier = this.restart?.answers.get(key);
      // The handler has not posed the question again yet.
      if (earlier && !this.#questions.has(key)) this.restart?.answers.set(key, { ...earlier, value });
      // An answer that does not match the form is ignored (ELIC-06).
      if (!question?.accepts(value)) continue;
      this.#questions.set(key, undefined);
      this.restart?.answers.set(key, { request: question.request, value });
      question.resolve(value);
    }
    this.#continueIfAnswered();
  }

  /** Continues once there is no open question. */
  #continueIfAnswered(): void {
    const isOpen = [...this.#questions.values()].some((question) => question);
    if (this.view.status === "input_required" && !isOpen) this.move("working");
  }

  /** Sends a question while the requester waits for the result, which it should do when the task needs input. */
  async ask(question: () => Promise<unknown>): Promise<unknown> {
    if (this.#openQuestions++ === 0) this.move("input_required");
    try {
      while (this.#results.size === 0 && !this.hasEnded) {
        this.#arrival ??= new Promise((resolve) => (this.#onArrival = resolve));
        await Promise.race([this.#arrival, this.done]);
      }
      this.exchange.signal.throwIfAborted();
      if (this.hasEnded) throw new Error("The task has ended, so it cannot ask the client.");
      return await question();
    } finally {
      if (--this.#openQuestions === 0) this.move("working");
    }
  }

  async attend({ requestId: id = "", signal }: RequestContext): Promise<Outcome> {
    this.#results.add(id);
    this.#useLatestStream();
    this.#onArrival?.();
    this.#arrival = undefined;
    try {
      const abortion = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      return await Promise.race([this.done, abortion]);
    } finally {
      this.#results.delete(id);
      this.#useLatestStream();
    }
  }

  #useLatestStream(): void {
    (this.exchange as { id: RequestId | undefined }).id = [...this.#results].at(-1);
  }
}

/** True for one question, whatever its metadata says. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const textOf = ({ method, params }: JsonObject): string =>
    JSON.stringify([method, { ...(params as JsonObject | undefined), _meta: undefined }]);
  return textOf(one) === textOf(other);
}

const now = (): string => new Date().toISOString();

/** Limits of the tasks of one side. */
export interface TaskLimits {
  /** Maximum number of stored tasks of all requesters; 1,000 by default. */
  readonly tasks?: number | undefined;
  /**
   * Maximum number of stored tasks of one requester, which is a principal, or a session without one; 100 by default. At either limit,
   * a new task replaces the oldest finished task of the requester; without one, the request fails.
   */
  readonly requesterTasks?: number | undefined;
  /** Maximum time to keep a task after its creation, in milliseconds; 86,400,000 (one day) by default, and at most 24.8 days. */
  readonly ttl?: number | undefined;
  /** Maximum number of requests about tasks (get, result, list, update, cancel) of one requester per second; 500 by default. */
  readonly requestsPerSecond?: number | undefined;
}

/** The maximum time to keep a task, which a timer can measure, in milliseconds. */
export const maxTtl = ({ ttl = 86_400_000 }: TaskLimits): number => Math.min(ttl, maxDelay);

/** Options of storing tasks. */
export interface StoreOptions {
  /** How long to keep a task after its creation if the requester sets no `ttl`, in milliseconds; 3,600,000 (one hour) by default. */
  readonly ttl?: number | undefined;
  /** The poll interval that requesters should use, in milliseconds; 1,000 by default. */
  readonly pollInterval?: number | undefined;
  /** True to let requesters list their tasks. Only requesters with a principal or a session can. */
  readonly list?: boolean | undefined;
  readonly limits?: TaskLimits | undefined;
}

/** The tasks of one side, in the order of their creation. */
export class TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #byRequester = new Map<unknown, Set<Task>>();
  /** A timer refers to its task. */
  readonly #timers = new WeakMap<Task, ReturnType<typeof setTimeout>>();
  readonly #options: StoreOptions;
  /** Called after a task is deleted. */
  onRemoved: ((task: Task) => void) | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Creates a task with an unguessable id (TASK-04, TASK-06). Returns undefined at a limit. */
  create(ttl: unknown, context: RequestContext, requester: Requester): Task | undefined {
    const { limits = {}, pollInterval = 1000 } = this.#options;
    if (!this.#hasRoom(requester)) return undefined;
    const requestedTtl = typeof ttl === "number" && ttl >= 0 ? ttl : (this.#options.ttl ?? 3_600_000);
    // A maximum applies to the requested time (TASK-21).
    const actualTtl = Math.min(requestedTtl, maxTtl(limits));
    const taskId = crypto.randomUUID();
    const createdAt = now();
    const view = {
      taskId,
      status: "working" as const,
      createdAt,
      lastUpdatedAt: createdAt,
      ttl: actualTtl,
      pollInterval,
    };
    const task = new Task(view, context, requester);
    this.adopt(task);
    return task;
  }

  /** Adds a task, until its time is over. */
  adopt(task: Task): void {
    const { requester, view } = task;
    const time = Math.max(0, Date.parse(view.createdAt) + Number(view.ttl) - Date.now());
    this.#tasks.set(task.view.taskId, task);
    if (requester.key !== undefined) {
      const ownTasks = this.#byRequester.get(requester.key);
      if (ownTasks) ownTasks.add(task);
      else this.#byRequester.set(requester.key, new Set([task]));
    }
    const timer = setTimeout(() => this.#expire(task), time);
    (timer as { unref?(): void }).unref?.();
    this.#timers.set(task, timer);
  }

  /**
   * Returns a task that the requester may read: one of its principal (TASK-12). Without a principal, the id gives access from any
   * session, unless tasks can be listed: then only the session that created the task may read it (TASK-19).
   */
  get(taskId: unknown, { principal, key }: Requester): Task | undefined {
    const task = this.#tasks.get(String(taskId));
    if (!task || task.requester.principal !== principal) return undefined;
    return this.#options.list && task.requester.key !== key ? undefined : task;
  }

  /** The tasks that the requester may list, by id (TASK-12). */
  of({ key }: Requester): ReadonlyMap<string, TaskView> {
    const ownTasks = [...(this.#byRequester.get(key) ?? [])];
    return new Map(ownTasks.map(({ view }) => [view.taskId, view]));
  }

  #expire(task: Task): void {
    if (this.#tasks.get(task.view.taskId) !== task) return;
    this.remove(task);
    task.cancel(rpcError("INVALID_PARAMS", "The task has expired."));
  }

  /** Deletes a task. */
  remove(task: Task): void {
    const { key } = task.requester;
    this.#tasks.delete(task.view.taskId);
    clearTimeout(this.#timers.get(task));
    const ownTasks = this.#byRequester.get(key);
    if (ownTasks?.delete(task) && ownTasks.size === 0) this.#byRequester.delete(key);
    this.onRemoved?.(task);
  }

  /** Returns true if there is room for a task, after deleting a finished one of the requester if needed (TASK-20). */
  #hasRoom({ key, principal }: Requester): boolean {
    const { tasks = 1000, requesterTasks = 100 } = this.#options.limits ?? {};
    const ownTasks = this.#byRequester.get(key);
    if (this.#tasks.size < tasks && (ownTasks?.size ?? 0) < requesterTasks) return true;
    const candidates = ownTasks ?? (key === undefined ? this.#tasks.values() : []);
    for (const task of candidates) {
      if (!task.hasEnded || task.requester.principal !== principal) continue;
      this.remove(task);
      return true;
    }
    return false;
  }
}
