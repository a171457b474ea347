import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask, call, hello } from "../http/kit/messages.js";
import { Session } from "../http/kit/session.js";
import { errorOf, resultOf, turns } from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  processes,
  type ProcessOptions,
  subscribing,
  VirtualClock,
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

  it("says once that the store is away, and once that it answers again", async () => {
    const clock = new VirtualClock();
    const inner = memorySharedStore();
    let isAway = false;
    const store: SharedStore = {
      ...inner,
      append: (...args) =>
        isAway
          ? Promise.reject(new Error("The engine is away."))
          : inner.append(...args),
    };
    const told: string[] = [];
    const settings: ProcessOptions["settings"] = {
      ...subscribing,
      onWarning: (text) => void told.push(text),
      onError: (error, where) => void told.push(`${where}: ${error.message}`),
    };
    const { all } = processes(1, { cluster: { store }, clock, settings });
    await clock.pass(1000);
    isAway = true;
    all[0].notify("toolsListChanged");
    // Sealing takes a moment of real time.
    const isTold = (count: number): Promise<unknown> =>
      until(async () => {
        await clock.pass(500);
        return told.length === count;
      });
    await isTold(1);
    await clock.pass(2000);
    isAway = false;
    await isTold(2);
    await clock.pass(5000);
    expect(told).toEqual([
      "cluster: The engine is away.",
      "cluster: the store answers again.",
    ]);
  });

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
    const message =
      "The store of this server cannot be reached now. Try again.";
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

  it("SESS-05 serves no session whose record cannot be read, which may say that it has ended, and says so once", async () => {
    for (const isOpenBefore of [true, false]) {
      const { start, store } = processes(0);
      const warnings: string[] = [];
      const settings = {
        ...subscribing,
        onWarning: (text: string): void => void warnings.push(text),
      };
      const [one, two] = [start(), start({ settings })];
      const session = await Session.start(one, latest);
      const here = at(two, session);
      if (isOpenBefore) await here.post(ask(1, "ping"));
      const keys: string[] = [];
      const { put } = store;
      store.put = (key, ...args) => {
        if (key.startsWith("session/")) keys.push(key);
        return put(key, ...args);
      };
      await session.ask(ask(2, "logging/setLevel", { level: "error" }));
      const [key = ""] = keys;
      await put(key, "not sealed", { ttl: 60_000, version: "foreign" });
      store.interrupt();
      await until(async () => {
        const answer = await here.post(ask(3, "ping"));
        return answer.status === 503 && answer.header("retry-after") === "1";
      });
      for (const message of [ask(4, "ping"), ask(5, "ping")])
        expect((await here.post(message)).status).toBe(503);
      expect((await here.send({ method: "DELETE" })).status).toBe(503);
      expect(
        warnings.filter((text) => text.includes('"session"')),
      ).toHaveLength(1);
    }
  });

  it("answers a change of the log level once the other processes have heard of it", async () => {
    const { start, store } = processes(0);
    const { ended: heard, end: hear } = gate<void>();
    let [isSlow, isAnswered] = [false, false];
    const one = start({
      cluster: {
        store: {
          ...store,
          async append(...args) {
            if (isSlow) await heard;
            return store.append(...args);
          },
        },
      },
    });
    const two = start();
    const session = await Session.start(one, latest);
    await at(two, session).post(ask(1, "ping"));
    await until(() => one.handler.health().unsent === 0);
    isSlow = true;
    const setting = session
      .ask(ask(2, "logging/setLevel", { level: "error" }))
      .finally(() => (isAnswered = true));
    await turns(20);
    expect(isAnswered).toBe(false);
    hear();
    expect(resultOf(await setting)).toEqual({});
    await turns(5);
    const answer = await at(two, session).post(
      call(3, "log", {}, { progressToken: 1 }),
    );
    const body = await answer.text();
    expect(body).toContain("an error");
    expect(body).not.toContain("small talk");
  });

  it("writes what many clients have set back to a wiped engine at once, with a limit", async () => {
    const { start, store } = processes(0);
    const { get } = store;
    let [open, most] = [0, 0];
    const slow: SharedStore = {
      ...store,
      async get(key) {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open--;
        return get(key);
      },
    };
    const process = start({ cluster: { store: slow } });
    const sessions = await Promise.all(
      Array.from({ length: 120 }, async () => {
        const session = await Session.start(process, latest);
        await session.ask(ask(1, "resources/subscribe", { uri: "a://1" }));
        return session;
      }),
    );
    const written = new Set<string>();
    most = 0;
    store.put = async (key) => {
      written.add(key);
      return true;
    };
    slow.put = store.put;
    store.get = slow.get = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return undefined;
    };
    store.interrupt();
    await until(() => written.size === sessions.length);
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThanOrEqual(50);
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
