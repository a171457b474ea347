import { isMcpError, isTimeoutError, isTransportError, McpError, TimeoutError } from "../core/errors.js";
import type { RequestOptions } from "../core/jsonrpc/calls.js";
import { pause } from "../../common/timing.js";
import type { JsonObject } from "../../common/object.js";
import { declares } from "../core/session/check.js";
import type { Follow } from "../core/session/config.js";
import type { Capabilities, RequestFacts } from "../core/tables.js";
import type { Provided } from "../core/ports/feature.js";
import type { Runner } from "./run.js";

/** The minimum time between two requests for the status of a task, in milliseconds. */
const minInterval = 50;
/** The maximum wait for a task if neither the caller nor the server sets one, in milliseconds: one day. */
const maxWait = 86_400_000;

/** Limits how often and how long a task is polled. */
function deadlineOf(ttl: unknown, maxTimeout?: number) {
  const ownTime = typeof ttl === "number" ? Math.min(Math.max(ttl, minInterval), maxWait) : maxWait;
  const time = maxTimeout ?? ownTime;
  const end = performance.now() + time;
  /** The time until the deadline, in milliseconds. */
  const remaining = (): number => Math.max(0, end - performance.now());
  /**
   * Waits for the poll interval that the server set, in milliseconds, or one second by default (TASK-09).
   *
   * @throws TimeoutError at the deadline; the signal's reason if it aborts.
   */
  async function wait(pollInterval: unknown, signal: AbortSignal | undefined): Promise<void> {
    const isValid = typeof pollInterval === "number" && pollInterval >= 0;
    const interval = isValid ? Math.max(pollInterval, minInterval) : 1000;
    await pause(Math.min(interval, remaining()), signal);
    if (remaining() === 0) throw new TimeoutError(`The task did not end within ${time} ms.`);
  }
  return { remaining, wait };
}

/** The result types of the extension among these rows. */
export const kindsOf = (rows: readonly RequestFacts[], extension: Capabilities): string[] =>
  rows.flatMap(({ variants = {} }) =>
    Object.keys(variants).filter((kind) => declares(extension, variants[kind] as Capabilities)),
  );

/** The tasks extension on the client: a call that becomes a task resolves with the result of the task. */
export function provideClient({ side, log }: Runner): Provided {
  const { getTask = "", updateTask, cancelTask } = side.revision.wellKnown;
  const extension = side.outgoingRequests[getTask]?.extension;
  if (!extension) return { handlers: {} };
  const follow: Follow = async (first, { signal, ask, answer }) => {
    const { taskId } = first;
    const answeredKeys = new Set<string>();
    const deadline = deadlineOf(first["ttlMs"]);
    let state = first;
    log("created", { view: first as never });
    try {
      for (;;) {
        await deadline.wait(state["pollIntervalMs"], signal);
        const previousStatus = state["status"];
        state = await ask(getTask, { taskId }, signal).catch(keep(state));
        const { status, inputRequests } = state;
        if (status !== previousStatus) log("changed", { view: state as never });
        if (status !== "working" && status !== "input_required") return outcomeOf(state);
        // An answered question may still be listed (XTASK-06).
        const open = Object.entries((inputRequests ?? {}) as JsonObject).filter(
          ([key]) => !answeredKeys.has(key),
        );
        if (open.length === 0) continue;
        for (const [key] of open) answeredKeys.add(key);
        const inputResponses = await answer(Object.fromEntries(open) as JsonObject);
        // An answer may arrive twice.
        const isSent = (): Promise<boolean> =>
          ask(updateTask, { taskId, inputResponses }, signal).then(() => true, keep(false));
        while (!(await isSent())) await deadline.wait(state["pollIntervalMs"], signal);
      }
    } catch (reason) {
      // A task is cancelled by its own request (XTASK-12).
      ask(cancelTask, { taskId }).catch(() => {});
      throw reason;
    }
  };
  const kinds = kindsOf(Object.values(side.outgoingRequests), extension).map((kind) => [kind, follow]);
  return { handlers: {}, capabilities: extension, follow: Object.fromEntries(kinds) };
}

/** Why a request for the result fails while its task goes on: the server cannot read the task, or the process that waited for it has stopped. */
const passing = /* @__PURE__ */ new Set<unknown>(["unavailable", "process-lost"]);

/** Keeps the state of a task if a request for it failed that may be repeated: the task goes on, and so does the wait for it. */
const keep =
  <S>(state: S, hasEnded = true) =>
  (error: unknown): S => {
    const { reason } = Object(isMcpError(error) && error.data) as { readonly reason?: unknown };
    if (isTransportError(error) ? error.isRetryable : !hasEnded && passing.has(reason)) return state;
    throw error;
  };

/** The result of a finished task, or its error, which is that of the request (XTASK-08). */
function outcomeOf({ status, result, error, statusMessage }: JsonObject): Promise<unknown> {
  if (status === "completed") return Promise.resolve(result);
  const { code, message, data } = (error ?? {}) as Partial<McpError>;
  return Promise.reject(
    code === undefined
      ? new DOMException(String(statusMessage ?? `The task was ${status}.`), "AbortError")
      : new McpError(code, String(message), data),
  );
}

/** The methods that a generated client has if the revision has tasks. */
export interface TaskClient {
  getTask(
    params: { taskId: string },
    options?: RequestOptions,
  ): Promise<{ readonly status: string; readonly pollInterval?: number }>;
  getTaskPayload(params: { taskId: string }, options?: RequestOptions): Promise<object>;
  cancelTask(params: { taskId: string }): Promise<object>;
}

interface TaskHandle {
  readonly taskId: string;
  readonly status: string;
  readonly ttl?: number | null;
  readonly pollInterval?: number;
}

/** Options of `taskOutcome`. */
export interface OutcomeOptions {
  /** Cancels the task. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait for the outcome, in milliseconds; by default the task's `ttl`, and at most one day. */
  readonly maxTimeout?: number | undefined;
  /** Called with the status after each request for it. */
  onStatus?(status: string): void;
}

/**
 * Waits for a task to end and resolves with the result of its request. The client's handlers answer questions of the task meanwhile.
 * Polls at the interval that the server sets (TASK-09), at most 20 times per second. Cancels the task on a timeout or an abort.
 *
 * @throws McpError if the request failed or the task no longer exists; TimeoutError after `maxTimeout`; the signal's reason if it aborts.
 */
export async function taskOutcome<C extends TaskClient>(
  client: C,
  { task }: { readonly task: TaskHandle },
  { signal, maxTimeout, onStatus }: OutcomeOptions = {},
): Promise<Awaited<ReturnType<C["getTaskPayload"]>>> {
  const { taskId } = task;
  const deadline = deadlineOf(task.ttl, maxTimeout);
  try {
    let state: TaskHandle | Awaited<ReturnType<C["getTask"]>> = task;
    for (;;) {
      const remaining = deadline.remaining();
      const options = { signal, timeout: remaining, maxTimeout: remaining };
      const ended = state.status !== "working" && client.getTaskPayload({ taskId }, options);
      // The error may be that of this request, and not of the task.
      const result = ended && (await ended.catch(keep(undefined, state.status !== "input_required")));
      if (result) return result as never;
      await deadline.wait(state.pollInterval, signal);
      state = (await client.getTask({ taskId }, { signal }).catch(keep(state))) as typeof state;
      onStatus?.(state.status);
    }
  } catch (error) {
    // A task is cancelled by its own request (CANC-06).
    if (signal?.aborted || isTimeoutError(error)) client.cancelTask({ taskId }).catch(() => {});
    throw error;
  }
}
