import {
  isMcpError,
  McpError,
  memoryPair,
  serve,
  type ServerDefinition,
  type Transport,
} from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { taskOutcome, tasks } from "@mcpgen/runtime/tasks";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { CallToolResultSchema } from "../../generated/2025-11-25/validators.js";
import { createServers } from "../../generated/index.js";
import {
  type AnyClient,
  type AnyContext,
  type AnyHandlers,
  type ClientOptions,
  clientWire,
  errorOf,
  failure,
  join,
  type Json,
  makeClient,
  makeServer,
  metaFor,
  modernRevisions,
  type Progress,
  resultOf,
  revisions,
  type ServerOptions,
  serveWire,
  shakeHands,
  text,
  textOf,
  turns,
  type Wire,
} from "./kit.js";

/** The revisions whose calls may be answered with a task. */
const withTasks = revisions.filter(({ facts }) => facts.jobs.taskResult !== undefined);
const without = revisions.filter(({ facts }) => facts.jobs.taskResult === undefined);
const related = "io.modelcontextprotocol/related-task";

/** A generated client's methods on tasks, seen without their types. */
interface TaskedClient extends AnyClient {
  getTask(params: { taskId: string }): Promise<Json & { status: string; pollInterval: number }>;
  getTaskPayload(params: { taskId: string }): Promise<Json>;
  cancelTask(params: { taskId: string }): Promise<Json>;
  listTasks(params?: Json): Promise<Json>;
}

/** Work that ends when the test says so. */
function gate<T>(): { readonly ended: Promise<T>; end(value: T): void; fail(error: unknown): void } {
  let end!: (value: T) => void;
  let fail!: (error: unknown) => void;
  const ended = new Promise<T>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { ended, end, fail };
}

type Protocol = (typeof revisions)[number]["protocol"];
interface Opened {
  readonly client: TaskedClient;
  call(name: string, task?: Json, args?: Json): Promise<Json>;
  /** Starts a tool as a task and returns the task's id. */
  start(name: string, task?: Json): Promise<string>;
}

const may = (taskSupport: string): Json => ({ execution: { taskSupport } });

async function open(
  protocol: Protocol,
  server: Omit<ServerOptions, "handlers"> & { readonly handlers: object },
  client: ClientOptions = {},
): Promise<Opened> {
  const joined = await join(protocol, {
    server: { ...server, handlers: server.handlers as AnyHandlers },
    client,
  });
  const call: Opened["call"] = (name, task, args = {}) =>
    joined.client.callTool({ name, arguments: args, ...(task && { task }) });
  return {
    client: joined.client as TaskedClient,
    call,
    start: async (name, task = {}) => String(((await call(name, task))["task"] as Json)["taskId"]),
  };
}

describe.each(withTasks)("tasks() on a server at $revision", (one) => {
  const { protocol, facts } = one;
  const tool = (
    name: string,
    handler: (args: unknown, context: AnyContext) => unknown,
    support = "optional",
  ) => ({
    name,
    handler: (args: unknown, context: unknown) => handler(args, context as AnyContext),
    ...may(support),
  });

  it("TASK-01 declares which requests may run as tasks, and no more", async () => {
    const { client } = await open(protocol, { handlers: { ...tools([]), ...tasks() } });
    expect(client.server.capabilities).toEqual({
      tools: {},
      tasks: { cancel: {}, requests: { tools: { call: {} } } },
    });
    const { client: listing } = await open(protocol, { handlers: { ...tasks({ list: true }) } });
    expect(listing.server.capabilities).toEqual({ tasks: { cancel: {}, list: {} } });
  });

  it("TASK-02 a server without tasks() takes no notice of the wish for one", async () => {
    const wire = await serveWire(
      makeServer(protocol, { handlers: { ...tools([{ name: "t", handler: () => "ok" }]) } }),
    );
    await shakeHands(wire, facts.revision);
    const answer = await wire.ask(1, "tools/call", { name: "t", task: { ttl: 1 } });
    expect(resultOf(answer)).toEqual({ content: [{ type: "text", text: "ok" }] });
  });

  it("TASK-03 TOOL-17 keeps to what each tool says of tasks", async () => {
    const { call } = await open(protocol, {
      handlers: {
        ...tools([
          tool("free", () => "ok"),
          tool("must", () => "ok", "required"),
          tool("never", () => "ok", "forbidden"),
          { name: "silent", handler: () => "ok" },
        ]),
        ...tasks(),
      },
    });
    expect(textOf(await call("free"))).toBe("ok");
    expect((await call("free", {}))["task"]).toBeDefined();
    expect(await failure(call("must"))).toMatchObject({ code: -32601 });
    expect((await call("must", {}))["task"]).toBeDefined();
    for (const name of ["never", "silent"]) {
      expect(textOf(await call(name))).toBe("ok");
      expect(await failure(call(name, {}))).toMatchObject({ code: -32601 });
    }
    expect(await failure(call("other", {}))).toMatchObject({ code: -32602 });
  });

  it("TASK-04 TASK-06 answers with the task at once, before the work begins", async () => {
    let begun = false;
    const work = gate<string>();
    const slow = tool("slow", () => {
      begun = true;
      return work.ended;
    });
    const { client, call } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks({ pollInterval: 7 }) },
    });
    const { task } = (await call("slow", { ttl: 60_000 })) as { task: Json };
    expect(begun).toBe(false);
    expect(task).toMatchObject({ status: "working", ttl: 60_000, pollInterval: 7 });
    expect(task["taskId"]).toMatch(/^[\da-f-]{36}$/);
    for (const time of ["createdAt", "lastUpdatedAt"]) {
      expect(new Date(String(task[time])).toISOString()).toBe(task[time]);
    }
    expect(await client.getTask({ taskId: String(task["taskId"]) })).toEqual(task);
    work.end("done");
  });

  it("TASK-06 keeps a task for as long as is wished, within what the server allows", async () => {
    const idle = tool("idle", () => "ok");
    const limits = { ttl: 5_000, maxTtl: 10_000 };
    const { call } = await open(protocol, { handlers: { ...tools([idle]), ...tasks(limits) } });
    const ttlOf = async (task: Json): Promise<unknown> => ((await call("idle", task))["task"] as Json)["ttl"];
    expect(await ttlOf({})).toBe(5_000);
    expect(await ttlOf({ ttl: 7_000 })).toBe(7_000);
    expect(await ttlOf({ ttl: 1e12 })).toBe(10_000);
  });

  it("TASK-06 TASK-11 forgets a task once its time is over, and stops its work", async () => {
    const stopped = gate<unknown>();
    const wait = tool("wait", async (_, { signal }) => {
      signal.addEventListener("abort", () => stopped.end(signal.reason));
      return stopped.ended;
    });
    const { client, start } = await open(protocol, { handlers: { ...tools([wait]), ...tasks() } });
    const taskId = await start("wait", { ttl: 20 });
    expect(await stopped.ended).toMatchObject({ message: "The task has expired." });
    expect(await failure(client.getTask({ taskId }))).toMatchObject({ code: -32602 });
    expect(await failure(client.getTaskPayload({ taskId }))).toMatchObject({ code: -32602 });
  });

  it("TASK-07 TASK-08 gives the very result once there is one, as often as it is asked for", async () => {
    const work = gate<Json>();
    const slow = tool("slow", () => work.ended);
    const { client, start } = await open(protocol, { handlers: { ...tools([slow]), ...tasks() } });
    const taskId = await start("slow");
    let isOver = false;
    const waiting = client.getTaskPayload({ taskId }).then((result) => {
      isOver = true;
      return result;
    });
    await turns();
    expect(isOver).toBe(false);
    const result = { ...text("done"), structuredContent: { n: 1 }, _meta: { "example.com/x": 1 } };
    work.end(result);
    const expected = { ...result, _meta: { "example.com/x": 1, [related]: { taskId } } };
    expect(await waiting).toEqual(expected);
    expect(await client.getTaskPayload({ taskId })).toEqual(expected);
    expect(CallToolResultSchema.is(await waiting)).toBe(true);
    expect(await client.getTask({ taskId })).toMatchObject({ status: "completed" });
  });

  it("TASK-07 gives the error that the request would have been answered with", async () => {
    const told: Error[] = [];
    const refuse = tool("refuse", () => {
      throw new McpError(-31000, "Not today", { until: "tomorrow" });
    });
    const { client, start } = await open(protocol, { handlers: { ...tools([refuse]), ...tasks() } });
    const taskId = await start("refuse");
    const error = await failure(client.getTaskPayload({ taskId }));
    expect(error).toMatchObject({ code: -31000, message: "Not today", data: { until: "tomorrow" } });
    expect(await client.getTask({ taskId })).toMatchObject({ status: "failed", statusMessage: "Not today" });
    const fail = (): never => {
      throw new Error("a secret");
    };
    const byHand = { "tools/call": fail, ...tasks() };
    const other = await open(protocol, { handlers: byHand, onError: (fault) => told.push(fault) });
    const created = (await other.call("any", {}))["task"] as { taskId: string };
    const hidden = await failure(other.client.getTaskPayload(created));
    expect(hidden).toMatchObject({ code: -32603, message: "Internal error" });
    expect(told.map(({ message }) => message)).toEqual(["a secret"]);
  });

  it("TASK-05 a result that tells of a failure makes the task a failed one", async () => {
    const fail = tool("fail", () => ({ ...text("no"), isError: true }));
    const { client, start } = await open(protocol, { handlers: { ...tools([fail]), ...tasks() } });
    const taskId = await start("fail");
    expect(await client.getTaskPayload({ taskId })).toMatchObject({ isError: true });
    expect(await client.getTask({ taskId })).toMatchObject({ status: "failed" });
  });

  it("TASK-05 TASK-10 CANC-06 a task that is cancelled stays so, and its work is told to stop", async () => {
    const work = gate<string>();
    let reason: unknown;
    const slow = tool("slow", (_, { signal }) => {
      signal.addEventListener("abort", () => (reason = signal.reason));
      return work.ended;
    });
    const { client, start } = await open(protocol, { handlers: { ...tools([slow]), ...tasks() } });
    const taskId = await start("slow");
    await turns();
    const waiting = failure(client.getTaskPayload({ taskId }));
    expect(await client.cancelTask({ taskId })).toMatchObject({ taskId, status: "cancelled" });
    expect(isMcpError(reason)).toBe(true);
    expect(await waiting).toMatchObject({ code: -32602 });
    work.end("too late");
    await turns();
    expect(await client.getTask({ taskId })).toMatchObject({ status: "cancelled" });
    expect(await failure(client.cancelTask({ taskId }))).toMatchObject({ code: -32602 });
  });

  it("TASK-10 refuses to cancel what is over", async () => {
    const { client, start } = await open(protocol, {
      handlers: { ...tools([tool("t", () => "ok")]), ...tasks() },
    });
    const taskId = await start("t");
    await client.getTaskPayload({ taskId });
    const error = await failure(client.cancelTask({ taskId }));
    expect(error).toMatchObject({ code: -32602, message: "The task is completed already." });
  });

  it("TASK-11 refuses an id that it did not give out, and a cursor likewise", async () => {
    const { client } = await open(protocol, { handlers: { ...tools([]), ...tasks({ list: true }) } });
    for (const taskId of ["", "constructor", "__proto__", "00000000-0000-4000-8000-000000000000"]) {
      expect(await failure(client.getTask({ taskId }))).toMatchObject({ code: -32602 });
      expect(await failure(client.getTaskPayload({ taskId }))).toMatchObject({ code: -32602 });
      expect(await failure(client.cancelTask({ taskId }))).toMatchObject({ code: -32602 });
    }
    expect(await failure(client.listTasks({ cursor: "x" }))).toMatchObject({ code: -32602 });
  });

  it("TASK-12 PAGE-06 lists the tasks of the same session, page by page, and of no other", async () => {
    const options = { list: true, pageSize: 2 };
    const server = makeServer(protocol, {
      handlers: { ...tools([tool("t", () => "ok")]), ...tasks(options) },
    });
    const begin = async (): Promise<Wire> => {
      const wire = await serveWire(server);
      await shakeHands(wire, facts.revision);
      return wire;
    };
    const [near, other] = [await begin(), await begin()];
    for (const id of [1, 2, 3]) await near.ask(id, "tools/call", { name: "t", task: {} });
    await near.rest();
    const take = async (wire: Wire, id: number, params: Json): Promise<Json> => {
      wire.send({ jsonrpc: "2.0", id, method: "tasks/list", params });
      for (;;) {
        const message = await wire.next();
        if (message["id"] === id) return resultOf(message);
      }
    };
    const first = await take(near, 4, {});
    expect(first["tasks"]).toHaveLength(2);
    const second = await take(near, 5, { cursor: first["nextCursor"] });
    expect(second["tasks"]).toHaveLength(1);
    expect((await take(other, 6, {}))["tasks"]).toEqual([]);
  });

  it("TASK-12 a task is there for the principal who asked for it, in any session, and for nobody else", async () => {
    const handlers = { ...tools([tool("t", () => "ok")]), ...tasks({ list: true }) };
    const server = makeServer(protocol, { handlers });
    const as = async (principal: string): Promise<TaskedClient> => {
      const [near, far] = memoryPair();
      const known: Transport = {
        send: (message) => far.send(message),
        close: () => far.close(),
        start: (receiver) =>
          far.start({
            malformed: (error) => receiver.malformed(error),
            ended: () => receiver.ended(),
            closed: (error) => receiver.closed(error),
            message: (message) => receiver.message(message, { auth: { principal } }),
          }),
      };
      await serve(known, server);
      return (await makeClient(protocol, near)) as TaskedClient;
    };
    const [ada, again, eve] = [await as("ada"), await as("ada"), await as("eve")];
    const { task } = (await ada.callTool({ name: "t", task: {} })) as { task: { taskId: string } };
    const { taskId } = task;
    expect(await again.getTask({ taskId })).toMatchObject({ taskId });
    expect((await again.listTasks())["tasks"]).toHaveLength(1);
    expect(await failure(eve.getTask({ taskId }))).toMatchObject({ code: -32602 });
    expect(await failure(eve.getTaskPayload({ taskId }))).toMatchObject({ code: -32602 });
    expect(await failure(eve.cancelTask({ taskId }))).toMatchObject({ code: -32602 });
    expect((await eve.listTasks())["tasks"]).toEqual([]);
    expect(textOf(await again.getTaskPayload({ taskId }))).toBe("ok");
  });

  it("TASK-12 without the option, nobody can list tasks", async () => {
    const wire = await serveWire(makeServer(protocol, { handlers: { ...tools([]), ...tasks() } }));
    await shakeHands(wire, facts.revision);
    expect(errorOf(await wire.ask(1, "tasks/list"))).toMatchObject({ code: -32601 });
  });

  it("TASK-13 tells of each change of a task, and of none after its end", async () => {
    const work = gate<string>();
    const slow = tool("slow", (_, { progress }) => work.ended.then(() => (progress(1), "done")));
    const wire = await serveWire(makeServer(protocol, { handlers: { ...tools([slow]), ...tasks() } }));
    await shakeHands(wire, facts.revision);
    const { taskId } = resultOf(await wire.ask(1, "tools/call", { name: "slow", task: {} }))["task"] as Json;
    work.end("");
    const told = await wire.next();
    expect(told["method"]).toBe("notifications/tasks/status");
    expect(told["params"]).toMatchObject({ taskId, status: "completed", _meta: { [related]: { taskId } } });
    expect(await wire.rest()).toEqual([]);
  });

  it("PROG-06 TASK-08 progress goes on under the same token until the end", async () => {
    const work = gate<string>();
    const slow = tool("slow", (_, { progress, log }) => {
      progress(1);
      return work.ended.then((value) => {
        progress(2);
        log("info", "nearly");
        setTimeout(() => progress(3), 5);
        return value;
      });
    });
    const heard: Progress[] = [];
    const logged: Json[] = [];
    const { client } = await open(
      protocol,
      { handlers: { ...tools([slow]), ...tasks() }, capabilities: { logging: {} } },
      { handlers: { "notifications/message": (params) => void logged.push(params) } },
    );
    const onProgress = (progress: Progress): void => void heard.push(progress);
    const created = await client.callTool({ name: "slow", task: {} }, { onProgress });
    const { taskId } = created["task"] as { taskId: string };
    await turns();
    expect(heard.map(({ progress }) => progress)).toEqual([1]);
    work.end("done");
    await client.getTaskPayload({ taskId });
    await turns(10);
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2]);
    expect(logged).toMatchObject([{ data: "nearly", _meta: { [related]: { taskId } } }]);
  });

  it("TASK-05 TASK-08 TASK-09 asks the client when it waits for the result, and works on with the answer", async () => {
    const asked: Json[] = [];
    const ask = tool("ask", async (_, { request }) => {
      const { content } = await request("elicitation/create", {
        message: "Who?",
        requestedSchema: { type: "object", properties: { who: { type: "string" } } },
      });
      return String((content as Json)["who"]);
    });
    const { client, start } = await open(
      protocol,
      { handlers: { ...tools([ask]), ...tasks() } },
      {
        handlers: {
          "elicitation/create": (params) => {
            asked.push(params);
            return { action: "accept", content: { who: "Ada" } };
          },
        },
      },
    );
    const taskId = await start("ask");
    await turns();
    expect(await client.getTask({ taskId })).toMatchObject({ status: "input_required" });
    expect(asked).toEqual([]);
    expect(textOf(await client.getTaskPayload({ taskId }))).toBe("Ada");
    expect(asked).toMatchObject([{ message: "Who?", _meta: { [related]: { taskId } } }]);
    expect(await client.getTask({ taskId })).toMatchObject({ status: "completed" });
  });

  it("TASK-10 a task that waits for input can be cancelled, and what it asks is never asked", async () => {
    let outcome: unknown;
    const ask = tool("ask", (_, { request }) =>
      request("roots/list").catch((error: unknown) => (outcome = error)),
    );
    const { client, start } = await open(
      protocol,
      { handlers: { ...tools([ask]), ...tasks() } },
      { handlers: { "roots/list": () => ({ roots: [] }) } },
    );
    const taskId = await start("ask");
    await turns();
    await client.cancelTask({ taskId });
    await turns();
    expect(isMcpError(outcome)).toBe(true);
    expect(await client.getTask({ taskId })).toMatchObject({ status: "cancelled" });
  });

  it("TASK-09 waits for the outcome without asking more often than is wished", async () => {
    const polls = vi.fn();
    const slow = tool("slow", () => new Promise((resolve) => setTimeout(() => resolve("done"), 60)));
    const { client, call } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks({ pollInterval: 25 }) },
    });
    const created = (await call("slow", {})) as unknown as Parameters<typeof taskOutcome>[1];
    const result = await taskOutcome(client, created, { onStatus: polls });
    expect(textOf(result)).toBe("done");
    expect(polls.mock.calls.length).toBeGreaterThanOrEqual(1);
    expect(polls.mock.calls.at(-1)).toEqual(["completed"]);
  });

  it("CANC-06 who gives up waiting cancels the task", async () => {
    const slow = tool(
      "slow",
      (_, { signal }) =>
        new Promise((_done, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    );
    const { client, call } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks({ pollInterval: 5 }) },
    });
    const created = (await call("slow", {})) as unknown as Parameters<typeof taskOutcome>[1];
    const controller = new AbortController();
    const waiting = failure(taskOutcome(client, created, { signal: controller.signal }));
    controller.abort(new Error("enough"));
    expect(await waiting).toMatchObject({ message: "enough" });
    await turns();
    expect(await client.getTask(created.task)).toMatchObject({ status: "cancelled" });
  });

  it("has room for so many tasks, those of a requester that are over making way for its new ones", async () => {
    const work = gate<string>();
    const handlers = {
      ...tools([tool("slow", () => work.ended), tool("quick", () => "ok")]),
      ...tasks({ maxTasks: 2 }),
    };
    const { client, call, start } = await open(protocol, { handlers });
    const taskId = await start("quick");
    await client.getTaskPayload({ taskId });
    await start("slow");
    await start("slow");
    expect(await failure(client.getTask({ taskId }))).toMatchObject({ code: -32602 });
    expect(await failure(call("slow", {}))).toMatchObject({
      code: -32603,
      message: "There are too many tasks.",
    });
    work.end("");
  });

  it("TASK-05 a task only ever moves as it may, whatever happens to it and when", async () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      working: ["input_required", "completed", "failed", "cancelled"],
      input_required: ["working", "completed", "failed", "cancelled"],
    };
    const step = fc.constantFrom("ask", "answer", "cancel", "end", "fail", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const seen: string[] = ["working"];
        const work = gate<string>();
        let asking: ((question: string) => Promise<unknown>) | undefined;
        const act = tool("act", (_, { request }) => {
          asking = (method) => request(method).catch(() => {});
          return work.ended;
        });
        const { client, start } = await open(
          protocol,
          { handlers: { ...tools([act]), ...tasks() } },
          {
            handlers: {
              "roots/list": () => ({ roots: [] }),
              "notifications/tasks/status": ({ status }) => void seen.push(String(status)),
            },
          },
        );
        const taskId = await start("act");
        await turns(1);
        for (const what of steps) {
          if (what === "ask") void asking?.("roots/list");
          else if (what === "answer") client.getTaskPayload({ taskId }).catch(() => {});
          else if (what === "cancel") await client.cancelTask({ taskId }).catch(() => {});
          else if (what === "end") work.end("done");
          else if (what === "fail") work.fail(new Error("failed"));
          else await turns(1);
        }
        work.end("done");
        client.getTaskPayload({ taskId }).catch(() => {});
        await turns(3);
        const { status } = await client.getTask({ taskId });
        expect(seen.at(-1)).toBe(status);
        expect(["completed", "failed", "cancelled"]).toContain(status);
        for (const [i, next] of seen.slice(1).entries()) expect(allowed[seen[i] ?? ""] ?? []).toContain(next);
        await client.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe.each(withTasks)("tasks() on a client at $revision", (one) => {
  const { protocol, facts } = one;
  const message = { role: "assistant", content: { type: "text", text: "hi" }, model: "test" };

  it("TASK-01 TASK-04 TASK-07 runs what a server asks as a task, with the outcome for whoever asks", async () => {
    const ask = {
      name: "ask",
      handler: async (_: unknown, given: unknown) => {
        const { request } = given as AnyContext;
        const params = { messages: [], maxTokens: 9, task: { ttl: 1000 } };
        const { task } = (await request("sampling/createMessage", params)) as { task: Json };
        const { model } = await request("tasks/result", { taskId: task["taskId"] });
        return { content: [{ type: "text", text: `${String(task["status"])} ${String(model)}` }] };
      },
    };
    const handlers = { "sampling/createMessage": () => message, ...tasks() } as AnyHandlers;
    const { call } = await open(protocol, { handlers: { ...tools([ask]) } }, { handlers });
    expect(textOf(await call("ask"))).toBe("working test");
  });

  it("TASK-01 TASK-02 a client without tasks() answers as if none had been wished for", async () => {
    const { wire } = await clientWire(one, { handlers: { "sampling/createMessage": () => message } });
    const params = { messages: [], maxTokens: 9, task: {} };
    wire.send({ jsonrpc: "2.0", id: 1, method: "sampling/createMessage", params });
    expect(resultOf(await wire.next())).toEqual(message);
  });

  it("TASK-01 a wish for a task that the other side did not declare is not sent", async () => {
    const { client, wire } = await clientWire(one, {}, { tools: {} });
    const error = await failure(client.callTool({ name: "t", task: {} }));
    expect(error).toMatchObject({ name: "RefusedError", reason: "capability" });
    expect(await wire.rest()).toEqual([]);
    expect(facts.jobs.taskResult).toBe("tasks/result");
  });

  it("takes either kind of answer to a call that wished for a task, and only one to others", async () => {
    const declared = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
    const { client, wire } = await clientWire(one, {}, declared);
    const plain = client.callTool({ name: "t", task: {} });
    await wire.answer(text("done"));
    expect(textOf(await plain)).toBe("done");
    const now = "2025-11-25T00:00:00.000Z";
    const task = { taskId: "1", status: "working", createdAt: now, lastUpdatedAt: now, ttl: null };
    const other = failure(client.callTool({ name: "t" }));
    await wire.answer({ task });
    expect(await other).toMatchObject({ name: "ValidationError" });
    const neither = failure(client.callTool({ name: "t", task: {} }));
    await wire.answer({ task: { taskId: 1 } });
    expect(await neither).toMatchObject({ name: "ValidationError" });
  });
});

describe.each(without)("tasks() at $revision, which has none", (one) => {
  const { protocol, isModern, facts } = one;

  it("XTASK-13 is left alone", async () => {
    const handlers = { ...tools([{ name: "t", handler: () => "ok", ...may("required") }]), ...tasks() };
    const { client } = await join(protocol, { server: { handlers } });
    expect(client.server.capabilities).toEqual({ tools: {} });
    expect(textOf(await client.callTool({ name: "t", task: {} }))).toBe("ok");
    const wire = await serveWire(makeServer(protocol, { handlers }));
    if (!isModern) await shakeHands(wire, facts.revision);
    const params = { taskId: "1", ...(isModern && { _meta: metaFor(one) }) };
    expect(errorOf(await wire.ask(1, "tasks/get", params))).toMatchObject({ code: -32601 });
  });
});

describe("tasks() on servers of all revisions", () => {
  it("XTASK-13 serves each as it can", async () => {
    const slow = { name: "slow", ...may("optional"), handler: () => "done" };
    const servers: readonly ServerDefinition[] = createServers({
      info: { name: "test", version: "1.0.0" },
      handlers: { ...tools([slow]), ...tasks() },
    });
    const wire = await serveWire(servers);
    const [newest] = modernRevisions;
    if (!newest) throw new Error("There is no modern revision.");
    const _meta = metaFor(newest);
    const plain = await wire.ask(1, "tools/call", { name: "slow", task: {}, _meta });
    expect(resultOf(plain)).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
    const found = resultOf(await wire.ask(2, "server/discover", { _meta }));
    expect(found["capabilities"]).toEqual({ tools: {} });
    const [tasked] = withTasks;
    await shakeHands(wire, tasked?.revision ?? "");
    const created = resultOf(await wire.ask(3, "tools/call", { name: "slow", task: {} }));
    expect(created).toMatchObject({ task: { status: "working" } });
  });
});
