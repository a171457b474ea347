import {
  declares,
  faultInForm,
  type Following,
  type JsonObject,
  McpError,
  missing,
  own,
  type Provided,
  RefusedError,
  type RequestContext,
  type RequestFacts,
  type Settings,
  type SideTable,
  unknown,
} from "../../index.js";
import { type FeatureContext, invalidParams, type TaskSupport } from "../features/feature.js";
import { pause } from "./outcome.js";
import { run } from "./run.js";
import type { Task, TaskStore } from "./store.js";

/** The context of a call on the server, as far as it is needed here. */
type Context = RequestContext &
  FeatureContext & { tell(method: string | undefined, params: JsonObject): void };
type Call = (params: JsonObject, context: RequestContext) => unknown;
type Work = (context: FeatureContext) => unknown;

interface Question {
  readonly request: JsonObject;
  fits(value: unknown): boolean;
  resolve(value: unknown): void;
}

/** What the work of a task asks, by keys that stand for one question as long as the task lives. */
interface Questions {
  readonly open: Map<string, Question>;
  readonly keys: Set<string>;
}
const questionsOf = /* @__PURE__ */ new WeakMap<Task, Questions>();

/** How the request of a context becomes a task, where its client can do with one. */
const starters = /* @__PURE__ */ new WeakMap<object, (work: Work) => unknown>();

/**
 * Lets a request go on as a task from here, for a tool that decides or asks something first; what it returns is the
 * handler's result. Where the client knows no tasks, or the server has none, the work is done at once.
 */
export function startTask<C extends object, R>(context: C, work: (context: C) => R): R {
  const start = starters.get(context);
  return (start ? start(work as never) : work(context)) as R;
}

/** The extension on the server: tasks that the server decides on, and whose questions travel in what they tell of themselves. */
export function provideServer(
  store: TaskStore,
  supports: readonly TaskSupport[],
  side: SideTable,
  settings: Settings,
): Provided {
  const { getTask = "", updateTask = "", cancelTask = "", taskStatus, callTool } = side.revision.jobs;
  const extension = side.hears[getTask]?.facts.extension ?? "";
  const needs = { extensions: { [extension]: {} } };
  const find = ({ taskId }: JsonObject, context: RequestContext): Task => {
    const task = store.get(taskId, context);
    // XTASK-09
    if (!task) throw invalidParams(side, `There is no task ${JSON.stringify(taskId)}.`);
    return task;
  };
  const start = (context: Context, work: Work, kind: string): JsonObject => {
    const tell = (changed: Task): void => context.tell(taskStatus, told(changed));
    const task = store.create(undefined, context, tell);
    if (!task)
      throw new McpError(side.revision.errors["INTERNAL_ERROR"] ?? -32603, "There are too many tasks.");
    const inner = begin(task, context, side);
    // XTASK-04: the task is answered with before anything is done for it.
    setTimeout(() => void run(task, () => work(inner), settings, side, false), 0);
    return { ...told(task), resultType: kind };
  };
  return {
    handlers: {
      [getTask]: (params: JsonObject, context: RequestContext) => told(find(params, context)),
      // XTASK-06, XTASK-07
      [updateTask]: (params: JsonObject, context: RequestContext) => {
        update(find(params, context), params["inputResponses"] as JsonObject);
        return {};
      },
      [cancelTask]: (params: JsonObject, context: RequestContext) => {
        find(params, context).cancel(new DOMException("The task was cancelled.", "AbortError"));
        return {};
      },
    },
    mayHear: ({ method }, subject, exchange) =>
      method !== taskStatus || store.get(subject, { exchange } as RequestContext) !== undefined,
    wrap({ method, variants = {} }, handler) {
      const [kind] = Object.entries(variants).find(([, one]) => one === extension) ?? [];
      if (kind === undefined) return handler;
      const call = handler as Call;
      return (params: JsonObject, context: Context): unknown => {
        // XTASK-01
        const isDeclared = declares(context.client.capabilities, needs);
        if (isDeclared) starters.set(context, (work) => start(context, work, kind));
        if (method !== callTool || supports.length === 0) return call(params, context);
        return supportOf(supports, params["name"], context).then((support) => {
          if (support === "required" && !isDeclared) {
            const code = side.revision.errors["MISSING_REQUIRED_CLIENT_CAPABILITY"] ?? -32021;
            const message = `The tool ${JSON.stringify(params["name"])} runs only as a task.`;
            throw new McpError(code, message, { requiredCapabilities: needs });
          }
          const isTask = isDeclared && (support === "required" || support === "optional");
          return isTask
            ? start(context, (inner) => call(params, inner as never), kind)
            : call(params, context);
        });
      };
    },
  };
}

async function supportOf(
  features: readonly TaskSupport[],
  name: unknown,
  context: FeatureContext,
): Promise<unknown> {
  for (const feature of features) {
    const support = await feature.taskSupport(name, context);
    if (support !== undefined) return support;
  }
  return undefined;
}

/** XTASK-05: the task with what goes with its status. */
function told(task: Task): JsonObject {
  const { ttl, pollInterval, ...view } = task.view;
  const common = { ...view, ttlMs: ttl, pollIntervalMs: pollInterval };
  const { outcome } = task;
  if (view.status === "input_required") {
    const open = questionsOf.get(task)?.open ?? [];
    return {
      ...common,
      inputRequests: Object.fromEntries([...open].map(([key, { request }]) => [key, request])),
    };
  }
  if (view.status === "completed" && outcome && "result" in outcome) {
    return { ...common, result: { resultType: "complete", ...outcome.result } };
  }
  if (view.status !== "failed" || !outcome || !("error" in outcome)) return common;
  const { code, message, data } = McpError.from(outcome.error);
  return { ...common, error: { code, message, data } };
}

/** The context of the work, whose questions become the task's. */
function begin(task: Task, context: Context, side: SideTable): FeatureContext {
  const questions: Questions = { open: new Map(), keys: new Set() };
  questionsOf.set(task, questions);
  const ask: FeatureContext["request"] = (method, params, { key } = {}) =>
    new Promise((resolve, reject) => {
      const row = own(side.sends, method);
      if (!row?.facts.embedded) throw unknown(side, method);
      const needs = missing(row.facts, params, context.client.capabilities);
      if (needs)
        throw new RefusedError("capability", `${method} needs ${JSON.stringify(needs)} of the client.`);
      const name = key ?? `${method}:${questions.keys.size}`;
      if (questions.keys.has(name)) {
        throw new RefusedError("repeat", `The task has asked a question under the key "${name}" before.`);
      }
      const { signal } = task.exchange;
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      // ELIC-06: an answer that does not fit the form is none.
      const fits = (value: unknown): boolean =>
        row.result(value) && !faultInForm((params ?? {}) as JsonObject, value as JsonObject);
      questions.keys.add(name);
      questions.open.set(name, { request: { method, params }, fits, resolve });
      task.move("input_required");
    });
  return Object.defineProperty(context.fork(task.exchange), "request", { value: ask }) as never;
}

/** XTASK-06: takes the answers to questions that are open; others do nothing. */
function update(task: Task, responses: JsonObject): void {
  const open = questionsOf.get(task)?.open;
  if (!open || task.isOver) return;
  for (const [key, value] of Object.entries(responses)) {
    const question = open.get(key);
    if (!question?.fits(value)) continue;
    open.delete(key);
    question.resolve(value);
  }
  if (task.view.status === "input_required" && open.size === 0) task.move("working");
}

/** The extension on the client: whoever calls waits for the task as for any answer. */
export function provideClient(side: SideTable): Provided {
  const { getTask = "", updateTask, cancelTask } = side.revision.jobs;
  const extension = side.sends[getTask]?.facts.extension;
  if (extension === undefined) return { handlers: {} };
  const follow = async (
    _facts: RequestFacts,
    { taskId, pollIntervalMs }: JsonObject,
    { signal, ask, answer }: Following,
  ): Promise<unknown> => {
    const answered = new Set<string>();
    let wait = pollIntervalMs;
    try {
      for (;;) {
        await pause(typeof wait === "number" ? wait : 1000, signal);
        const state = await ask(getTask, { taskId }, signal);
        const { status, result, error, inputRequests } = state;
        if (status === "completed") return result;
        if (status === "failed") {
          const { code, message, data } = error as McpError;
          throw new McpError(code, message, data);
        }
        if (status === "cancelled") throw new DOMException("The task was cancelled.", "AbortError");
        wait = state["pollIntervalMs"];
        const open = Object.entries((inputRequests ?? {}) as JsonObject).filter(
          ([key]) => !answered.has(key),
        );
        if (open.length === 0) continue;
        for (const [key] of open) answered.add(key);
        const inputResponses = await answer(Object.fromEntries(open) as JsonObject);
        await ask(updateTask, { taskId, inputResponses }, signal);
      }
    } catch (reason) {
      // XTASK-12: a task has a request of its own for this.
      if (signal?.aborted) ask(cancelTask, { taskId }, undefined).catch(() => {});
      throw reason;
    }
  };
  return { handlers: {}, capabilities: { extensions: { [extension]: {} } }, follow };
}
