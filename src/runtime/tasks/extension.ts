import type { Exchange } from "../core/jsonrpc/dispatcher.js";
import type { Params } from "../core/message.js";
import { getOwn, type JsonObject } from "../../common/object.js";
import { missingCapabilityError } from "../core/session/check.js";
import { declares } from "../core/capabilities.js";
import type { AskOptions, Follow } from "../core/session/config.js";
import { observeQuestion, prepareQuestion } from "../core/session/question.js";
import type { RequestContext } from "../core/session/context.js";
import type { ServerContext } from "../core/session/server-context.js";
import type { Provided } from "../core/ports/feature.js";
import type { FeatureContext } from "../features/feature.js";
import type { TaskStarter, Call, Runner } from "./run.js";
import { openQuestions, type TaskState, type Task } from "./task.js";
import {
  isMcpError,
  isTimeoutError,
  isTransportError,
  McpError,
  TimeoutError,
} from "../core/errors.js";
import type { RequestOptions } from "../core/jsonrpc/calls.js";
import { pause } from "../../common/timing.js";
import type { Capabilities, RequestFacts } from "../core/tables.js";

/** The context of a call on the server. */
type Context = FeatureContext & ServerContext;

/**
 * For each context whose request can become a task: the function that starts
 * the task.
 */
const starters = /* @__PURE__ */ new WeakMap<
  object,
  (work: (context: never) => unknown) => unknown
>();

/**
 * Continues a request as a task, for a tool that first checks something or asks
 * the client. The handler must return the value of this function. If the client
 * or the server does not support tasks, runs the work at once and returns its
 * result. Specification: Tasks extension.
 */
export function startTask<C extends object, R>(
  context: C,
  work: (context: C) => R,
): R {
  const start = starters.get(context);
  return (start ? start(work) : work(context)) as R;
}

/**
 * The tasks extension on the server. The server decides which requests become
 * tasks, and a task contains its open questions.
 */
export function provideServer(runner: Runner): Provided {
  const { side } = runner;
  const {
    getTask = "",
    updateTask = "",
    cancelTask = "",
    taskStatus,
  } = side.revision.wellKnown;
  const extension = side.incomingRequests[getTask]?.extension ?? {};
  const startAs = async (
    kind: string,
    ...args: Parameters<Runner["start"]>
  ): Promise<JsonObject> => ({
    ...viewOf((await runner.start(...args)).state),
    resultType: kind,
  });
  return {
    handlers: {
      async [getTask](params: JsonObject, context: RequestContext) {
        return viewOf((await runner.find(params, context)).state);
      },
      // The results of these are empty (XTASK-06, XTASK-07).
      [updateTask]: async (params: JsonObject, context: RequestContext) => {
        const { id, tasks } = await runner.find(params, context);
        await tasks.answer(id, params["inputResponses"] as JsonObject);
        return {};
      },
      [cancelTask]: async (params: JsonObject, context: RequestContext) => {
        const { id, tasks } = await runner.find(params, context);
        await tasks.cancel(
          id,
          new DOMException("The task was cancelled.", "AbortError"),
        );
        return {};
      },
    },
    mayListen: ({ method }, subject, exchange) =>
      method !== taskStatus || mayRead(runner, String(subject), exchange),
    wrap(facts, handler) {
      const [kind] = kindsOf([facts], extension);
      if (kind === undefined) return handler;
      const call = handler as Call;
      runner.startersByMethod.set(facts.method, starterOf(runner, call));
      return async (params: JsonObject, context: Context): Promise<unknown> => {
        const tool = await runner.toolOf(facts.method, params, context);
        const support = tool?.taskSupport;
        // Only a client that declares the extension gets a task (XTASK-01).
        if (!declares(context.client.capabilities, extension)) {
          if (support !== "required") return call(params, context);
          const message = `The tool ${JSON.stringify(params["name"])} runs only as a task.`;
          throw missingCapabilityError(side, message, extension);
        }
        if (support === "required" || support === "optional")
          return startAs(kind, context, params, { tool });
        const once = tool?.restart ? notedOnce(context) : undefined;
        starters.set(context, (work) => {
          const starter = starterOf(runner, (_, inner) => {
            const later = (): unknown => work(inner as never);
            return tool ? tool.toResult(later, inner) : later();
          });
          return startAs(kind, context, params, { tool, starter, once });
        });
        return call(params, context);
      };
    },
  };
}

/** How a request becomes a task, whose work is this. */
const starterOf =
  (
    runner: Runner,
    work: (params: JsonObject, context: Context) => unknown,
  ): TaskStarter =>
  (task, context, params) => {
    const { taskStatus } = runner.side.revision.wellKnown;
    const notify = (current: Task): void =>
      (context as Context).broadcast(taskStatus, viewOf(current.state));
    task.onChange = notify;
    const inner = forTask(runner, task, context as Context);
    // The same result as without a task (VERS-05).
    return async () => complete(inner, await work(params, inner));
  };

/** A requester may listen only to tasks that it may read (XTASK-11). */
async function mayRead(
  runner: Runner,
  taskId: string,
  { info }: Exchange,
): Promise<boolean> {
  // Modern revisions have no sessions, so only a principal identifies a
  // requester.
  const principal = info?.auth?.principal;
  const requester = { principal, key: principal };
  // In a cluster, each is a request to the store.
  const isAllowed =
    !runner.clusterTasksFor(requester) || runner.rate.allows(principal);
  const tasks = runner.tasksOf(requester);
  return isAllowed && (await tasks.read(taskId, requester)) !== undefined;
}

/**
 * The result of the request as it is sent. Throws a `ValidationError` if it
 * does not match its type.
 */
function complete(
  { session, exchange, client }: ServerContext,
  value: unknown,
): unknown {
  const row = getOwn(session.config.side.incomingRequests, exchange.method);
  return row ? session.complete(row, value, client) : value;
}

/**
 * The task as it is sent, with the members that belong to its status
 * (XTASK-05).
 */
function viewOf(state: TaskState): JsonObject {
  const { ttl, pollInterval, ...view } = state.view;
  const common = { ...view, ttlMs: ttl, pollIntervalMs: pollInterval };
  const { outcome } = state;
  if (view.status === "input_required")
    return { ...common, inputRequests: openQuestions(state) };
  if (view.status === "completed" && outcome && "result" in outcome) {
    return { ...common, result: { resultType: "complete", ...outcome.result } };
  }
  if (view.status !== "failed" || !outcome || !("error" in outcome))
    return common;
  return { ...common, error: outcome.error };
}

/** What `once` of a context returns from now on, by key. */
function notedOnce(context: Context): Map<string, unknown> {
  const results = new Map<string, unknown>();
  const { once } = context;
  const note: typeof once = (key, work) => {
    const result = once(key, work);
    result.then((value) => results.set(key, value)).catch(() => {});
    return result;
  };
  Object.defineProperty(context, "once", { value: note });
  return results;
}

/** The context of the work, whose questions become part of the task. */
function forTask(runner: Runner, task: Task, context: Context): Context {
  const ask = async (
    method: string,
    input: Params,
    options: AskOptions,
  ): Promise<unknown> => {
    const { session, client } = context;
    const { row, params } = prepareQuestion(
      session,
      method,
      input,
      client.capabilities,
    );
    const accepts = (value: unknown): boolean =>
      row.checks.result(value) &&
      !row.rules?.form?.issueIn(params ?? {}, value as JsonObject);
    const question = { method, params };
    const sentAs = (key: string): JsonObject =>
      observeQuestion(session, task.exchange, key, question);
    return task.pose(question, accepts, options, sentAs);
  };
  return Object.defineProperty(runner.contextFor(task, context), "ask", {
    value: ask,
  });
}

/**
 * The minimum time between two requests for the status of a task, in
 * milliseconds.
 */
const minInterval = 50;
/**
 * The maximum wait for a task if neither the caller nor the server sets one, in
 * milliseconds: one day.
 */
const maxWait = 86_400_000;

/** Limits how often and how long a task is polled. */
function deadlineOf(ttl: unknown, maxTimeout?: number) {
  const ownTime =
    typeof ttl === "number"
      ? Math.min(Math.max(ttl, minInterval), maxWait)
      : maxWait;
  const time = maxTimeout ?? ownTime;
  const end = performance.now() + time;
  /** The time until the deadline, in milliseconds. */
  const remaining = (): number => Math.max(0, end - performance.now());
  /**
   * Waits for the poll interval that the server set, in milliseconds, or one
   * second by default (TASK-09).
   *
   * @throws TimeoutError at the deadline; the signal's reason if it aborts.
   */
  async function wait(
    pollInterval: unknown,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const isValid = typeof pollInterval === "number" && pollInterval >= 0;
    const interval = isValid ? Math.max(pollInterval, minInterval) : 1000;
    await pause(Math.min(interval, remaining()), signal);
    if (remaining() === 0)
      throw new TimeoutError(`The task did not end within ${time} ms.`);
  }
  return { remaining, wait };
}

/**
 * The result types of the extension among these rows. Generated code has that
 * of tasks before others.
 */
const kindsOf = (
  rows: readonly RequestFacts[],
  extension: Capabilities,
): string[] =>
  rows.flatMap(({ variants = {} }) =>
    Object.keys(variants).filter((kind) =>
      declares(extension, variants[kind] as Capabilities),
    ),
  );

/**
 * The tasks extension on the client: a call that becomes a task resolves with
 * the result of the task.
 */
export function provideClient(runner: Runner): Provided {
  const { side } = runner;
  const { getTask = "", updateTask, cancelTask } = side.revision.wellKnown;
  const extension = side.outgoingRequests[getTask]?.extension ?? {};
  const follow: Follow = async (first, { signal, ask, answer }) => {
    const { taskId } = first;
    const answeredKeys = new Set<string>();
    const deadline = deadlineOf(first["ttlMs"]);
    let state = first;
    runner.log("created", { view: first as never });
    try {
      for (;;) {
        await deadline.wait(state["pollIntervalMs"], signal);
        const previousStatus = state["status"];
        state = await ask(getTask, { taskId }, signal).catch(keep(state));
        const { status, inputRequests } = state;
        if (status !== previousStatus)
          runner.log("changed", { view: state as never });
        if (status !== "working" && status !== "input_required")
          return outcomeOf(state);
        // An answered question may still be listed (XTASK-06).
        const open = Object.entries((inputRequests ?? {}) as JsonObject).filter(
          ([key]) => !answeredKeys.has(key),
        );
        if (open.length === 0) continue;
        for (const [key] of open) answeredKeys.add(key);
        const inputResponses = await answer(
          Object.fromEntries(open) as JsonObject,
        );
        // An answer may arrive twice.
        const isSent = (): Promise<boolean> =>
          ask(updateTask, { taskId, inputResponses }, signal).then(
            () => true,
            keep(false),
          );
        while (!(await isSent()))
          await deadline.wait(state["pollIntervalMs"], signal);
      }
    } catch (reason) {
      // A task is cancelled by its own request (XTASK-12).
      ask(cancelTask, { taskId }).catch(() => {});
      throw reason;
    }
  };
  const kinds = kindsOf(Object.values(side.outgoingRequests), extension).map(
    (kind) => [kind, follow],
  );
  return {
    handlers: {},
    capabilities: extension,
    follow: Object.fromEntries(kinds),
  };
}

/**
 * Why a request for the result fails while its task goes on: the server cannot
 * read the task, or the process that waited for it has stopped.
 */
const passing = /* @__PURE__ */ new Set<unknown>([
  "unavailable",
  "process-lost",
]);

/**
 * Keeps the state of a task if a request for it failed that may be repeated:
 * the task goes on, and so does the wait for it.
 */
const keep =
  <S>(state: S, hasEnded = true) =>
  (error: unknown): S => {
    const { reason } = Object(isMcpError(error) && error.data) as {
      readonly reason?: unknown;
    };
    if (
      isTransportError(error)
        ? error.isRetryable
        : !hasEnded && passing.has(reason)
    )
      return state;
    throw error;
  };

/**
 * The result of a finished task, or its error, which is that of the request
 * (XTASK-08).
 */
function outcomeOf({
  status,
  result,
  error,
  statusMessage,
}: JsonObject): Promise<unknown> {
  if (status === "completed") return Promise.resolve(result);
  const { code, message, data } = (error ?? {}) as Partial<McpError>;
  return Promise.reject(
    code === undefined
      ? new DOMException(
          String(statusMessage ?? `The task was ${status}.`),
          "AbortError",
        )
      : new McpError(code, String(message), data),
  );
}

/** The methods that a generated client has if the revision has tasks. */
export interface TaskClient {
  getTask(
    params: { taskId: string },
    options?: RequestOptions,
  ): Promise<{ readonly status: string; readonly pollInterval?: number }>;
  getTaskPayload(
    params: { taskId: string },
    options?: RequestOptions,
  ): Promise<object>;
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
  /**
   * Maximum wait for the outcome, in milliseconds; by default the task's `ttl`,
   * and at most one day.
   */
  readonly maxTimeout?: number | undefined;
  /** Called with the status after each request for it. */
  onStatus?(status: string): void;
}

/**
 * Waits for a task to end and resolves with the result of its request. The
 * client's handlers answer questions of the task meanwhile. Polls at the
 * interval that the server sets (TASK-09), at most 20 times per second. Cancels
 * the task on a timeout or an abort.
 *
 * @throws McpError if the request failed or the task no longer exists;
 *   TimeoutError after `maxTimeout`; the signal's reason if it aborts.
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
      const ended =
        state.status !== "working" &&
        client.getTaskPayload({ taskId }, options);
      // The error may be that of this request, and not of the task.
      const result =
        ended &&
        (await ended.catch(keep(undefined, state.status !== "input_required")));
      if (result) return result as never;
      await deadline.wait(state.pollInterval, signal);
      state = (await client
        .getTask({ taskId }, { signal })
        .catch(keep(state))) as typeof state;
      onStatus?.(state.status);
    }
  } catch (error) {
    // A task is cancelled by its own request (CANC-06).
    if (signal?.aborted || isTimeoutError(error))
      client.cancelTask({ taskId }).catch(() => {});
    throw error;
  }
}
