import { isTimeoutError, McpError } from "../../errors.js";
import type { JsonObject } from "../../message.js";
import { declares } from "../../session/capabilities.js";
import type { Follow } from "../../session/config.js";
import type { Capabilities, RequestFacts, SideTable } from "../../tables.js";
import type { Provided } from "../config.js";
import { Deadline } from "./deadline.js";
import type { TaskLog } from "./log.js";

/** The kinds of answer among these rows that the extension puts in place of the ordinary one. */
export const kindsOf = (rows: readonly RequestFacts[], extension: Capabilities): string[] =>
  rows.flatMap(({ variants = {} }) =>
    Object.keys(variants).filter((kind) => declares(extension, variants[kind] as Capabilities)),
  );

/** The extension on the client: whoever calls waits for the task as for any answer. */
export function provideClient(side: SideTable, log: TaskLog): Provided {
  const { getTask = "", updateTask, cancelTask } = side.revision.wellKnown;
  const extension = side.outgoingRequests[getTask]?.facts.extension;
  if (!extension) return { handlers: {} };
  const follow: Follow = async (first, { signal, ask, answer }) => {
    const { taskId } = first;
    const answered = new Set<string>();
    const deadline = new Deadline(first["ttlMs"]);
    let state = first;
    log("created", { view: first as never });
    try {
      for (;;) {
        await deadline.wait(state["pollIntervalMs"], signal);
        const before = state["status"];
        state = await ask(getTask, { taskId }, signal);
        const { status, inputRequests } = state;
        if (status !== before) log("changed", { view: state as never });
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
  const rows = Object.values(side.outgoingRequests).map(({ facts }) => facts);
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
  readonly ttl?: number | null;
  readonly pollInterval?: number;
}

export interface OutcomeOptions {
  /** Cancels the task when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the outcome, in milliseconds; by default as long as the server keeps the task, and at most a day. */
  readonly maxTimeout?: number | undefined;
  /** Gets the status of the task each time that it is asked for. */
  onStatus?(status: string): void;
}

/**
 * Waits for a task to end and resolves with what the request would have been answered with; the server's questions reach
 * the client's handlers meanwhile. TASK-09: asks for the status no more often than the server wishes, and at most 20 times a
 * second. The task is cancelled when the wait ends without an outcome.
 *
 * @throws McpError when the request failed, or the task is gone; TimeoutError after `maxTimeout`; the signal's reason when it
 * aborts.
 */
export async function taskOutcome<C extends TaskClient>(
  client: C,
  { task }: Created,
  { signal, maxTimeout, onStatus }: OutcomeOptions = {},
): Promise<Awaited<ReturnType<C["getTaskPayload"]>>> {
  const { taskId } = task;
  const deadline = new Deadline(task.ttl, maxTimeout);
  try {
    let state: Handle | Awaited<ReturnType<C["getTask"]>> = task;
    while (state.status === "working") {
      await deadline.wait(state.pollInterval, signal);
      state = (await client.getTask({ taskId }, { signal })) as typeof state;
      onStatus?.(state.status);
    }
    const { left } = deadline;
    return (await client.getTaskPayload({ taskId }, { signal, timeout: left, maxTimeout: left })) as never;
  } catch (error) {
    // CANC-06: a task has a request of its own for this.
    if (signal?.aborted || isTimeoutError(error)) client.cancelTask({ taskId }).catch(() => {});
    throw error;
  }
}
