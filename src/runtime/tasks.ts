/**
 * Tasks: requests that are answered at once and continue in the background.
 * @module
 */
export { startTask } from "./tasks/extension.js";
export type { TaskEvent } from "./tasks/log.js";
export type { TaskLimits } from "./tasks/store.js";
export type { TaskOptions } from "./tasks/run.js";
export { tasks } from "./tasks/tasks.js";
export { type OutcomeOptions, taskOutcome, type TaskClient } from "./tasks/follow.js";
