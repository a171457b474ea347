import {
  type Capabilities,
  declares,
  type Follow,
  type JsonObject,
  McpError,
  pause,
  type Provided,
  type RequestFacts,
  type SideTable,
} from "../../index.js";

/** The kinds of answer among these rows that the extension puts in place of the ordinary one. */
export const kindsOf = (rows: readonly RequestFacts[], extension: Capabilities): string[] =>
  rows.flatMap(({ variants = {} }) =>
    Object.keys(variants).filter((kind) => declares(extension, variants[kind] as Capabilities)),
  );

/** The extension on the client: whoever calls waits for the task as for any answer. */
export function provideClient(side: SideTable): Provided {
  const { getTask = "", updateTask, cancelTask } = side.revision.jobs;
  const extension = side.sends[getTask]?.facts.extension;
  if (!extension) return { handlers: {} };
  const follow: Follow = async ({ taskId, pollIntervalMs }, { signal, ask, answer }) => {
    const answered = new Set<string>();
    let state: JsonObject = { pollIntervalMs };
    try {
      for (;;) {
        await wait(state["pollIntervalMs"], signal);
        state = await ask(getTask, { taskId }, signal);
        const { status, inputRequests } = state;
        if (status !== "working" && status !== "input_required") return outcomeOf(state);
        // XTASK-06: a question that was answered may still be there.
        const open = Object.entries((inputRequests ?? {}) as JsonObject).filter(
          ([key]) => !answered.has(key),
        );
        if (open.length === 0) continue;
        for (const [key] of open) answered.add(key);
        const inputResponses = await answer(Object.fromEntries(open) as JsonObject);
        await ask(updateTask, { taskId, inputResponses }, signal);
      }
    } catch (reason) {
      // XTASK-12: a task has a request of its own for this, and nobody else follows it.
      ask(cancelTask, { taskId }).catch(() => {});
      throw reason;
    }
  };
  const rows = Object.values(side.sends).map(({ facts }) => facts);
  const kinds = kindsOf(rows, extension).map((kind) => [kind, follow]);
  return { handlers: {}, capabilities: extension, follow: Object.fromEntries(kinds) };
}

/** XTASK-08: a task fails with the error that the request would have been answered with. */
function outcomeOf({ status, result, error, statusMessage }: JsonObject): Promise<unknown> {
  if (status === "completed") return Promise.resolve(result);
  const { code, message, data } = (error ?? {}) as Partial<McpError>;
  return Promise.reject(
    code === undefined
      ? new DOMException(String(statusMessage ?? `The task was ${status}.`), "AbortError")
      : new McpError(code, String(message), data),
  );
}

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
function wait(wish: unknown, signal: AbortSignal | undefined): Promise<void> {
  return pause(typeof wish === "number" && wish >= 0 ? wish : 1000, signal);
}
