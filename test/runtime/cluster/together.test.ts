import { observer } from "@mcpgen/runtime";
import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it, vi } from "vitest";
import {
  errorOf,
  type Json,
  legacyRevisions,
  modern,
  resultOf,
  revisions,
  text,
  textOf,
} from "../kit/index.js";
import { until, watch } from "../kit/watch.js";
import type { Answer } from "../http/kit/exchange.js";
import { ask, call, hello, modernPost, tell } from "../http/kit/messages.js";
import { type HttpContext, sessionRevisions, stuck } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import {
  at,
  byHeader,
  closingProcesses,
  inTurns,
  type Process,
  type ProcessOptions,
  startProcess,
  VirtualClock,
} from "./kit.js";

closingProcesses();

const subscribing = {
  capabilities: {
    logging: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
  },
};

/** Processes that share a store in memory. */
function processes(count: number, options: ProcessOptions = {}) {
  const store = memorySharedStore();
  const cluster = { store, ...options.cluster };
  const start = (more: ProcessOptions = {}): Process =>
    startProcess({ settings: subscribing, ...options, ...more, cluster: { ...cluster, ...more.cluster } });
  const all = Array.from({ length: count }, () => start());
  return { store, start, all: all as [Process, Process, Process], up: inTurns(all) };
}

const latest = legacyRevisions[0] as (typeof legacyRevisions)[0];

/** The method of the next message, and the URI in it. */
async function next(stream: Answer): Promise<readonly unknown[]> {
  const { method, params } = await stream.message();
  return [method, (params as Json | undefined)?.["uri"]];
}

/** A session whose stream of notifications is open at a process. */
async function listening(process: Process, session: Session): Promise<Answer> {
  const stream = await at(process, session).listen();
  expect(stream.status).toBe(200);
  return stream;
}

describe("a cluster with a store", () => {
  it.each(sessionRevisions)(
    "announces a change to the listeners of all processes at $revision",
    async (revision) => {
      const { all, up } = processes(3);
      const [first, second, third] = all;
      const session = await Session.start(first, revision);
      const stream = await listening(first, session);
      const other = await Session.start(up, revision);
      const elsewhere = await listening(second, other);
      third.notify("toolsListChanged");
      expect(await next(stream)).toEqual(["notifications/tools/list_changed", undefined]);
      const told = new Set<unknown>();
      while (!told.has("notifications/tools/list_changed")) told.add((await next(elsewhere))[0]);
      for (const one of [stream, elsewhere]) one.leave();
    },
  );

  it("announces a change to the listeners of 2026-07-28", async () => {
    const { all } = processes(2, { revisions });
    const body = ask(1, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    const stream = await all[0].send(modernPost(modern, body));
    expect((await stream.message())["method"]).toBe("notifications/subscriptions/acknowledged");
    all[1].notify("toolsListChanged");
    expect((await stream.message())["method"]).toBe("notifications/tools/list_changed");
    stream.leave();
  });

  it("RES-05 notifies a subscriber, whichever process it listens at, and no longer once it has unsubscribed", async () => {
    const { all, up } = processes(3);
    const session = await Session.start(up, latest);
    expect(resultOf(await at(all[0], session).ask(ask(1, "resources/subscribe", { uri: "a://1" })))).toEqual(
      {},
    );
    expect(resultOf(await at(all[1], session).ask(ask(2, "resources/subscribe", { uri: "a://2" })))).toEqual(
      {},
    );
    const stream = await listening(all[2], session);
    const told = async (uri: string): Promise<void> => {
      for (;;) if ((await next(stream))[1] === uri) return;
    };
    all[0].notify("resourceUpdated", "a://1");
    await told("a://1");
    all[1].notify("resourceUpdated", "a://2");
    await told("a://2");
    await at(all[0], session).ask(ask(3, "resources/unsubscribe", { uri: "a://1" }));
    await until(async () => {
      all[0].notify("resourceUpdated", "a://1");
      all[0].notify("resourceUpdated", "a://2");
      const uris: unknown[] = [];
      do uris.push((await next(stream))[1]);
      while (uris.at(-1) !== "a://2");
      return !uris.includes("a://1");
    });
    stream.leave();
  });

  it("RES-05 keeps a subscription that a client asks for again after the engine has lost all", async () => {
    const { store, start } = processes(0);
    let engine = 0;
    const nameOf = (key: string): string => `${engine} ${key}`;
    const losing: SharedStore = {
      ...store,
      get: (key) => store.get(nameOf(key)),
      put: (key, value, options) => store.put(nameOf(key), value, options),
    };
    const one = start({ cluster: { store: losing } });
    const session = await Session.start(one, latest);
    const subscribe = ask(1, "resources/subscribe", { uri: "a://1" });
    await session.ask(subscribe);
    engine++;
    await session.ask(subscribe);
    const stream = await listening(start({ cluster: { store: losing } }), session);
    one.notify("resourceUpdated", "a://1");
    for (;;) if ((await next(stream))[1] === "a://1") break;
    stream.leave();
  });

  it("keeps the changes of two processes at once", async () => {
    const { all, start } = processes(2);
    const session = await Session.start(all[0], latest);
    await at(all[1], session).post(ask(0, "ping"));
    await Promise.all(
      Array.from({ length: 20 }, (_, id) =>
        at(all[id % 2] as Process, session).ask(ask(id, "resources/subscribe", { uri: `a://${id}` })),
      ),
    );
    const third = start();
    const stream = await listening(third, session);
    const uris = new Set<unknown>();
    while (uris.size < 20) {
      const [, uri] = await next(stream);
      if (uri !== undefined) uris.add(uri);
    }
    stream.leave();
  });

  it("LOG-02 applies the level of a session at each process", async () => {
    const { all, start } = processes(2);
    const session = await Session.start(all[0], latest);
    await at(all[1], session).post(ask(1, "ping"));
    await at(all[0], session).ask(ask(2, "logging/setLevel", { level: "error" }));
    for (const process of [...all, start()]) {
      await until(async () => {
        const answer = await at(process, session).post(call(3, "log", {}, { progressToken: 1 }));
        const body = await answer.text();
        return body.includes("an error") && !body.includes("small talk");
      });
    }
  });

  it("SESS-05 SESS-07 answers 404 at each process once a session has ended at one", async () => {
    const { all, start } = processes(3);
    const session = await Session.start(all[0], latest);
    for (const process of all) expect((await at(process, session).post(ask(1, "ping"))).status).toBe(200);
    expect((await at(all[1], session).send({ method: "DELETE" })).status).toBe(204);
    for (const process of [...all, start()]) {
      await until(async () => (await at(process, session).post(ask(2, "ping"))).status === 404);
    }
    const body = hello(latest.revision);
    expect((await all[0].send({ body, headers: session.headers })).status).toBe(200);
  });

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
    expect(question["id"]).toBe(`${all[0].name}/${String(question["id"]).split("/")[1]}`);
    const answer = (uri: string): Json => ({
      jsonrpc: "2.0",
      id: question["id"],
      result: { roots: [{ uri }] },
    });
    expect((await at(all[1], bob).post(answer("file:///stolen"))).status).toBe(202);
    expect((await at(all[0], bob).post(answer("file:///stolen"))).status).toBe(202);
    expect((await at(all[1], ada).post(answer("file:///own"))).status).toBe(202);
    expect((await at(all[2], ada).post(answer("file:///late"))).status).toBe(202);
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
      const stream = await at(all[id % 3] as Process, session).post(call(id, "name"));
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
    expect(errorOf(await stream.message())["message"]).toContain("too long for another process");
  });

  it("tells the others what they may have missed, also if the record of one session cannot be read", async () => {
    const inner = memorySharedStore();
    let poisoned = "";
    const get: SharedStore["get"] = (key) =>
      key === poisoned ? Promise.reject(new Error("WRONGTYPE")) : inner.get(key);
    const put: SharedStore["put"] = (key, ...args) => {
      if (key.startsWith("session/")) poisoned ||= key;
      return inner.put(key, ...args);
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { all } = processes(1, { cluster: { store: { ...inner, get, put } } });
      const eve = await Session.start(all[0], latest);
      await eve.ask(ask(1, "logging/setLevel", { level: "error" }));
      const session = await Session.start(all[0], latest);
      const stream = await listening(all[0], session);
      inner.interrupt();
      const told = next(stream);
      await vi.advanceTimersByTimeAsync(15_000);
      expect((await told)[0]).toContain("list_changed");
      stream.leave();
    } finally {
      vi.useRealTimers();
    }
  });

  it("warns once of a client that sends too much for other processes", async () => {
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    const { all } = processes(1, { settings: { ...subscribing, onWarning } });
    const session = await Session.start(all[0], latest);
    await until(async () => {
      const answers = Array.from({ length: 400 }, (_, n) =>
        session.post({ jsonrpc: "2.0", id: `0123456789abcdef/${n}`, result: {} }),
      );
      for (const { status } of await Promise.all(answers)) expect(status).toBe(202);
      return warnings.length > 0;
    });
    expect(warnings).toEqual(["cluster: a client sends too much for other processes; some was dropped."]);
  });

  it("CANC-03 cancels a call that runs at another process", async () => {
    const seen = watch();
    const { all } = processes(2, { tools: stuck(seen) });
    const session = await Session.start(all[0], latest);
    const stream = await at(all[0], session).post(call(1, "stuck", {}, { progressToken: 1 }));
    await seen.until("begun");
    await at(all[1], session).post(tell("notifications/cancelled", { requestId: 1 }));
    await seen.until("aborted");
    stream.leave();
  });

  it("ELIC-11 tells only the client of a URL elicitation that it completes, at whichever process", async () => {
    const { all, up } = processes(3, {
      tools: {
        page: async (_, { request }) => {
          const params = { mode: "url", message: "Go", url: "https://example.test/", elicitationId: "e1" };
          return text(String((await request("elicitation/create", params))["action"]));
        },
      },
    });
    const capabilities = { elicitation: { url: {} } };
    const [ada, bob] = [
      await Session.start(up, latest, capabilities),
      await Session.start(up, latest, capabilities),
    ];
    const call1 = await at(all[0], ada).post(call(1, "page"));
    const { id } = await call1.message();
    const [own, other] = [await listening(all[1], ada), await listening(all[1], bob)];
    await at(all[0], ada).post({ jsonrpc: "2.0", id, result: { action: "accept" } });
    const completes = (async () => {
      while ((await next(own))[0] !== "notifications/elicitation/complete");
      return true;
    })();
    await until(async () => {
      all[2].notify("elicitationComplete", { elicitationId: "e1" });
      return Promise.race([completes, new Promise((resolve) => setTimeout(resolve, 20, false))]);
    });
    all[0].notify("toolsListChanged");
    const told: unknown[] = [];
    for (let i = 0; i < 4; i++) told.push((await next(other))[0]);
    expect(told).not.toContain("notifications/elicitation/complete");
    for (const stream of [own, other, call1]) stream.leave();
  });

  it("tells a client that listens at another process what it may have missed", async () => {
    const { all, start } = processes(2);
    const session = await Session.start(all[0], latest);
    await session.post(ask(1, "resources/subscribe", { uri: "a://1" }));
    const first = await listening(all[0], session);
    const { id } = (await first.next()) ?? {};
    first.leave();
    for (const headers of [{}, { "last-event-id": id }, { "last-event-id": "0123456789abcdef/7-3" }]) {
      const stream = await at(start(), session).listen(headers);
      const told = new Set<unknown>();
      for (let i = 0; i < 4; i++) told.add((await next(stream))[0]);
      expect([...told].sort()).toEqual([
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/tools/list_changed",
      ]);
      stream.leave();
    }
  });

  it("tells all clients what they may have missed after the store was away", async () => {
    const { all, store } = processes(2, { revisions });
    const session = await Session.start(all[0], latest);
    const stream = await listening(all[0], session);
    const body = ask(1, "subscriptions/listen", {
      notifications: { toolsListChanged: true, resourceSubscriptions: ["a://1"] },
    });
    const listen = await all[1].send(modernPost(modern, body));
    await listen.message();
    store.interrupt();
    const methods = [(await next(stream))[0], (await next(stream))[0], (await next(stream))[0]];
    expect(methods).toContain("notifications/tools/list_changed");
    const told = [await next(listen), await next(listen)];
    expect(told).toContainEqual(["notifications/resources/updated", "a://1"]);
    for (const one of [stream, listen]) one.leave();
  });

  describe("a client that resumes the stream of a call at another process", () => {
    /** Two processes with one clock. `kill` cuts the first one off. */
    async function resuming() {
      const clock = new VirtualClock();
      const seen = watch();
      const store = memorySharedStore();
      let isDead = false;
      const append: typeof store.append = (...args) =>
        isDead ? Promise.reject(new Error("This process is dead.")) : store.append(...args);
      const options = { tools: stuck(seen), settings: subscribing, clock };
      const first = startProcess({ ...options, cluster: { store: { ...store, append } } });
      const second = startProcess({ ...options, cluster: { store } });
      const session = await Session.start(first, latest);
      const stream = await session.post(call("a/b", "stuck", {}, { progressToken: 1 }));
      const { id } = (await stream.next()) ?? {};
      await seen.until("begun");
      stream.leave();
      const own = at(second, session);
      /** What the stream has, once it has ended. */
      const resume = async (lastEventId = id): Promise<Answer & { readonly body: string }> => {
        const answer = await own.listen({ "last-event-id": lastEventId });
        let body: string | undefined;
        void answer.text().then((whole) => (body = whole));
        await until(async () => {
          // Slowly, because encryption takes its own time.
          await clock.pass(20);
          return body !== undefined;
        });
        return Object.assign(answer, { body: body ?? "" });
      };
      return { first, second, clock, own, id: id ?? "", resume, kill: () => void (isDead = true) };
    }
    const lost = {
      jsonrpc: "2.0",
      id: "a/b",
      error: {
        code: -32603,
        message: "The process that ran this request has ended.",
        data: { reason: "process-lost", mayHaveRun: true },
      },
    };

    /** The event that it resumes from, again: some clients know only that of the last response. */
    const first = (id: string): string => `retry: 1000\nid: ${id}\ndata: \n\n`;

    it("gets only the event to resume from as long as the process lives, and comes again", async () => {
      const { resume, id } = await resuming();
      const { status, body } = await resume();
      expect([status, body]).toEqual([200, first(id)]);
    });

    it("gets an error for its open request once the lease of the process is over", async () => {
      const { clock, kill, own, resume, id } = await resuming();
      await clock.pass(11_000);
      kill();
      // An entry may be on its way.
      await until(async () => {
        await clock.pass(500);
        const { status, body } = await resume();
        expect([status, body]).toEqual([200, `${first(id)}data: ${JSON.stringify(lost)}\n\n`]);
      });
      expect((await own.post(ask(2, "ping"))).status).toBe(200);
    });

    it("gets it at once if the process has left", async () => {
      const { first, own, id } = await resuming();
      await first.close();
      await until(async () => {
        const answer = await own.listen({ "last-event-id": id });
        expect(await answer.message()).toEqual(lost);
        expect(await answer.next()).toBeUndefined();
      });
    });

    it("must open a new session if nobody knows which requests were open", async () => {
      const { clock, kill, resume, id } = await resuming();
      await clock.pass(11_000);
      kill();
      // Entries take time to be encrypted, and the clock of a test does not wait for that.
      await until(async () => {
        await clock.pass(500);
        return (await resume(id.replace(/\..*-/, ".-"))).status === 404;
      });
    });
  });

  it("SSE-03 rejects event ids that no process has made", async () => {
    const { all } = processes(2);
    const session = await Session.start(all[0], latest);
    for (const id of ["7-1", "x", "0123456789abcdef", `${all[0].name}/999999.WzFd-1`, `zz/1.WzFd-1`]) {
      const answer = await at(all[0], session).listen({ "last-event-id": id });
      expect([id, answer.status]).toEqual([id, 400]);
    }
  });

  it("SESS-08 gives no principal a session of another, although its key is in the store", async () => {
    const { all, up } = processes(3, { http: byHeader, cluster: { sessions: "stored" } });
    const ada = await Session.start(up, latest, {}, { authorization: "ada" });
    expect(ada.headers["mcp-session-id"]).toMatch(/^s1\.[\w-]{36}$/);
    for (const process of all) {
      const bob = await at(process, ada).send({ body: ask(1, "ping"), headers: { authorization: "bob" } });
      const own = await at(process, ada).post(ask(1, "ping"));
      expect([bob.status, own.status]).toEqual([404, 200]);
    }
  });

  it("SESS-08 gives no session to whoever sees the keys in the store, or its key in a trace", async () => {
    const names = new Set<string>();
    const inner = memorySharedStore();
    const store: SharedStore = {
      ...inner,
      put: (key, ...rest) => {
        names.add(key.split("/").at(-1) as string);
        return inner.put(key, ...rest);
      },
    };
    const observe = observer(({ session }) => void names.add(String(session)));
    const { up } = processes(2, {
      cluster: { store, sessions: "stored" },
      settings: { ...subscribing, observe },
    });
    const session = await Session.start(up, latest);
    await session.ask(ask(1, "resources/subscribe", { uri: "a://1" }));
    expect(names.size).toBeGreaterThan(1);
    for (const name of names) {
      const headers = { "mcp-session-id": `s1.${name}` };
      expect((await session.send({ body: ask(2, "ping"), headers })).status).toBe(404);
    }
    expect((await session.post(ask(3, "ping"))).status).toBe(200);
  });

  it("SESS-08 keeps the answer of a session from what others send, until the process that asked reads it", async () => {
    const { start, store } = processes(0);
    let lost = (): void => {};
    const deaf: SharedStore = {
      ...store,
      async follow(_log, _receive, onLost) {
        lost = onLost;
        return () => {};
      },
    };
    const [asking, other] = [start({ cluster: { store: deaf } }), start()];
    const capabilities = { roots: {} };
    const ada = await Session.start(asking, latest, capabilities);
    const bob = await Session.start(other, latest, capabilities);
    const stream = await ada.post(call(1, "roots"));
    const { id } = await stream.message();
    const answer = (uri: string): Json => ({ jsonrpc: "2.0", id, result: { roots: [{ uri }] } });
    await at(other, ada).post(answer("file:///own"));
    await bob.post(answer("file:///stolen"));
    await until(async () => (await other.handler.health().unsent) === 0);
    lost();
    expect(textOf(resultOf(await stream.message()))).toBe("file:///own");
  });

  it("RES-05 asks whether a client may be notified with its claims, also at the process that opened its session", async () => {
    const mayReceive = (
      _: string,
      { auth }: { readonly auth?: { readonly principal: string } | undefined },
    ) => auth?.principal === "ada";
    const { all } = processes(2, { http: byHeader, settings: { ...subscribing, mayReceive } as never });
    const session = await Session.start(all[0], latest, {}, { authorization: "ada" });
    const stream = await listening(all[0], session);
    await at(all[1], session).ask(ask(1, "resources/subscribe", { uri: "a://1" }));
    const told = (async () => {
      while ((await next(stream))[1] !== "a://1");
      return true;
    })();
    await until(async () => {
      all[1].notify("resourceUpdated", "a://1");
      return Promise.race([told, new Promise((resolve) => setTimeout(resolve, 20, false))]);
    });
    stream.leave();
  });

  it("RES-05 keeps a subscription that the client asks for again after the store has refused it", async () => {
    const { start, store } = processes(0);
    let isAway = false;
    const away: SharedStore = {
      ...store,
      put: (...args) => (isAway ? Promise.reject(new Error("The engine is away.")) : store.put(...args)),
    };
    const onError = (): void => {};
    const one = start({ cluster: { store: away }, settings: { ...subscribing, onError } });
    const session = await Session.start(one, latest);
    const subscribe = (uri: string): Promise<Json> => session.ask(ask(1, "resources/subscribe", { uri }));
    await subscribe("a://1");
    isAway = true;
    errorOf(await subscribe("a://2"));
    isAway = false;
    expect(resultOf(await subscribe("a://2"))).toEqual({});
    const stream = await listening(one, session);
    one.notify("resourceUpdated", "a://2");
    one.notify("resourceUpdated", "a://1");
    const uris = [(await next(stream))[1]];
    while (uris.at(-1) !== "a://1") uris.push((await next(stream))[1]);
    expect(uris).toContain("a://2");
    stream.leave();
  });

  it("SESS-05 answers 404 for a session that ended while the store did not answer a process", async () => {
    const { start, store } = processes(0);
    let isAway = false;
    const away: SharedStore = {
      ...store,
      get: (key) => (isAway ? Promise.reject(new Error("The engine is away.")) : store.get(key)),
    };
    const [one, two] = [start(), start({ cluster: { store: away } })];
    const [first, second] = [await Session.start(one, latest), await Session.start(one, latest)];
    expect((await at(two, first).post(ask(1, "ping"))).status).toBe(200);
    isAway = true;
    for (const session of [first, second])
      expect((await session.send({ method: "DELETE" })).status).toBe(204);
    for (const session of [first, second])
      expect((await at(two, session).post(ask(2, "ping"))).status).toBe(200);
    isAway = false;
    for (const session of [first, second])
      await until(async () => (await at(two, session).post(ask(3, "ping"))).status === 404);
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
    const options: ProcessOptions = { cluster: { store: away, sessions: "stored" }, settings };
    const session = await Session.start(start(options), latest);
    const other = start(options);
    isAway = true;
    expect((await at(other, session).post(ask(1, "ping"))).status).toBe(503);
    expect((await other.send({ body: hello(latest.revision) })).status).toBe(503);
    isAway = false;
    expect((await at(other, session).post(ask(1, "ping"))).status).toBe(200);
  });

  it("opens no session for a client that says more about itself than 65,536 characters", async () => {
    const { all } = processes(1);
    const capabilities = { experimental: { x: { y: "x".repeat(70_000) } } };
    const answer = await all[0].send({ body: hello(latest.revision, capabilities) });
    expect(answer.status).toBe(400);
    expect(errorOf(await answer.json())).toMatchObject({
      message: "What the client says about itself is too long for a session.",
    });
  });

  it("puts what is too long for an id into the store", async () => {
    const who = (_: Json, { client }: HttpContext): Json => text(JSON.stringify(client.capabilities));
    const { up } = processes(3, { tools: { who } });
    const capabilities = { experimental: { x: { y: "x".repeat(3000) } } };
    const session = await Session.start(up, latest, capabilities);
    expect(session.headers["mcp-session-id"]).toMatch(/^s1\./);
    for (let id = 1; id < 4; id++) {
      expect(JSON.parse(textOf(resultOf(await session.ask(call(id, "who")))))).toEqual(capabilities);
    }
  });

  it("serves calls while the store is away, refuses what needs it, and goes on when it is back", async () => {
    const inner = memorySharedStore();
    let isAway = false;
    const store = new Proxy(inner, {
      get: (target, name: keyof typeof inner) =>
        isAway ? () => Promise.reject(new Error("The engine is away.")) : target[name],
    });
    const { all, up, start } = processes(2, { cluster: { store } });
    const session = await Session.start(up, latest);
    isAway = true;
    for (const process of [...all, start()]) {
      expect((await at(process, session).post(ask(1, "ping"))).status).toBe(200);
    }
    const level = await session.ask(ask(2, "logging/setLevel", { level: "error" }));
    expect(errorOf(level)).toEqual({ code: -32603, message: "Internal error" });
    const refused = await session.send({ method: "DELETE" });
    expect([refused.status, refused.header("retry-after")]).toEqual([503, "1"]);
    isAway = false;
    inner.interrupt();
    await until(() => all.every(({ handler }) => handler.health().unsent === 0));
    expect(resultOf(await session.ask(ask(3, "logging/setLevel", { level: "error" })))).toEqual({});
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
  });

  it("warns once of a process with other secrets, which opens neither its sessions nor its entries", async () => {
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    const { start } = processes(0);
    const own = start({ settings: { ...subscribing, onWarning } });
    const strange = start({ cluster: { secrets: ["x".repeat(32)] } });
    const session = await Session.start(strange, latest);
    expect((await at(own, session).post(ask(1, "ping"))).status).toBe(404);
    const listener = await Session.start(own, latest);
    const stream = await listening(own, listener);
    for (let i = 0; i < 3; i++) strange.notify("resourceUpdated", "a://1");
    await until(() => warnings.length > 0);
    await until(() => strange.handler.health().unsent === 0);
    expect(warnings).toEqual(["cluster: another process has other secrets. Give all the same ones."]);
    stream.leave();
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

  it("writes nothing into the store that can be read", async () => {
    const inner = memorySharedStore();
    const written: unknown[] = [];
    const store = new Proxy(inner, {
      get: (target, name: keyof typeof inner) =>
        name === "put" || name === "append"
          ? (...args: readonly unknown[]) => {
              written.push(args);
              return (target[name] as (...rest: readonly unknown[]) => unknown)(...args);
            }
          : target[name],
    });
    const { all, up } = processes(2, { cluster: { store } });
    const session = await Session.start(up, latest, { roots: {}, experimental: { planted: {} } });
    await session.ask(ask(1, "resources/subscribe", { uri: "planted://1" }));
    const stream = await at(all[0], session).post(call(2, "roots"));
    const { id } = await stream.message();
    await at(all[1], session).post({ jsonrpc: "2.0", id, result: { roots: [{ uri: "file:///planted" }] } });
    await stream.text();
    all[0].notify("resourceUpdated", "planted://1");
    await until(() => JSON.stringify(written).split('"bus"').length > 4);
    expect(JSON.stringify(written)).not.toContain("planted");
  });
});
