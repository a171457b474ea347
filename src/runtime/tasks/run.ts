import { rpcError, StoreError } from "../core/errors.js";
import {
  errorToSend,
  Exchange,
  observeWork,
} from "../core/jsonrpc/dispatcher.js";
import { isObject, type JsonObject } from "../../common/object.js";
import type { Feature } from "../core/ports/feature.js";
import type { Auth } from "../core/ports/transport.js";
import type { RateLimit } from "../core/quota.js";
import { report } from "../core/report.js";
import type { RequestContext } from "../core/session/context.js";
import type { HandlerContext, Settings } from "../core/session/config.js";
import type { ServerContext } from "../core/session/server-context.js";
import type { ServerSideSession } from "../core/session/server-side.js";
import type { Awaitable } from "../../common/timing.js";
import type { SideTable } from "../core/tables.js";
import {
  checkScopes,
  entriesFor,
  type FeatureContext,
} from "../features/feature.js";
import type { ReadyTool, ToolSet } from "../features/tools.js";
import { ClusterTasks, type TaskCluster } from "./cluster-tasks.js";
import type { TaskRecord } from "./record.js";
import {
  errorOf,
  type Requester,
  type Restart,
  type TaskState,
  type TaskStatus,
  Task,
} from "./task.js";
import type { StoreOptions, Tasks, TaskStore } from "./store.js";

/** Options of `tasks`. */
export interface TaskOptions extends StoreOptions {
  /** Maximum number of tasks on one page of the list; 1,000 by default. */
  readonly pageSize?: number | undefined;
  /**
   * Called with each event of a task, for a log (TASK-25). An error in it is
   * reported.
   */
  onTask?(event: TaskEvent): void;
}

/** An event in the life of a task. */
export interface TaskEvent {
  /** `read`: a request named the task. `removed`: the task was deleted. */
  readonly kind: "created" | "changed" | "read" | "removed";
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string | undefined;
  /**
   * The caller: for `read` the reader, otherwise the one who started the task.
   * Undefined on a client.
   */
  readonly auth: Auth | undefined;
}

/** What `tasks` adds to the handlers of a side. */
export interface TaskFeature extends Feature {
  readonly options: TaskOptions;
  /** Limits the requests about tasks. */
  readonly rate: RateLimit;
  readonly store: TaskStore;
}

/** Prepares a task of a request with these params, and returns its work. */
export type TaskStarter = (
  task: Task,
  context: RequestContext,
  params: JsonObject,
) => () => unknown;

/** The handler of a request that becomes a task. */
export type Call = (params: JsonObject, context: RequestContext) => unknown;

/** How a request becomes a task. */
interface Start {
  readonly ttl?: unknown;
  readonly tool?: ReadyTool | undefined;
  readonly starter?: TaskStarter;
  /** What `once` has returned before the request continued as a task. */
  readonly once?: ReadonlyMap<string, unknown> | undefined;
}

/** The members of a task that an event says. */
interface LoggedTask extends Pick<TaskState, "view"> {
  readonly exchange?: Exchange;
}

/** A task that a request names, and where it is. */
interface Found {
  readonly id: string;
  readonly state: TaskState;
  readonly tasks: Tasks;
}

/**
 * Makes the runner of one side. Returns undefined in a cluster without a store:
 * other processes could not read the tasks.
 */
export function makeRunner(
  feature: TaskFeature,
  features: readonly Feature[],
  side: SideTable,
  settings: Settings,
): Runner | undefined {
  const warn = (error: unknown): void =>
    report(
      settings,
      error instanceof StoreError ? error.cause : error,
      "tasks",
    );
  const { cluster } = settings as Settings & { readonly cluster?: TaskCluster };
  const clusterTasks = cluster?.clusterTasks(
    (host) => new ClusterTasks(host, warn),
  );
  if (cluster && !clusterTasks) return undefined;
  const toolSets = features.filter(
    (one): one is ToolSet => "mayBeTasks" in one,
  );
  const runner = new Runner(feature, toolSets, side, settings, clusterTasks);
  clusterTasks?.serve({
    side,
    hasRoom: () => feature.store.hasRoom,
    runAgain: (...task) => runner.runAgain(...task),
  });
  return runner;
}

/** Runs the tasks of one side. */
export class Runner {
  readonly options: TaskOptions;
  /** Limits the requests about tasks. */
  readonly rate: RateLimit;
  readonly side: SideTable;
  /** The sets of tools that may run as tasks. */
  readonly toolSets: readonly ToolSet[];
  /** How the requests of a method run as tasks. */
  readonly startersByMethod: Map<string, TaskStarter> = new Map();
  readonly #store: TaskStore;
  readonly #settings: Settings;
  readonly #clusterTasks: ClusterTasks | undefined;

  constructor(
    { options, rate, store }: TaskFeature,
    toolSets: readonly ToolSet[],
    side: SideTable,
    settings: Settings,
    clusterTasks: ClusterTasks | undefined,
  ) {
    this.options = options;
    this.rate = rate;
    this.side = side;
    this.toolSets = toolSets;
    this.#store = store;
    this.#settings = settings;
    this.#clusterTasks = clusterTasks;
    const onRemoved = (task: Task): void => {
      this.log("removed", task);
      // The time of any other one ends it.
      if (task.hasEnded)
        void this.clusterTasksFor(task.requester)?.remove(task.view.taskId);
    };
    store.onRemoved = onRemoved;
  }

  /** Calls the user's `onTask` with an event. Reports an error in it. */
  log(
    kind: TaskEvent["kind"],
    { view, exchange }: LoggedTask,
    auth: Auth | undefined = exchange?.info?.auth,
  ): void {
    const { taskId, status, statusMessage } = view;
    try {
      this.options.onTask?.({ kind, taskId, status, statusMessage, auth });
    } catch (error) {
      report(this.#settings, error, "onTask");
    }
  }

  /** The tasks of all processes, if others can know the requester, too. */
  clusterTasksFor({ key }: Requester): ClusterTasks | undefined {
    return typeof key === "object" ? undefined : this.#clusterTasks;
  }

  /** Where the tasks of a requester are. */
  tasksOf(requester: Requester): Tasks {
    return this.clusterTasksFor(requester) ?? this.#store;
  }

  /**
   * The requester of a request: its principal, or its session in a legacy
   * revision with sessions.
   */
  #requesterOf({ exchange, session }: RequestContext): Requester {
    const { info } = exchange;
    const principal = info?.auth?.principal;
    const hasSession =
      this.side.revision.opening === "initialize" && !info?.isStateless;
    const { shared } = session.connection.transport;
    return {
      principal,
      key: principal ?? (hasSession ? (shared?.key ?? session) : undefined),
    };
  }

  /**
   * Returns the requester. Throws if it sends too many requests about tasks
   * (TASK-24).
   */
  admit(context: RequestContext): Requester {
    const requester = this.#requesterOf(context);
    if (!this.rate.allows(requester.key))
      throw rpcError("INTERNAL_ERROR", "Too many requests about tasks.");
    return requester;
  }

  /**
   * Finds the task that a request names. Throws "invalid params" if the
   * requester may not read one with this id (TASK-11, XTASK-09).
   */
  async find({ taskId }: JsonObject, context: RequestContext): Promise<Found> {
    const requester = this.admit(context);
    const tasks = this.tasksOf(requester);
    const id = String(taskId);
    const state = await tasks.read(id, requester);
    if (!state)
      throw rpcError(
        "INVALID_PARAMS",
        `There is no task ${JSON.stringify(taskId)}.`,
      );
    this.log("read", state, context.exchange.info?.auth);
    return { id, state, tasks };
  }

  /**
   * Finds the tool that a request calls, if it calls one. Throws before there is
   * a task if the caller lacks a scope of the tool.
   */
  async toolOf(
    method: string,
    { name }: JsonObject,
    context: RequestContext,
  ): Promise<ReadyTool | undefined> {
    const featureContext = context as unknown as FeatureContext;
    if (method !== this.side.revision.wellKnown.callTool) return undefined;
    for (const { entries } of this.toolSets) {
      const tool = (await entriesFor(entries, featureContext)).get(
        String(name),
      );
      if (!tool) continue;
      checkScopes(tool, featureContext);
      return tool;
    }
    return undefined;
  }

  /**
   * Creates a task, whose work starts after the task has been sent to the
   * requester (TASK-04, XTASK-04).
   */
  async start(
    context: RequestContext,
    params: JsonObject,
    { ttl, tool, starter, once = new Map() }: Start,
  ): Promise<Task> {
    const requester = this.#requesterOf(context);
    const inCluster = this.clusterTasksFor(requester);
    const task = this.#store.create(ttl, context, requester);
    if (task && inCluster && tool?.restart === true)
      task.state = {
        ...task.state,
        restart: this.#restartOf(context, params, once),
      };
    if (!task || (inCluster && !(await this.#isAdded(task, inCluster))))
      throw rpcError("INTERNAL_ERROR", "Too many tasks.");
    this.log("created", task);
    this.#run(task, context, params, starter);
    return task;
  }

  /** Stores a task in the cluster, or deletes it here. */
  async #isAdded(task: Task, inCluster: ClusterTasks): Promise<boolean> {
    let isAdded = false;
    try {
      return (isAdded = await inCluster.add(task, this.options));
    } finally {
      if (!isAdded) this.#store.remove(task);
    }
  }

  /**
   * What another process needs to run the task of a request. Undefined, with a
   * report, if the caller is not JSON.
   */
  #restartOf(
    context: RequestContext,
    params: JsonObject,
    once: ReadonlyMap<string, unknown>,
  ): Restart | undefined {
    const { exchange, revision, session } = context;
    const { client } = context as ServerContext;
    const { auth } = exchange.info ?? {};
    try {
      return {
        server: String(session.config.info["name"]),
        revision,
        method: String(exchange.method),
        params,
        client,
        ...(auth && { auth: JSON.parse(JSON.stringify(auth)) as Auth }),
        attempt: 1,
        once: Object.fromEntries(
          [...once].map(([key, value]) => [key, value ?? null]),
        ),
      };
    } catch (cause) {
      const text =
        "What `authenticate` returned is not JSON, so the task cannot run again in another process.";
      report(this.#settings, new TypeError(text, { cause }), "tasks");
      return undefined;
    }
  }

  /** Runs a task whose process has stopped. */
  runAgain(
    { view, questions, principal, key }: TaskRecord,
    restart: Restart,
    session: ServerSideSession,
  ): Task {
    const { auth, method, params, client } = restart;
    const exchange = new Exchange(undefined, { auth }, method);
    const context = session.contextOf(exchange, params, client);
    const state = { view, questions, restart };
    const task = new Task(state, context, { principal, key });
    this.#store.adopt(task);
    void task.done.then(() => this.#store.forget(task));
    this.#run(task, context, params);
    return task;
  }

  /** Begins the work of a task. */
  #run(
    task: Task,
    context: RequestContext,
    params: JsonObject,
    starter: TaskStarter = this.startersByMethod.get(
      String(task.exchange.method),
    ) ?? unknownMethod,
  ): void {
    const inCluster = this.clusterTasksFor(task.requester);
    const work = starter(task, context, params);
    const { onChange } = task;
    const notifyChange = (): void => {
      this.log("changed", task);
      onChange?.(task);
    };
    // Store the change before the notification.
    const storeChange = (): void =>
      void inCluster
        ?.storeChange(task)
        .then((isStored) => isStored && notifyChange());
    task.onChange = inCluster ? storeChange : notifyChange;
    // It was cancelled, or its time was over, before it was stored.
    if (task.hasEnded) return task.onChange(task);
    setTimeout(() => void this.#work(task, context, params, work), 0);
  }

  /** Does the work, and ends the task with its result or its error. */
  async #work(
    task: Task,
    { session: { connection } }: RequestContext,
    params: JsonObject,
    work: () => unknown,
  ): Promise<void> {
    const { side } = this;
    const { exchange, view } = task;
    // With the extension, a result with `isError` completes a task (XTASK-08).
    const errorFails = side.revision.wellKnown.updateTask === undefined;
    try {
      const value = await observeWork(
        connection,
        exchange,
        params,
        work,
        view.taskId,
      );
      const result = (value ?? {}) as JsonObject;
      if (errorFails && result["isError"] === true)
        task.end("failed", { result }, messageOf(result));
      else task.end("completed", { result });
    } catch (reason) {
      if (task.hasEnded) return;
      const error = errorToSend(reason, side, exchange.method, this.#settings);
      task.end("failed", { error: errorOf(error) }, error.message);
    }
  }

  /**
   * The context of the work of a task, which continues after the answer to the
   * request. What its `once` returns is there when the task runs again.
   */
  contextFor<Context extends RequestContext>(
    task: Task,
    context: Context,
  ): Context {
    const work = context.during(task.exchange) as Context;
    const inCluster = this.clusterTasksFor(task.requester);
    if (!task.state.restart || !inCluster) return work;
    const { once } = work as unknown as HandlerContext;
    const keep = <T>(key: string, compute: () => Awaitable<T>): Promise<T> =>
      once(key, async () => {
        const { once: known = {} } = task.state.restart ?? {};
        if (Object.hasOwn(known, key)) return known[key] as T;
        const value = await compute();
        task.keepOnce(key, value);
        const isStored = await inCluster.storeChange(task);
        task.exchange.signal.throwIfAborted();
        if (!isStored)
          throw new DOMException(
            "Another process runs the task.",
            "AbortError",
          );
        return value;
      });
    return Object.defineProperty(work, "once", { value: keep });
  }
}

/** The work of a task that a later release takes over, without its method. */
const unknownMethod: TaskStarter =
  ({ exchange: { method } }) =>
  () => {
    const message = `The server that continues the task does not answer ${method}.`;
    throw rpcError("METHOD_NOT_FOUND", message);
  };

/** The text of a failed result, at most 1,000 characters (TASK-15). */
function messageOf({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = blocks
    .map(({ text }) => text)
    .filter((text) => typeof text === "string");
  return (
    texts.join("\n").slice(0, 1000) || "The request failed without a message."
  );
}
