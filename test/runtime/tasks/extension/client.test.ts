import {
  isMcpError,
  isTimeoutError,
  isValidationError,
  McpError,
} from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { http } from "@mcpgen/runtime/http";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  json,
  modernScript,
  result as answered,
  Script,
} from "../../http/kit/script.js";
import {
  type AnyContext,
  type AnyHandlers,
  clientWire,
  everything,
  failure,
  info,
  type Json,
  legacy,
  makeClient,
  resultOf,
  serveWire,
  shakeHands,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import { until } from "../../kit/watch.js";
import {
  carriers,
  connectInMemory,
  createServers,
  declared,
  extension,
  tasked,
} from "./extended.js";

type Work = (args: Json, context: AnyContext) => unknown;
const tool = (name: string, handler: Work) => ({
  name,
  execution: { taskSupport: "optional" },
  handler: handler as never,
});
const serverOf = (
  ...all: ReturnType<typeof tool>[]
): { handlers: AnyHandlers } => ({
  handlers: { ...tools(all), ...tasks({ pollInterval: 5 }) } as never,
});
const form = {
  message: "Who?",
  requestedSchema: { type: "object", properties: { who: { type: "string" } } },
};
const following = (more: AnyHandlers = {}): { handlers: AnyHandlers } => ({
  handlers: { ...more, ...tasks() } as never,
});
const untilAborted: Work = (_, { signal }) =>
  new Promise((_done, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

describe.each(carriers)(
  "the tasks extension on a client over $carrier",
  ({ open }) => {
    it("XTASK-02 resolves a call with the result of its task, or with an ordinary result", async () => {
      const up = await open(
        serverOf(tool("slow", () => turns(10).then(() => "done"))),
      );
      const call = { name: "slow", arguments: {} };
      expect(textOf(await (await up.connect(following())).callTool(call))).toBe(
        "done",
      );
      expect(textOf(await (await up.connect()).callTool(call))).toBe("done");
    });

    it("XTASK-02 XTASK-08 rejects with the error of the request", async () => {
      const refuse = tool("refuse", () => {
        throw new McpError(-31000, "Not today", { until: "tomorrow" });
      });
      const wrong = tool("wrong", () => ({ ...text("no"), isError: true }));
      const client = await (
        await open(serverOf(refuse, wrong))
      ).connect(following());
      const error = await failure(client.callTool({ name: "refuse" }));
      expect(isMcpError(error)).toBe(true);
      expect(error).toMatchObject({
        code: -31000,
        message: "Not today",
        data: { until: "tomorrow" },
      });
      expect(await client.callTool({ name: "wrong" })).toMatchObject({
        isError: true,
      });
    });

    it("XTASK-06 answers each question of a task once", async () => {
      const questions: unknown[] = [];
      const ask = tool("ask", async (_, { request }) => {
        const answers = await Promise.all([
          request("elicitation/create", form, { key: "one" }),
          request(
            "elicitation/create",
            { ...form, message: "And?" },
            { key: "two" },
          ),
        ]);
        return answers.map(({ content }) => (content as Json)["who"]).join();
      });
      const answer = ({ message }: Json): Json => {
        questions.push(message);
        return { action: "accept", content: { who: String(message) } };
      };
      const client = await (
        await open(serverOf(ask))
      ).connect(following({ "elicitation/create": answer }));
      expect(textOf(await client.callTool({ name: "ask" }))).toBe("Who?,And?");
      expect(questions).toEqual(["Who?", "And?"]);
    });

    it("XTASK-12 cancels the task when the caller aborts or the call times out", async () => {
      const reasons: unknown[] = [];
      const starts: unknown[] = [];
      const wait = tool("wait", (args, context) => {
        starts.push(args);
        context.signal.addEventListener("abort", () =>
          reasons.push(String(context.signal.reason)),
        );
        return untilAborted(args, context);
      });
      const client = await (await open(serverOf(wait))).connect(following());
      const controller = new AbortController();
      const waiting = failure(
        client.callTool({ name: "wait" }, { signal: controller.signal }),
      );
      while (starts.length === 0) await turns(1);
      // By then the client has its task, and polls it.
      await turns(20);
      controller.abort(new Error("enough"));
      expect(await waiting).toMatchObject({ message: "enough" });
      const late = await failure(
        client.callTool({ name: "wait" }, { maxTimeout: 500 }),
      );
      expect(isTimeoutError(late)).toBe(true);
      expect(late.message).toBe(
        "tools/call: no result within 500 ms. Raise `maxTimeout` to wait longer.",
      );
      while (reasons.length < 2) await turns(1);
      expect(reasons).toEqual(
        Array(2).fill("AbortError: The task was cancelled."),
      );
    });

    it("XTASK-06 XTASK-12 cancels a task whose question it cannot answer", async () => {
      const reasons: unknown[] = [];
      const ask = tool("ask", async (_, { request, signal }) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        await request("elicitation/create", form);
      });
      const answer = (): never => {
        throw new Error("nobody is here");
      };
      const client = await (
        await open(serverOf(ask))
      ).connect(following({ "elicitation/create": answer }));
      expect(await failure(client.callTool({ name: "ask" }))).toMatchObject({
        message: "nobody is here",
      });
      while (reasons.length === 0) await turns(1);
    });
  },
);

const created: Json = {
  taskId: "7",
  status: "working",
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:00Z",
  ttlMs: null,
  pollIntervalMs: 1,
};
const capabilities: Json = { ...everything, ...declared };

describe("the tasks extension on a client with a scripted server", () => {
  it("XTASK-02 JRPC-10 rejects a task if it did not declare the extension, and for methods that cannot be tasks", async () => {
    const plain = await clientWire(tasked, {}, capabilities);
    const call = failure(plain.client.callTool({ name: "t" }));
    await plain.wire.answer({ ...created, resultType: "task" });
    expect(isValidationError(await call)).toBe(true);
    const { client, wire } = await clientWire(
      tasked,
      following(),
      capabilities,
    );
    const listing = failure(client.listTools());
    await wire.answer({ ...created, resultType: "task" });
    expect(isValidationError(await listing)).toBe(true);
  });

  it("XTASK-02 rejects a malformed task, with the path", async () => {
    const { client, wire } = await clientWire(
      tasked,
      following(),
      capabilities,
    );
    const call = failure(client.callTool({ name: "t" }));
    await wire.answer({ ...created, taskId: 7, resultType: "task" });
    expect(await call).toMatchObject({
      message: "tools/call result: taskId: expected a string, got 7",
    });
  });

  it("XTASK-02 checks the outcome of a task like any result", async () => {
    const { client, wire } = await clientWire(
      tasked,
      following(),
      capabilities,
    );
    const call = failure(client.callTool({ name: "t" }));
    await wire.answer({ ...created, resultType: "task" });
    await wire.answer({
      ...created,
      resultType: "complete",
      status: "completed",
      result: { content: 7 },
    });
    expect(isValidationError(await call)).toBe(true);
  });

  it("XTASK-06 does not answer a question twice, even if it is still listed", async () => {
    let count = 0;
    const answer = (): Json => ({
      action: "accept",
      content: { who: String((count += 1)) },
    });
    const { client, wire } = await clientWire(
      tasked,
      following({ "elicitation/create": answer }),
      capabilities,
    );
    const call = client.callTool({ name: "t" });
    await wire.answer({ ...created, resultType: "task" });
    const inputRequests = { k: { method: "elicitation/create", params: form } };
    const waiting = {
      ...created,
      resultType: "complete",
      status: "input_required",
      inputRequests,
    };
    await wire.answer(waiting);
    const update = await wire.answer({ resultType: "complete" });
    expect(update).toMatchObject({
      method: "tasks/update",
      params: {
        taskId: "7",
        inputResponses: { k: { action: "accept", content: { who: "1" } } },
      },
    });
    await wire.answer(waiting);
    const end = {
      ...created,
      resultType: "complete",
      status: "completed",
      result: text("done"),
    };
    expect(await wire.answer(end)).toMatchObject({ method: "tasks/get" });
    expect(textOf(await call)).toBe("done");
    expect(count).toBe(1);
  });

  it("rejects with the error of tasks/update, and cancels the task (XTASK-06, XTASK-12)", async () => {
    const answer = (): Json => ({ action: "decline" });
    const handlers = { "elicitation/create": answer };
    const { client, wire } = await clientWire(
      tasked,
      following(handlers),
      capabilities,
    );
    const call = failure(client.callTool({ name: "t" }));
    await wire.answer({ ...created, resultType: "task" });
    const inputRequests = { k: { method: "elicitation/create", params: form } };
    await wire.answer({
      ...created,
      resultType: "complete",
      status: "input_required",
      inputRequests,
    });
    const { id, method } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id,
      error: { code: -32602, message: "too late" },
    });
    expect(await call).toMatchObject({ code: -32602, message: "too late" });
    expect([method, (await wire.next())["method"]]).toEqual([
      "tasks/update",
      "tasks/cancel",
    ]);
    expect(await wire.rest()).toEqual([]);
  });

  it("XTASK-12 sends tasks/cancel, and not notifications/cancelled, for a task", async () => {
    const { client, wire } = await clientWire(
      tasked,
      following(),
      capabilities,
    );
    const controller = new AbortController();
    const call = failure(
      client.callTool({ name: "t" }, { signal: controller.signal }),
    );
    await wire.answer({
      ...created,
      resultType: "task",
      pollIntervalMs: 60_000,
    });
    await turns();
    controller.abort(new Error("enough"));
    expect(await call).toMatchObject({ message: "enough" });
    const sent = await wire.answer({ resultType: "complete" });
    expect(sent).toMatchObject({
      method: "tasks/cancel",
      params: { taskId: "7" },
    });
    expect(await wire.rest()).toEqual([]);
  });

  it("XTASK-02 accepts a task that has already ended, and one that another client cancelled", async () => {
    const { client, wire } = await clientWire(
      tasked,
      following(),
      capabilities,
    );
    const call = failure(client.callTool({ name: "t" }));
    await wire.answer({ ...created, resultType: "task", status: "completed" });
    await wire.answer({
      ...created,
      resultType: "complete",
      status: "cancelled",
      statusMessage: "by an operator",
    });
    expect(await call).toMatchObject({
      name: "AbortError",
      message: "by an operator",
    });
    expect(await wire.rest()).toEqual([]);
  });

  it("goes on waiting for a task while the server says that it cannot read it now", async () => {
    const seen: unknown[] = [];
    const script = await Script.open(
      modernScript(
        tasked.revision,
        (request, response) => {
          const { method } = request.body ?? {};
          seen.push(method);
          if (seen.length === 2)
            return void response.writeHead(503, { "retry-after": "1" }).end();
          const over = {
            ...created,
            resultType: "complete",
            status: "completed",
            result: text("done"),
          };
          const value =
            method === "tasks/get" ? over : { ...created, resultType: "task" };
          json(response, answered(request, value));
        },
        declared,
      ),
    );
    const client = await makeClient(
      tasked.protocol,
      http(script.url),
      following(),
    );
    expect(textOf(await client.callTool({ name: "t" }))).toBe("done");
    await client.close();
    expect(seen).toEqual(["tools/call", "tasks/get", "tasks/get"]);
  });

  it("sends an answer again, and keeps the task, if the server cannot store it now", async () => {
    const seen: unknown[] = [];
    let questions = 0;
    const inputRequests = { k: { method: "elicitation/create", params: form } };
    const states: Json[] = [
      { status: "input_required", inputRequests },
      { status: "completed", result: text("done") },
    ];
    const script = await Script.open(
      modernScript(
        tasked.revision,
        (request, response) => {
          const { method, params } = request.body ?? {};
          seen.push(method);
          if (
            method === "tasks/update" &&
            seen.filter((one) => one === method).length === 1
          )
            return void response.writeHead(503, { "retry-after": "1" }).end();
          if (method === "tasks/update")
            expect(params).toMatchObject({
              inputResponses: { k: { action: "decline" } },
            });
          const state =
            method === "tasks/get" ? { ...created, ...states.shift() } : {};
          const value = method === "tools/call" ? created : state;
          const resultType = method === "tools/call" ? "task" : "complete";
          json(response, answered(request, { ...value, resultType }));
        },
        declared,
      ),
    );
    const decline = (): Json => {
      questions++;
      return { action: "decline" };
    };
    const handlers = following({ "elicitation/create": decline });
    const client = await makeClient(
      tasked.protocol,
      http(script.url),
      handlers,
    );
    expect(textOf(await client.callTool({ name: "t" }))).toBe("done");
    await client.close();
    expect(seen).toEqual([
      "tools/call",
      "tasks/get",
      "tasks/update",
      "tasks/update",
      "tasks/get",
    ]);
    expect(questions).toBe(1);
  });

  it.each(["tasks/get", "tasks/update"])(
    "XTASK-12 repeats %s, which the server cannot answer, until the time of the task is over, and then cancels it",
    async (failing) => {
      const seen: unknown[] = [];
      // The time is over long before so many.
      const enough = 100;
      const over = { status: "completed", result: text("done") };
      const open = {
        status: "input_required",
        inputRequests: { k: { method: "elicitation/create", params: form } },
      };
      const script = await Script.open(
        modernScript(
          tasked.revision,
          (request, response) => {
            const { method } = request.body ?? {};
            seen.push(method);
            if (method === failing && seen.length < enough)
              return void response.writeHead(503, { "retry-after": "1" }).end();
            const state = seen.length < enough ? open : over;
            const value =
              method === "tools/call"
                ? { ...created, ttlMs: 300, pollIntervalMs: 0 }
                : method === "tasks/get"
                  ? { ...created, ...state, pollIntervalMs: 0 }
                  : {};
            const resultType = method === "tools/call" ? "task" : "complete";
            json(response, answered(request, { ...value, resultType }));
          },
          declared,
        ),
      );
      const decline = (): Json => ({ action: "decline" });
      const client = await makeClient(
        tasked.protocol,
        http(script.url),
        following({ "elicitation/create": decline }),
      );
      const error = await failure(client.callTool({ name: "t" }));
      expect(isTimeoutError(error)).toBe(true);
      expect(error.message).toBe("The task did not end within 300 ms.");
      await until(() => seen.includes("tasks/cancel"));
      await client.close();
    },
  );

  it("XTASK-10 HDR-03 names the task in a header of every request about it", async () => {
    const seen: unknown[] = [];
    const script = await Script.open(
      modernScript(
        tasked.revision,
        (request, response) => {
          const { method } = request.body ?? {};
          seen.push([method, request.headers["mcp-name"]]);
          const over = {
            ...created,
            resultType: "complete",
            status: "completed",
            result: text("done"),
          };
          const value =
            method === "tasks/get" ? over : { ...created, resultType: "task" };
          json(response, answered(request, value));
        },
        declared,
      ),
    );
    const client = await makeClient(
      tasked.protocol,
      http(script.url),
      following(),
    );
    expect(textOf(await client.callTool({ name: "t" }))).toBe("done");
    await client.close();
    expect(seen).toEqual([
      ["tools/call", "t"],
      ["tasks/get", "7"],
    ]);
  });
});

describe("the tasks extension beside the tasks of older revisions", () => {
  const servers = createServers({
    info,
    ...serverOf(tool("t", () => "ok")),
  } as never);

  it("XTASK-13 declares the older capability in an older revision, and not the extension", async () => {
    const old = await serveWire(servers);
    const { capabilities } = resultOf(
      await shakeHands(old, legacy.revision, declared),
    );
    expect(capabilities).toMatchObject({
      tasks: { requests: { tools: { call: {} } } },
    });
    expect(capabilities).not.toHaveProperty("extensions");
    expect(
      resultOf(await old.ask(1, "tools/call", { name: "t" })),
    ).toMatchObject(text("ok"));
  });

  it("XTASK-13 declares the extension, and not the older capability", async () => {
    const client = await connectInMemory(servers, tasked, following());
    expect(client.server.capabilities).toEqual({
      tools: {},
      extensions: { [extension]: {} },
    });
    expect(textOf(await client.callTool({ name: "t" }))).toBe("ok");
  });

  it("XTASK-13 follows no tasks for a client with only the older capability", async () => {
    const plain = await connectInMemory(servers, tasked, {
      capabilities: { tasks: {} },
    });
    expect(textOf(await plain.callTool({ name: "t" }))).toBe("ok");
  });
});
