import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  failure,
  type Json,
  makeServer,
  resultOf,
  serveWire,
  shakeHands,
  textOf,
} from "../kit/index.js";
import { gate } from "../kit/watch.js";
import { open, tool, withTasks } from "./kit.js";

describe.each(withTasks)("tasks() on a server at $revision", (one) => {
  const { protocol, facts } = one;

  it("TASK-01 declares exactly the requests that may run as tasks", async () => {
    const { client } = await open(protocol, {
      handlers: { ...tools([]), ...tasks() },
    });
    expect(client.server.capabilities).toEqual({
      tools: {},
      tasks: { cancel: {}, requests: { tools: { call: {} } } },
    });
    const { client: listing } = await open(protocol, {
      handlers: { ...tasks({ list: true }) },
    });
    expect(listing.server.capabilities).toEqual({
      tasks: { cancel: {}, list: {} },
    });
  });

  it("TASK-02 ignores a request for a task in a server without tasks()", async () => {
    const wire = await serveWire(
      makeServer(protocol, {
        handlers: { ...tools([{ name: "t", handler: () => "ok" }]) },
      }),
    );
    await shakeHands(wire, facts.revision);
    const answer = await wire.ask(1, "tools/call", {
      name: "t",
      task: { ttl: 1 },
    });
    expect(resultOf(answer)).toEqual({
      content: [{ type: "text", text: "ok" }],
    });
  });

  describe("follows the taskSupport of each tool", () => {
    const opened = () =>
      open(protocol, {
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

    it("TASK-03 of a tool that may be a task", async () => {
      const { call } = await opened();
      expect(textOf(await call("free"))).toBe("ok");
      expect((await call("free", {}))["task"]).toBeDefined();
    });

    it("TASK-03 of a tool that must be a task", async () => {
      const { call } = await opened();
      expect(await failure(call("must"))).toMatchObject({
        code: -32601,
        message: 'The tool "must" runs only as a task.',
      });
      expect((await call("must", {}))["task"]).toBeDefined();
    });

    it.each(["never", "silent"])(
      "TASK-03 TOOL-17 of the tool %s, which is never a task",
      async (name) => {
        const { call } = await opened();
        expect(textOf(await call(name))).toBe("ok");
        expect(await failure(call(name, {}))).toMatchObject({
          code: -32601,
          message: `The tool "${name}" does not run as a task.`,
        });
      },
    );

    it("TASK-03 of an unknown tool", async () => {
      const { call } = await opened();
      expect(await failure(call("other", {}))).toMatchObject({ code: -32602 });
    });
  });

  it("TASK-04 TASK-06 returns the task at once, before the work begins", async () => {
    let hasStarted = false;
    const work = gate<string>();
    const slow = tool("slow", () => {
      hasStarted = true;
      return work.ended;
    });
    const { client, call } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks({ pollInterval: 7 }) },
    });
    const { task } = (await call("slow", { ttl: 60_000 })) as { task: Json };
    expect(hasStarted).toBe(false);
    expect(task).toMatchObject({
      status: "working",
      ttl: 60_000,
      pollInterval: 7,
    });
    expect(task["taskId"]).toMatch(/^[\da-f-]{36}$/);
    for (const time of ["createdAt", "lastUpdatedAt"]) {
      expect(new Date(String(task[time])).toISOString()).toBe(task[time]);
    }
    expect(await client.getTask({ taskId: String(task["taskId"]) })).toEqual(
      task,
    );
    work.end("done");
  });

  it("TASK-06 keeps a task for the requested time, up to the server's limit", async () => {
    const idle = tool("idle", () => "ok");
    const limits = { ttl: 5_000, limits: { ttl: 10_000 } };
    const { call } = await open(protocol, {
      handlers: { ...tools([idle]), ...tasks(limits) },
    });
    const ttlOf = async (task: Json): Promise<unknown> =>
      ((await call("idle", task))["task"] as Json)["ttl"];
    expect(await ttlOf({})).toBe(5_000);
    expect(await ttlOf({ ttl: 7_000 })).toBe(7_000);
    expect(await ttlOf({ ttl: 1e12 })).toBe(10_000);
  });

  it("limits the number of tasks, and replaces finished tasks of a requester by its new ones", async () => {
    const work = gate<string>();
    const handlers = {
      ...tools([tool("slow", () => work.ended), tool("quick", () => "ok")]),
      ...tasks({ limits: { tasks: 2 } }),
    };
    const { client, call, start } = await open(protocol, { handlers });
    const taskId = await start("quick");
    await client.getTaskPayload({ taskId });
    await start("slow");
    await start("slow");
    expect(await failure(client.getTask({ taskId }))).toMatchObject({
      code: -32602,
    });
    expect(await failure(call("slow", {}))).toMatchObject({
      code: -32603,
      message: "Too many tasks.",
    });
    work.end("");
  });
});
