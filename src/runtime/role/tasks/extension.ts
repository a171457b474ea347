import { McpError, RefusedError } from "../../errors.js";
import type { Exchange } from "../../jsonrpc/exchange.js";
import type { JsonObject, Params } from "../../message.js";
import { declares } from "../../session/capabilities.js";
import { missingCapabilityError } from "../../session/check.js";
import type { RequestContext, ServerContext } from "../../session/context.js";
import { issueInForm } from "../../session/form.js";
import type { Provided } from "../config.js";
import type { FeatureContext } from "../features/feature.js";
import { kindsOf } from "./follow.js";
import type { Requester } from "./requester.js";
import { type Call, find, type Runner, start, toolOf } from "./run.js";
import type { Task } from "./store.js";

/** The context of a call on the server, as far as it is needed here. */
type Context = RequestContext & FeatureContext & Pick<ServerContext, "broadcast" | "question" | "complete">;

interface Question {
  readonly request: JsonObject;
  fits(value: unknown): boolean;
  resolve(value: unknown): void;
}

/**
 * What the work of a task has asked, by keys that stand for one question as long as the task lives; undefined once it is
 * answered.
 */
type Questions = Map<string, Question | undefined>;
const questionsOf = /* @__PURE__ */ new WeakMap<Task, Questions>();

/** How the request of a context becomes a task, where its client can do with one. */
const starters = /* @__PURE__ */ new WeakMap<object, (work: (context: never) => unknown) => unknown>();

/**
 * Lets a request go on as a task from here, for a tool that decides or asks something first; what it returns is what the
 * handler is to return. Where the client knows no tasks, or the server has none, the work is done at once.
 */
export function startTask<C extends object, R>(context: C, work: (context: C) => R): R {
  const start = starters.get(context);
  return (start ? start(work) : work(context)) as R;
}

/** The extension on the server: tasks that the server decides on, and whose questions travel in what they tell of themselves. */
export function provideServer(runner: Runner): Provided {
  const { side, store, settings } = runner;
  const { getTask = "", updateTask = "", cancelTask = "", taskStatus, callTool } = side.revision.wellKnown;
  const extension = side.incomingRequests[getTask]?.facts.extension ?? {};
  const begin = (context: Context, kind: string, work: (context: Context) => unknown): JsonObject => {
    const task = start(runner, context, undefined, false, (made) => {
      const tell = (changed: Task): void => context.broadcast(taskStatus, told(changed));
      made.onChange = tell;
      const inner = forTask(made, context);
      // VERS-05: as the request would have been answered without the task.
      return async () => context.complete(await work(inner));
    });
    return { ...told(task), resultType: kind };
  };
  // This era has no sessions: only a principal tells requesters apart.
  const readerOf = ({ info }: Exchange): Requester => {
    const principal = info?.auth?.principal;
    return { principal, key: principal };
  };
  return {
    handlers: {
      [getTask]: (params: JsonObject, context: RequestContext) => told(find(runner, params, context)),
      // XTASK-06, XTASK-07
      [updateTask]: (params: JsonObject, context: RequestContext) => {
        update(find(runner, params, context), params["inputResponses"] as JsonObject);
        return {};
      },
      [cancelTask]: (params: JsonObject, context: RequestContext) => {
        find(runner, params, context).cancel(new DOMException("The task was cancelled.", "AbortError"));
        return {};
      },
    },
    // XTASK-11
    mayListen: ({ method }, subject, exchange) =>
      method !== taskStatus || store.get(subject, readerOf(exchange)) !== undefined,
    wrap(facts, handler) {
      const [kind] = kindsOf([facts], extension);
      if (kind === undefined) return handler;
      const call = handler as Call;
      return async (params: JsonObject, context: Context): Promise<unknown> => {
        const tool = facts.method === callTool ? await toolOf(runner, params["name"], context) : undefined;
        const support = tool?.taskSupport;
        // XTASK-01
        if (!declares(context.client.capabilities, extension)) {
          if (support !== "required") return call(params, context);
          const message = `The tool ${JSON.stringify(params["name"])} runs only as a task.`;
          throw missingCapabilityError(side, message, extension);
        }
        if (support === "required" || support === "optional")
          return begin(context, kind, (inner) => call(params, inner));
        starters.set(context, (work) =>
          begin(context, kind, (inner) => {
            const later = (): unknown => work(inner as never);
            return tool ? tool.finish(later, inner, side, settings) : later();
          }),
        );
        return call(params, context);
      };
    },
  };
}

/** XTASK-05: the task with what goes with its status. */
function told(task: Task): JsonObject {
  const { ttl, pollInterval, ...view } = task.view;
  const common = { ...view, ttlMs: ttl, pollIntervalMs: pollInterval };
  const { outcome } = task;
  if (view.status === "input_required") {
    const open = [...(questionsOf.get(task) ?? [])].filter(([, question]) => question);
    return {
      ...common,
      inputRequests: Object.fromEntries(open.map(([key, question]) => [key, question?.request])),
    };
  }
  if (view.status === "completed" && outcome && "result" in outcome) {
    return { ...common, result: { resultType: "complete", ...outcome.result } };
  }
  if (view.status !== "failed" || !outcome || !("error" in outcome)) return common;
  const { code, message, data } = McpError.from(outcome.error);
  return { ...common, error: { code, message, ...(data !== undefined && { data }) } };
}

/** The context of the work, whose questions become the task's. */
function forTask(task: Task, context: Context): Context {
  const questions: Questions = new Map();
  questionsOf.set(task, questions);
  const ask: FeatureContext["request"] = (method, given, { key } = {}) =>
    new Promise((resolve, reject) => {
      const { row, params } = context.question(method, given as Params);
      const name = key ?? `${method}:${questions.size}`;
      if (questions.has(name)) {
        throw new RefusedError("repeat", `The task has asked a question under the key "${name}" before.`);
      }
      const { signal } = task.exchange;
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      // ELIC-06: an answer that does not fit the form is none.
      const fits = (value: unknown): boolean =>
        row.result(value) && !issueInForm(params ?? {}, value as JsonObject);
      questions.set(name, { request: { method, params }, fits, resolve });
      task.move("input_required");
    });
  return Object.defineProperty(context.fork(task.exchange), "request", { value: ask }) as Context;
}

/** XTASK-06: takes the answers to questions that are open; others do nothing. */
function update(task: Task, responses: JsonObject): void {
  const questions = questionsOf.get(task);
  if (!questions || task.isOver) return;
  for (const [key, value] of Object.entries(responses)) {
    const question = questions.get(key);
    if (!question?.fits(value)) continue;
    questions.set(key, undefined);
    question.resolve(value);
  }
  const isOpen = [...questions.values()].some((question) => question);
  if (task.view.status === "input_required" && !isOpen) task.move("working");
}
