import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  type AnyContext,
  type AnyHandlers,
  clientWire,
  failure,
  type Json,
  resultOf,
  text,
  textOf,
} from "../kit/index.js";
import { open, withTasks } from "./kit.js";

describe.each(withTasks)("tasks() on a client at $revision", (one) => {
  const { protocol, facts } = one;
  const message = {
    role: "assistant",
    content: { type: "text", text: "hi" },
    model: "test",
  };

  it("TASK-01 TASK-04 TASK-07 runs a request of the server as a task, and returns its outcome", async () => {
    const ask = {
      name: "ask",
      handler: async (_: unknown, context: unknown) => {
        const { request } = context as AnyContext;
        const params = { messages: [], maxTokens: 9, task: { ttl: 1000 } };
        const { task } = (await request("sampling/createMessage", params)) as {
          task: Json;
        };
        const { model } = await request("tasks/result", {
          taskId: task["taskId"],
        });
        return {
          content: [
            {
              type: "text",
              text: `${String(task["status"])} ${String(model)}`,
            },
          ],
        };
      },
    };
    const handlers = {
      "sampling/createMessage": () => message,
      ...tasks(),
    } as AnyHandlers;
    const { call } = await open(
      protocol,
      { handlers: { ...tools([ask]) } },
      { handlers },
    );
    expect(textOf(await call("ask"))).toBe("working test");
  });

  it("ELIC-18 gives the handler of a task the server that asks", async () => {
    const { wire } = await clientWire(one, {
      handlers: {
        "sampling/createMessage": (
          _: unknown,
          { server }: { server?: { info: unknown } },
        ) => ({
          ...message,
          model: JSON.stringify(server?.info),
        }),
        ...tasks(),
      } as AnyHandlers,
    });
    const params = { messages: [], maxTokens: 9, task: {} };
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "sampling/createMessage",
      params,
    });
    const { task } = resultOf(await wire.next()) as { task: Json };
    wire.send({
      jsonrpc: "2.0",
      id: 2,
      method: "tasks/result",
      params: { taskId: task["taskId"] },
    });
    let answer = await wire.next();
    while (answer["method"] !== undefined) answer = await wire.next();
    expect(resultOf(answer)["model"]).toContain('"name"');
  });

  it("TASK-01 TASK-02 ignores a request for a task in a client without tasks()", async () => {
    const { wire } = await clientWire(one, {
      handlers: { "sampling/createMessage": () => message },
    });
    const params = { messages: [], maxTokens: 9, task: {} };
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "sampling/createMessage",
      params,
    });
    expect(resultOf(await wire.next())).toEqual(message);
  });

  it("TASK-01 does not send a request for a task that the other side does not support", async () => {
    const { client, wire } = await clientWire(one, {}, { tools: {} });
    const error = await failure(client.callTool({ name: "t", task: {} }));
    expect(error).toMatchObject({ name: "SessionError", reason: "capability" });
    expect(await wire.rest()).toEqual([]);
    expect(facts.wellKnown.taskResult).toBe("tasks/result");
  });

  it("accepts a task or a result if the call requested a task, and otherwise only a result", async () => {
    const declared = {
      tools: {},
      tasks: { requests: { tools: { call: {} } } },
    };
    const { client, wire } = await clientWire(one, {}, declared);
    const plain = client.callTool({ name: "t", task: {} });
    await wire.answer(text("done"));
    expect(textOf(await plain)).toBe("done");
    const now = "2025-11-25T00:00:00.000Z";
    const task = {
      taskId: "1",
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
      ttl: null,
    };
    const other = failure(client.callTool({ name: "t" }));
    await wire.answer({ task });
    expect(await other).toMatchObject({ name: "ValidationError" });
    const neither = failure(client.callTool({ name: "t", task: {} }));
    await wire.answer({ task: { taskId: 1 } });
    expect(await neither).toMatchObject({ name: "ValidationError" });
  });

  it("reads the result of a call by the params that were sent, if the program changes them while it waits", async () => {
    const declared = {
      tools: {},
      tasks: { requests: { tools: { call: {} } } },
    };
    const { client, wire } = await clientWire(one, {}, declared);
    const now = "2025-11-25T00:00:00.000Z";
    const task = {
      taskId: "1",
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
      ttl: null,
    };
    const params: { name: string; task?: object } = { name: "t", task: {} };
    const first = client.callTool(params);
    delete params.task;
    await wire.answer({ task });
    expect(await first).toMatchObject({ task: { taskId: "1" } });
    const second = failure(client.callTool(params));
    params.task = {};
    await wire.answer({ task });
    expect(await second).toMatchObject({ name: "ValidationError" });
  });
});
