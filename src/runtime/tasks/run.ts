import { rpcError } from "../core/errors.js";
import { errorToSend } from "../core/jsonrpc/error-to-send.js";
import { observeWork } from "../core/jsonrpc/observe-work.js";
import { isObject, type JsonObject } from "../../common/object.js";
import type { RateLimit } from "../core/quota.js";
import type { RequestContext } from "../core/session/context.js";
import type { HandlerContext, Settings } from "../core/session/config.js";
import type { Awaitable } from "../../common/timing.js";
import type { SideTable } from "../core/tables.js";
import {
  checkScopes,
  entriesFor,
  type FeatureContext,
  type Taskable,
  type ToolSet,
} from "../features/feature.js";
import type { TaskLog } from "./log.js";
import { type Requester, requesterOf } from "./requester.js";
import type { Resume, SharedTasks } from "./shared.js";
import { type FoundTask, Task, type TaskStore } from "./store.js";

/** The parts that run the tasks of one side. */
export interface Runner {
  readonly store: TaskStore;
  /** The tasks of all processes of a cluster. */
  readonly shared: SharedTasks | undefined;
  /** How the requests of a method run as tasks. */
  readonly begins: Map<string, Begin>;
  /** True if a result with `isError` fails a task; otherwise it completes it (XTASK-08). */
  readonly errorFails: boolean;
  /** Limits the requests about tasks. */
  readonly rate: RateLimit;
  /** The sets of tools that may run as tasks. */
  readonly toolSets: readonly ToolSet[];
  readonly side: SideTable;
  readonly settings: Settings;
  readonly log: TaskLog;
}

/** Prepares a task of a request with these params, and returns its work. */
export interface Begin {
  (task: Task, context: RequestContext, params: JsonObject): () => unknown;
}

/** The handler of a request that becomes a task. */
export type Call = (params: JsonObject, context: RequestContext) => unknown;

/** Returns the requester. Throws if it sends too many requests about tasks (TASK-24). */
export function admit({ rate, side }: Runner, context: RequestContext): Requester {
  const requester = requesterOf(side, context);
  if (!rate.allows(requester.key)) throw rpcError("INTERNAL_ERROR", "Too many requests about tasks.");
  return requester;
}

/** The tasks of all processes, if others can know the requester, too. */
export const sharedFor = ({ shared }: Runner, { key }: Requester): SharedTasks | undefined =>
  typeof key === "object" ? undefined : shared;

/**
 * Returns the task that a request names, which may run again here if its process has stopped. Throws "invalid params" if the requester may
 * not read one with this id (TASK-11, XTASK-09).
 */
export async function find(
  runner: Runner,
  { taskId }: JsonObject,
  context: RequestContext,
  mayRun = true,
): Promise<FoundTask> {
  const requester = admit(runner, context);
  const shared = sharedFor(runner, requester);
  const resume: Resume = {
    revision: context.revision,
    run(view, restart) {
      const resumed = new Task(view, context, requester, restart);
      runner.store.adopt(resumed);
      run(runner, resumed, context, restart.params, shared);
      return resumed;
    },
  };
  const task = shared
    ? await shared.find(String(taskId), requester, mayRun ? resume : undefined)
    : runner.store.get(taskId, requester);
  if (!task) throw rpcError("INVALID_PARAMS", `There is no task ${JSON.stringify(taskId)}.`);
  runner.log("read", task, context.exchange.info?.auth);
  return task;
}

/** Finds a tool by name. Throws before there is a task if the caller lacks a scope of the tool. */
export async function toolOf(
  { toolSets }: Runner,
  name: unknown,
  context: RequestContext,
): Promise<Taskable | undefined> {
  const featureContext = context as unknown as FeatureContext;
  for (const { entries } of toolSets) {
    const tool = (await entriesFor(entries, featureContext)).get(String(name));
    if (!tool) continue;
    checkScopes(tool, featureContext);
    return tool;
  }
  return undefined;
}

/** A context for the work of a task, which continues after the answer to the request. */
export function contextFor<Context extends RequestContext>(task: Task, context: Context): Context {
  return context.during(task.exchange) as Context;
}

/**
 * Creates a task, whose work starts after the task has been sent to the requester (TASK-04, XTASK-04).
 */
export async function start(
  runner: Runner,
  context: RequestContext,
  params: JsonObject,
  {
    ttl,
    tool,
    begin,
    once = new Map(),
  }: {
    readonly ttl?: unknown;
    readonly tool?: Taskable | undefined;
    readonly begin?: Begin;
    /** What `once` has returned before the request continued as a task. */
    readonly once?: Map<string, unknown> | undefined;
  },
): Promise<Task> {
  const { store, side, log } = runner;
  const requester = requesterOf(side, context);
  const shared = sharedFor(runner, requester);
  const task = store.create(ttl, context, requester);
  const { method = "" } = context.exchange;
  if (task && shared && tool?.restart === true)
    task.restart = {
      revision: context.revision,
      method,
      params,
      attempt: 1,
      once,
      answers: new Map(),
    };
  if (!task || (shared && !(await added(task, shared, store))))
    throw rpcError("INTERNAL_ERROR", "Too many tasks.");
  log("created", task);
  run(runner, task, context, params, shared, begin);
  return task;
}

/** Begins the work of a task. */
function run(
  { side, settings, log, begins, errorFails }: Runner,
  task: Task,
  context: RequestContext,
  params: JsonObject,
  shared: SharedTasks | undefined,
  begin = begins.get(String(task.exchange.method)),
): void {
  const work = begin?.(task, context, params);
  const { onChange } = task;
  const tell = (): void => {
    log("changed", task);
    onChange?.(task);
  };
  // What others are told must be stored by then.
  const save = (): void => void shared?.save(task).then((isSaved) => isSaved && tell());
  task.onChange = shared ? save : tell;
  // It was cancelled, or its time was over, before it was stored.
  if (task.hasEnded) return task.onChange(task);
  const runWork = async (): Promise<void> => {
    try {
      const { connection } = context.session;
      const value = await observeWork(connection, task.exchange, params, () => work?.(), task.view.taskId);
      const result = (value ?? {}) as JsonObject;
      if (errorFails && result["isError"] === true) task.finish("failed", { result }, messageOf(result));
      else task.finish("completed", { result });
    } catch (reason) {
      if (task.hasEnded) return;
      const error = errorToSend(reason, side, task.exchange.method, settings);
      task.finish("failed", { error }, error.message);
    }
  };
  setTimeout(() => void runWork(), 0);
}

/** Lets `once` of a context keep its results, so that they are there when the task runs again. */
export function keepOnce(task: Task, work: RequestContext, shared: SharedTasks | undefined): void {
  const { restart } = task;
  if (!restart || !shared) return;
  const { once } = work as RequestContext & HandlerContext;
  const keep = <T>(key: string, compute: () => Awaitable<T>): Promise<T> =>
    once(key, async () => {
      if (restart.once.has(key)) return restart.once.get(key) as T;
      const value = await compute();
      restart.once.set(key, value);
      const isSaved = await shared.save(task);
      task.exchange.signal.throwIfAborted();
      if (!isSaved) throw new DOMException("Another process runs the task.", "AbortError");
      return value;
    });
  Object.defineProperty(work, "once", { value: keep });
}

/** Stores a task in the cluster, or deletes it here. */
async function added(task: Task, shared: SharedTasks, store: TaskStore): Promise<boolean> {
  let isAdded = false;
  try {
    return (isAdded = await shared.add(task));
  } finally {
    if (!isAdded) store.remove(task);
  }
}

/** The text of a failed result, at most 1,000 characters (TASK-15). */
function messageOf({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = blocks.map(({ text }) => text).filter((text) => typeof text === "string");
  return texts.join("\n").slice(0, 1000) || "The request failed without a message.";
}
