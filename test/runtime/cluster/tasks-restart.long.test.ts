import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask } from "../http/kit/messages.js";
import type { Open } from "../http/kit/server.js";
import { errorOf, resultOf, textOf, turns } from "../kit/index.js";
import { pause } from "../../../src/common/timing.js";
import { gate, until, watch } from "../kit/watch.js";
import { filled, form, withTasks } from "../tasks/kit.js";
import { at, closingProcesses, VirtualClock } from "./kit.js";
import {
  callsAt,
  startTaskProcess,
  startThree,
  stoppable,
  type Work,
} from "./tasks.kit.js";

closingProcesses();
afterEach(() => void vi.useRealTimers());

describe.each(withTasks)(
  "a task of a cluster at $revision whose process stops",
  (revision) => {
    const { get, open, start } = callsAt(revision);

    it("fails in all other processes when its own has stopped, and may have run", async () => {
      const [one, two, three] = startThree(
        revision,
        () => new Promise(() => {}),
        { list: true },
      );
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

    it("is aborted before other processes learn that its own stops", async () => {
      const seen = watch();
      const work: Work = (_, { signal }) =>
        new Promise(() =>
          signal.addEventListener("abort", () => seen.saw("aborted")),
        );
      const [one, two] = startThree(revision, work);
      const session = await open(one);
      const taskId = await start(session);
      await get(at(two, session), taskId);
      await one.close();
      expect(seen.events).toEqual(["aborted"]);
      expect(await get(at(two, session), taskId)).toMatchObject({
        status: "failed",
      });
    });

    it("keeps its process from ending no longer than a moment, although the store does not take its end", async () => {
      const store = stoppable();
      let attempts = 0;
      const counted = {
        ...store,
        get: (key: string) => (attempts++, store.get(key)),
      };
      const seen = watch();
      const { ended: promise, end: resolve } = gate<string>();
      const onError = (): void => seen.saw("error");
      const process = startTaskProcess(revision, () => promise, {
        store: counted,
        onError,
      });
      await start(await open(process));
      store.stop();
      resolve("too late");
      await seen.until("error");
      await process.close();
      const before = attempts;
      // Longer than the wait before the store is asked again.
      await pause(600);
      expect(attempts).toBe(before);
    });

    it("runs again in one other process if its tool allows it, with what `once` and questions have returned", async () => {
      const seen = watch();
      const { ended: promise, end: resolve } = gate<string>();
      const options = { restart: true, store: memorySharedStore() };
      const processes: Open[] = ["one", "two", "three"].map((name) =>
        startTaskProcess(
          revision,
          async (_, { once, request }) => {
            seen.saw(name);
            const mill = await once("mill", () => `milled by ${name}`);
            const answer = await request("elicitation/create", form("flour"));
            const oven = await once("oven", () => `heated by ${name}`);
            seen.saw("ready");
            await (name === "one" ? new Promise(() => {}) : promise);
            return JSON.stringify([
              mill,
              answer,
              oven,
              await once("bread", () => `baked by ${name}`),
            ]);
          },
          options,
        ),
      );
      const [one, two, three] = processes as [Open, Open, Open];
      const session = await open(one, { elicitation: { form: {} } });
      const taskId = await start(session);
      const stream = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      const { id } = await stream.message();
      await at(three, session).post({
        jsonrpc: "2.0",
        id,
        result: filled("flour", "yes"),
      });
      await seen.until("ready");
      await get(at(three, session), taskId);
      await one.close();
      await seen.until("ready", 2);
      expect(await get(at(three, session), taskId)).toMatchObject({
        status: "working",
      });
      const [, , other] = seen.events;
      expect(["two", "three"]).toContain(other);
      expect(seen.events).toEqual(["one", "ready", other, "ready"]);
      resolve("now");
      expect(JSON.parse(textOf(resultOf(await stream.message())))).toEqual([
        "milled by one",
        filled("flour", "yes"),
        "heated by one",
        `baked by ${String(other)}`,
      ]);
      expect(await get(at(three, session), taskId)).toMatchObject({
        status: "completed",
      });
    });

    it("runs again in one of two processes that are asked at once, for its principal only", async () => {
      const runs: string[] = [];
      const store = memorySharedStore();
      const work = (): Promise<never> => {
        runs.push("run");
        return new Promise(() => {});
      };
      const [one, two, three] = startThree(revision, work, {
        store,
        restart: true,
      });
      const session = await open(one);
      const eve = await open(two, {}, "eve");
      const taskId = await start(session);
      await get(at(two, session), taskId);
      await get(at(three, session), taskId);
      await one.close();
      expect(
        errorOf(await eve.ask(ask(3, "tasks/get", { taskId }))),
      ).toMatchObject({ code: -32602 });
      const views = await Promise.all([
        get(at(two, session), taskId),
        get(at(three, session), taskId),
      ]);
      expect(views).toMatchObject([
        { status: "working" },
        { status: "working" },
      ]);
      await until(() => runs.length > 1);
      await turns(20);
      expect(runs).toEqual(["run", "run"]);
    });

    it("runs again once in a process that is asked for it several times while the store is slow", async () => {
      const store = memorySharedStore();
      const runs: string[] = [];
      const [may, isStored, isDone] = [
        gate<void>(),
        gate<void>(),
        gate<void>(),
      ];
      let [reads, puts] = [0, 0];
      const read: SharedStore["get"] = (key) => {
        if (key.startsWith("tasks/")) reads++;
        return store.get(key);
      };
      const begin = (name: string, put: SharedStore["put"]): Open =>
        startTaskProcess(
          revision,
          () => (runs.push(name), new Promise(() => {})),
          {
            restart: true,
            store: { ...store, get: read, put },
          },
        );
      const one = begin("one", store.put);
      const two = begin("two", async (key, ...args) => {
        const count = key.startsWith("tasks/") ? ++puts : 0;
        await [undefined, may.ended, isStored.ended][count];
        const isPut = await store.put(key, ...args);
        if (count !== 1) return isPut;
        isStored.end();
        await isDone.ended;
        return isPut;
      });
      const session = await open(one);
      const taskId = await start(session);
      await get(at(two, session), taskId);
      await one.close();
      reads = 0;
      const askWith = (id: number): Promise<unknown> =>
        at(two, session).ask(ask(id, "tasks/get", { taskId }));
      const asking = [askWith(11), askWith(12)];
      await until(() => reads > 2 && puts > 0);
      may.end();
      await turns(100);
      asking.push(askWith(13));
      await turns(100);
      isDone.end();
      await Promise.all(asking);
      await turns(20);
      expect(runs).toEqual(["one", "two"]);
    });

    it("is cancelled for good although its process has stopped", async () => {
      const signals: AbortSignal[] = [];
      const work: Work = (_, { signal }) => (
        signals.push(signal),
        new Promise(() => {})
      );
      const [one, two] = startThree(revision, work, { restart: true });
      const session = await open(one);
      const taskId = await start(session);
      await get(at(two, session), taskId);
      await one.close();
      const cancelled = await at(two, session).ask(
        ask(3, "tasks/cancel", { taskId }),
      );
      expect(resultOf(cancelled)).toMatchObject({ status: "cancelled" });
      await until(() => signals.every(({ aborted }) => aborted));
      await turns(20);
      expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
      expect(await get(at(two, session), taskId)).toMatchObject({
        status: "cancelled",
      });
    });

    it("does not run again once its time is over", async () => {
      let runs = 0;
      const work = (): Promise<never> => {
        runs++;
        return new Promise(() => {});
      };
      const [one, two] = startThree(revision, work, { restart: true });
      const session = await open(one);
      const taskId = await start(session, { ttl: 60_000 });
      await get(at(two, session), taskId);
      await one.close();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
      const answer = await at(two, session).ask(
        ask(3, "tasks/get", { taskId }),
      );
      expect(errorOf(answer)).toMatchObject({ code: -32602 });
      await turns(20);
      expect(runs).toBe(1);
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
        startTaskProcess(
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
      expect(await get(at(three, session), taskId)).toMatchObject({
        status: "working",
      });
      ends.get("two")?.("now");
      const result = await at(three, session).ask(
        ask(3, "tasks/result", { taskId }),
      );
      expect(result).toMatchObject({ result: { content: [{ text: "now" }] } });
      expect(aborted).toEqual(["one"]);
    });

    it("begins no further step in a process that was cut off, once the store has refused to save the step before", async () => {
      const [clock, engine] = [new VirtualClock(), memorySharedStore()];
      const seen = watch();
      const { ended: promise, end: resolve } = gate<string>();
      let isCutOff = false;
      const cutOff: SharedStore = {
        ...engine,
        append: (...args) =>
          isCutOff
            ? Promise.reject(new Error("cut off"))
            : engine.append(...args),
        follow: (log, receive, lost) =>
          engine.follow(log, (entry) => isCutOff || receive(entry), lost),
      };
      const begin = (name: string, store: SharedStore): Open =>
        startTaskProcess(
          revision,
          async (_, { once }) => {
            const wait =
              name === "one" ? promise : new Promise<never>(() => {});
            await once(
              "first",
              () => (seen.saw(`${name} begins the first step`), wait),
            ).catch(() => {
              seen.saw(`${name} cannot save it`);
              return wait.then(() => Promise.reject(new Error("no more")));
            });
            await once("second", () =>
              seen.saw(`${name} begins the second step`),
            );
          },
          { store, clock, restart: true, onError: () => {} },
        );
      const [one, two] = [begin("one", cutOff), begin("two", engine)];
      const session = await open(one);
      const taskId = await start(session);
      await seen.until("one begins the first step");
      isCutOff = true;
      while (!seen.events.includes("two begins the first step")) {
        await clock.pass(500);
        await new Promise((done) => setTimeout(done, 5));
        await get(at(two, session), taskId);
      }
      resolve("late");
      await seen.until("one cannot save it");
      await turns(20);
      expect(seen.events).not.toContain("one begins the second step");
      isCutOff = false;
    });

    it("runs again although the store did not say that it has a new process", async () => {
      const store = memorySharedStore();
      const runs: string[] = [];
      const { ended: promise, end: resolve } = gate<string>();
      const begin = (name: string, put: SharedStore["put"]): Open =>
        startTaskProcess(revision, () => (runs.push(name), promise), {
          restart: true,
          store: { ...store, put },
        });
      let failures = 1;
      const one = begin("one", store.put);
      const two = begin("two", async (key, ...args) => {
        const isDone = await store.put(key, ...args);
        if (key.startsWith("tasks/") && failures-- > 0)
          throw new Error("The engine did not answer.");
        return isDone;
      });
      const three = begin("three", store.put);
      const session = await open(one);
      const taskId = await start(session);
      for (const process of [two, three])
        await get(at(process, session), taskId);
      await one.close();
      errorOf(await at(two, session).ask(ask(3, "tasks/get", { taskId })));
      await until(() => runs.length === 2);
      resolve("done");
      const result = await at(three, session).ask(
        ask(4, "tasks/result", { taskId }),
      );
      expect(textOf(resultOf(result))).toBe("done");
      expect(runs).toEqual(["one", "two"]);
    });
  },
);
