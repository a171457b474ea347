import { McpError, TransportError } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { taskOutcome, tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import { CallToolResultSchema } from "../../../generated/2025-11-25/validators.js";
import { failure, type Json, text, textOf, turns } from "../kit/index.js";
import { gate, waitsAmong } from "../kit/watch.js";
import { open, related, tool, withTasks } from "./kit.js";

describe.each(withTasks)("tasks() on a server at $revision", (one) => {
  const { protocol } = one;

  it("TASK-07 TASK-08 returns the result of the request once it exists, for any number of requests", async () => {
    const work = gate<Json>();
    const slow = tool("slow", () => work.ended);
    const { client, start } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks() },
    });
    const taskId = await start("slow");
    let hasEnded = false;
    const waiting = client.getTaskPayload({ taskId }).then((result) => {
      hasEnded = true;
      return result;
    });
    await turns();
    expect(hasEnded).toBe(false);
    const result = {
      ...text("done"),
      structuredContent: { n: 1 },
      _meta: { "example.com/x": 1 },
    };
    work.end(result);
    const expected = {
      ...result,
      _meta: { "example.com/x": 1, [related]: { taskId } },
    };
    expect(await waiting).toEqual(expected);
    expect(await client.getTaskPayload({ taskId })).toEqual(expected);
    expect(CallToolResultSchema.is(await waiting)).toBe(true);
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "completed",
    });
  });

  it("TASK-07 returns the error of the request", async () => {
    const errors: Error[] = [];
    const refuse = tool("refuse", () => {
      throw new McpError(-31000, "Not today", { until: "tomorrow" });
    });
    const { client, start } = await open(protocol, {
      handlers: { ...tools([refuse]), ...tasks() },
    });
    const taskId = await start("refuse");
    const error = await failure(client.getTaskPayload({ taskId }));
    expect(error).toMatchObject({
      code: -31000,
      message: "Not today",
      data: { until: "tomorrow" },
    });
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "failed",
      statusMessage: "Not today",
    });
    const fail = (): never => {
      throw new Error("a secret");
    };
    const byHand = { "tools/call": fail, ...tasks() };
    const other = await open(protocol, {
      handlers: byHand,
      onError: (fault) => errors.push(fault),
    });
    const created = (await other.call("any", {}))["task"] as { taskId: string };
    const hidden = await failure(other.client.getTaskPayload(created));
    expect(hidden).toMatchObject({ code: -32603, message: "Internal error" });
    expect(errors.map(({ message }) => message)).toEqual(["a secret"]);
  });

  it("TASK-05 sets the status of a task to failed if its result has isError", async () => {
    const fail = tool("fail", () => ({ ...text("no"), isError: true }));
    const { client, start } = await open(protocol, {
      handlers: { ...tools([fail]), ...tasks() },
    });
    const taskId = await start("fail");
    expect(await client.getTaskPayload({ taskId })).toMatchObject({
      isError: true,
    });
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "failed",
    });
  });

  it("TASK-09 polls for the outcome no more often than pollInterval allows", async () => {
    const work = gate<string>();
    const slow = tool("slow", () => work.ended);
    const { client, call } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks({ pollInterval: 61 }) },
    });
    const created = (await call("slow", {})) as unknown as Parameters<
      typeof taskOutcome
    >[1];
    const waits = waitsAmong(61);
    const polls: string[] = [];
    const result = await taskOutcome(client, created, {
      onStatus: (status) => {
        if (polls.push(status) === 2) work.end("done");
      },
    });
    expect(textOf(result)).toBe("done");
    expect(polls.slice(0, 2)).toEqual(["working", "working"]);
    expect(polls.at(-1)).toBe("completed");
    expect(waits()).toHaveLength(polls.length);
  });

  it("goes on waiting for the outcome while the server says that it cannot read the task now", async () => {
    const { client, call } = await open(protocol, {
      handlers: {
        ...tools([tool("quick", () => "done")]),
        ...tasks({ pollInterval: 1 }),
      },
    });
    const created = (await call("quick", {})) as unknown as Parameters<
      typeof taskOutcome
    >[1];
    const { getTask, getTaskPayload } = client;
    const away = { status: 503, isRetryable: true };
    const asked: string[] = [];
    client.getTask = async (params) => {
      if (asked.push("status") === 1) throw new TransportError("503", away);
      return getTask.call(client, params);
    };
    client.getTaskPayload = async (params) => {
      if (!asked.includes("result")) {
        asked.push("result");
        throw new TransportError("503", away);
      }
      return getTaskPayload.call(client, params);
    };
    expect(textOf(await taskOutcome(client, created))).toBe("done");
    // It asks for the status until the task has ended, however often that is.
    expect(asked.slice(asked.indexOf("result"))).toEqual(["result", "status"]);
    client.getTask = () => Promise.reject(new TransportError("closed"));
    await expect(taskOutcome(client, created)).rejects.toThrow("closed");
  });

  it.each(["unavailable", "process-lost"])(
    "goes on waiting for a task that needs input if the request for its result fails: %s",
    async (reason) => {
      const { client, call } = await open(protocol, {
        handlers: {
          ...tools([tool("quick", () => "done")]),
          ...tasks({ pollInterval: 1 }),
        },
      });
      const created = (await call("quick", {})) as unknown as Parameters<
        typeof taskOutcome
      >[1];
      const { getTask, getTaskPayload } = client;
      const asking = { task: { ...created.task, status: "input_required" } };
      const lost = new McpError(-32603, "Try again.", { reason });
      let failures = 1;
      client.getTaskPayload = async (params) => {
        if (failures-- > 0) throw lost;
        return getTaskPayload.call(client, params);
      };
      expect(textOf(await taskOutcome(client, asking))).toBe("done");
      // Now it is the error of the task itself.
      failures = Infinity;
      client.getTask = async (params) => ({
        ...(await getTask.call(client, params)),
        status: "failed",
      });
      await expect(taskOutcome(client, asking)).rejects.toBe(lost);
    },
  );
});
