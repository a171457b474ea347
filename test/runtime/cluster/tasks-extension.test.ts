import { memorySharedStore } from "@mcpgen/runtime/cluster";
import { startTask } from "@mcpgen/runtime/tasks";
import { describe, expect, it } from "vitest";
import type { Answer } from "../http/kit/exchange.js";
import type { Open } from "../http/kit/server.js";
import { errorOf, type Json, resultOf, textOf, turns } from "../kit/index.js";
import { gate, until, watch } from "../kit/watch.js";
import { filled, form } from "../tasks/kit.js";
import { declared, tasked } from "../tasks/extension/extended.js";
import { pause } from "../../../src/common/timing.js";
import { closingProcesses } from "./kit.js";
import {
  callsByExtension,
  expectOutage,
  startTaskProcess,
  startThree,
  stoppable,
  type Work,
} from "./tasks.kit.js";

closingProcesses();

describe(`a task of a cluster at ${tasked.revision}, by the extension`, () => {
  const capabilities: Json = { ...declared, elicitation: { form: {} } };
  const { post, send, settled, start } = callsByExtension(tasked, capabilities);

  it("is read, answered and completed in different processes", async () => {
    const [one, two, three] = startThree(tasked, async (_, { request }) =>
      JSON.stringify([
        await request("elicitation/create", form("flour"), { key: "first" }),
        await request("elicitation/create", form("oven")),
      ]),
    );
    const taskId = await start(one);
    const first = await settled(two, taskId, "input_required");
    expect(Object.keys(first["inputRequests"] as Json)).toEqual(["first"]);
    const wrong = {
      first: { action: "accept", content: {} },
      other: {},
      constructor: {},
    };
    resultOf(
      await send(three, "tasks/update", { taskId, inputResponses: wrong }),
    );
    resultOf(
      await send(three, "tasks/update", {
        taskId,
        inputResponses: { first: filled("flour", "yes") },
      }),
    );
    let key = "first";
    while (key === "first") {
      const task = await settled(two, taskId, "input_required");
      [key = "first"] = Object.keys(task["inputRequests"] as Json);
    }
    resultOf(
      await send(two, "tasks/update", {
        taskId,
        inputResponses: { [key]: filled("oven", "no") },
      }),
    );
    const { result } = await settled(three, taskId, "completed");
    expect(JSON.parse(textOf(result as Json))).toEqual([
      filled("flour", "yes"),
      filled("oven", "no"),
    ]);
  });

  it("has expired for each process and method once its time is over, although it was stored shortly before", async () => {
    const work: Work = async (_, { once }) => {
      await pause(900);
      await once("step", () => 1);
      await new Promise(() => {});
    };
    const [one, two] = startThree(tasked, work, { restart: true, ttl: 1000 });
    const taskId = await start(one);
    await until(
      async () => "error" in (await send(two, "tasks/get", { taskId })),
    );
    for (const process of [one, two])
      for (const [method, more] of [
        ["tasks/get", {}],
        ["tasks/update", { inputResponses: {} }],
        ["tasks/cancel", {}],
      ] as const)
        expect(
          errorOf(await send(process, method, { taskId, ...more })),
          method,
        ).toMatchObject({
          code: -32602,
        });
  });

  it("is cancelled by another process, and only by its principal", async () => {
    const seen = watch();
    const [one, two, three] = startThree(tasked, (_, { signal }) => {
      signal.addEventListener("abort", () => seen.saw("aborted"));
      return new Promise(() => {});
    });
    const taskId = await start(one);
    expect(
      errorOf(await send(two, "tasks/cancel", { taskId }, "eve")),
    ).toMatchObject({ code: -32602 });
    resultOf(await send(two, "tasks/cancel", { taskId }));
    await seen.until("aborted");
    for (const process of [one, two, three])
      expect(
        resultOf(await send(process, "tasks/get", { taskId })),
      ).toMatchObject({ status: "cancelled" });
    resultOf(await send(three, "tasks/cancel", { taskId }));
  });

  it("runs again in another process if its tool allows it, with the answers of its questions", async () => {
    const seen = watch();
    const work: Work = async (_, { request, once }) => {
      const answer = await request("elicitation/create", form("flour"));
      const run = await once("run", () => seen.events.length);
      seen.saw("ready");
      await (seen.events.length === 1 ? new Promise(() => {}) : undefined);
      return JSON.stringify([answer, run]);
    };
    const [one, two, three] = startThree(tasked, work, { restart: true });
    const taskId = await start(one);
    const { inputRequests } = await settled(two, taskId, "input_required");
    const [key = ""] = Object.keys(inputRequests as Json);
    resultOf(
      await send(three, "tasks/update", {
        taskId,
        inputResponses: { [key]: filled("flour", "yes") },
      }),
    );
    await seen.until("ready");
    await settled(three, taskId, "working");
    await one.close();
    const { result } = await settled(three, taskId, "completed");
    expect(JSON.parse(textOf(result as Json))).toEqual([
      filled("flour", "yes"),
      0,
    ]);
    const { tools: listed } = resultOf(await send(two, "tools/list", {}));
    expect((listed as Json[])[0]).not.toHaveProperty("restart");
  });

  it("is cancelled for good although its process has stopped", async () => {
    const signals: AbortSignal[] = [];
    const work: Work = (_, { signal }) => (
      signals.push(signal),
      new Promise(() => {})
    );
    const [one, two] = startThree(tasked, work, { restart: true });
    const taskId = await start(one);
    await settled(two, taskId, "working");
    await one.close();
    resultOf(await send(two, "tasks/cancel", { taskId }));
    await settled(two, taskId, "cancelled");
    await until(() => signals.every(({ aborted }) => aborted));
    await turns(20);
    expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  });

  it("runs again with what `once` has returned before the call continued as a task", async () => {
    const store = memorySharedStore();
    let charges = 0;
    const begin = (ended: Promise<void>): Open =>
      startTaskProcess(
        tasked,
        async (_, context) => {
          const charge = await context.once("charge", () => ++charges);
          return startTask(context, () => ended.then(() => String(charge)));
        },
        { store, restart: true, support: "forbidden" },
      );
    const [one, two] = [begin(new Promise(() => {})), begin(Promise.resolve())];
    const taskId = await start(one);
    await settled(two, taskId, "working");
    await one.close();
    const { result } = await settled(two, taskId, "completed");
    expect([textOf(result as Json), charges]).toEqual(["1", 1]);
  });

  it("XTASK-11 is told to a listener at another process, of its principal only", async () => {
    const { ended: promise, end: resolve } = gate<string>();
    const [one, two, three] = startThree(tasked, () => promise);
    const taskId = await start(one);
    const listen = (process: Open, principal: string): Promise<Answer> =>
      post(
        process,
        "subscriptions/listen",
        { notifications: { taskIds: [taskId, "none"] } },
        principal,
      );
    const [ada, eve] = [await listen(two, "ada"), await listen(three, "eve")];
    expect(await ada.message()).toMatchObject({
      params: { notifications: { taskIds: [taskId] } },
    });
    expect(await eve.message()).toMatchObject({
      params: { notifications: { taskIds: [] } },
    });
    resolve("A loaf");
    expect(await ada.message()).toMatchObject({
      method: "notifications/tasks",
      params: {
        taskId,
        status: "completed",
        result: { content: [{ type: "text", text: "A loaf" }] },
      },
    });
    await three.close();
    expect(await eve.message()).toMatchObject({
      result: { resultType: "complete" },
    });
  });

  it("is answered with status 503 while the engine does not answer", async () => {
    const store = stoppable();
    const [one, two] = startThree(tasked, () => new Promise(() => {}), {
      store,
    });
    const taskId = await start(one);
    store.stop();
    await expectOutage(
      await post(one, "tools/call", { name: "work", arguments: {} }),
    );
    for (const method of ["tasks/get", "tasks/cancel"])
      await expectOutage(await post(two, method, { taskId }));
    await expectOutage(
      await post(two, "subscriptions/listen", {
        notifications: { taskIds: [taskId] },
      }),
    );
  });

  it("takes no room if the engine does not store it, and is completed once the engine answers again", async () => {
    const store = stoppable();
    const { ended, end } = gate<string>();
    const one = startTaskProcess(tasked, () => ended, {
      store,
      limits: { tasks: 1 },
      onError: () => {},
    });
    store.stop();
    await expectOutage(
      await post(one, "tools/call", { name: "work", arguments: {} }),
    );
    store.start();
    const taskId = await start(one);
    store.stop();
    end("done");
    await turns(20);
    store.start();
    const { result } = await settled(one, taskId, "completed");
    expect(textOf(result as Json)).toBe("done");
  });

  it("fails with an error that says so when its process has stopped", async () => {
    const [one, two] = startThree(tasked, () => new Promise(() => {}));
    const taskId = await start(one);
    await settled(two, taskId, "working");
    await one.close();
    const { error } = await settled(two, taskId, "failed");
    expect(error).toMatchObject({ code: -32603, data: { mayHaveRun: true } });
  });
});
