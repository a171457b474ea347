import type { Exchange } from "../core/jsonrpc/dispatcher.js";
import type { Params } from "../core/message.js";
import { getOwn, type JsonObject } from "../../common/object.js";
import { declares, missingCapabilityError } from "../core/session/check.js";
import type { AskOptions } from "../core/session/config.js";
import { observeQuestion, prepareQuestion } from "../core/session/question.js";
import type { RequestContext } from "../core/session/context.js";
import type { ServerContext } from "../core/session/server-context.js";
import type { Provided } from "../core/ports/feature.js";
import type { FeatureContext } from "../features/feature.js";
import { kindsOf } from "./follow.js";
import type { TaskStarter, Call, Runner } from "./run.js";
import { openQuestions, type Requester, type TaskState } from "./state.js";
import type { Task } from "./task.js";

/** The context of a call on the server. */
type Context = FeatureContext & ServerContext;

/** For each context whose request can become a task: the function that starts the task. */
const starters = /* @__PURE__ */ new WeakMap<object, (work: (context: never) => unknown) => unknown>();

/**
 * Continues a request as a task, for a tool that first checks something or asks the client. The handler must return the value of this
 * function. If the client or the server does not support tasks, runs the work at once and returns its result. Specification: Tasks
 * extension.
 */
export function startTask<C extends object, R>(context: C, work: (context: C) => R): R {
  const start = starters.get(context);
  return (start ? start(work) : work(context)) as R;
}

/** The tasks extension on the server. The server decides which requests become tasks, and a task contains its open questions. */
export function provideServer(runner: Runner): Provided {
  const { side, startersByMethod, rate, start, find, toolOf, tasksOf, clusterTasksFor } = runner;
  const { getTask = "", updateTask = "", cancelTask = "", taskStatus, callTool } = side.revision.wellKnown;
  const extension = side.incomingRequests[getTask]?.extension ?? {};
  const starterOf =
    (work: (params: JsonObject, context: Context) => unknown): TaskStarter =>
    (task, context, params) => {
      const notify = (current: Task): void =>
        (context as Context).broadcast(taskStatus, viewOf(current.state));
      task.onChange = notify;
      const inner = forTask(runner, task, context as Context);
      // The same result as without a task (VERS-05).
      return async () => complete(inner, await work(params, inner));
    };
  const startAs = async (kind: string, ...args: Parameters<typeof start>): Promise<JsonObject> => ({
    ...viewOf((await start(...args)).state),
    resultType: kind,
  });
  // Modern revisions have no sessions, so only a principal identifies a requester.
  const readerOf = ({ info }: Exchange): Requester => {
    const principal = info?.auth?.principal;
    return { principal, key: principal };
  };
  return {
    handlers: {
      [getTask]: async (params: JsonObject, context: RequestContext) =>
        viewOf((await find(params, context)).state),
      // The results of these are empty (XTASK-06, XTASK-07).
      [updateTask]: async (params: JsonObject, context: RequestContext) => {
        const { id, tasks } = await find(params, context);
        await tasks.answer(id, params["inputResponses"] as JsonObject);
        return {};
      },
      [cancelTask]: async (params: JsonObject, context: RequestContext) => {
        const { id, tasks } = await find(params, context);
        await tasks.cancel(id, new DOMException("The task was cancelled.", "AbortError"));
        return {};
      },
    },
    // A requester may listen only to tasks that it may read (XTASK-11).
    async mayListen({ method }, subject, exchange) {
      if (method !== taskStatus) return true;
      const requester = readerOf(exchange);
      // In a cluster, each is a request to the store.
      const isAllowed = !clusterTasksFor(requester) || rate.allows(requester.key);
      return isAllowed && (await tasksOf(requester).read(String(subject), requester)) !== undefined;
    },
    wrap(facts, handler) {
      const [kind] = kindsOf([facts], extension);
      if (kind === undefined) return handler;
      const call = handler as Call;
      startersByMethod.set(facts.method, starterOf(call));
      return async (params: JsonObject, context: Context): Promise<unknown> => {
        const tool = facts.method === callTool ? await toolOf(params["name"], context) : undefined;
        const support = tool?.taskSupport;
        // Only a client that declares the extension gets a task (XTASK-01).
        if (!declares(context.client.capabilities, extension)) {
          if (support !== "required") return call(params, context);
          const message = `The tool ${JSON.stringify(params["name"])} runs only as a task.`;
          throw missingCapabilityError(side, message, extension);
        }
        if (support === "required" || support === "optional") return startAs(kind, context, params, { tool });
        const once = tool?.restart ? notedOnce(context) : undefined;
        starters.set(context, (work) => {
          const starter = starterOf((_, inner) => {
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

/** The result of the request as it is sent. Throws a `ValidationError` if it does not match its type. */
function complete({ session, exchange, client }: ServerContext, value: unknown): unknown {
  const row = getOwn(session.config.side.incomingRequests, exchange.method);
  return row ? session.complete(row, value, client) : value;
}

/** The task as it is sent, with the members that belong to its status (XTASK-05). */
function viewOf(state: TaskState): JsonObject {
  const { ttl, pollInterval, ...view } = state.view;
  const common = { ...view, ttlMs: ttl, pollIntervalMs: pollInterval };
  const { outcome } = state;
  if (view.status === "input_required") return { ...common, inputRequests: openQuestions(state) };
  if (view.status === "completed" && outcome && "result" in outcome) {
    return { ...common, result: { resultType: "complete", ...outcome.result } };
  }
  if (view.status !== "failed" || !outcome || !("error" in outcome)) return common;
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
  const ask = async (method: string, input: Params, options: AskOptions): Promise<unknown> => {
    const { session, client } = context;
    const { row, params } = prepareQuestion(session, method, input, client.capabilities);
    const accepts = (value: unknown): boolean =>
      row.checks.result(value) && !row.rules?.form?.issueIn(params ?? {}, value as JsonObject);
    const question = { method, params };
    const sentAs = (key: string): JsonObject => observeQuestion(session, task.exchange, key, question);
    return task.pose(question, accepts, options, sentAs);
  };
  return Object.defineProperty(runner.contextFor(task, context), "ask", { value: ask });
}
