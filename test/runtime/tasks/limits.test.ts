import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isTimeoutError, memoryPair, serve } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler } from "@mcpgen/runtime/http";
import {
  type TaskEvent,
  type TaskOptions,
  taskOutcome,
  tasks,
} from "@mcpgen/runtime/tasks";
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
  text,
  turns,
} from "../kit/index.js";
import { knowing } from "../kit/principal.js";
import { until, gate } from "../kit/watch.js";
import { open, related, type TaskedClient, tool, withTasks } from "./kit.js";

describe.each(withTasks)("tasks() on a server at $revision", (one) => {
  const { protocol, facts } = one;
  const quick = tool("quick", () => "ok");
  const slow = tool("slow", () => new Promise(() => {}));
  const handlersOf = (options?: TaskOptions): object => ({
    ...tools([quick, slow]),
    ...tasks(options),
  });
  /** Opens one session for each principal on the same server. */
  const sessions = async (
    options: TaskOptions,
    ...principals: string[]
  ): Promise<TaskedClient[]> => {
    const server = makeServer(protocol, {
      handlers: handlersOf(options) as never,
    });
    return Promise.all(
      principals.map(async (principal) => {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(
          knowing(serverTransport, () => principal),
          server,
        );
        return (await makeClient(protocol, clientTransport)) as TaskedClient;
      }),
    );
  };
  const begin = async (
    client: TaskedClient,
    name = "slow",
    task: Json = {},
  ): Promise<string> =>
    ((await client.callTool({ name, task }))["task"] as { taskId: string })
      .taskId;

  it("says in statusMessage why a task failed, for a result with isError and for an error (TASK-15)", async () => {
    const wrong = tool("wrong", () => ({
      ...text("The oven is cold."),
      isError: true,
    }));
    const { client, start } = await open(protocol, {
      handlers: { ...tools([wrong]), ...tasks() },
    });
    const taskId = await start("wrong");
    await client.getTaskPayload({ taskId });
    expect(await client.getTask({ taskId })).toMatchObject({
      status: "failed",
      statusMessage: "The oven is cold.",
    });
    const fail = (): never => {
      throw new Error("secret");
    };
    const byHand = await open(protocol, {
      handlers: { "tools/call": fail, ...tasks() },
      onError: () => {},
    });
    const failed = await byHand.start("any");
    await failure(byHand.client.getTaskPayload({ taskId: failed }));
    const state = await byHand.client.getTask({ taskId: failed });
    expect(state).toMatchObject({
      status: "failed",
      statusMessage: "Internal error",
    });
  });

  const say = (words: string): Json => ({ type: "text", text: words });
  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  it.each([
    [[image, say("a"), say("b")], "a\nb"],
    [[say("x".repeat(1500))], "x".repeat(1000)],
    [[image], "The request failed without a message."],
    [[], "The request failed without a message."],
  ])(
    "says in statusMessage the first 1,000 characters of all texts of a failed result (TASK-15)",
    async (content, statusMessage) => {
      const { client, start } = await open(protocol, {
        handlers: {
          "tools/call": () => ({ content, isError: true }),
          ...tasks(),
        },
      });
      const taskId = await start("any");
      await client.getTaskPayload({ taskId });
      expect(await client.getTask({ taskId })).toMatchObject({
        status: "failed",
        statusMessage,
      });
    },
  );

  it("sends status notifications without the metadata of a related task (TASK-16)", async () => {
    const wire = await serveWire(
      makeServer(protocol, { handlers: handlersOf() as never }),
    );
    await shakeHands(wire, facts.revision);
    const created = resultOf(
      await wire.ask(1, "tools/call", { name: "quick", task: {} }),
    );
    const { taskId } = created["task"] as Json;
    const { method, params } = await wire.next();
    expect([method, (params as Json)["taskId"]]).toEqual([
      "notifications/tasks/status",
      taskId,
    ]);
    expect((params as Json)["_meta"]).toBeUndefined();
    expect(JSON.stringify(params)).not.toContain(related);
  });

  it("answers tasks/get over HTTP with JSON and not with a stream (TASK-17)", async () => {
    const handler = createHttpHandler(
      makeServer(protocol, { handlers: handlersOf() as never }),
    );
    let session: Record<string, string> = {};
    let id = 0;
    const post = async (
      method: string,
      params: Json,
      notification = false,
    ): Promise<Response> => {
      const message = {
        jsonrpc: "2.0",
        method,
        params,
        ...(notification ? {} : { id: ++id }),
      };
      return await handler(
        new Request("http://127.0.0.1/mcp", {
          method: "POST",
          body: JSON.stringify(message),
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...session,
          },
        }),
      );
    };
    const opened = await post("initialize", {
      protocolVersion: facts.revision,
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    });
    session = {
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": facts.revision,
    };
    await post("notifications/initialized", {}, true);
    const created = (await (
      await post("tools/call", { name: "slow", task: {} })
    ).json()) as Json;
    const { taskId } = (created["result"] as Json)["task"] as Json;
    const response = await post("tasks/get", { taskId: String(taskId) });
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      result: { taskId, status: "working" },
    });
    await handler.close();
  });

  it("lists every task that the requester can read, page by page (TASK-18, TASK-19)", async () => {
    const [ada, again, eve] = (await sessions(
      { list: true, pageSize: 2 },
      "ada",
      "ada",
      "eve",
    )) as [TaskedClient, TaskedClient, TaskedClient];
    const ids = [
      await begin(ada),
      await begin(again),
      await begin(ada),
      await begin(eve),
      await begin(ada),
    ];
    const listed: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await ada.listTasks(cursor === undefined ? {} : { cursor });
      const results = page["tasks"] as Json[];
      expect(results.length).toBeLessThanOrEqual(2);
      listed.push(...results.map(({ taskId }) => taskId));
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    expect(listed).toEqual(ids.filter((_, at) => at !== 3));
    for (const taskId of ids) {
      const isReadable = !(await failure(
        ada.getTask({ taskId }).then(() => Promise.reject(new Error("read"))),
      ).then((error) => (error as { code?: number }).code === -32602));
      expect(isReadable).toBe(listed.includes(taskId));
    }
  });

  it("does not list or return tasks of another session if tasks can be listed and there are no principals (TASK-19)", async () => {
    const server = makeServer(protocol, {
      handlers: handlersOf({ list: true }) as never,
    });
    const [own, other] = [await serveWire(server), await serveWire(server)];
    for (const wire of [own, other]) await shakeHands(wire, facts.revision);
    const created = resultOf(
      await own.ask(1, "tools/call", { name: "slow", task: {} }),
    );
    const { taskId } = created["task"] as Json;
    expect(resultOf(await own.ask(2, "tasks/get", { taskId }))).toMatchObject({
      taskId,
    });
    expect(errorOf(await other.ask(1, "tasks/get", { taskId }))).toMatchObject({
      code: -32602,
    });
    expect(resultOf(await other.ask(2, "tasks/list", {}))).toEqual({
      tasks: [],
    });
  });

  it("rejects the tasks of one requester at its limit while another still creates tasks (TASK-20)", async () => {
    const [ada, again, eve] = (await sessions(
      { limits: { requesterTasks: 2 } },
      "ada",
      "ada",
      "eve",
    )) as [TaskedClient, TaskedClient, TaskedClient];
    await begin(ada);
    await begin(again);
    for (const client of [ada, again]) {
      expect(await failure(begin(client))).toMatchObject({
        code: -32603,
        message: "Too many tasks.",
      });
    }
    await begin(eve);
    await begin(eve);
    expect(await failure(begin(eve))).toMatchObject({ code: -32603 });
  });

  it.each([
    [{}, 10_000],
    [{ ttl: 60_000 }, 10_000],
    [{ ttl: 1e15 }, 10_000],
    [{ ttl: 5000 }, 5000],
  ])(
    "keeps a task that is requested with %j no longer than the maximum time to live: %i (TASK-21)",
    async (task, ttl) => {
      const options = { ttl: 60_000, limits: { ttl: 10_000 } };
      const { call } = await open(protocol, { handlers: handlersOf(options) });
      expect((await call("slow", task))["task"]).toMatchObject({ ttl });
    },
  );

  it("keeps a task no longer than a timer can measure, and grants no longer time (TASK-21)", async () => {
    const { call } = await open(protocol, {
      handlers: handlersOf({ limits: { ttl: Infinity } }),
    });
    expect((await call("slow", { ttl: 1e15 }))["task"]).toMatchObject({
      ttl: 2_147_483_647,
    });
  });

  it("frees an expired task and its result without another request (TASK-22)", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const results: WeakRef<object>[] = [];
    const large = tool("large", () => {
      const result = text("x".repeat(100_000));
      results.push(new WeakRef(result));
      return result;
    });
    const { client, start } = await open(protocol, {
      handlers: { ...tools([large]), ...tasks() },
    });
    const taskId = await start("large", { ttl: 200 });
    await until(() => {
      collect();
      // A failed expectation keeps a reference to its value.
      expect(results.map((result) => result.deref() === undefined)).toEqual([
        true,
      ]);
    });
    expect(await failure(client.getTask({ taskId }))).toMatchObject({
      code: -32602,
    });
  });

  it("frees a task that another one replaces before its time is over (TASK-20)", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const results: WeakRef<object>[] = [];
    const make = tool("make", () => {
      const result = text("x".repeat(1000));
      results.push(new WeakRef(result));
      return result;
    });
    const { client, start } = await open(protocol, {
      handlers: {
        ...tools([make]),
        ...tasks({ limits: { requesterTasks: 2 } }),
      },
    });
    for (let i = 0; i < 12; i++)
      await client.getTaskPayload({ taskId: await start("make") });
    await until(async () => {
      await turns(5);
      collect();
      return results.filter((one) => one.deref()).length <= 3;
    });
  });

  it("rejects requests about tasks above the limit of one requester, and not those of others (TASK-24)", async () => {
    const limits = { requestsPerSecond: 3 };
    const [ada, eve] = (await sessions(
      { limits, list: true },
      "ada",
      "eve",
    )) as [TaskedClient, TaskedClient];
    const taskId = await begin(ada);
    const other = await begin(eve, "quick");
    const every = [
      () => ada.getTask({ taskId }),
      () => ada.listTasks({}),
      () => ada.cancelTask({ taskId: "none" }),
      () => ada.getTaskPayload({ taskId: "none" }),
    ];
    // Far more than the limit allows in the time of this test.
    const responses = Array.from({ length: 200 }, (_, at) =>
      failure(
        (every[at % 4] as () => Promise<unknown>)().then(() =>
          Promise.reject(new Error("answered")),
        ),
      ),
    );
    const messages = (await Promise.all(responses)).map(
      (error) => (error as Error).message,
    );
    for (const [at] of every.entries()) {
      const refused = messages.filter(
        (message, i) =>
          i % 4 === at && message === "Too many requests about tasks.",
      );
      expect(refused.length).toBeGreaterThan(30);
    }
    expect(await eve.getTask({ taskId: other })).toMatchObject({
      taskId: other,
    });
  });

  it("gives every event in the life of a task to onTask, with the auth context (TASK-25)", async () => {
    const events: TaskEvent[] = [];
    const onTask = (event: TaskEvent): void => void events.push(event);
    const [ada] = (await sessions({ onTask }, "ada")) as [TaskedClient];
    const taskId = await begin(ada, "quick", { ttl: 300 });
    await ada.getTaskPayload({ taskId });
    await until(() => expect(events.at(-1)?.kind).toBe("removed"));
    const kinds = events.map(({ kind, status }) => `${kind} ${status}`);
    expect(kinds.filter((kind) => !kind.startsWith("read"))).toEqual([
      "created working",
      "changed completed",
      "removed completed",
    ]);
    expect(kinds.some((kind) => kind.startsWith("read"))).toBe(true);
    for (const event of events)
      expect(event).toMatchObject({ taskId, auth: { principal: "ada" } });
  });

  it("reports an error that onTask throws, and continues the call (TASK-25)", async () => {
    const errors: string[] = [];
    const onTask = (): never => {
      throw new Error("the disk is full");
    };
    const { client, start } = await open(protocol, {
      handlers: handlersOf({ onTask }),
      onError: ({ message }) => errors.push(message),
    });
    const taskId = await start("quick");
    await turns();
    expect(await client.getTask({ taskId })).toMatchObject({ taskId });
    expect(new Set(errors)).toEqual(new Set(["the disk is full"]));
  });

  it("polls the status at most 20 times a second and for a limited time, even if the server sets other intervals", async () => {
    const work = gate<string>();
    const waiting = tool("waiting", () => work.ended);
    const { client, call } = await open(protocol, {
      handlers: { ...tools([waiting]), ...tasks({ pollInterval: 0 }) },
    });
    const created = (await call("waiting", {})) as unknown as Parameters<
      typeof taskOutcome
    >[1];
    let polls = 0;
    const late = await failure(
      taskOutcome(client, created, {
        maxTimeout: 500,
        onStatus: () => void (polls += 1),
      }),
    );
    expect(isTimeoutError(late)).toBe(true);
    expect(late).toMatchObject({
      message: "The task did not end within 500 ms.",
    });
    // A timer may be a millisecond early.
    expect(polls).toBeLessThanOrEqual(11);
    await turns();
    expect(await client.getTask(created.task)).toMatchObject({
      status: "cancelled",
    });
  });
});

it("the documentation names the maximum time to live and number of tasks, with their defaults (TASK-23)", () => {
  const page = readFileSync(
    new URL("../../../src/runtime/README.md", import.meta.url),
    "utf8",
  );
  const place = page
    .slice(page.indexOf("`tasks()` of `@mcpgen/runtime/tasks`"))
    .slice(0, 1500);
  for (const part of [
    "`ttl`",
    "one day",
    "`requesterTasks`",
    "100",
    "`tasks`",
    "1,000",
    "`requestsPerSecond`",
  ])
    expect(place).toContain(part);
});
