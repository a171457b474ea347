import { tools } from "@mcpgen/runtime/features";
import { type TaskOptions, tasks } from "@mcpgen/runtime/tasks";
import {
  type AnyContext,
  type AnyHandlers,
  type Json,
  resultOf,
  turns,
} from "../../kit/index.js";
import { declared, type Up } from "./extended.js";

export { filled, form } from "../kit.js";

export type Work = (args: Json, context: AnyContext) => unknown;
/** A tool that may run as a task. */
export const tool = (
  name: string,
  handler: Work,
  taskSupport = "optional",
  more: Json = {},
) => ({
  name,
  ...more,
  execution: { taskSupport },
  handler: handler as never,
});
/** Handlers that answer for these tools, to which tasks may be added. */
export const list = (...all: ReturnType<typeof tool>[]): AnyHandlers =>
  tools(all) as never;

export const handlersOf = (
  all: AnyHandlers,
  options?: TaskOptions,
): AnyHandlers =>
  ({ ...all, ...tasks({ pollInterval: 5, ...options }) }) as AnyHandlers;
/** The capabilities for all requests of these tools. */
export const able: Json = { ...declared, elicitation: { form: {} } };

/** The result of a call, which may be a task. */
export const call = async (
  { ask }: Up,
  name: string,
  capabilities?: Json,
): Promise<Json> =>
  resultOf(await ask("tools/call", { name, arguments: {} }, capabilities));
/** The current state of a task. */
export const get = async ({ ask }: Up, taskId: unknown): Promise<Json> =>
  resultOf(await ask("tasks/get", { taskId }));
/** The state of a task once it satisfies the condition. */
export const settled = async (
  up: Up,
  taskId: unknown,
  isDone: (task: Json) => boolean,
): Promise<Json> => {
  for (;;) {
    const task = await get(up, taskId);
    if (isDone(task)) return task;
    await turns(1);
  }
};
/** The final state of a task. */
export const over = (up: Up, taskId: unknown): Promise<Json> =>
  settled(
    up,
    taskId,
    ({ status }) => status !== "working" && status !== "input_required",
  );
