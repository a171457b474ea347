import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask } from "../http/kit/messages.js";
import { errorOf, type Json, resultOf, textOf, turns } from "../kit/index.js";
import { gate, until, watch } from "../kit/watch.js";
import { related, withTasks } from "../tasks/kit.js";
import { at, closingProcesses, VirtualClock } from "./kit.js";
import {
  callsAt,
  expectOutage,
  startTaskProcess,
  startThree,
  stoppable,
  type Work,
} from "./tasks.kit.js";

const realParse = JSON.parse.bind(JSON);

closingProcesses();
afterEach(() => void vi.useRealTimers());

describe.each(withTasks)("a task of a cluster at $revision", (revision) => {
  const { get, open, start } = callsAt(revision);

  it("is read in each process, and its result is waited for there", async () => {
    const { ended: promise, end: resolve } = gate<string>();
    const [one, two, three] = startThree(revision, () => promise);
    const session = await open(one);
    const taskId = await start(session);
    for (const process of [one, two, three])
      expect(await get(at(process, session), taskId)).toMatchObject({
        taskId,
        status: "working",
      });
    const result = at(two, session).ask(ask(3, "tasks/result", { taskId }));
    resolve("A loaf");
    expect(textOf(resultOf(await result))).toBe("A loaf");
    expect(resultOf(await result)["_meta"]).toMatchObject({
      [related]: { taskId },
    });
    for (const process of [one, two, three]) {
      expect(await get(at(process, session), taskId)).toMatchObject({
        status: "completed",
      });
      const again = await at(process, session).ask(
        ask(4, "tasks/result", { taskId }),
      );
      expect(textOf(resultOf(again))).toBe("A loaf");
    }
  });

  it("tells each process of the error of its work", async () => {
    const fail = (): never => {
      throw new Error("No flour.");
    };
    const [one, two] = startThree(revision, fail);
    const session = await open(one);
    const taskId = await start(session);
    const result = await at(two, session).ask(
      ask(3, "tasks/result", { taskId }),
    );
    expect(resultOf(result)).toMatchObject({ isError: true });
    expect(await get(at(two, session), taskId)).toMatchObject({
      status: "failed",
      statusMessage: "No flour.",
    });
  });

  it("is cancelled by any process, which aborts its work; it stays cancelled", async () => {
    const seen = watch();
    const { ended: promise, end: resolve } = gate<string>();
    const [one, two, three] = startThree(revision, async (_, { signal }) => {
      signal.addEventListener("abort", () => seen.saw("aborted"));
      return promise;
    });
    const session = await open(one);
    const taskId = await start(session);
    const waiting = at(three, session).ask(ask(3, "tasks/result", { taskId }));
    const cancelled = resultOf(
      await at(two, session).ask(ask(4, "tasks/cancel", { taskId })),
    );
    expect(cancelled).toMatchObject({ taskId, status: "cancelled" });
    await seen.until("aborted");
    expect(errorOf(await waiting)).toMatchObject({ code: -32602 });
    resolve("late");
    for (const process of [one, two, three]) {
      expect(await get(at(process, session), taskId)).toMatchObject({
        status: "cancelled",
      });
      const again = await at(process, session).ask(
        ask(5, "tasks/cancel", { taskId }),
      );
      expect(errorOf(again)).toMatchObject({
        code: -32602,
        message: "The task is already cancelled.",
      });
    }
  });

  it("has one end when it is cancelled at the moment it completes", async () => {
    for (let round = 0; round < 20; round++) {
      const { ended: promise, end: resolve } = gate<string>();
      const [one, two, three] = startThree(revision, () => promise);
      const session = await open(one);
      const taskId = await start(session);
      const cancelling = at(two, session).ask(
        ask(4, "tasks/cancel", { taskId }),
      );
      resolve("done");
      await cancelling;
      await at(three, session).ask(ask(3, "tasks/result", { taskId }));
      const views = [];
      for (const process of [one, two, three])
        views.push((await get(at(process, session), taskId))["status"]);
      const isCancelled = "result" in (await cancelling);
      expect(views).toEqual(
        Array.from({ length: 3 }, () =>
          isCancelled ? "cancelled" : "completed",
        ),
      );
    }
  });

  it("belongs to its principal, in each process", async () => {
    const [one, two] = startThree(revision, () => "ok", { list: true });
    const ada = await open(one);
    const taskId = await start(ada);
    const [eve, again] = [await open(two, {}, "eve"), await open(two)];
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      expect(errorOf(await eve.ask(ask(3, method, { taskId })))).toMatchObject({
        code: -32602,
      });
    expect(resultOf(await eve.ask(ask(4, "tasks/list")))["tasks"]).toEqual([]);
    expect(
      resultOf(await again.ask(ask(5, "tasks/list")))["tasks"],
    ).toMatchObject([{ taskId }]);
    expect(await get(again, taskId)).toMatchObject({ taskId });
  });

  it("is listed in each process, and makes room for another once it has ended", async () => {
    const ends: ((text: string) => void)[] = [];
    const work = (): Promise<string> =>
      new Promise((resolve) => ends.push(resolve));
    const processes = startThree(revision, work, {
      list: true,
      limits: { requesterTasks: 3 },
    });
    const session = await open(processes[0]);
    const ids: string[] = [];
    for (const process of processes)
      ids.push(await start(at(process, session)));
    const list = async (): Promise<unknown[]> => {
      const answer = await at(processes[1], session).ask(ask(5, "tasks/list"));
      return (resultOf(answer)["tasks"] as Json[]).map(({ taskId }) => taskId);
    };
    expect(await list()).toEqual(ids);
    const call = ask(6, "tools/call", {
      name: "work",
      arguments: {},
      task: {},
    });
    expect(errorOf(await at(processes[2], session).ask(call))).toMatchObject({
      message: "Too many tasks.",
    });
    ends[0]?.("done");
    await at(processes[1], session).ask(
      ask(7, "tasks/result", { taskId: ids[0] }),
    );
    const next = await start(at(processes[2], session));
    expect(await list()).toEqual([ids[1], ids[2], next]);
    ends.forEach((end) => end("done"));
  });

  it("is not taken for one without a process while its process stores it", async () => {
    const store = memorySharedStore();
    const [stored, go] = [gate<void>(), gate<void>()];
    let holds = 1;
    const put: SharedStore["put"] = async (key, ...args) => {
      const isDone = await store.put(key, ...args);
      if (!key.startsWith("tasks/") || holds-- <= 0) return isDone;
      stored.end();
      await go.ended;
      return isDone;
    };
    const one = startTaskProcess(revision, () => "done", {
      list: true,
      store: { ...store, put },
    });
    const session = await open(one);
    const starting = start(session);
    await stored.ended;
    const listed = await session.ask(ask(3, "tasks/list"));
    expect(resultOf(listed)["tasks"]).toMatchObject([{ status: "working" }]);
    go.end();
    const result = await session.ask(
      ask(4, "tasks/result", { taskId: await starting }),
    );
    expect(textOf(resultOf(result))).toBe("done");
  });

  it("is aborted once it is cancelled elsewhere, also if the store did not answer its process at first", async () => {
    const seen = watch();
    const store = memorySharedStore();
    let isAway = false;
    const get: SharedStore["get"] = (key) =>
      isAway
        ? Promise.reject(new Error("The engine is away."))
        : store.get(key);
    const work: Work = (_, { signal }) => {
      signal.addEventListener("abort", () => seen.saw("aborted"));
      return new Promise(() => {});
    };
    const one = startTaskProcess(revision, work, { store: { ...store, get } });
    const two = startTaskProcess(revision, work, { store });
    const session = await open(one);
    const taskId = await start(session);
    isAway = true;
    resultOf(await at(two, session).ask(ask(4, "tasks/cancel", { taskId })));
    await turns(20);
    expect(seen.events).toEqual([]);
    isAway = false;
    await seen.until("aborted");
  });

  it("is answered with status 503 while the engine does not answer, and keeps its end until it does", async () => {
    const store = stoppable();
    const errors: string[] = [];
    const { ended: promise, end: resolve } = gate<string>();
    const onError = (error: Error): void => void errors.push(error.message);
    const [one, two] = startThree(revision, () => promise, { store, onError });
    const session = await open(one);
    const taskId = await start(session);
    await get(at(two, session), taskId);
    store.stop();
    const call = ask(6, "tools/call", {
      name: "work",
      arguments: {},
      task: {},
    });
    for (const message of [
      call,
      ask(2, "tasks/get", { taskId }),
      ask(3, "tasks/cancel", { taskId }),
    ])
      await expectOutage(await session.post(message));
    resolve("kept");
    await until(() => errors.length > 0);
    store.start();
    const result = await at(two, session).ask(
      ask(7, "tasks/result", { taskId }),
    );
    expect(textOf(resultOf(result))).toBe("kept");
  });

  it("is stored again after a moment if the store refuses its end alone", async () => {
    const store = memorySharedStore();
    const { ended: promise, end: resolve } = gate<string>();
    let refusals = 0;
    const put: SharedStore["put"] = async (key, ...args) => {
      if (refusals === 0 || !key.startsWith("tasks/"))
        return store.put(key, ...args);
      refusals--;
      throw new Error("The engine is away.");
    };
    const clock = new VirtualClock();
    const one = startTaskProcess(revision, () => promise, {
      store: { ...store, put },
      clock,
      onError: () => {},
    });
    const two = startTaskProcess(revision, () => promise, { store, clock });
    const session = await open(one);
    const taskId = await start(session);
    refusals = 1;
    resolve("kept");
    const result = await at(two, session).ask(
      ask(7, "tasks/result", { taskId }),
    );
    expect(textOf(resultOf(result))).toBe("kept");
    expect(refusals).toBe(0);
  });

  it.each([{ restart: true }, { restart: false }])(
    "takes no room that the store does not take, and is refused when there is none (restart: $restart)",
    async ({ restart }) => {
      const store = memorySharedStore();
      let isAway = false;
      const put: SharedStore["put"] = (key, ...args) =>
        isAway && key.startsWith("tasks/")
          ? Promise.reject(new Error("The engine is away."))
          : store.put(key, ...args);
      const one = startTaskProcess(revision, () => new Promise(() => {}), {
        store: { ...store, put },
        restart,
        limits: { requesterTasks: 2 },
      });
      const session = await open(one);
      await start(session);
      const params = { name: "work", arguments: {}, task: {} };
      const call = ask(6, "tools/call", params);
      isAway = true;
      for (let i = 0; i < 3; i++) await expectOutage(await session.post(call));
      isAway = false;
      await start(session);
      expect(errorOf(await session.ask(call))).toMatchObject({
        code: -32603,
        message: "Too many tasks.",
      });
    },
  );

  it("tells a fault of this package as one, which is reported, and not as an outage", async () => {
    const store = memorySharedStore();
    const errors: string[] = [];
    const onError = (error: Error): void => void errors.push(error.message);
    const [one, two] = startThree(revision, () => new Promise(() => {}), {
      store,
      onError,
    });
    const session = await open(one);
    const taskId = await start(session);
    let records = 0;
    const parse = vi.spyOn(JSON, "parse").mockImplementation((text) => {
      const value = realParse(text) as Json;
      // The third time, the record lacks what the change of it reads.
      const isBroken = value?.["worker"] !== undefined && ++records > 2;
      return isBroken ? { ...value, view: undefined } : value;
    });
    const cancel = ask(2, "tasks/cancel", { taskId });
    const read = await at(two, session).post(cancel);
    const answer = await read.text();
    parse.mockRestore();
    expect(read.status).toBe(200);
    expect(answer).toContain("Internal error");
    expect(answer).not.toContain("unavailable");
    expect(errors.join()).toContain("undefined");
  });

  it("answers 503 if the store refuses each change, and does not blame other processes", async () => {
    const store = memorySharedStore();
    let isWrong = false;
    const put: SharedStore["put"] = async (...args) =>
      isWrong ? false : store.put(...args);
    const [one, two] = startThree(revision, () => new Promise(() => {}), {
      store: { ...store, put },
    });
    const session = await open(one);
    const taskId = await start(session);
    isWrong = true;
    const cancel = ask(3, "tasks/cancel", { taskId });
    await expectOutage(await at(two, session).post(cancel));
    isWrong = false;
    const answer = await at(two, session).ask(cancel);
    expect(resultOf(answer)).toMatchObject({ status: "cancelled" });
  });

  it("answers 503 for a task whose record cannot be read, and lists and starts others", async () => {
    const store = memorySharedStore();
    const keys: string[] = [];
    const put: SharedStore["put"] = (key, ...args) => {
      keys.push(key);
      return store.put(key, ...args);
    };
    const [one, two] = startThree(revision, () => new Promise(() => {}), {
      store: { ...store, put },
      list: true,
      onError: () => {},
    });
    const session = await open(one);
    const taskId = await start(session);
    for (const key of keys)
      await store.put(key, "not sealed", { ttl: 60_000, version: "foreign" });
    const read = ask(2, "tasks/get", { taskId });
    await expectOutage(await at(two, session).post(read));
    const list = await at(two, session).ask(ask(3, "tasks/list"));
    expect(resultOf(list)["tasks"]).toEqual([]);
    const next = await start(at(two, session));
    expect(await get(at(two, session), next)).toHaveProperty("status");
  });

  it("is started only once the other processes hear its own, which they would take for a stopped one", async () => {
    const store = memorySharedStore();
    let isDeaf = true;
    const append: SharedStore["append"] = (...args) =>
      isDeaf
        ? Promise.reject(new Error("This user may not append."))
        : store.append(...args);
    const one = startTaskProcess(revision, () => "ok", {
      store: { ...store, append },
    });
    const session = await open(one);
    const call = ask(1, "tools/call", {
      name: "work",
      arguments: {},
      task: {},
    });
    await expectOutage(await session.post(call));
    isDeaf = false;
    const taskId = await start(session);
    expect(await get(session, taskId)).toHaveProperty("status");
  });

  it("keeps its end although the clock of its process goes ahead of its whole time", async () => {
    const { ended: promise, end: resolve } = gate<string>();
    const [one, two] = startThree(revision, () => promise);
    const session = await open(one);
    const taskId = await start(session, { ttl: 600_000 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 660_000 });
    resolve("kept");
    await until(
      async () => (await get(session, taskId))["status"] === "completed",
    );
    vi.useRealTimers();
    const result = await at(two, session).ask(
      ask(3, "tasks/result", { taskId }),
    );
    expect(textOf(resultOf(result))).toBe("kept");
  });

  it("shows the engine neither its id nor what it is about", async () => {
    const store = memorySharedStore();
    const texts: string[] = [];
    const put: SharedStore["put"] = (key, value, options) => {
      texts.push(key, String(value));
      return store.put(key, value, options);
    };
    const append: SharedStore["append"] = (log, entries, options) => {
      texts.push(log, ...entries);
      return store.append(log, entries, options);
    };
    const [one] = startThree(revision, () => "a planted mark", {
      store: { ...store, put, append },
      list: true,
    });
    const session = await open(one, {}, "planted-caller");
    const taskId = await start(session);
    await session.ask(ask(3, "tasks/result", { taskId }));
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.join("\n")).not.toMatch(
      new RegExp(`planted|working|${taskId}`),
    );
  });

  it("is not offered by a cluster without a store, in which no other process could read it", async () => {
    const one = startTaskProcess(revision, () => "ok", {});
    const session = await open(one);
    const { capabilities } = resultOf(await session.opening.json());
    expect(capabilities).not.toHaveProperty("tasks");
    expect(
      errorOf(await session.ask(ask(2, "tasks/get", { taskId: "1" }))),
    ).toMatchObject({ code: -32601 });
  });
});
