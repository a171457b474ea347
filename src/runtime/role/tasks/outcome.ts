import { pause } from "../../index.js";

/** What a generated client has, where the revision has tasks. */
export interface TaskClient {
  getTask(
    params: { taskId: string },
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<{ readonly status: string; readonly pollInterval?: number }>;
  getTaskPayload(
    params: { taskId: string },
    options?: {
      readonly signal?: AbortSignal | undefined;
      readonly timeout?: number | undefined;
      readonly maxTimeout?: number | undefined;
    },
  ): Promise<object>;
  cancelTask(params: { taskId: string }): Promise<object>;
}

/** A task as it was answered with. */
interface Created {
  readonly task: Handle;
}
interface Handle {
  readonly taskId: string;
  readonly status: string;
  readonly pollInterval?: number;
}

export interface OutcomeOptions {
  /** Cancels the task when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Told how the task is, each time that is asked. */
  onStatus?(status: string): void;
}

/**
 * Waits for a task to end and resolves with what the request would have been answered with; the server's questions reach
 * the client's handlers meanwhile. TASK-09: asks no more often than the server wishes, and does not depend on being told.
 *
 * @throws McpError when the request failed, or the task is gone; the signal's reason when it aborts.
 */
export async function taskOutcome<C extends TaskClient>(
  client: C,
  { task }: Created,
  { signal, onStatus }: OutcomeOptions = {},
): Promise<Awaited<ReturnType<C["getTaskPayload"]>>> {
  const { taskId } = task;
  try {
    let state: Handle | Awaited<ReturnType<C["getTask"]>> = task;
    while (state.status === "working") {
      await wait(state.pollInterval, signal);
      state = (await client.getTask({ taskId }, { signal })) as typeof state;
      onStatus?.(state.status);
    }
    const endless = { timeout: Infinity, maxTimeout: Infinity };
    return (await client.getTaskPayload({ taskId }, { signal, ...endless })) as never;
  } catch (error) {
    // CANC-06: a task has a request of its own for this.
    if (signal?.aborted) client.cancelTask({ taskId }).catch(() => {});
    throw error;
  }
}

/** Waits for as long as the server wishes, in milliseconds; a second where it has no wish. TASK-09 */
export function wait(wish: unknown, signal: AbortSignal | undefined): Promise<void> {
  return pause(typeof wish === "number" && wish >= 0 ? wish : 1000, signal);
}
