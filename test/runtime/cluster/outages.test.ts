import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask, hello } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { errorOf, resultOf } from "../kit/index.js";
import { until } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  processes,
  type ProcessOptions,
  subscribing,
} from "./kit.js";

closingProcesses();

describe("a cluster with a store", () => {
  it("SESS-05 answers 404 for a session that ended while the store did not answer a process", async () => {
    const { start, store } = processes(0);
    let isAway = false;
    const away: SharedStore = {
      ...store,
      get: (key) =>
        isAway
          ? Promise.reject(new Error("The engine is away."))
          : store.get(key),
    };
    const [one, two] = [start(), start({ cluster: { store: away } })];
    const [first, second] = [
      await Session.start(one, latest),
      await Session.start(one, latest),
    ];
    expect((await at(two, first).post(ask(1, "ping"))).status).toBe(200);
    isAway = true;
    for (const session of [first, second])
      expect((await session.send({ method: "DELETE" })).status).toBe(204);
    for (const session of [first, second])
      expect((await at(two, session).post(ask(2, "ping"))).status).toBe(200);
    isAway = false;
    for (const session of [first, second])
      await until(
        async () =>
          (await at(two, session).post(ask(3, "ping"))).status === 404,
      );
  });

  it("answers 503 while the store that has the sessions does not answer, and forgets none", async () => {
    const { start, store } = processes(0);
    let isAway = false;
    const check = <T>(work: () => Promise<T>): Promise<T> =>
      isAway ? Promise.reject(new Error("The engine is away.")) : work();
    const away: SharedStore = {
      ...store,
      get: (key) => check(() => store.get(key)),
      put: (...args) => check(() => store.put(...args)),
    };
    const settings = { ...subscribing, onError: () => {} };
    const options: ProcessOptions = {
      cluster: { store: away, sessions: "stored" },
      settings,
    };
    const session = await Session.start(start(options), latest);
    const other = start(options);
    isAway = true;
    expect((await at(other, session).post(ask(1, "ping"))).status).toBe(503);
    expect((await other.send({ body: hello(latest.revision) })).status).toBe(
      503,
    );
    isAway = false;
    expect((await at(other, session).post(ask(1, "ping"))).status).toBe(200);
  });

  const outage = () => {
    const inner = memorySharedStore();
    let isAway = false;
    const store = new Proxy(inner, {
      get: (target, name: keyof typeof inner) =>
        isAway
          ? () => Promise.reject(new Error("The engine is away."))
          : target[name],
    });
    const { all, up, start } = processes(2, { cluster: { store } });
    const goAway = (): void => void (isAway = true);
    const comeBack = (): void => {
      isAway = false;
      inner.interrupt();
    };
    return { all, up, start, goAway, comeBack };
  };

  it("serves calls while the store is away, also at a process that starts then", async () => {
    const { all, up, start, goAway } = outage();
    const session = await Session.start(up, latest);
    goAway();
    for (const process of [...all, start()]) {
      expect((await at(process, session).post(ask(1, "ping"))).status).toBe(
        200,
      );
    }
  });

  it.each([
    ask(2, "logging/setLevel", { level: "error" }),
    ask(2, "resources/subscribe", { uri: "a://1" }),
    ask(2, "resources/unsubscribe", { uri: "a://1" }),
  ])("refuses $method while the store is away", async (setting) => {
    const { up, goAway } = outage();
    const session = await Session.start(up, latest);
    goAway();
    const level = await session.post(setting);
    expect([level.status, level.header("retry-after")]).toEqual([503, "1"]);
    const message = "What you set cannot be stored now. Try again.";
    const data = { reason: "unavailable" };
    expect(errorOf(await level.json())).toEqual({
      code: -32603,
      message,
      data,
    });
  });

  it("refuses the end of a session while the store is away, and goes on when it is back", async () => {
    const { all, up, goAway, comeBack } = outage();
    const session = await Session.start(up, latest);
    goAway();
    const refused = await session.send({ method: "DELETE" });
    expect([refused.status, refused.header("retry-after")]).toEqual([503, "1"]);
    comeBack();
    await until(() =>
      all.every(({ handler }) => handler.health().unsent === 0),
    );
    expect(
      resultOf(
        await session.ask(ask(3, "logging/setLevel", { level: "error" })),
      ),
    ).toEqual({});
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
  });

  it("says in its health whether entries arrive", async () => {
    const { all } = processes(2);
    await until(() => all[0].handler.health().isConnected === true);
    await until(() => all[0].handler.health().unsent === 0);
    expect(all[0].handler.health()).toEqual({
      isDraining: false,
      process: all[0].name,
      isConnected: true,
      unsent: 0,
    });
  });
});
