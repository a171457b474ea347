import { McpError } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { startTask, type TaskOptions, tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import { carriers, declared, extension, tasked, type Up } from "./extended.js";
import {
  type AnyContext,
  type AnyHandlers,
  errorOf,
  type Json,
  metaFor,
  resultOf,
  serveWire,
  text,
  turns,
} from "./kit.js";

/** Work that ends when the test says so. */
function gate<T>(): { readonly ended: Promise<T>; end(value: T): void } {
  let end!: (value: T) => void;
  const ended = new Promise<T>((resolve) => (end = resolve));
  return { ended, end };
}

type Work = (args: Json, context: AnyContext) => unknown;
const tool = (name: string, handler: Work, taskSupport = "optional", more: Json = {}) => ({
  name,
  ...more,
  execution: { taskSupport },
  handler: handler as never,
});
const list = (...all: ReturnType<typeof tool>[]): AnyHandlers => tools(all) as never;
const handlersOf = (all: AnyHandlers, options?: TaskOptions): AnyHandlers =>
  ({ ...all, ...tasks({ pollInterval: 5, ...options }) }) as AnyHandlers;
const form = (name: string): Json => ({
  message: name,
  requestedSchema: { type: "object", properties: { [name]: { type: "string" } }, required: [name] },
});
const able: Json = { ...declared, elicitation: { form: {} } };
const filled = (name: string, value: unknown): Json => ({ action: "accept", content: { [name]: value } });

describe.each(carriers)("the tasks extension on a server over $carrier", ({ open }) => {
  const call = async ({ ask }: Up, name: string, capabilities?: Json): Promise<Json> =>
    resultOf(await ask("tools/call", { name, arguments: {} }, capabilities));
  const get = async ({ ask }: Up, taskId: unknown): Promise<Json> =>
    resultOf(await ask("tasks/get", { taskId }));
  const settled = async (up: Up, taskId: unknown, isDone: (task: Json) => boolean): Promise<Json> => {
    for (;;) {
      const task = await get(up, taskId);
      if (isDone(task)) return task;
      await turns(1);
    }
  };
  const over = (up: Up, taskId: unknown): Promise<Json> =>
    settled(up, taskId, ({ status }) => status !== "working" && status !== "input_required");

  it("XTASK-01 EXT-02 answers with a task only those who declare the extension in the request itself", async () => {
    const up = await open({
      handlers: handlersOf(
        list(
          tool("any", () => "ok"),
          tool("must", () => "ok", "required"),
        ),
      ),
    });
    expect(await call(up, "any")).toMatchObject({ resultType: "task" });
    expect(await call(up, "any", {})).toMatchObject({ resultType: "complete", ...text("ok") });
    const refused = errorOf(await up.ask("tools/call", { name: "must", arguments: {} }, {}));
    expect(refused).toMatchObject({ code: -32021, data: { requiredCapabilities: declared } });
  });

  it("XTASK-01 refuses what a handler answers by itself in the way of an undeclared extension", async () => {
    const task = { taskId: "1", status: "working", createdAt: "", lastUpdatedAt: "", ttlMs: null };
    const up = await open({ handlers: { "tools/call": () => ({ ...task, resultType: "task" }) } });
    expect(await call(up, "any")).toMatchObject(task);
    expect(errorOf(await up.ask("tools/call", { name: "any" }, {}))).toMatchObject({ code: -32021 });
  });

  it("XTASK-01 a tool that forbids tasks, or says nothing of them, is answered at once", async () => {
    const silent = { name: "silent", handler: () => "ok" };
    const up = await open({
      handlers: handlersOf({ ...tools([tool("never", () => "ok", "forbidden"), silent]) } as never),
    });
    for (const name of ["never", "silent"]) expect(await call(up, name)).toMatchObject(text("ok"));
  });

  it("XTASK-03 XTASK-07 says of every other answer that it is complete, and of an acknowledgement nothing else", async () => {
    const work = gate<string>();
    const up = await open({ handlers: handlersOf(list(tool("slow", () => work.ended))) });
    const { taskId, resultType } = await call(up, "slow");
    expect(resultType).toBe("task");
    expect(await get(up, taskId)).toMatchObject({ resultType: "complete", status: "working" });
    for (const [method, params] of [
      ["tasks/update", { taskId, inputResponses: {} }],
      ["tasks/cancel", { taskId }],
    ] as const) {
      const { _meta, ...rest } = resultOf(await up.ask(method, params));
      expect(rest).toEqual({ resultType: "complete" });
    }
    expect(await get(up, taskId)).toMatchObject({ status: "cancelled" });
    work.end("too late");
    await turns();
    expect(await get(up, taskId)).not.toHaveProperty("result");
  });

  it("XTASK-04 lets a task be read as soon as it is answered with, before its work begins", async () => {
    let begun = false;
    const up = await open({ handlers: handlersOf(list(tool("slow", () => (begun = true)))) });
    const wire = await serveWire(up.server);
    const ask = (id: number, method: string, params: Json): void =>
      wire.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: metaFor(tasked, declared) } });
    ask(1, "tools/call", { name: "slow" });
    const { resultType: _, taskId, ...task } = resultOf(await wire.next());
    expect(begun).toBe(false);
    expect(taskId).toMatch(/^[\da-f-]{36}$/);
    expect(task).toMatchObject({ status: "working", ttlMs: 3_600_000, pollIntervalMs: 5 });
    expect(new Date(String(task["createdAt"])).toISOString()).toBe(task["createdAt"]);
    expect(await get(up, taskId)).toMatchObject({ taskId });
  });

  it("XTASK-05 XTASK-08 tells with each status what goes with it", async () => {
    const fail = (): never => {
      throw new McpError(-31000, "Not today", { until: "tomorrow" });
    };
    const up = await open({
      handlers: handlersOf(
        list(
          tool("done", () => "ok"),
          tool("wrong", () => ({ ...text("no"), isError: true })),
          tool("thrown", () => Promise.reject(new Error("no"))),
          tool("refused", fail),
        ),
      ),
    });
    const outcome = async (name: string): Promise<Json> => over(up, (await call(up, name))["taskId"]);
    expect(await outcome("done")).toMatchObject({
      status: "completed",
      result: { resultType: "complete", ...text("ok") },
    });
    for (const name of ["wrong", "thrown"]) {
      expect(await outcome(name)).toMatchObject({
        status: "completed",
        result: { ...text("no"), isError: true },
      });
    }
    const refused = await outcome("refused");
    expect(refused).toMatchObject({ status: "failed", statusMessage: "Not today" });
    expect(refused["error"]).toEqual({ code: -31000, message: "Not today", data: { until: "tomorrow" } });
    expect(refused).not.toHaveProperty("result");
  });

  it("XTASK-08 tells nobody what went wrong in a handler of the user's own", async () => {
    const told: Error[] = [];
    const broken = (): never => {
      throw new Error("a secret");
    };
    const handlers = handlersOf({
      "tools/call": ((_: Json, context: object) => startTask(context, broken)) as never,
    });
    const up = await open({ handlers, onError: (error) => told.push(error) });
    const task = await over(up, (await call(up, "any"))["taskId"]);
    expect(task).toMatchObject({ status: "failed", error: { code: -32603, message: "Internal error" } });
    expect(told.map(({ message }) => message)).toEqual(["a secret"]);
  });

  it("XTASK-05 XTASK-06 asks under keys that stand for one question, and takes the answers one by one", async () => {
    const ask = tool("ask", async (_, { request }) => {
      const answers = await Promise.all([
        request("elicitation/create", form("name"), { key: "first" }),
        request("elicitation/create", form("town"), { key: "second" }),
      ]);
      const again = await request("elicitation/create", form("name"));
      return JSON.stringify([...answers, again].map(({ content }) => Object.values(content as Json)[0]));
    });
    const up = await open({ handlers: handlersOf(list(ask)) });
    const { taskId } = await call(up, "ask", able);
    const answer = async (inputResponses: Json): Promise<Json> =>
      resultOf(await up.ask("tasks/update", { taskId, inputResponses }));
    const asked = async (): Promise<string[]> => {
      const { inputRequests } = await settled(up, taskId, ({ status }) => status === "input_required");
      return Object.keys(inputRequests as Json);
    };
    expect(await asked()).toEqual(["first", "second"]);
    expect((await get(up, taskId))["inputRequests"]).toMatchObject({
      first: { method: "elicitation/create", params: form("name") },
    });
    // Unknown, malformed and unfitting answers are no answers.
    await answer({ other: filled("name", "x"), first: { action: "perhaps" }, second: filled("town", 7) });
    expect(await asked()).toEqual(["first", "second"]);
    await answer({ second: filled("town", "London") });
    expect(await asked()).toEqual(["first"]);
    await answer({ first: filled("name", "Ada"), second: filled("town", "Paris") });
    const [third = ""] = await asked();
    expect(["first", "second"]).not.toContain(third);
    await answer({ [third]: filled("name", "Eve"), first: filled("name", "Bob") });
    const { result } = await over(up, taskId);
    expect(result).toMatchObject(text('["Ada","London","Eve"]'));
  });

  it("XTASK-06 a key may not be used twice in a task", async () => {
    const ask = tool("ask", async (_, { request }) => {
      await request("elicitation/create", form("name"), { key: "k" });
      await request("elicitation/create", form("town"), { key: "k" });
    });
    const up = await open({ handlers: handlersOf(list(ask)), onError: () => {} });
    const { taskId } = await call(up, "ask", able);
    await settled(up, taskId, ({ status }) => status === "input_required");
    await up.ask("tasks/update", { taskId, inputResponses: { k: filled("name", "Ada") } });
    expect(await over(up, taskId)).toMatchObject({ status: "failed", error: { code: -32603 } });
  });

  it("XTASK-05 MRTR-04 what the client cannot answer is not asked, and the task says what it lacks", async () => {
    const ask = tool("ask", (_, { request }) => request("elicitation/create", form("name")));
    const up = await open({ handlers: handlersOf(list(ask)) });
    const task = await over(up, (await call(up, "ask"))["taskId"]);
    expect(task).toMatchObject({
      status: "failed",
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
  });

  it("XTASK-07 XTASK-09 refuses ids it did not give out, requests without the extension, and methods of other eras", async () => {
    const up = await open({ handlers: handlersOf(list(tool("t", () => "ok"))) });
    const codeOf = async (method: string, params: Json, capabilities?: Json): Promise<unknown> =>
      errorOf(await up.ask(method, params, capabilities))["code"];
    const methods = [
      ["tasks/get", {}],
      ["tasks/update", { inputResponses: {} }],
      ["tasks/cancel", {}],
    ] as const;
    for (const [method, params] of methods) {
      for (const taskId of ["x", "constructor", "__proto__"]) {
        expect(await codeOf(method, { taskId, ...params })).toBe(-32602);
      }
      expect(await codeOf(method, { taskId: "x", ...params }, {})).toBe(-32021);
    }
    for (const method of ["tasks/result", "tasks/list"])
      expect(await codeOf(method, { taskId: "x" })).toBe(-32601);
    const asked = await up.ask("tools/call", { name: "t", arguments: {}, task: { ttl: 1 } }, {});
    expect(resultOf(asked)).toMatchObject(text("ok"));
  });

  it("XTASK-09 a task that has expired is there no more, and its work is told to stop", async () => {
    const stopped = gate<unknown>();
    const wait = tool("wait", async (_, { signal }) => {
      signal.addEventListener("abort", () => stopped.end(signal.reason));
      return stopped.ended;
    });
    const up = await open({ handlers: handlersOf(list(wait), { ttl: 20 }) });
    const { taskId } = await call(up, "wait");
    expect(await stopped.ended).toMatchObject({ message: "The task has expired." });
    expect(errorOf(await up.ask("tasks/get", { taskId }))).toMatchObject({ code: -32602 });
  });

  it("TOOL-06 what a tool leaves for later becomes a whole result, as if it had been answered at once", async () => {
    const count = { outputSchema: { type: "object", properties: { n: { type: "number" } } } };
    const up = await open({
      handlers: handlersOf(
        list(
          tool("plain", (_, context) => startTask(context, () => "ok"), "forbidden"),
          tool("count", (_, context) => startTask(context, () => ({ n: 1 })), "forbidden", count),
          tool("amiss", (_, context) => startTask(context, () => ({ n: "one" })), "forbidden", count),
          tool(
            "thrown",
            (_, context) => startTask(context, () => Promise.reject(new Error("no"))),
            "forbidden",
          ),
        ),
      ),
    });
    for (const name of ["plain", "count", "amiss", "thrown"]) {
      const { _meta, ...atOnce } = await call(up, name, {});
      const created = await call(up, name);
      expect(created["resultType"]).toBe("task");
      expect(await over(up, created["taskId"])).toMatchObject({ status: "completed", result: atOnce });
    }
  });

  it("MRTR-01 a tool that asks first asks in the call, and goes on as a task with the answer", async () => {
    const ask = tool(
      "ask",
      async (_, context) => {
        const { content } = await context.request("elicitation/create", form("name"), { key: "name" });
        return startTask(context, () => String((content as Json)["name"]));
      },
      "forbidden",
    );
    const up = await open({ handlers: handlersOf(list(ask)) });
    const first = await call(up, "ask", able);
    expect(first).toMatchObject({ resultType: "input_required", inputRequests: { name: {} } });
    const params = { name: "ask", arguments: {}, requestState: first["requestState"] };
    const inputResponses = { name: filled("name", "Ada") };
    const second = resultOf(await up.ask("tools/call", { ...params, inputResponses }, able));
    expect(second).toMatchObject({ resultType: "task" });
    expect((await over(up, second["taskId"]))["result"]).toMatchObject(text("Ada"));
  });

  it("EXT-03 declares the extension where tasks() stands among the handlers, and nowhere else", async () => {
    const capabilities = async (handlers: AnyHandlers): Promise<unknown> =>
      resultOf(await (await open({ handlers })).ask("server/discover"))["capabilities"];
    expect(await capabilities(handlersOf(list()))).toEqual({ tools: {}, extensions: { [extension]: {} } });
    expect(await capabilities(list())).toEqual({ tools: {} });
  });
});
