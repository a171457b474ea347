import type { SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { call, tell } from "../http/kit/messages.js";
import { stuck } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { errorOf, type Json, resultOf, text, textOf } from "../kit/index.js";
import { until, watch } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  deep,
  latest,
  type Process,
  processes,
} from "./kit.js";

closingProcesses();

describe("a cluster with a store", () => {
  it("asks a client, and takes its answer at any process, from the session that was asked", async () => {
    const { all, up } = processes(3);
    const capabilities = { roots: {} };
    const [ada, bob] = [
      await Session.start(up, latest, capabilities),
      await Session.start(up, latest, capabilities),
    ];
    const stream = await at(all[0], ada).post(call(1, "roots"));
    const question = await stream.message();
    expect(question["method"]).toBe("roots/list");
    expect(question["id"]).toBe(
      `${all[0].name}/${String(question["id"]).split("/")[1]}`,
    );
    const answer = (uri: string): Json => ({
      jsonrpc: "2.0",
      id: question["id"],
      result: { roots: [{ uri }] },
    });
    expect((await at(all[1], bob).post(answer("file:///stolen"))).status).toBe(
      202,
    );
    expect((await at(all[0], bob).post(answer("file:///stolen"))).status).toBe(
      202,
    );
    expect((await at(all[1], ada).post(answer("file:///own"))).status).toBe(
      202,
    );
    expect((await at(all[2], ada).post(answer("file:///late"))).status).toBe(
      202,
    );
    expect(textOf(resultOf(await stream.message()))).toBe("file:///own");
  });

  it("answers many questions at once, each with its own answer", async () => {
    const { all, up } = processes(3, {
      tools: {
        name: async (_, { request }) => {
          const { roots } = await request("roots/list");
          return text((roots as Json[]).map(({ uri }) => uri).join());
        },
      },
    });
    const session = await Session.start(up, latest, { roots: {} });
    const work = Array.from({ length: 30 }, async (_, id) => {
      const stream = await at(all[id % 3] as Process, session).post(
        call(id, "name"),
      );
      const question = await stream.message();
      const uri = `file:///${id}`;
      await at(all[(id + 1) % 3] as Process, session).post({
        jsonrpc: "2.0",
        id: question["id"],
        result: { roots: [{ uri }] },
      });
      expect(textOf(resultOf(await stream.message()))).toBe(uri);
    });
    await Promise.all(work);
  });

  it("fails a question at once whose answer is too long for another process", async () => {
    const { all, up } = processes(2);
    const session = await Session.start(up, latest, { roots: {} });
    const stream = await at(all[0], session).post(call(1, "roots"));
    const { id } = await stream.message();
    const roots = [{ uri: `file:///${"x".repeat(1_000_000)}` }];
    await at(all[1], session).post({ jsonrpc: "2.0", id, result: { roots } });
    expect(errorOf(await stream.message())["message"]).toContain(
      "too long for another process",
    );
  });

  it("ends a call at once whose question got an answer that is nested too deeply to be written", async () => {
    const { all } = processes(2);
    const session = await Session.start(all[0], latest, { roots: {} });
    const stream = await at(all[0], session).post(call(1, "roots"));
    const { id } = await stream.message();
    const body = `{"jsonrpc":"2.0","id":"${String(id)}","result":{"roots":[],"deep":${deep}}}`;
    expect((await at(all[1], session).send({ body })).status).toBe(202);
    expect((await stream.message())["id"]).toBe(1);
  });

  it("SESS-08 keeps the answer of a session from what others send, until the process that asked reads it", async () => {
    const { start, store } = processes(0);
    let lost = (): void => {};
    let isStored = false;
    const deaf: SharedStore = {
      ...store,
      async follow(_log, _receive, onLost) {
        lost = onLost;
        return () => {};
      },
    };
    const put: SharedStore["put"] = async (key, ...args) => {
      const isDone = await store.put(key, ...args);
      isStored ||= key.startsWith("answer/");
      return isDone;
    };
    const asking = start({ cluster: { store: deaf } });
    const other = start({ cluster: { store: { ...store, put } } });
    const capabilities = { roots: {} };
    const ada = await Session.start(asking, latest, capabilities);
    const bob = await Session.start(other, latest, capabilities);
    const stream = await ada.post(call(1, "roots"));
    const { id } = await stream.message();
    const answer = (uri: string): Json => ({
      jsonrpc: "2.0",
      id,
      result: { roots: [{ uri }] },
    });
    await at(other, ada).post(answer("file:///own"));
    await bob.post(answer("file:///stolen"));
    await until(() => isStored);
    lost();
    expect(textOf(resultOf(await stream.message()))).toBe("file:///own");
  });

  it("CANC-03 cancels a call that runs at another process", async () => {
    const seen = watch();
    const { all } = processes(2, { tools: stuck(seen) });
    const session = await Session.start(all[0], latest);
    const stream = await at(all[0], session).post(
      call(1, "stuck", {}, { progressToken: 1 }),
    );
    await seen.until("begun");
    await at(all[1], session).post(
      tell("notifications/cancelled", { requestId: 1 }),
    );
    await seen.until("aborted");
    stream.leave();
  });
});
