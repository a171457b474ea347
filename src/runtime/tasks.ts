/**
 * Tasks: requests that are answered at once and continue in the background.
 * @module
 */
export { startTask } from "./role/tasks/extension.js";
export type { TaskEvent } from "./role/tasks/log.js";
export type { TaskLimits } from "./role/tasks/store.js";
export { type TaskOptions, tasks } from "./role/tasks/tasks.js";
export { type OutcomeOptions, taskOutcome, type TaskClient } from "./role/tasks/follow.js";
