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
import type { Awaitable } from "../../common/timing.js";
import type { SideTable } from "../core/tables.js";
import {
  checkScopes,
  entriesFor,
  type FeatureContext,
} from "../features/feature.js";
import type { ReadyTool, ToolSet } from "../features/tools.js";
import { ClusterTasks, type TaskCluster } from "./cluster-tasks.js";
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

/** Runs the tasks of one side. */
export interface Runner extends Pick<TaskFeature, "options" | "rate"> {
  readonly side: SideTable;
  /** The sets of tools that may run as tasks. */
  readonly toolSets: readonly ToolSet[];
  /** How the requests of a method run as tasks. */
  readonly startersByMethod: Map<string, TaskStarter>;
  /** Calls the user's `onTask` with an event. Reports an error in it. */
  log(kind: TaskEvent["kind"], task: LoggedTask, auth?: Auth): void;
  /** The tasks of all processes, if others can know the requester, too. */
  clusterTasksFor(requester: Requester): ClusterTasks | undefined;
  /** Where the tasks of a requester are. */
  tasksOf(requester: Requester): Tasks;
  /**
   * Returns the requester. Throws if it sends too many requests about tasks
   * (TASK-24).
   */
  admit(context: RequestContext): Requester;
  /**
   * Finds the task that a request names. Throws "invalid params" if the
   * requester may not read one with this id (TASK-11, XTASK-09).
   */
  find(params: JsonObject, context: RequestContext): Promise<Found>;
  /**
   * Finds the tool that a request calls, if it calls one. Throws before there is
   * a task if the caller lacks a scope of the tool.
   */
  toolOf(
    method: string,
    params: JsonObject,
    context: RequestContext,
  ): Promise<ReadyTool | undefined>;
  /**
   * Creates a task, whose work starts after the task has been sent to the
   * requester (TASK-04, XTASK-04).
   */
  start(context: RequestContext, params: JsonObject, how: Start): Promise<Task>;
  /**
   * The context of the work of a task, which continues after the answer to the
   * request. What its `once` returns is there when the task runs again.
   */
  contextFor<Context extends RequestContext>(
    task: Task,
    context: Context,
  ): Context;
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
  { store, options, rate }: TaskFeature,
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
    (feature): feature is ToolSet => "mayBeTasks" in feature,
  );
  const startersByMethod = new Map<string, TaskStarter>();

  /**
   * The requester of a request: its principal, or its session in a legacy
   * revision with sessions.
   */
  function requesterOf({ exchange, session }: RequestContext): Requester {
    const { info } = exchange;
    const principal = info?.auth?.principal;
    const hasSession =
      side.revision.opening === "initialize" && !info?.isStateless;
    const { shared } = session.connection.transport;
    return {
      principal,
      key: principal ?? (hasSession ? (shared?.key ?? session) : undefined),
    };
  }

  /** Stores a task in the cluster, or deletes it here. */
  async function isAdded(
    task: Task,
    inCluster: ClusterTasks,
  ): Promise<boolean> {
    let isAdded = false;
    try {
      return (isAdded = await inCluster.add(task, options));
    } finally {
      if (!isAdded) store.remove(task);
    }
  }

  /**
   * What another process needs to run the task of a request. Undefined, with a
   * report, if the caller is not JSON.
   */
  function restartOf(
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
        method: exchange.method ?? "",
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
      warn(new TypeError(text, { cause }));
      return undefined;
    }
  }

  /** Begins the work of a task. */
  function run(
    task: Task,
    context: RequestContext,
    params: JsonObject,
    starter = startersByMethod.get(String(task.exchange.method)),
  ): void {
    const inCluster = runner.clusterTasksFor(task.requester);
    const work = starter?.(task, context, params);
    const { onChange } = task;
    const notifyChange = (): void => {
      runner.log("changed", task);
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
    // With the extension, a result with `isError` completes a task (XTASK-08).
    const errorFails = side.revision.wellKnown.updateTask === undefined;
    const runWork = async (): Promise<void> => {
      try {
        const { connection } = context.session;
        const value = await observeWork(
          connection,
          task.exchange,
          params,
          () => work?.(),
          task.view.taskId,
        );
        const result = (value ?? {}) as JsonObject;
        if (errorFails && result["isError"] === true)
          task.end("failed", { result }, messageOf(result));
        else task.end("completed", { result });
      } catch (reason) {
        if (task.hasEnded) return;
        const error = errorToSend(reason, side, task.exchange.method, settings);
        task.end("failed", { error: errorOf(error) }, error.message);
      }
    };
    setTimeout(() => void runWork(), 0);
  }

  const runner: Runner = {
    side,
    options,
    rate,
    toolSets,
    startersByMethod,
    log(kind, { view, exchange }, auth = exchange?.info?.auth) {
      const { taskId, status, statusMessage } = view;
      try {
        options.onTask?.({ kind, taskId, status, statusMessage, auth });
      } catch (error) {
        report(settings, error, "onTask");
      }
    },

    clusterTasksFor: ({ key }) =>
      typeof key === "object" ? undefined : clusterTasks,

    tasksOf: (requester) => runner.clusterTasksFor(requester) ?? store,

    admit(context) {
      const requester = requesterOf(context);
      if (!rate.allows(requester.key))
        throw rpcError("INTERNAL_ERROR", "Too many requests about tasks.");
      return requester;
    },

    async find({ taskId }, context) {
      const requester = runner.admit(context);
      const tasks = runner.tasksOf(requester);
      const id = String(taskId);
      const state = await tasks.read(id, requester);
      if (!state)
        throw rpcError(
          "INVALID_PARAMS",
          `There is no task ${JSON.stringify(taskId)}.`,
        );
      runner.log("read", state, context.exchange.info?.auth);
      return { id, state, tasks };
    },

    async toolOf(method, { name }, context) {
      const featureContext = context as unknown as FeatureContext;
      if (method !== side.revision.wellKnown.callTool) return undefined;
      for (const { entries } of toolSets) {
        const tool = (await entriesFor(entries, featureContext)).get(
          String(name),
        );
        if (!tool) continue;
        checkScopes(tool, featureContext);
        return tool;
      }
      return undefined;
    },

    async start(context, params, { ttl, tool, starter, once = new Map() }) {
      const requester = requesterOf(context);
      const inCluster = runner.clusterTasksFor(requester);
      const task = store.create(ttl, context, requester);
      if (task && inCluster && tool?.restart === true)
        task.state = {
          ...task.state,
          restart: restartOf(context, params, once),
        };
      if (!task || (inCluster && !(await isAdded(task, inCluster))))
        throw rpcError("INTERNAL_ERROR", "Too many tasks.");
      runner.log("created", task);
      run(task, context, params, starter);
      return task;
    },

    contextFor(task, context) {
      const work = context.during(task.exchange) as typeof context;
      const inCluster = runner.clusterTasksFor(task.requester);
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
    },
  };

  function onRemoved(task: Task): void {
    runner.log("removed", task);
    // The time of any other one ends it.
    if (task.hasEnded)
      void runner.clusterTasksFor(task.requester)?.remove(task.view.taskId);
  }
  store.onRemoved = onRemoved;

  clusterTasks?.serve({
    side,
    hasRoom: () => store.hasRoom,
    runAgain({ view, questions, principal, key }, restart, session) {
      const exchange = new Exchange(
        undefined,
        { auth: restart.auth },
        restart.method,
      );
      const context = session.contextOf(
        exchange,
        restart.params,
        restart.client,
      );
      const task = new Task({ view, questions, restart }, context, {
        principal,
        key,
      });
      store.adopt(task);
      void task.done.then(() => store.forget(task));
      run(task, context, restart.params);
      return task;
    },
  });

  return runner;
}

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
