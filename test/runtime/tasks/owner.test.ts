import { memoryPair, serve } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  errorOf,
  failure,
  type Json,
  makeClient,
  makeServer,
  resultOf,
  serveWire,
  shakeHands,
  textOf,
  type Wire,
} from "../kit/index.js";
import { knowing } from "../kit/principal.js";
import { open, type TaskedClient, tool, withTasks } from "./kit.js";

describe.each(withTasks)("tasks() on a server at $revision", (one) => {
  const { protocol, facts } = one;

  it.each([
    "",
    "constructor",
    "__proto__",
    "00000000-0000-4000-8000-000000000000",
  ])(
    "TASK-11 rejects the task id %j, which it did not create",
    async (taskId) => {
      const { client } = await open(protocol, {
        handlers: { ...tools([]), ...tasks({ list: true }) },
      });
      expect(await failure(client.getTask({ taskId }))).toMatchObject({
        code: -32602,
      });
      expect(await failure(client.getTaskPayload({ taskId }))).toMatchObject({
        code: -32602,
      });
      expect(await failure(client.cancelTask({ taskId }))).toMatchObject({
        code: -32602,
      });
    },
  );

  it("TASK-11 rejects a cursor that it did not create", async () => {
    const { client } = await open(protocol, {
      handlers: { ...tools([]), ...tasks({ list: true }) },
    });
    expect(await failure(client.listTasks({ cursor: "x" }))).toMatchObject({
      code: -32602,
    });
  });

  it("TASK-12 PAGE-06 lists only the tasks of the same session, page by page", async () => {
    const options = { list: true, pageSize: 2 };
    const server = makeServer(protocol, {
      handlers: { ...tools([tool("t", () => "ok")]), ...tasks(options) },
    });
    const begin = async (): Promise<Wire> => {
      const wire = await serveWire(server);
      await shakeHands(wire, facts.revision);
      return wire;
    };
    const [own, other] = [await begin(), await begin()];
    for (const id of [1, 2, 3])
      await own.ask(id, "tools/call", { name: "t", task: {} });
    await own.rest();
    const take = async (
      wire: Wire,
      id: number,
      params: Json,
    ): Promise<Json> => {
      wire.send({ jsonrpc: "2.0", id, method: "tasks/list", params });
      for (;;) {
        const message = await wire.next();
        if (message["id"] === id) return resultOf(message);
      }
    };
    const first = await take(own, 4, {});
    expect(first["tasks"]).toHaveLength(2);
    const second = await take(own, 5, { cursor: first["nextCursor"] });
    expect(second["tasks"]).toHaveLength(1);
    expect((await take(other, 6, {}))["tasks"]).toEqual([]);
  });

  const threeSessions = async () => {
    const handlers = {
      ...tools([tool("t", () => "ok")]),
      ...tasks({ list: true }),
    };
    const server = makeServer(protocol, { handlers });
    const as = async (principal: string): Promise<TaskedClient> => {
      const [clientTransport, serverTransport] = memoryPair();
      await serve(
        knowing(serverTransport, () => principal),
        server,
      );
      return (await makeClient(protocol, clientTransport)) as TaskedClient;
    };
    const [ada, again, eve] = [
      await as("ada"),
      await as("ada"),
      await as("eve"),
    ];
    const { task } = (await ada.callTool({ name: "t", task: {} })) as {
      task: { taskId: string };
    };
    return { again, eve, taskId: task.taskId };
  };

  it("TASK-12 shows a task to the principal who created it, in any session", async () => {
    const { again, taskId } = await threeSessions();
    expect(await again.getTask({ taskId })).toMatchObject({ taskId });
    expect((await again.listTasks())["tasks"]).toHaveLength(1);
    expect(textOf(await again.getTaskPayload({ taskId }))).toBe("ok");
  });

  it("TASK-12 shows a task to no other principal", async () => {
    const { again, eve, taskId } = await threeSessions();
    expect(await failure(eve.getTask({ taskId }))).toMatchObject({
      code: -32602,
    });
    expect(await failure(eve.getTaskPayload({ taskId }))).toMatchObject({
      code: -32602,
    });
    expect(await failure(eve.cancelTask({ taskId }))).toMatchObject({
      code: -32602,
    });
    expect((await eve.listTasks())["tasks"]).toEqual([]);
    expect(textOf(await again.getTaskPayload({ taskId }))).toBe("ok");
  });

  it("TASK-12 does not list tasks without the option list", async () => {
    const wire = await serveWire(
      makeServer(protocol, { handlers: { ...tools([]), ...tasks() } }),
    );
    await shakeHands(wire, facts.revision);
    expect(errorOf(await wire.ask(1, "tasks/list"))).toMatchObject({
      code: -32601,
    });
  });
});
