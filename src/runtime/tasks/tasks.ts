import { withMeta } from "../core/session/outgoing.js";
import { McpError, rpcError } from "../core/errors.js";
import { metaOf } from "../core/message.js";
import { getOwn, isObject, type JsonObject } from "../../common/object.js";
import { RateLimit } from "../core/quota.js";
import { augmentedRow, checkResult } from "../core/session/check.js";
import { join } from "../core/capabilities.js";
import type { RequestContext } from "../core/session/context.js";
import type { Handler, Settings } from "../core/session/config.js";
import type { ServerContext } from "../core/session/server-context.js";
import type { ServerSideSession } from "../core/session/server-side.js";
import type { RequestRow, SideTable } from "../core/tables.js";
import type { Feature, Provided } from "../core/ports/feature.js";
import {
  type FeatureContext,
  type Features,
  pageOf,
} from "../features/feature.js";
import type { ReadyTool } from "../features/tools.js";
import { provideServer, provideClient } from "./extension.js";
import {
  type Call,
  makeRunner,
  type Runner,
  type TaskFeature,
  type TaskOptions,
  type TaskStarter,
} from "./run.js";
import { hasEnded, type Outcome, type Task } from "./task.js";
import { TaskStore } from "./store.js";

/**
 * Runs requests as tasks: they are answered at once and continue in the
 * background. Spread it into the handlers of a server, for tool calls, or of a
 * client, for requests of the server. It has no effect in revisions without
 * tasks. Specification: "Tasks".
 */
export function tasks(options: TaskOptions = {}): Features {
  const { requestsPerSecond = 500 } = options.limits ?? {};
  const rate = new RateLimit(requestsPerSecond);
  const feature: TaskFeature = {
    provide,
    options,
    rate,
    store: new TaskStore(options),
  };
  return { [Symbol("tasks")]: feature };
}

function provide(
  features: readonly Feature[],
  side: SideTable,
  settings: Settings,
): Provided {
  const feature = features.find(
    (one) => one.provide === provide,
  ) as TaskFeature;
  const runner = makeRunner(feature, features, side, settings);
  if (!runner) return { handlers: {} };
  const { getTask, taskResult, updateTask, callTool } = side.revision.wellKnown;
  if (updateTask !== undefined)
    return side.side === "server"
      ? provideServer(runner)
      : provideClient(runner);
  if (getTask === undefined || taskResult === undefined)
    return { handlers: {} };
  let capabilities: JsonObject = {};
  return {
    handlers: handlersOf(runner, getTask, taskResult),
    // A getter, because `wrap` adds the capabilities of the requests that have
    // handlers (TASK-01).
    get capabilities() {
      return capabilities;
    },
    wrap({ augments, conditions, method }, handler) {
      const needs = conditions?.find(
        ({ member }) => member === augments,
      )?.needs;
      const row = getOwn(side.incomingRequests, method);
      if (augments === undefined || !needs || !row) return handler;
      capabilities = join(capabilities, needs);
      const call = handler as Call;
      runner.startersByMethod.set(method, starterOf(runner, row, call));
      return async (
        params: JsonObject,
        context: RequestContext,
      ): Promise<unknown> => {
        const taskParams = params[augments] as JsonObject | undefined;
        const tool = await runner.toolOf(method, params, context);
        const isTask = taskParams !== undefined;
        const isAllowed =
          method !== callTool || mayStart(runner, params["name"], isTask, tool);
        if (!isTask || !isAllowed) return call(params, context);
        const { ttl } = taskParams;
        const task = await runner.start(context, params, { ttl, tool });
        return { task: task.view };
      };
    },
  };
}

/**
 * Throws if the tool forbids a task and one is requested, or requires one and
 * none is (TASK-03). Returns false for an unknown tool.
 */
function mayStart(
  { toolSets }: Runner,
  name: unknown,
  isTask: boolean,
  tool: ReadyTool | undefined,
): boolean {
  if (!tool) return toolSets.length === 0;
  if (tool.taskSupport !== (isTask ? "forbidden" : "required")) return true;
  const reason = isTask ? "does not run as a task" : "runs only as a task";
  throw rpcError(
    "METHOD_NOT_FOUND",
    `The tool ${JSON.stringify(name)} ${reason}.`,
  );
}

/** The handlers of the requests about tasks. */
function handlersOf(
  runner: Runner,
  getTask: string,
  taskResult: string,
): Provided["handlers"] {
  const { options, side } = runner;
  const { cancelTask = "", listTasks = "" } = side.revision.wellKnown;
  const list: Handler = async (params: unknown, context: RequestContext) => {
    const requester = runner.admit(context);
    if (requester.key === undefined) {
      throw rpcError(
        "METHOD_NOT_FOUND",
        "Listing tasks needs a principal or a session.",
      );
    }
    const all = await runner.tasksOf(requester).list(requester);
    return pageOf(side, listTasks, all, params, options);
  };
  return {
    [getTask]: async (params: JsonObject, context: RequestContext) =>
      (await runner.find(params, context)).state.view,
    async [taskResult](params: JsonObject, context: RequestContext) {
      const { id, tasks } = await runner.find(params, context);
      const result = resultOf(await tasks.attend(id, context));
      return {
        ...result,
        _meta: { ...metaOf(result), ...relatedTaskMeta(side, id) },
      };
    },
    async [cancelTask](params: JsonObject, context: RequestContext) {
      const { id, state, tasks } = await runner.find(params, context);
      const message = `The task ${JSON.stringify(id)} was cancelled.`;
      const reason = rpcError("INVALID_PARAMS", message);
      const { view } = hasEnded(state)
        ? state
        : ((await tasks.cancel(id, reason)) ?? state);
      // A task that has ended cannot be cancelled (TASK-10).
      if (hasEnded(state) || view.status !== "cancelled")
        throw rpcError("INVALID_PARAMS", `The task is already ${view.status}.`);
      return view;
    },
    ...(options.list && { [listTasks]: list }),
  };
}

/** How the requests with this row become tasks. */
function starterOf(runner: Runner, row: RequestRow, call: Call): TaskStarter {
  const { side } = runner;
  const { taskStatus } = side.revision.wellKnown;
  return (task, context, params) => {
    const work = taskContext(runner, task, context);
    const { client, session } = context as ServerContext;
    const { complete }: Partial<ServerSideSession> = session;
    // Status notifications have no related-task metadata (TASK-16), so they
    // need a context without it.
    const statusContext = runner.contextFor(task, context);
    const notify = ({ view }: Task): void =>
      statusContext.send(String(taskStatus), { ...view });
    if (taskStatus !== undefined) task.onChange = notify;
    return async () => {
      const result = (await call(params, work)) ?? {};
      // The same result as without a task (VERS-05). Only a server completes
      // results.
      const accepted = complete?.call(
        session,
        augmentedRow(row, params),
        result,
        client,
      );
      return checkResult(side, row, accepted ?? result);
    };
  };
}

/** The `_meta` of all messages of a task (TASK-08). */
function relatedTaskMeta({ revision }: SideTable, taskId: string): JsonObject {
  const { relatedTask } = revision.meta;
  return relatedTask === undefined ? {} : { [relatedTask]: { taskId } };
}

/** The context of the work, whose messages and questions belong to the task. */
function taskContext(
  runner: Runner,
  task: Task,
  context: RequestContext,
): RequestContext {
  const work = runner.contextFor(task, context);
  work.extraMeta = relatedTaskMeta(runner.side, task.view.taskId);
  const ask = (work as { readonly request?: FeatureContext["request"] })
    .request;
  if (!ask) return work;
  const request: FeatureContext["request"] = async (
    method,
    params,
    options,
  ) => {
    const sent = withMeta(
      params as JsonObject | undefined,
      work.extraMeta ?? {},
    );
    if (!runner.clusterTasksFor(task.requester))
      return task.ask(() => ask(method, sent, options));
    // Another process may send it, which checks it as this one would.
    const question = { method, params: sent };
    return resultOf((await task.pose(question, isObject, options)) as Outcome);
  };
  Object.defineProperty(work, "request", { value: request });
  return work;
}

/** The result of a request. Throws the error of a failed one (TASK-07). */
function resultOf(outcome: Outcome): JsonObject {
  if (!("error" in outcome)) return outcome.result;
  const { code, message, data } = outcome.error;
  throw new McpError(code, message, data);
}
