import {
  type JsonObject,
  McpError,
  report,
  type RequestContext,
  rpcError,
  type Settings,
  type SideTable,
} from "../../index.js";
import type { FeatureContext, Taskable, ToolSet } from "../features/feature.js";
import type { Task, TaskStore } from "./store.js";

/** What the tasks of one side are run with. */
export interface Runner {
  readonly store: TaskStore;
  /** Those whose tools may be tasks. */
  readonly toolSets: readonly ToolSet[];
  readonly side: SideTable;
  readonly settings: Settings;
}

/** A handler of whatever request becomes a task. */
export type Call = (params: JsonObject, context: RequestContext) => unknown;

/** TASK-11, XTASK-09: the task that a request names, where its requester may know of it. */
export function find({ store }: Runner, { taskId }: JsonObject, context: RequestContext): Task {
  const task = store.get(taskId, context);
  if (!task) throw rpcError("INVALID_PARAMS", `There is no task ${JSON.stringify(taskId)}.`);
  return task;
}

/** The tool of that name: undefined for one that nobody knows. */
export async function toolOf(
  { toolSets }: Runner,
  name: unknown,
  context: RequestContext,
): Promise<Taskable | undefined> {
  for (const { look } of toolSets) {
    const tool = (await look(context as unknown as FeatureContext)).get(String(name));
    if (tool) return tool;
  }
  return undefined;
}

/**
 * A new task; `begin` gets it ready and returns its work, which starts once the task has been answered with (TASK-04,
 * XTASK-04). XTASK-08: not everywhere has a tool's own error failed the task.
 */
export function start(
  { store, settings }: Runner,
  context: RequestContext,
  ttl: unknown,
  errorFails: boolean,
  begin: (task: Task) => () => unknown,
): Task {
  const task = store.create(ttl, context);
  if (!task) throw rpcError("INTERNAL_ERROR", "There are too many tasks.");
  const work = begin(task);
  const run = async (): Promise<void> => {
    try {
      const result = ((await work()) ?? {}) as JsonObject;
      task.finish(errorFails && result["isError"] === true ? "failed" : "completed", { result });
    } catch (reason) {
      const error = McpError.from(reason);
      if (error.cause === reason && !task.isOver) report(settings, reason, context.exchange.method);
      task.finish("failed", { error }, error.message);
    }
  };
  setTimeout(() => void run(), 0);
  return task;
}
