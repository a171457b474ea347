import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler } from "@mcpgen/runtime/http";
import { type TaskOptions, tasks } from "@mcpgen/runtime/tasks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Answer, sendWeb } from "../http/kit/exchange.js";
import { ask, modernPost } from "../http/kit/messages.js";
import type { Open } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  type AnyContext,
  errorOf,
  type Json,
  makeServer,
  resultOf,
  type Revision,
  textOf,
  turns,
} from "../kit/index.js";
import { until, watch } from "../kit/watch.js";
import { related, tool, withTasks } from "../tasks/kit.js";
import { declared, tasked } from "../tasks/extension/extended.js";
import { filled, form } from "../tasks/extension/kit.js";
import { type Clock, realClock } from "../../../src/runtime/cluster/bus.js";
import { clusterWithClock } from "../../../src/runtime/cluster/cluster.js";
import { byHeader, secret, VirtualClock } from "./kit.js";

const opened = new Set<Open>();
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([...opened].map((one) => one.close()));
  opened.clear();
});

interface Options extends TaskOptions {
  readonly restart?: boolean;
  readonly clock?: Clock;
  readonly store?: SharedStore | undefined;
  readonly onError?: (error: Error) => void;
}
type Work = (args: unknown, context: AnyContext) => unknown;

/** A process of a server with one tool, `work`. A caller is what it says in a header. */
function startProcess(
  revision: Revision,
  work: Work,
  { store, onError, restart = false, clock = realClock, ...options }: Options,
): Open {
  const member = clusterWithClock({ secrets: [secret], store }, clock);
  const server = makeServer(revision.protocol, {
    handlers: {
      ...tools([{ ...tool("work", work), restart } as never]),
      ...tasks({ pollInterval: 5, ...options }),
    } as never,
    cluster: member,
    drainTime: 100,
    ...(onError && { onError }),
  });
  const handler = createHttpHandler(server, { cluster: member, ...byHeader });
  const process: Open = { port: 0, send: (sent) => sendWeb(handler, sent), close: () => handler.close() };
  opened.add(process);
  return process;
}

/** Three processes that share a store. */
const startThree = (revision: Revision, work: Work, options: Options = {}): [Open, Open, Open] => {
  const store = options.store ?? memorySharedStore();
  const start = (): Open => startProcess(revision, work, { ...options, store });
  return [start(), start(), start()];
};

const at = (open: Open, session: Session): Session =>
  Object.assign(Object.create(Session.prototype) as Session, { ...session, open });

/** Checks the answer while the engine does not answer. */
async function expectOutage(answer: Answer): Promise<void> {
  expect([answer.status, answer.header("retry-after")]).toEqual([503, "1"]);
  const error = { code: -32603, message: "The tasks cannot be reached now. Try again." };
  expect(errorOf(await answer.json())).toEqual({ ...error, data: { reason: "unavailable" } });
}

/** A promise that a test resolves. */
function later<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve!: (value: T) => void;
  return { promise: new Promise<T>((done) => (resolve = done)), resolve: (value) => resolve(value) };
}

/** An engine that can be stopped. */
function stoppable(store = memorySharedStore()): SharedStore & { stop(): void; start(): void } {
  let isStopped = false;
  const check = <T>(work: () => Promise<T>): Promise<T> =>
    isStopped ? Promise.reject(new Error("The engine did not answer within 2000 ms.")) : work();
  return {
    get: (key) => check(() => store.get(key)),
    put: (...args) => check(() => store.put(...args)),
    append: (...args) => check(() => store.append(...args)),
    follow: (...args) => check(() => store.follow(...args)),
    stop: () => void (isStopped = true),
    start: () => void (isStopped = false),
  };
}

describe.each(withTasks)("a task of a cluster at $revision", (revision) => {
  const start = async (session: Session, task: Json = {}): Promise<string> => {
    const result = resultOf(await session.ask(ask(1, "tools/call", { name: "work", arguments: {}, task })));
    return String((result["task"] as Json)["taskId"]);
  };
  const get = async (session: Session, taskId: string): Promise<Json> =>
    resultOf(await session.ask(ask(2, "tasks/get", { taskId })));
  const open = (process: Open, capabilities: Json = {}, authorization = "ada"): Promise<Session> =>
    Session.start(process, revision, capabilities, { authorization });

  it("is read in each process, and its result is waited for there", async () => {
    const { promise, resolve } = later<string>();
    const [one, two, three] = startThree(revision, () => promise);
    const session = await open(one);
    const taskId = await start(session);
    for (const process of [one, two, three])
      expect(await get(at(process, session), taskId)).toMatchObject({ taskId, status: "working" });
    const result = at(two, session).ask(ask(3, "tasks/result", { taskId }));
    resolve("A loaf");
    expect(textOf(resultOf(await result))).toBe("A loaf");
    expect(resultOf(await result)["_meta"]).toMatchObject({ [related]: { taskId } });
    for (const process of [one, two, three]) {
      expect(await get(at(process, session), taskId)).toMatchObject({ status: "completed" });
      const again = await at(process, session).ask(ask(4, "tasks/result", { taskId }));
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
    const result = await at(two, session).ask(ask(3, "tasks/result", { taskId }));
    expect(resultOf(result)).toMatchObject({ isError: true });
    expect(await get(at(two, session), taskId)).toMatchObject({
      status: "failed",
      statusMessage: "No flour.",
    });
  });

  it("is cancelled by any process, which aborts its work; it stays cancelled", async () => {
    const seen = watch();
    const { promise, resolve } = later<string>();
    const [one, two, three] = startThree(revision, async (_, { signal }) => {
      signal.addEventListener("abort", () => seen.saw("aborted"));
      return promise;
    });
    const session = await open(one);
    const taskId = await start(session);
    const waiting = at(three, session).ask(ask(3, "tasks/result", { taskId }));
    const cancelled = resultOf(await at(two, session).ask(ask(4, "tasks/cancel", { taskId })));
    expect(cancelled).toMatchObject({ taskId, status: "cancelled" });
    await seen.until("aborted");
    expect(errorOf(await waiting)).toMatchObject({ code: -32602 });
    resolve("late");
    for (const process of [one, two, three]) {
      expect(await get(at(process, session), taskId)).toMatchObject({ status: "cancelled" });
      const again = await at(process, session).ask(ask(5, "tasks/cancel", { taskId }));
      expect(errorOf(again)).toMatchObject({ code: -32602, message: "The task is already cancelled." });
    }
  });

  it("has one end when it is cancelled at the moment it completes", async () => {
    for (let round = 0; round < 20; round++) {
      const { promise, resolve } = later<string>();
      const [one, two, three] = startThree(revision, () => promise);
      const session = await open(one);
      const taskId = await start(session);
      const cancelling = at(two, session).ask(ask(4, "tasks/cancel", { taskId }));
      resolve("done");
      await cancelling;
      await at(three, session).ask(ask(3, "tasks/result", { taskId }));
      const views = [];
      for (const process of [one, two, three])
        views.push((await get(at(process, session), taskId))["status"]);
      const isCancelled = "result" in (await cancelling);
      expect(views).toEqual(Array.from({ length: 3 }, () => (isCancelled ? "cancelled" : "completed")));
    }
  });

  it("belongs to its principal, in each process", async () => {
    const [one, two] = startThree(revision, () => "ok", { list: true });
    const ada = await open(one);
    const taskId = await start(ada);
    const [eve, again] = [await open(two, {}, "eve"), await open(two)];
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      expect(errorOf(await eve.ask(ask(3, method, { taskId })))).toMatchObject({ code: -32602 });
    expect(resultOf(await eve.ask(ask(4, "tasks/list")))["tasks"]).toEqual([]);
    expect(resultOf(await again.ask(ask(5, "tasks/list")))["tasks"]).toMatchObject([{ taskId }]);
    expect(await get(again, taskId)).toMatchObject({ taskId });
  });

  it("is listed in each process, and makes room for another once it has ended", async () => {
    const ends: ((text: string) => void)[] = [];
    const work = (): Promise<string> => new Promise((resolve) => ends.push(resolve));
    const processes = startThree(revision, work, { list: true, limits: { requesterTasks: 3 } });
    const session = await open(processes[0]);
    const ids: string[] = [];
    for (const process of processes) ids.push(await start(at(process, session)));
    const list = async (): Promise<unknown[]> => {
      const answer = await at(processes[1], session).ask(ask(5, "tasks/list"));
      return (resultOf(answer)["tasks"] as Json[]).map(({ taskId }) => taskId);
    };
    expect(await list()).toEqual(ids);
    const call = ask(6, "tools/call", { name: "work", arguments: {}, task: {} });
    expect(errorOf(await at(processes[2], session).ask(call))).toMatchObject({ message: "Too many tasks." });
    ends[0]?.("done");
    await at(processes[1], session).ask(ask(7, "tasks/result", { taskId: ids[0] }));
    const next = await start(at(processes[2], session));
    expect(await list()).toEqual([ids[1], ids[2], next]);
    ends.forEach((end) => end("done"));
  });

  it("asks the client on the stream of a request for its result in any process, and takes the answer in any", async () => {
    const [one, two, three] = startThree(revision, async (_, { request }) => {
      const answers = [];
      for (const name of ["flour", "oven"]) answers.push(await request("elicitation/create", form(name)));
      return JSON.stringify(answers);
    });
    const session = await open(one, { elicitation: { form: {} } });
    const taskId = await start(session);
    const stream = await at(two, session).post(ask(3, "tasks/result", { taskId }));
    for (const name of ["flour", "oven"]) {
      const question = await stream.message();
      expect(question).toMatchObject({ method: "elicitation/create", params: { message: name } });
      expect(question["params"]).toMatchObject({ _meta: { [related]: { taskId } } });
      expect(await get(at(one, session), taskId)).toMatchObject({ status: "input_required" });
      const result = filled(name, "yes");
      await at(three, session).post({ jsonrpc: "2.0", id: question["id"], result });
    }
    const answers = JSON.parse(textOf(resultOf(await stream.message()))) as unknown;
    expect(answers).toMatchObject([filled("flour", "yes"), filled("oven", "yes")]);
  });

  it("asks again on the next stream if the client has left the first one", async () => {
    const [one, two, three] = startThree(revision, async (_, { request }) =>
      JSON.stringify(await request("elicitation/create", form("flour"))),
    );
    const session = await open(one, { elicitation: { form: {} } });
    const taskId = await start(session);
    const left = await at(two, session).post(ask(3, "tasks/result", { taskId }));
    expect(await left.message()).toMatchObject({ method: "elicitation/create" });
    await at(two, session).post({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 3 },
    });
    const stream = await at(three, session).post(ask(4, "tasks/result", { taskId }));
    const question = await stream.message();
    await at(one, session).post({ jsonrpc: "2.0", id: question["id"], result: filled("flour", "yes") });
    expect(textOf(resultOf(await stream.message()))).toContain("flour");
  });

  it("rejects the question in the handler with the error of the client", async () => {
    const [one, two] = startThree(revision, async (_, { request }) => {
      const error = await request("elicitation/create", form("flour")).catch((reason: unknown) => reason);
      return String((error as Error).message);
    });
    const session = await open(one, { elicitation: { form: {} } });
    const taskId = await start(session);
    const stream = await at(two, session).post(ask(3, "tasks/result", { taskId }));
    const { id } = await stream.message();
    await at(two, session).post({ jsonrpc: "2.0", id, error: { code: -1, message: "No person is here." } });
    expect(textOf(resultOf(await stream.message()))).toContain("No person is here.");
  });

  it("fails in all other processes when its own has stopped, and may have run", async () => {
    const [one, two, three] = startThree(revision, () => new Promise(() => {}), { list: true });
    const session = await open(one);
    const taskId = await start(session);
    const waiting = at(two, session).ask(ask(3, "tasks/result", { taskId }));
    await get(at(two, session), taskId);
    await one.close();
    expect(errorOf(await waiting)).toMatchObject({
      code: -32603,
      message: "The process that ran the task has stopped.",
      data: { reason: "process-lost", mayHaveRun: true },
    });
    expect(await get(at(three, session), taskId)).toMatchObject({
      status: "failed",
      statusMessage: "The process that ran the task has stopped.",
    });
  });

  it("runs again where it is asked for if its tool allows it, with what `once` and questions have returned", async () => {
    const seen = watch();
    const { promise, resolve } = later<string>();
    const options = { restart: true, store: memorySharedStore() };
    const processes = ["one", "two", "three"].map((name) =>
      startProcess(
        revision,
        async (_, { once, request }) => {
          seen.saw(name);
          const mill = await once("mill", () => `milled by ${name}`);
          const answer = await request("elicitation/create", form("flour"));
          const oven = await once("oven", () => `heated by ${name}`);
          seen.saw("ready");
          await (name === "one" ? new Promise(() => {}) : promise);
          return JSON.stringify([mill, answer, oven, await once("bread", () => `baked by ${name}`)]);
        },
        options,
      ),
    );
    const [one, two, three] = processes as [Open, Open, Open];
    const session = await open(one, { elicitation: { form: {} } });
    const taskId = await start(session);
    const stream = await at(two, session).post(ask(3, "tasks/result", { taskId }));
    const { id } = await stream.message();
    await at(three, session).post({ jsonrpc: "2.0", id, result: filled("flour", "yes") });
    await seen.until("ready");
    await get(at(three, session), taskId);
    await one.close();
    // The process that waits for the result runs it, and no other one does.
    await seen.until("ready", 2);
    expect(await get(at(three, session), taskId)).toMatchObject({ status: "working" });
    expect(seen.events).toEqual(["one", "ready", "two", "ready"]);
    resolve("now");
    expect(JSON.parse(textOf(resultOf(await stream.message())))).toEqual([
      "milled by one",
      filled("flour", "yes"),
      "heated by one",
      "baked by two",
    ]);
    expect(await get(at(three, session), taskId)).toMatchObject({ status: "completed" });
  });

  it("runs again in one of two processes that are asked at once, for its principal only", async () => {
    const runs: string[] = [];
    const store = memorySharedStore();
    const work = (): Promise<never> => {
      runs.push("run");
      return new Promise(() => {});
    };
    const [one, two, three] = startThree(revision, work, { store, restart: true });
    const session = await open(one);
    const eve = await open(two, {}, "eve");
    const taskId = await start(session);
    await get(at(two, session), taskId);
    await get(at(three, session), taskId);
    await one.close();
    expect(errorOf(await eve.ask(ask(3, "tasks/get", { taskId })))).toMatchObject({ code: -32602 });
    await turns(20);
    expect(runs).toEqual(["run"]);
    const views = await Promise.all([get(at(two, session), taskId), get(at(three, session), taskId)]);
    expect(views).toMatchObject([{ status: "working" }, { status: "working" }]);
    await turns(20);
    expect(runs).toEqual(["run", "run"]);
  });

  it("is aborted in a process that was cut off, once another one runs it, and ends as that one says", async () => {
    const [clock, engine] = [new VirtualClock(), memorySharedStore()];
    const frozen = stoppable(engine);
    const ends = new Map<string, (text: string) => void>();
    const aborted: string[] = [];
    /** Lets time pass no faster than entries of the bus are encrypted. */
    const pass = async (): Promise<void> => {
      await clock.pass(500);
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const begin = (name: string, store: SharedStore): Open =>
      startProcess(
        revision,
        (_, { signal }) => {
          signal.addEventListener("abort", () => aborted.push(name));
          return new Promise((resolve) => ends.set(name, resolve));
        },
        { store, clock, restart: true },
      );
    const one = begin("one", { ...frozen, follow: engine.follow });
    const [two, three] = [begin("two", engine), begin("three", engine)];
    const session = await open(one);
    const taskId = await start(session);
    frozen.stop();
    while (!ends.has("two")) {
      await pass();
      await get(at(two, session), taskId);
    }
    frozen.start();
    engine.interrupt();
    while (aborted.length === 0) await pass();
    ends.get("one")?.("late");
    await turns(20);
    expect(await get(at(three, session), taskId)).toMatchObject({ status: "working" });
    ends.get("two")?.("now");
    const result = await at(three, session).ask(ask(3, "tasks/result", { taskId }));
    expect(result).toMatchObject({ result: { content: [{ text: "now" }] } });
    expect(aborted).toEqual(["one"]);
    const closed = new Set<Open>();
    for (const process of [one, two, three]) void process.close().then(() => closed.add(process));
    while (closed.size < 3) await pass();
    for (const process of closed) opened.delete(process);
  });

  it("is not taken for one without a process while its process stores it", async () => {
    const store = memorySharedStore();
    const [stored, go] = [later<void>(), later<void>()];
    let holds = 1;
    const put: SharedStore["put"] = async (key, ...args) => {
      const isDone = await store.put(key, ...args);
      if (!key.startsWith("tasks/") || holds-- <= 0) return isDone;
      stored.resolve();
      await go.promise;
      return isDone;
    };
    const one = startProcess(revision, () => "done", { list: true, store: { ...store, put } });
    const session = await open(one);
    const starting = start(session);
    await stored.promise;
    const listed = await session.ask(ask(3, "tasks/list"));
    expect(resultOf(listed)["tasks"]).toMatchObject([{ status: "working" }]);
    go.resolve();
    const result = await session.ask(ask(4, "tasks/result", { taskId: await starting }));
    expect(textOf(resultOf(result))).toBe("done");
  });

  it("is aborted once it is cancelled elsewhere, also if the store did not answer its process at first", async () => {
    const seen = watch();
    const store = memorySharedStore();
    let isAway = false;
    const get: SharedStore["get"] = (key) =>
      isAway ? Promise.reject(new Error("The engine is away.")) : store.get(key);
    const work: Work = (_, { signal }) => {
      signal.addEventListener("abort", () => seen.saw("aborted"));
      return new Promise(() => {});
    };
    const one = startProcess(revision, work, { store: { ...store, get } });
    const two = startProcess(revision, work, { store });
    const session = await open(one);
    const taskId = await start(session);
    isAway = true;
    resultOf(await at(two, session).ask(ask(4, "tasks/cancel", { taskId })));
    await turns(20);
    expect(seen.events).toEqual([]);
    isAway = false;
    await seen.until("aborted");
  });

  it("runs again although the store did not say that it has a new process", async () => {
    const store = memorySharedStore();
    const runs: string[] = [];
    const { promise, resolve } = later<string>();
    const begin = (name: string, put: SharedStore["put"]): Open =>
      startProcess(revision, () => (runs.push(name), promise), { restart: true, store: { ...store, put } });
    let failures = 1;
    const one = begin("one", store.put);
    const two = begin("two", async (key, ...args) => {
      const isDone = await store.put(key, ...args);
      if (key.startsWith("tasks/") && failures-- > 0) throw new Error("The engine did not answer.");
      return isDone;
    });
    const three = begin("three", store.put);
    const session = await open(one);
    const taskId = await start(session);
    for (const process of [two, three]) await get(at(process, session), taskId);
    await one.close();
    errorOf(await at(two, session).ask(ask(3, "tasks/get", { taskId })));
    await until(() => runs.length === 2);
    resolve("done");
    const result = await at(three, session).ask(ask(4, "tasks/result", { taskId }));
    expect(textOf(resultOf(result))).toBe("done");
    expect(runs).toEqual(["one", "two"]);
  });

  it("runs in three processes at most, one after the other", async () => {
    let runs = 0;
    const store = memorySharedStore();
    const work = (): Promise<never> => {
      runs++;
      return new Promise(() => {});
    };
    const processes = Array.from({ length: 4 }, () => startProcess(revision, work, { store, restart: true }));
    const [first, ...others] = processes as [Open, ...Open[]];
    const session = await open(first);
    const taskId = await start(session);
    for (const process of others) await get(at(process, session), taskId);
    const states: unknown[] = [];
    for (const [index, process] of others.entries()) {
      await processes[index]?.close();
      states.push((await get(at(process, session), taskId))["status"]);
      await turns(20);
    }
    expect(states).toEqual(["working", "working", "failed"]);
    expect(runs).toBe(3);
  });

  it("is answered with status 503 while the engine does not answer, and keeps its end until it does", async () => {
    const store = stoppable();
    const errors: string[] = [];
    const { promise, resolve } = later<string>();
    const onError = (error: Error): void => void errors.push(error.message);
    const [one, two] = startThree(revision, () => promise, { store, onError });
    const session = await open(one);
    const taskId = await start(session);
    await get(at(two, session), taskId);
    store.stop();
    const call = ask(6, "tools/call", { name: "work", arguments: {}, task: {} });
    for (const message of [call, ask(2, "tasks/get", { taskId }), ask(3, "tasks/cancel", { taskId })])
      await expectOutage(await session.post(message));
    resolve("kept");
    await until(() => errors.length > 0);
    store.start();
    const result = await at(two, session).ask(ask(7, "tasks/result", { taskId }));
    expect(textOf(resultOf(result))).toBe("kept");
  });

  it("is started only once the other processes hear its own, which they would take for a stopped one", async () => {
    const store = memorySharedStore();
    let isDeaf = true;
    const append: SharedStore["append"] = (...args) =>
      isDeaf ? Promise.reject(new Error("This user may not append.")) : store.append(...args);
    const one = startProcess(revision, () => "ok", { store: { ...store, append } });
    const session = await open(one);
    const call = ask(1, "tools/call", { name: "work", arguments: {}, task: {} });
    await expectOutage(await session.post(call));
    isDeaf = false;
    const taskId = await start(session);
    expect(await get(session, taskId)).toHaveProperty("status");
  });

  it("keeps its end although the clock of its process goes ahead of its whole time", async () => {
    const { promise, resolve } = later<string>();
    const [one, two] = startThree(revision, () => promise);
    const session = await open(one);
    const taskId = await start(session, { ttl: 600_000 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 660_000 });
    resolve("kept");
    await until(async () => (await get(session, taskId))["status"] === "completed");
    vi.useRealTimers();
    const result = await at(two, session).ask(ask(3, "tasks/result", { taskId }));
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
    const session = await open(one);
    const taskId = await start(session);
    await session.ask(ask(3, "tasks/result", { taskId }));
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.join("\n")).not.toMatch(new RegExp(`planted|working|ada|${taskId}`));
  });

  it("is not offered by a cluster without a store, in which no other process could read it", async () => {
    const one = startProcess(revision, () => "ok", {});
    const session = await open(one);
    const { capabilities } = resultOf(await session.opening.json());
    expect(capabilities).not.toHaveProperty("tasks");
    expect(errorOf(await session.ask(ask(2, "tasks/get", { taskId: "1" })))).toMatchObject({ code: -32601 });
  });
});

describe(`a task of a cluster at ${tasked.revision}, by the extension`, () => {
  const capabilities: Json = { ...declared, elicitation: { form: {} } };
  const post = (process: Open, method: string, params: Json, authorization = "ada"): Promise<Answer> =>
    process.send(modernPost(tasked, ask(1, method, params), { capabilities, headers: { authorization } }));
  const send = async (...args: Parameters<typeof post>): Promise<Json> => (await post(...args)).json();
  const start = async (process: Open): Promise<string> => {
    const result = resultOf(await send(process, "tools/call", { name: "work", arguments: {} }));
    expect(result).toMatchObject({ resultType: "task", status: "working" });
    return String(result["taskId"]);
  };
  const settled = async (process: Open, taskId: string, ...statuses: string[]): Promise<Json> => {
    for (;;) {
      const task = resultOf(await send(process, "tasks/get", { taskId }));
      if (statuses.includes(String(task["status"]))) return task;
      await turns(5);
    }
  };

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
    const wrong = { first: { action: "accept", content: {} }, other: {}, constructor: {} };
    resultOf(await send(three, "tasks/update", { taskId, inputResponses: wrong }));
    resultOf(
      await send(three, "tasks/update", { taskId, inputResponses: { first: filled("flour", "yes") } }),
    );
    let key = "first";
    while (key === "first") {
      const task = await settled(two, taskId, "input_required");
      [key = "first"] = Object.keys(task["inputRequests"] as Json);
    }
    resultOf(await send(two, "tasks/update", { taskId, inputResponses: { [key]: filled("oven", "no") } }));
    const { result } = await settled(three, taskId, "completed");
    expect(JSON.parse(textOf(result as Json))).toEqual([filled("flour", "yes"), filled("oven", "no")]);
  });

  it("is cancelled by another process, and only by its principal", async () => {
    const seen = watch();
    const [one, two, three] = startThree(tasked, (_, { signal }) => {
      signal.addEventListener("abort", () => seen.saw("aborted"));
      return new Promise(() => {});
    });
    const taskId = await start(one);
    expect(errorOf(await send(two, "tasks/cancel", { taskId }, "eve"))).toMatchObject({ code: -32602 });
    resultOf(await send(two, "tasks/cancel", { taskId }));
    await seen.until("aborted");
    for (const process of [one, two, three])
      expect(resultOf(await send(process, "tasks/get", { taskId }))).toMatchObject({ status: "cancelled" });
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
      await send(three, "tasks/update", { taskId, inputResponses: { [key]: filled("flour", "yes") } }),
    );
    await seen.until("ready");
    await settled(three, taskId, "working");
    await one.close();
    const { result } = await settled(three, taskId, "completed");
    expect(JSON.parse(textOf(result as Json))).toEqual([filled("flour", "yes"), 0]);
    const { tools: listed } = resultOf(await send(two, "tools/list", {}));
    expect((listed as Json[])[0]).not.toHaveProperty("restart");
  });

  it("XTASK-11 is told to a listener at another process, of its principal only", async () => {
    const { promise, resolve } = later<string>();
    const [one, two, three] = startThree(tasked, () => promise);
    const taskId = await start(one);
    const listen = (process: Open, principal: string): Promise<Answer> =>
      post(process, "subscriptions/listen", { notifications: { taskIds: [taskId, "none"] } }, principal);
    const [ada, eve] = [await listen(two, "ada"), await listen(three, "eve")];
    expect(await ada.message()).toMatchObject({ params: { notifications: { taskIds: [taskId] } } });
    expect(await eve.message()).toMatchObject({ params: { notifications: { taskIds: [] } } });
    resolve("A loaf");
    expect(await ada.message()).toMatchObject({
      method: "notifications/tasks",
      params: { taskId, status: "completed", result: { content: [{ type: "text", text: "A loaf" }] } },
    });
    await three.close();
    expect(await eve.message()).toMatchObject({ result: { resultType: "complete" } });
  });

  it("is answered with status 503 while the engine does not answer", async () => {
    const store = stoppable();
    const [one, two] = startThree(tasked, () => new Promise(() => {}), { store });
    const taskId = await start(one);
    store.stop();
    await expectOutage(await post(one, "tools/call", { name: "work", arguments: {} }));
    for (const method of ["tasks/get", "tasks/cancel"])
      await expectOutage(await post(two, method, { taskId }));
    await expectOutage(await post(two, "subscriptions/listen", { notifications: { taskIds: [taskId] } }));
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
