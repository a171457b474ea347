import { rpcError } from "../../errors.js";
import { getOwn, type JsonObject } from "../../message.js";
import { RateLimit } from "../../quota.js";
import { join } from "../../session/capabilities.js";
import { checkResult } from "../../session/check.js";
import { metaOf, withMeta } from "../../session/meta.js";
import type { RequestContext } from "../../session/context.js";
import type { Handler, Settings } from "../../session/config.js";
import type { SideTable } from "../../tables.js";
import type { Feature, Provided } from "../config.js";
import { type FeatureContext, type Features, pageOf, type ToolSet } from "../features/feature.js";
import { provideServer } from "./extension.js";
import { provideClient } from "./follow.js";
import { type TaskEvent, taskLog } from "./log.js";
import { admit, type Call, find, type Runner, start, toolOf } from "./run.js";
import { type Outcome, type StoreOptions, type Task, TaskStore } from "./store.js";

export interface TaskOptions extends StoreOptions {
  /** Most tasks on one page of the list; 1,000 by default. */
  readonly pageSize?: number | undefined;
  /** Gets each event in the life of a task, for a log; an error that it throws is reported and has no other effect (TASK-25). */
  onTask?(event: TaskEvent): void;
}

/**
 * Runs requests as tasks when they ask for it: they are answered at once, and go on. Goes in among the handlers of a server,
 * for calls of tools, or of a client, for what a server may ask; revisions without tasks are left alone.
 */
export function tasks(options: TaskOptions = {}): Features {
  const { requestsPerSecond = 500 } = options.limits ?? {};
  const rate = new RateLimit(requestsPerSecond);
  const runner: TaskRunner = { provide, options, rate, store: new TaskStore(options) };
  return { [Symbol("tasks")]: runner };
}

interface TaskRunner extends Feature {
  readonly options: TaskOptions;
  readonly rate: RateLimit;
  readonly store: TaskStore;
}

function provide(features: readonly Feature[], side: SideTable, settings: Settings): Provided {
  const { store, options, rate } = features.find((feature) => feature.provide === provide) as TaskRunner;
  const toolSets = features.filter((feature): feature is ToolSet => "mayBeTasks" in feature);
  const log = taskLog((event) => options.onTask?.(event), settings);
  const removed = (task: Task): void => log("removed", task);
  store.onRemoved = removed;
  const runner: Runner = { store, rate, toolSets, side, settings, log };
  const {
    getTask,
    taskResult,
    cancelTask = "",
    listTasks = "",
    updateTask,
    taskStatus,
    callTool,
  } = side.revision.wellKnown;
  if (updateTask !== undefined)
    return side.side === "server" ? provideServer(runner) : provideClient(side, log);
  if (getTask === undefined || taskResult === undefined) return { handlers: {} };
  let capabilities: JsonObject = {};
  const list: Handler = (params: unknown, context: RequestContext) => {
    const requester = admit(runner, context);
    if (requester.key === undefined) {
      throw rpcError("METHOD_NOT_FOUND", "Tasks are listed for a principal or in a session only.");
    }
    return pageOf(side, listTasks, store.of(requester), params, options);
  };
  return {
    handlers: {
      [getTask]: (params: JsonObject, context: RequestContext) => find(runner, params, context).view,
      async [taskResult](params: JsonObject, context: RequestContext) {
        const task = find(runner, params, context);
        const outcome = await task.attend(context.requestId ?? "", context.signal);
        return given(outcome, mark(side, task));
      },
      [cancelTask](params: JsonObject, context: RequestContext) {
        const task = find(runner, params, context);
        // TASK-10
        if (task.isOver) throw rpcError("INVALID_PARAMS", `The task is ${task.view.status} already.`);
        task.cancel(
          rpcError("INVALID_PARAMS", `The task ${JSON.stringify(task.view.taskId)} was cancelled.`),
        );
        return task.view;
      },
      ...(options.list && { [listTasks]: list }),
    },
    // TASK-01: told once it is known which handlers there are.
    get capabilities() {
      return capabilities;
    },
    wrap({ augments, conditions, method }, handler) {
      const needs = conditions?.find(({ member }) => member === augments)?.needs;
      const row = getOwn(side.incomingRequests, method);
      if (augments === undefined || !needs || !row) return handler;
      capabilities = join(capabilities, needs);
      const call = handler as Call;
      return async (params: JsonObject, context: RequestContext): Promise<unknown> => {
        const asked = params[augments] as JsonObject | undefined;
        const isWell = method !== callTool || (await isSupported(runner, params, asked, context));
        if (asked === undefined || !isWell) return call(params, context);
        const task = start(runner, context, asked["ttl"], true, (made) => {
          const work = begin(made, context, side);
          // TASK-16: a context without the mark of the task.
          const news = context.fork(made.exchange);
          const tell = ({ view }: Task): void => news.send(String(taskStatus), { ...view });
          if (taskStatus !== undefined) made.onChange = tell;
          return async () => {
            const result = (await call(params, work)) ?? {};
            // VERS-05: as the request would have been answered without the task.
            return checkResult(side, row, context.exchange.accept?.(result) ?? result);
          };
        });
        return { task: task.view };
      };
    },
  };
}

/** TASK-03: throws where the tool forbids what was asked, or needs it; false for one that nobody knows. */
async function isSupported(
  runner: Runner,
  { name }: JsonObject,
  asked: unknown,
  context: RequestContext,
): Promise<boolean> {
  const tool = await toolOf(runner, name, context);
  if (!tool) return runner.toolSets.length === 0;
  if (tool.taskSupport !== (asked === undefined ? "required" : "forbidden")) return true;
  const fault = asked === undefined ? "runs only as a task" : "does not run as a task";
  const message = `The tool ${JSON.stringify(name)} ${fault}.`;
  throw rpcError("METHOD_NOT_FOUND", message);
}

/** TASK-08: what all messages of a task carry. */
function mark({ revision }: SideTable, { view }: Task): JsonObject {
  const { relatedTask } = revision.meta;
  return relatedTask === undefined ? {} : { [relatedTask]: { taskId: view.taskId } };
}

/** The context of the work: what is said and asked in it belongs to the task. */
function begin(task: Task, context: RequestContext, side: SideTable): RequestContext {
  const work = context.fork(task.exchange);
  work.extraMeta = mark(side, task);
  const ask = (work as { readonly request?: FeatureContext["request"] }).request;
  if (!ask) return work;
  const request: FeatureContext["request"] = (method, params, options) =>
    task.ask(() => ask(method, withMeta(params as JsonObject | undefined, work.extraMeta ?? {}), options));
  Object.defineProperty(work, "request", { value: request });
  return work;
}

/** TASK-07: exactly what the request would have been answered with. */
function given(outcome: Outcome, related: JsonObject): JsonObject {
  if ("error" in outcome) throw outcome.error;
  const { result } = outcome;
  return { ...result, _meta: { ...metaOf(result), ...related } };
}
