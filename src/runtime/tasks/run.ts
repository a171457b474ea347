import { rpcError } from "../core/errors.js";
import { errorToSend, Exchange, observeWork } from "../core/jsonrpc/dispatcher.js";
import { isObject, type JsonObject } from "../../common/object.js";
import type { Auth } from "../core/ports/transport.js";
import type { RateLimit } from "../core/quota.js";
import { report } from "../core/report.js";
import type { RequestContext } from "../core/session/context.js";
import type { HandlerContext, Settings } from "../core/session/config.js";
import type { ServerContext } from "../core/session/server-context.js";
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
import type { ClusterTasks, TaskServer } from "./cluster-tasks.js";
import { errorOf, type Restart, type TaskState } from "./state.js";
import type { StoreOptions, Tasks, TaskStore } from "./store.js";
import { Task } from "./task.js";

/** The parts that run the tasks of one side. */
export interface Runner {
  readonly store: TaskStore;
  /** The tasks of all processes of a cluster. */
  readonly clusterTasks: ClusterTasks | undefined;
  readonly options: StoreOptions;
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
export const clusterTasksFor = ({ clusterTasks }: Runner, { key }: Requester): ClusterTasks | undefined =>
  typeof key === "object" ? undefined : clusterTasks;

/** Where the tasks of a requester are. */
export const tasksOf = (runner: Runner, requester: Requester): Tasks =>
  clusterTasksFor(runner, requester) ?? runner.store;

/** Finds the task that a request names. Throws "invalid params" if the requester may not read one with this id (TASK-11, XTASK-09). */
export async function find(
  runner: Runner,
  { taskId }: JsonObject,
  context: RequestContext,
): Promise<{ readonly id: string; readonly state: TaskState; readonly tasks: Tasks }> {
  const requester = admit(runner, context);
  const tasks = tasksOf(runner, requester);
  const id = String(taskId);
  const state = await tasks.read(id, requester);
  if (!state) throw rpcError("INVALID_PARAMS", `There is no task ${JSON.stringify(taskId)}.`);
  runner.log("read", state, context.exchange.info?.auth);
  return { id, state, tasks };
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
    readonly once?: ReadonlyMap<string, unknown> | undefined;
  },
): Promise<Task> {
  const { store, side, log } = runner;
  const requester = requesterOf(side, context);
  const clusterTasks = clusterTasksFor(runner, requester);
  const task = store.create(ttl, context, requester);
  if (task && clusterTasks && tool?.restart === true)
    task.state = { ...task.state, restart: restartOf(runner, context, params, once) };
  if (!task || (clusterTasks && !(await added(runner, task, clusterTasks))))
    throw rpcError("INTERNAL_ERROR", "Too many tasks.");
  log("created", task);
  run(runner, task, context, params, begin);
  return task;
}

/** What another process needs to run the task of a request. Undefined, with a report, if the caller is not JSON. */
function restartOf(
  { settings }: Runner,
  context: RequestContext,
  params: JsonObject,
  once: ReadonlyMap<string, unknown>,
): Restart | undefined {
  const { exchange, revision, session } = context;
  const { info } = session.config;
  const { client } = context as ServerContext;
  const { auth } = exchange.info ?? {};
  try {
    return {
      server: String(info["name"]),
      revision,
      method: exchange.method ?? "",
      params,
      client,
      ...(auth && { auth: JSON.parse(JSON.stringify(auth)) as Auth }),
      attempt: 1,
      once: Object.fromEntries([...once].map(([key, value]) => [key, value ?? null])),
    };
  } catch (cause) {
    report(
      settings,
      new TypeError(
        "What `authenticate` returned is not JSON, so the task cannot run again in another process.",
        { cause },
      ),
      "tasks",
    );
    return undefined;
  }
}

/** The server of a runner, for tasks that it runs again. */
export const serverOf = (runner: Runner): TaskServer => ({
  side: runner.side,
  hasRoom: () => runner.store.hasRoom,
  runAgain({ view, questions, principal, key }, restart, session) {
    const exchange = new Exchange(undefined, { auth: restart.auth }, restart.method);
    const context = session.contextOf(exchange, restart.params, restart.client);
    const task = new Task({ view, questions, restart }, context, { principal, key });
    runner.store.adopt(task);
    void task.done.then(() => runner.store.forget(task));
    run(runner, task, context, restart.params);
    return task;
  },
});

/** Begins the work of a task. */
function run(
  runner: Runner,
  task: Task,
  context: RequestContext,
  params: JsonObject,
  begin = runner.begins.get(String(task.exchange.method)),
): void {
  const { side, settings, log, errorFails } = runner;
  const clusterTasks = clusterTasksFor(runner, task.requester);
  const work = begin?.(task, context, params);
  const { onChange } = task;
  const notifyChange = (): void => {
    log("changed", task);
    onChange?.(task);
  };
  // Store the change before the notification.
  const storeChange = (): void =>
    void clusterTasks?.storeChange(task).then((isStored) => isStored && notifyChange());
  task.onChange = clusterTasks ? storeChange : notifyChange;
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
      task.finish("failed", { error: errorOf(error) }, error.message);
    }
  };
  setTimeout(() => void runWork(), 0);
}

/** Lets `once` of a context keep its results, so that they are there when the task runs again. */
export function keepOnce(runner: Runner, task: Task, work: RequestContext): void {
  const clusterTasks = clusterTasksFor(runner, task.requester);
  if (!task.state.restart || !clusterTasks) return;
  const { once } = work as RequestContext & HandlerContext;
  const keep = <T>(key: string, compute: () => Awaitable<T>): Promise<T> =>
    once(key, async () => {
      const { once: known = {} } = task.state.restart ?? {};
      if (Object.hasOwn(known, key)) return known[key] as T;
      const value = await compute();
      task.keepOnce(key, value);
      const isStored = await clusterTasks.storeChange(task);
      task.exchange.signal.throwIfAborted();
      if (!isStored) throw new DOMException("Another process runs the task.", "AbortError");
      return value;
    });
  Object.defineProperty(work, "once", { value: keep });
}

/** Stores a task in the cluster, or deletes it here. */
async function added({ store, options }: Runner, task: Task, clusterTasks: ClusterTasks): Promise<boolean> {
  let isAdded = false;
  try {
    return (isAdded = await clusterTasks.add(task, options));
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
