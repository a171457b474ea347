/**
 * Tasks: requests that are answered at once and continue in the background.
 * @module
 */
export { startTask } from "./tasks/extension.js";
export type { TaskLimits } from "./tasks/store.js";
export type { TaskEvent, TaskOptions } from "./tasks/run.js";
export { tasks } from "./tasks/tasks.js";
export {
  type OutcomeOptions,
  taskOutcome,
  type TaskClient,
} from "./tasks/extension.js";
