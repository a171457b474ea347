import type { Progress } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import {
  type Json,
  makeServer,
  resultOf,
  serveWire,
  shakeHands,
  textOf,
  turns,
} from "../kit/index.js";
import { gate } from "../kit/watch.js";
import { open, related, tool, withTasks } from "./kit.js";

describe.each(withTasks)("tasks() on a server at $revision", (one) => {
  const { protocol, facts } = one;

  it("TASK-13 sends a notification for each change of a task, and none after its end", async () => {
    const work = gate<string>();
    const slow = tool("slow", (_, { progress }) =>
      work.ended.then(() => (progress(1), "done")),
    );
    const wire = await serveWire(
      makeServer(protocol, { handlers: { ...tools([slow]), ...tasks() } }),
    );
    await shakeHands(wire, facts.revision);
    const { taskId } = resultOf(
      await wire.ask(1, "tools/call", { name: "slow", task: {} }),
    )["task"] as Json;
    work.end("");
    const notification = await wire.next();
    expect(notification["method"]).toBe("notifications/tasks/status");
    expect(notification["params"]).toMatchObject({
      taskId,
      status: "completed",
    });
    expect(await wire.rest()).toEqual([]);
  });

  it("PROG-06 TASK-08 sends progress with the same token until the task ends", async () => {
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
    const updates: Progress[] = [];
    const logged: Json[] = [];
    const { client } = await open(
      protocol,
      {
        handlers: { ...tools([slow]), ...tasks() },
        capabilities: { logging: {} },
      },
      {
        handlers: {
          "notifications/message": (params) => void logged.push(params),
        },
      },
    );
    const onProgress = (progress: Progress): void =>
      void updates.push(progress);
    const created = await client.callTool(
      { name: "slow", task: {} },
      { onProgress },
    );
    const { taskId } = created["task"] as { taskId: string };
    await turns();
    expect(updates.map(({ progress }) => progress)).toEqual([1]);
    work.end("done");
    await client.getTaskPayload({ taskId });
    await turns(10);
    expect(updates.map(({ progress }) => progress)).toEqual([1, 2]);
    expect(logged).toMatchObject([
      { data: "nearly", _meta: { [related]: { taskId } } },
    ]);
  });

  it("TASK-05 TASK-08 TASK-09 asks the client while it waits for the result, and continues with the answer", async () => {
    const questions: Json[] = [];
    const ask = tool("ask", async (_, { request }) => {
      const { content } = await request("elicitation/create", {
        message: "Who?",
        requestedSchema: {
          type: "object",
          properties: { who: { type: "string" } },
        },
      });
      return String((content as Json)["who"]);
    });
    const { client, start } = await open(
      protocol,
      { handlers: { ...tools([ask]), ...tasks() } },
      {
        handlers: {
          "elicitation/create": (params) => {
            questions.push(params);
            return { action: "accept", content: { who: "Ada" } };
          },
        },
      },
    );
    const taskId = await start("ask");
    await turns();
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "input_required",
    });
    expect(questions).toEqual([]);
    expect(textOf(await client.getTaskPayload({ taskId }))).toBe("Ada");
    expect(questions).toMatchObject([
      { message: "Who?", _meta: { [related]: { taskId } } },
    ]);
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "completed",
    });
  });
});
