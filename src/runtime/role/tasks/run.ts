import {
  isMcpError,
  type JsonObject,
  jsonRpcCodes,
  McpError,
  type Settings,
  type SideTable,
} from "../../index.js";
import type { Task } from "./store.js";

export const codeOf = ({ revision }: SideTable, name: keyof typeof jsonRpcCodes): number =>
  revision.errors[name] ?? jsonRpcCodes[name];

/** Does the work of a task, and takes down what came of it. XTASK-08: not everywhere has a tool's own error failed the task. */
export async function run(
  task: Task,
  work: () => unknown,
  settings: Settings,
  side: SideTable,
  errorFails: boolean,
): Promise<void> {
  try {
    const result = ((await work()) ?? {}) as JsonObject;
    const isFailed = errorFails && result["isError"] === true;
    task.finish(isFailed ? "failed" : "completed", { result });
  } catch (reason) {
    const error = McpError.from(reason, codeOf(side, "INTERNAL_ERROR"));
    if (!isMcpError(reason) && !task.isOver) settings.onError?.(reason instanceof Error ? reason : error);
    task.finish("failed", { error }, error.message);
  }
}
