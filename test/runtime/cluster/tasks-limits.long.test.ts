import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { afterEach, describe, expect, it, vi } from "vitest";
import { pause } from "../../../src/common/timing.js";
import { storeWithClock } from "../../../src/runtime/cluster/store.js";
import { ask } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { errorOf, type Json, resultOf, textOf, turns } from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import { withTasks } from "../tasks/kit.js";
import { at, closingProcesses } from "./kit.js";
import {
  callsAt,
  startTaskProcess,
  startThree,
  type Work,
} from "./tasks.kit.js";

closingProcesses();
afterEach(() => void vi.useRealTimers());

describe.each(withTasks)("the tasks of a cluster at $revision", (revision) => {
  const { get, open, start } = callsAt(revision);
  const finished = async (session: Session): Promise<string> => {
    const taskId = await start(session);
    await session.ask(ask(3, "tasks/result", { taskId }));
    return taskId;
  };
  const listAt = async (session: Session): Promise<unknown[]> => {
    const { tasks } = resultOf(await session.ask(ask(5, "tasks/list")));
    return (tasks as Json[]).map(({ taskId }) => taskId);
  };

  it.each([{ list: true }, { list: false }])(
    "TASK-20 replace the oldest one of a requester that has ended, in each process (list: $list)",
    async ({ list }) => {
      const [one, two] = startThree(revision, () => "ok", {
        list,
        limits: { requesterTasks: 2 },
      });
      const session = await open(one);
      const first = await finished(session);
      const others = [await finished(session), await finished(session)];
      const isGone = async (): Promise<boolean> =>
        "error" in
        (await at(two, session).ask(ask(4, "tasks/get", { taskId: first })));
      await until(isGone);
      for (const taskId of others) await get(at(two, session), taskId);
    },
  );

  it.each(["that runs the task", "beside it"])(
    "TASK-11 say to a request that waits for the result at the process %s that the task has expired",
    async (place) => {
      const [one, two] = startThree(revision, () => new Promise(() => {}));
      const session = await open(one);
      const taskId = await start(session, { ttl: 1000 });
      const waiting = at(place === "beside it" ? two : one, session).ask(
        ask(3, "tasks/result", { taskId }),
      );
      expect(errorOf(await waiting)).toMatchObject({
        code: -32602,
        message: "The task has expired.",
      });
    },
  );

  it("TASK-11 have expired for each process and method once their time is over, although they were stored shortly before", async () => {
    const work: Work = async (_, { once }) => {
      await pause(900);
      await once("step", () => 1);
      await new Promise(() => {});
    };
    const [one, two] = startThree(revision, work, { restart: true });
    const session = await open(one);
    const taskId = await start(session, { ttl: 1000 });
    const waiting = [one, two].map((process) =>
      at(process, session).ask(ask(3, "tasks/result", { taskId })),
    );
    for (const answer of await Promise.all(waiting))
      expect(errorOf(answer)).toMatchObject({
        code: -32602,
        message: "The task has expired.",
      });
    // A store deletes nothing sooner than after a millisecond.
    await pause(5);
    for (const process of [one, two])
      for (const method of ["tasks/get", "tasks/cancel", "tasks/result"])
        expect(
          errorOf(await at(process, session).ask(ask(4, method, { taskId }))),
        ).toMatchObject({
          code: -32602,
        });
  });

  it.each([{ restart: true }, { restart: false }])(
    "TASK-11 have expired if their time is over before anyone learns that their process has stopped (restart: $restart)",
    async ({ restart }) => {
      const store = storeWithClock(() => 0);
      const [one, two] = startThree(revision, () => new Promise(() => {}), {
        list: true,
        restart,
        store,
      });
      const session = await open(one);
      const taskId = await start(session, { ttl: 60_000 });
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_001 });
      await one.close();
      for (const method of ["tasks/result", "tasks/get", "tasks/cancel"])
        expect(
          errorOf(await at(two, session).ask(ask(4, method, { taskId }))),
        ).toMatchObject({
          code: -32602,
        });
      expect(await listAt(at(two, session))).toEqual([]);
    },
  );

  it("TASK-19 list those that can be read, and no others", async () => {
    const [one, two] = startThree(revision, () => "ok", {
      list: true,
      limits: { requesterTasks: 2 },
    });
    const session = await open(one);
    const readable: string[] = [];
    for (const process of [one, two, one, two]) {
      const taskId = await finished(at(process, session));
      readable.push(taskId);
    }
    for (const taskId of readable.slice(0, 2))
      expect(
        errorOf(await session.ask(ask(4, "tasks/get", { taskId }))),
      ).toMatchObject({ code: -32602 });
    expect(await listAt(session)).toEqual(readable.slice(2));
  });

  it("TASK-19 are listed for their whole time, although another process lists a shorter one at the same moment", async () => {
    let time = 0;
    const store = storeWithClock(() => time);
    const [held, go] = [gate<void>(), gate<void>()];
    let holds = 1;
    const put: SharedStore["put"] = async (key, ...args) => {
      if (key.startsWith("index/tasks/") && holds-- > 0) {
        held.end();
        await go.ended;
      }
      return store.put(key, ...args);
    };
    const one = startTaskProcess(revision, () => "ok", {
      list: true,
      store: { ...store, put },
    });
    const two = startTaskProcess(revision, () => "ok", { list: true, store });
    const session = await open(one);
    const short = start(session, { ttl: 60_000 });
    await held.ended;
    const long = await start(at(two, session), { ttl: 600_000 });
    go.end();
    await short;
    time += 120_000;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
    expect(await listAt(session)).toEqual([long]);
  });

  it("TASK-20 are all created, however many a requester creates at once", async () => {
    const all = startThree(revision, () => new Promise(() => {}), {
      list: true,
    });
    const session = await open(all[0]);
    const calls = Array.from({ length: 101 }, (_, i) => {
      const call = ask(10 + i, "tools/call", {
        name: "work",
        arguments: {},
        task: {},
      });
      return at(all[i % 3] as (typeof all)[0], session).ask(call);
    });
    const errors = (await Promise.all(calls))
      .filter((answer) => "error" in answer)
      .map(errorOf);
    expect(errors).toMatchObject([{ message: "Too many tasks." }]);
    expect(await listAt(session)).toHaveLength(100);
  });

  it("TASK-20 are all created in place of ended ones, although each process creates one at once", async () => {
    const all = startThree(revision, () => "ok", {
      list: true,
      limits: { requesterTasks: 3 },
    });
    const session = await open(all[0]);
    for (let round = 0; round < 3; round++) {
      const ids = await Promise.all(
        all.map((process) => finished(at(process, session))),
      );
      expect((await listAt(session)).sort()).toEqual(ids.sort());
    }
  });

  it("TASK-18 TASK-20 cost the store as many requests for a long list, or to refuse one, as for a short list", async () => {
    const store = memorySharedStore();
    let requests = 0;
    const counted: SharedStore = {
      ...store,
      get: (key) => (requests++, store.get(key)),
      put: (...args) => (requests++, store.put(...args)),
    };
    const options = {
      list: true,
      pageSize: 3,
      limits: { requesterTasks: 20 },
      store: counted,
    };
    const all = startThree(revision, () => new Promise(() => {}), options);
    const session = await open(all[0]);
    const ids: string[] = [];
    for (let i = 0; i < 20; i++)
      ids.push(await start(at(all[i % 3] as (typeof all)[0], session)));
    await turns(20);
    requests = 0;
    const call = ask(6, "tools/call", {
      name: "work",
      arguments: {},
      task: {},
    });
    expect(errorOf(await session.ask(call))).toMatchObject({
      message: "Too many tasks.",
    });
    expect(requests).toBe(1);
    const found: unknown[] = [];
    for (let cursor: unknown, i = 0; i === 0 || cursor !== undefined; i++) {
      requests = 0;
      const page = resultOf(
        await session.ask(
          ask(6, "tasks/list", cursor === undefined ? {} : { cursor }),
        ),
      );
      expect(requests).toBe(1);
      found.push(...(page["tasks"] as Json[]).map(({ taskId }) => taskId));
      cursor = page["nextCursor"];
    }
    expect(found).toEqual(ids);
  });

  it.each([
    {
      how: "a result",
      work: () => "ok",
      status: "completed",
      method: "tasks/result",
    },
    {
      how: "an error",
      work: () => Promise.reject(new Error("no")),
      status: "failed",
      method: "tasks/result",
    },
    {
      how: "a cancellation",
      work: () => new Promise(() => {}),
      status: "cancelled",
      method: "tasks/cancel",
    },
  ])(
    "TASK-18 are in the list of each process as they ended, with $how",
    async ({ work, status, method }) => {
      const all = startThree(revision, work, { list: true, onError: () => {} });
      const session = await open(all[0]);
      const taskId = await start(session);
      await at(all[1], session).ask(ask(3, method, { taskId }));
      for (const process of all) {
        const { tasks } = resultOf(
          await at(process, session).ask(ask(5, "tasks/list")),
        );
        expect(tasks).toMatchObject([{ taskId, status }]);
        expect(await get(at(process, session), taskId)).toMatchObject({
          status,
        });
      }
    },
  );

  it("fail if they keep a value that is not JSON", async () => {
    const [one, two] = startThree(
      revision,
      (_, { once }) => once("grams", () => 1n),
      {
        restart: true,
        onError: () => {},
      },
    );
    const session = await open(one);
    const taskId = await start(session);
    const result = await at(two, session).ask(
      ask(3, "tasks/result", { taskId }),
    );
    const message = "What the task keeps is too long to store, or is not JSON.";
    expect(errorOf(result)).toMatchObject({ code: -32603, message });
    expect(await get(at(two, session), taskId)).toMatchObject({
      status: "failed",
      statusMessage: message,
    });
  });

  it("fail if their result is too long for the store", async () => {
    const store = memorySharedStore();
    const put: SharedStore["put"] = async (key, value = "", options) => {
      if (value.length > 1_048_576) throw new Error("The value is too long.");
      return store.put(key, value, options);
    };
    const errors: string[] = [];
    const [one, two] = startThree(revision, () => "x".repeat(1_100_000), {
      store: { ...store, put },
      onError: ({ message }) => void errors.push(message),
    });
    const session = await open(one);
    const taskId = await start(session);
    const result = await at(two, session).ask(
      ask(3, "tasks/result", { taskId }),
    );
    expect(errorOf(result)).toMatchObject({ code: -32603 });
    expect(errors).toEqual(["The value is too long."]);
  });

  it("have a long result if the store takes it", async () => {
    const [one, two] = startThree(revision, () => "x".repeat(1_100_000));
    const session = await open(one);
    const taskId = await start(session);
    const result = await at(two, session).ask(
      ask(3, "tasks/result", { taskId }),
    );
    expect(textOf(resultOf(result))).toHaveLength(1_100_000);
  });

  it("do not run, and are forgotten, if their time is over before they are stored", async () => {
    const store = memorySharedStore();
    let reads = 0;
    let runs = 0;
    const one = startTaskProcess(revision, () => ++runs, {
      store: {
        ...store,
        async get(key) {
          if (key.startsWith("tasks/")) reads++;
          return store.get(key);
        },
        async put(...args) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          return store.put(...args);
        },
      },
    });
    const session = await open(one);
    for (let i = 0; i < 5; i++) await start(session, { ttl: 0 });
    await turns(20);
    reads = 0;
    // The process reads again what it runs.
    store.interrupt();
    await turns(20);
    expect([reads, runs]).toEqual([0, 0]);
  });
});
