import {
  type Feature,
  type Handler,
  join,
  type JsonObject,
  McpError,
  metaOf,
  type Provided,
  type RequestContext,
  type Settings,
  type SideTable,
} from "../../index.js";
import {
  type FeatureContext,
  type Features,
  invalidParams,
  pageOf,
  type TaskSupport,
} from "../features/feature.js";
import { provideClient, provideServer } from "./extension.js";
import { codeOf, run } from "./run.js";
import { type Outcome, type StoreLimits, type Task, TaskStore } from "./store.js";

export interface TaskOptions extends StoreLimits {
  /** May requesters list their tasks? Only for those who can be told apart: by who they are, or by their session. */
  readonly list?: boolean | undefined;
  /** Most tasks on one page of that list; 1,000 by default. */
  readonly pageSize?: number | undefined;
}

/**
 * Runs requests as tasks when they ask for it: they are answered at once, and go on. Goes in among the handlers of a server,
 * for calls of tools, or of a client, for what a server may ask; revisions without tasks are left alone.
 */
export function tasks(options: TaskOptions = {}): Features {
  const runner: TaskRunner = { provide, options, store: new TaskStore(options) };
  return { [Symbol("tasks")]: runner };
}

interface TaskRunner extends Feature {
  readonly options: TaskOptions;
  readonly store: TaskStore;
}

interface Asked {
  readonly taskId: string;
}

function provide(features: readonly Feature[], side: SideTable, settings: Settings): Provided {
  const { store, options } = features.find((feature) => feature.provide === provide) as TaskRunner;
  const { getTask, taskResult, cancelTask, listTasks, updateTask } = side.revision.jobs;
  const supports = features.filter((feature): feature is Feature & TaskSupport => "taskSupport" in feature);
  if (updateTask !== undefined)
    return side.side === "server" ? provideServer(store, supports, side, settings) : provideClient(side);
  if (getTask === undefined || taskResult === undefined) return { handlers: {} };
  let capabilities: JsonObject = {};
  // TASK-11
  const find = ({ taskId }: Asked, context: RequestContext): Task => {
    const task = store.get(taskId, context);
    if (!task) throw invalidParams(side, `There is no task ${JSON.stringify(taskId)}.`);
    return task;
  };
  const handlers: Record<string, Handler> = {
    [getTask]: (params: Asked, context: RequestContext) => find(params, context).view,
    async [taskResult](params: Asked, context: RequestContext) {
      const task = find(params, context);
      const outcome = await task.attend(context.requestId ?? "", context.signal);
      return given(outcome, mark(side, task));
    },
  };
  if (cancelTask !== undefined) {
    handlers[cancelTask] = (params: Asked, context: RequestContext) => {
      const task = find(params, context);
      // TASK-10
      if (task.isOver) throw invalidParams(side, `The task is ${task.view.status} already.`);
      task.cancel(invalidParams(side, `The task ${JSON.stringify(task.view.taskId)} was cancelled.`));
      return task.view;
    };
  }
  if (listTasks !== undefined && options.list) {
    handlers[listTasks] = (params: unknown, context: RequestContext) => {
      const { page, nextCursor } = pageOf(side, store.of(context), params, options);
      return { tasks: page, nextCursor };
    };
  }
  return {
    handlers,
    // TASK-01: told once it is known which handlers there are.
    get capabilities() {
      return capabilities;
    },
    wrap(facts, handler) {
      const { augments, conditions, method } = facts;
      const needs = conditions?.find(({ member }) => member === augments)?.needs;
      if (augments === undefined || !needs) return handler;
      capabilities = join(capabilities, needs);
      const isTool = method === side.revision.jobs.callTool;
      return async (params: JsonObject, context: RequestContext): Promise<unknown> => {
        const asked = params[augments];
        const isWell = !isTool || (await isSupported(supports, params, asked, context, side));
        if (asked === undefined || !isWell) return (handler as Call)(params, context);
        const task = store.create((asked as JsonObject)["ttl"], context, (changed) => tell(changed));
        if (!task) throw new McpError(codeOf(side, "INTERNAL_ERROR"), "There are too many tasks.");
        const work = begin(task, context, side);
        const { taskStatus } = side.revision.jobs;
        const tell = ({ view }: Task): void => {
          if (taskStatus !== undefined) work.send(taskStatus, { ...view });
        };
        // The task is answered with before anything is said for it.
        setTimeout(() => void run(task, () => (handler as Call)(params, work), settings, side, true), 0);
        return { task: task.view };
      };
    },
  };
}

type Call = (params: JsonObject, context: RequestContext) => unknown;

/** TASK-03: throws where the tool forbids what was asked, or needs it; false for one that nobody knows. */
async function isSupported(
  features: readonly TaskSupport[],
  { name }: JsonObject,
  asked: unknown,
  context: RequestContext,
  side: SideTable,
): Promise<boolean> {
  for (const feature of features) {
    const support = await feature.taskSupport(name, context as unknown as FeatureContext);
    if (support === undefined) continue;
    if (support !== (asked === undefined ? "required" : "forbidden")) return true;
    const fault = asked === undefined ? "runs only as a task" : "does not run as a task";
    throw new McpError(codeOf(side, "METHOD_NOT_FOUND"), `The tool ${JSON.stringify(name)} ${fault}.`);
  }
  return features.length === 0;
}

/** TASK-08: what all messages of a task carry. */
function mark({ revision }: SideTable, { view }: Task): JsonObject {
  const { relatedTask } = revision.meta;
  return relatedTask === undefined ? {} : { [relatedTask]: { taskId: view.taskId } };
}

/** The context of the work: what is said and asked in it belongs to the task. */
function begin(task: Task, context: RequestContext, side: SideTable): RequestContext {
  const work = context.fork(task.exchange);
  work.mark = mark(side, task);
  const ask = (work as { readonly request?: FeatureContext["request"] }).request;
  if (!ask) return work;
  const request: FeatureContext["request"] = (method, params, options) =>
    task.ask(() => ask(method, { ...params, _meta: { ...metaOf(params), ...work.mark } }, options));
  Object.defineProperty(work, "request", { value: request });
  return work;
}

/** TASK-07: exactly what the request would have been answered with. */
function given(outcome: Outcome, related: JsonObject): JsonObject {
  if ("error" in outcome) throw outcome.error;
  const { result } = outcome;
  return { ...result, _meta: { ...metaOf(result), ...related } };
}
