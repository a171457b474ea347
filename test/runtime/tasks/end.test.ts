import { isMcpError } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { taskOutcome, tasks } from "@mcpgen/runtime/tasks";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failure, turns } from "../kit/index.js";
import { gate } from "../kit/watch.js";
import { open, tool, withTasks } from "./kit.js";

describe.each(withTasks)("tasks() on a server at $revision", (one) => {
  const { protocol } = one;

  it("TASK-06 TASK-11 removes a task when its time to live is over, and aborts its work", async () => {
    const stopped = gate<unknown>();
    const wait = tool("wait", async (_, { signal }) => {
      signal.addEventListener("abort", () => stopped.end(signal.reason));
      return stopped.ended;
    });
    const { client, start } = await open(protocol, {
      handlers: { ...tools([wait]), ...tasks() },
    });
    const taskId = await start("wait", { ttl: 20 });
    expect(await stopped.ended).toMatchObject({
      message: "The task has expired.",
    });
    expect(await failure(client.getTask({ taskId }))).toMatchObject({
      code: -32602,
    });
    expect(await failure(client.getTaskPayload({ taskId }))).toMatchObject({
      code: -32602,
    });
  });

  it("TASK-11 says to a request that waits for the result that the task has expired, as to one that comes later", async () => {
    const wait = tool("wait", () => new Promise(() => {}));
    const { client, start } = await open(protocol, {
      handlers: { ...tools([wait]), ...tasks() },
    });
    const taskId = await start("wait", { ttl: 20 });
    const waiting = await failure(client.getTaskPayload({ taskId }));
    expect(waiting).toMatchObject({
      code: -32602,
      message: "The task has expired.",
    });
    expect(await failure(client.getTaskPayload({ taskId }))).toMatchObject({
      code: -32602,
    });
  });

  it("TASK-05 TASK-10 CANC-06 keeps a cancelled task cancelled, and aborts its signal", async () => {
    const work = gate<string>();
    let reason: unknown;
    const slow = tool("slow", (_, { signal }) => {
      signal.addEventListener("abort", () => (reason = signal.reason));
      return work.ended;
    });
    const { client, start } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks() },
    });
    const taskId = await start("slow");
    await turns();
    const waiting = failure(client.getTaskPayload({ taskId }));
    expect(await client.cancelTask({ taskId })).toMatchObject({
      taskId,
      status: "cancelled",
    });
    expect(isMcpError(reason)).toBe(true);
    expect(await waiting).toMatchObject({ code: -32602 });
    work.end("too late");
    await turns();
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "cancelled",
    });
    expect(await failure(client.cancelTask({ taskId }))).toMatchObject({
      code: -32602,
    });
  });

  it("TASK-10 rejects the cancellation of a task that has ended", async () => {
    const { client, start } = await open(protocol, {
      handlers: { ...tools([tool("t", () => "ok")]), ...tasks() },
    });
    const taskId = await start("t");
    await client.getTaskPayload({ taskId });
    const error = await failure(client.cancelTask({ taskId }));
    expect(error).toMatchObject({
      code: -32602,
      message: "The task is already completed.",
    });
  });

  it("TASK-10 cancels a task that waits for input, without sending its request to the client", async () => {
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
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "cancelled",
    });
  });

  it("CANC-06 cancels the task when the caller aborts the call", async () => {
    const slow = tool(
      "slow",
      (_, { signal }) =>
        new Promise((_done, reject) => {
          signal.addEventListener("abort", () =>
            reject(signal.reason as Error),
          );
        }),
    );
    const { client, call } = await open(protocol, {
      handlers: { ...tools([slow]), ...tasks({ pollInterval: 5 }) },
    });
    const created = (await call("slow", {})) as unknown as Parameters<
      typeof taskOutcome
    >[1];
    const controller = new AbortController();
    const waiting = failure(
      taskOutcome(client, created, { signal: controller.signal }),
    );
    controller.abort(new Error("enough"));
    expect(await waiting).toMatchObject({ message: "enough" });
    await turns();
    expect(await client.getTask(created.task)).toMatchObject({
      status: "cancelled",
    });
  });

  it("TASK-05 makes only allowed transitions of a task's status, for any order of events", async () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      working: ["input_required", "completed", "failed", "cancelled"],
      input_required: ["working", "completed", "failed", "cancelled"],
    };
    const step = fc.constantFrom(
      "ask",
      "answer",
      "cancel",
      "end",
      "fail",
      "wait",
    );
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
              "notifications/tasks/status": ({ status }) =>
                void seen.push(String(status)),
            },
          },
        );
        const taskId = await start("act");
        await turns(1);
        for (const what of steps) {
          if (what === "ask") void asking?.("roots/list");
          else if (what === "answer")
            client.getTaskPayload({ taskId }).catch(() => {});
          else if (what === "cancel")
            await client.cancelTask({ taskId }).catch(() => {});
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
        for (const [i, next] of seen.slice(1).entries())
          expect(allowed[seen[i] ?? ""] ?? []).toContain(next);
        await client.close();
      }),
      { numRuns: 40 },
    );
  });
});
