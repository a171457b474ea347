import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask } from "../http/kit/messages.js";
import type { Open } from "../http/kit/server.js";
import { type Json, resultOf, textOf } from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import { declared, tasked } from "../tasks/extension/extended.js";
import { filled, form, withTasks } from "../tasks/kit.js";
import { at, closingProcesses } from "./kit.js";
import {
  callsAt,
  callsByExtension,
  startTaskProcess,
  startThree,
  stoppable,
  type Work,
} from "./tasks.kit.js";

closingProcesses();

describe.each(withTasks)(
  "an answer to a task of a cluster at $revision",
  (revision) => {
    const { get, open, start } = callsAt(revision);
    const client: Json = { elicitation: { form: {} } };

    it("is stored although the store refuses it at first", async () => {
      const store = memorySharedStore();
      let refusals = 0;
      const put: SharedStore["put"] = async (key, ...args) => {
        if (key.startsWith("tasks/") && refusals-- > 0)
          throw new Error("The engine did not answer.");
        return store.put(key, ...args);
      };
      const work: Work = async (_, { request }) =>
        JSON.stringify(await request("elicitation/create", form("flour")));
      const one = startTaskProcess(revision, work, { store });
      const two = startTaskProcess(revision, work, {
        store: { ...store, put },
        onError: () => {},
      });
      const session = await open(one, client);
      const taskId = await start(session);
      const stream = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      const { id } = await stream.message();
      refusals = 1;
      await at(two, session).post({
        jsonrpc: "2.0",
        id,
        result: filled("flour", "yes"),
      });
      expect(textOf(resultOf(await stream.message()))).toContain("yes");
    });

    it("is taken by the next process if the one that asked has stopped", async () => {
      const processes = startThree(
        revision,
        async (_, { request }) =>
          JSON.stringify(await request("elicitation/create", form("flour"))),
        { restart: true },
      );
      const [one, two, three] = processes;
      const session = await open(one, client);
      const taskId = await start(session);
      await get(at(three, session), taskId);
      const stream = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      const { id } = await stream.message();
      await one.close();
      await at(two, session).post({
        jsonrpc: "2.0",
        id,
        result: filled("flour", "yes"),
      });
      expect(textOf(resultOf(await stream.message()))).toContain("yes");
    });

    it("is waited for without more and more listeners", async () => {
      const warnings: string[] = [];
      const onWarning = ({ name }: Error): void => void warnings.push(name);
      process.on("warning", onWarning);
      const [one, two] = startThree(revision, async (_, { request }) => {
        for (let i = 0; i < 12; i++)
          await request("elicitation/create", form("flour"));
        return "done";
      });
      const session = await open(one, client);
      const taskId = await start(session);
      const stream = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      for (let i = 0; i < 12; i++) {
        const { id } = await stream.message();
        await at(two, session).post({
          jsonrpc: "2.0",
          id,
          result: filled("flour", "yes"),
        });
      }
      expect(textOf(resultOf(await stream.message()))).toBe("done");
      process.off("warning", onWarning);
      expect(warnings).not.toContain("MaxListenersExceededWarning");
    });

    it("is not kept once the handler has it", async () => {
      const store = memorySharedStore();
      let longest = 0;
      const put: SharedStore["put"] = (key, value = "", options) => {
        if (key.startsWith("tasks/")) longest = Math.max(longest, value.length);
        return store.put(key, value, options);
      };
      const [one, two] = startThree(
        revision,
        async (_, { request }) => {
          for (let i = 0; i < 8; i++)
            await request("elicitation/create", form("flour"));
          return "done";
        },
        { store: { ...store, put } },
      );
      const session = await open(one, client);
      const taskId = await start(session);
      const stream = await at(two, session).post(
        ask(3, "tasks/result", { taskId }),
      );
      for (let i = 0; i < 8; i++) {
        const { id } = await stream.message();
        const result = filled("flour", "x".repeat(30_000));
        await at(two, session).post({ jsonrpc: "2.0", id, result });
      }
      expect(textOf(resultOf(await stream.message()))).toBe("done");
      expect(longest).toBeGreaterThan(40_000);
      expect(longest).toBeLessThan(100_000);
    });
  },
);

describe(`an answer to a task of a cluster at ${tasked.revision}, by the extension`, () => {
  const { send, settled, start } = callsByExtension(tasked, {
    ...declared,
    elicitation: { form: {} },
  });
  const options = { restart: true, onError: () => {} };
  /** A process whose tool asks for one thing, once it may. */
  const begin = (
    store: SharedStore,
    name = "flour",
    before: Promise<void> = Promise.resolve(),
  ): Open =>
    startTaskProcess(
      tasked,
      async (_, { request, once }) => {
        await once("begun", () => true);
        await before;
        return JSON.stringify(await request("elicitation/create", form(name)));
      },
      { ...options, store },
    );
  /** The key of the open question. */
  const keyAt = async (process: Open, taskId: string): Promise<string> => {
    const { inputRequests } = await settled(process, taskId, "input_required");
    return Object.keys(inputRequests as Json).join();
  };
  const answer = async (
    process: Open,
    taskId: string,
    key: string,
  ): Promise<void> => {
    const inputResponses = { [key]: filled("flour", "yes") };
    resultOf(await send(process, "tasks/update", { taskId, inputResponses }));
  };
  const expectAnswered = async (
    process: Open,
    taskId: string,
  ): Promise<void> => {
    const { result } = await settled(process, taskId, "completed");
    expect(textOf(result as Json)).toContain("yes");
  };

  it("is taken if it is the first request after the process that asked has stopped", async () => {
    const store = memorySharedStore();
    const [one, two] = [begin(store), begin(store)];
    const taskId = await start(one);
    const key = await keyAt(two, taskId);
    await one.close();
    await answer(two, taskId, key);
    await expectAnswered(two, taskId);
  });

  it("is taken before the next process has asked again", async () => {
    const { ended, end } = gate<void>();
    const store = memorySharedStore();
    const [one, two] = [begin(store), begin(store, "flour", ended)];
    const taskId = await start(one);
    const key = await keyAt(two, taskId);
    await one.close();
    await settled(two, taskId, "working");
    await answer(two, taskId, key);
    end();
    await expectAnswered(two, taskId);
  });

  it("is taken by the next process if the one that asked did not learn of it", async () => {
    const store = memorySharedStore();
    const { append, follow } = store;
    const deaf = stoppable(store);
    const [one, two] = [begin({ ...deaf, append, follow }), begin(store)];
    const taskId = await start(one);
    const key = await keyAt(two, taskId);
    deaf.stop();
    await answer(two, taskId, key);
    await one.close();
    await expectAnswered(two, taskId);
  });

  it("XTASK-06 is not taken for one to another question of the next process", async () => {
    const store = memorySharedStore();
    const [one, two] = [begin(store), begin(store, "oven")];
    const taskId = await start(one);
    const key = await keyAt(two, taskId);
    await one.close();
    let next = "";
    await until(async () => (next = await keyAt(two, taskId)) !== key);
    await answer(two, taskId, key);
    expect(
      await settled(two, taskId, "completed", "input_required"),
    ).toHaveProperty(["inputRequests", next]);
  });

  it("XTASK-06 is not taken for one to another question with the same key of the author", async () => {
    const begin = (name: string): Open =>
      startTaskProcess(
        tasked,
        async (_, { request }) =>
          JSON.stringify(
            await request("elicitation/create", form(name), { key: "own" }),
          ),
        { ...options, store },
      );
    const store = memorySharedStore();
    const [one, two] = [begin("flour"), begin("oven")];
    const taskId = await start(one);
    expect(await keyAt(two, taskId)).toBe("own");
    await one.close();
    const { result } = await settled(two, taskId, "completed");
    expect(textOf(result as Json)).toBe(
      'The task has already used the key "own" for a question.',
    );
  });
});
