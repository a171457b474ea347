import { observer } from "@mcpgen/runtime";
import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it, vi } from "vitest";
import { ask, call, hello } from "../http/kit/messages.js";
import type { HttpContext } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { errorOf, type Json, resultOf, text, textOf } from "../kit/index.js";
import { pause } from "../../../src/common/timing.js";
import { until } from "../kit/watch.js";
import {
  at,
  byHeader,
  closingProcesses,
  latest,
  listening,
  processes,
  type ProcessOptions,
  subscribing,
} from "./kit.js";

closingProcesses();

describe("a cluster with a store", () => {
  it("LOG-02 applies the level of a session at each process", async () => {
    const { all, start } = processes(2);
    const session = await Session.start(all[0], latest);
    await at(all[1], session).post(ask(1, "ping"));
    await at(all[0], session).ask(
      ask(2, "logging/setLevel", { level: "error" }),
    );
    for (const process of [...all, start()]) {
      await until(async () => {
        const answer = await at(process, session).post(
          call(3, "log", {}, { progressToken: 1 }),
        );
        const body = await answer.text();
        return body.includes("an error") && !body.includes("small talk");
      });
    }
  });

  it("SESS-05 SESS-07 answers 404 at each process once a session has ended at one", async () => {
    const { all, start } = processes(3);
    const session = await Session.start(all[0], latest);
    for (const process of all)
      expect((await at(process, session).post(ask(1, "ping"))).status).toBe(
        200,
      );
    expect((await at(all[1], session).send({ method: "DELETE" })).status).toBe(
      204,
    );
    for (const process of [...all, start()]) {
      await until(
        async () =>
          (await at(process, session).post(ask(2, "ping"))).status === 404,
      );
    }
    const body = hello(latest.revision);
    expect((await all[0].send({ body, headers: session.headers })).status).toBe(
      200,
    );
  });

  it("SESS-08 gives no principal a session of another, although its key is in the store", async () => {
    const { all, up } = processes(3, {
      http: byHeader,
      cluster: { sessions: "stored" },
    });
    const ada = await Session.start(up, latest, {}, { authorization: "ada" });
    expect(ada.headers["mcp-session-id"]).toMatch(/^s1\.[\w-]{36}$/);
    for (const process of all) {
      const bob = await at(process, ada).send({
        body: ask(1, "ping"),
        headers: { authorization: "bob" },
      });
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
      expect(
        (await session.send({ body: ask(2, "ping"), headers })).status,
      ).toBe(404);
    }
    expect((await session.post(ask(3, "ping"))).status).toBe(200);
  });

  it.each(["", " shared"])(
    "SESS-05 answers 404 for an id of another server with the name of this one at its end, with %j after it",
    async (end) => {
      const named = (name: string): ProcessOptions => ({
        cluster: { sessions: "stored" },
        settings: { ...subscribing, info: { name, version: "1" } },
      });
      const { start } = processes(0);
      const [own, other] = [
        start(named("notes")),
        start(named("shared notes")),
      ];
      const { headers } = await Session.start(other, latest);
      const id = `${headers["mcp-session-id"]}${end}`;
      expect(
        (
          await own.send({
            body: ask(1, "ping"),
            headers: { "mcp-session-id": id },
          })
        ).status,
      ).toBe(404);
    },
  );

  it("HTTP-47 keeps a stream alive although its session takes longer to restore than the time between two keep-alives", async () => {
    const store = memorySharedStore();
    const slow: SharedStore = {
      ...store,
      get: (key) => pause(60).then(() => store.get(key)),
    };
    const cluster = { sessions: "stored", store: slow } as const;
    const { all } = processes(2, { http: { keepAliveTime: 5 }, cluster });
    const session = await Session.start(all[0], latest);
    const stream = await listening(all[1], session);
    let event = await stream.next();
    while (event?.comment === undefined) event = await stream.next();
    stream.leave();
  });

  it("ends the stream of a session once the time of the session is over", async () => {
    const { all } = processes(2, { http: { keepAliveTime: 5 } });
    const session = await Session.start(all[0], latest);
    const stream = await listening(all[1], session);
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      vi.setSystemTime(Date.now() + 31 * 86_400_000);
      while (await stream.next());
    } finally {
      vi.useRealTimers();
    }
  });

  it("opens no session for a client that says more about itself than 65,536 characters", async () => {
    const { all } = processes(1);
    const capabilities = { experimental: { x: { y: "x".repeat(70_000) } } };
    const answer = await all[0].send({
      body: hello(latest.revision, capabilities),
    });
    expect(answer.status).toBe(400);
    expect(errorOf(await answer.json())).toMatchObject({
      message: "What the client says about itself is too long for a session.",
    });
  });

  it("puts what is too long for an id into the store", async () => {
    const who = (_: Json, { client }: HttpContext): Json =>
      text(JSON.stringify(client.capabilities));
    const { up } = processes(3, { tools: { who } });
    const capabilities = { experimental: { x: { y: "x".repeat(3000) } } };
    const session = await Session.start(up, latest, capabilities);
    expect(session.headers["mcp-session-id"]).toMatch(/^s1\./);
    for (let id = 1; id < 4; id++) {
      expect(
        JSON.parse(textOf(resultOf(await session.ask(call(id, "who"))))),
      ).toEqual(capabilities);
    }
  });

  it("writes nothing into the store that can be read", async () => {
    const inner = memorySharedStore();
    const written: unknown[] = [];
    const store = new Proxy(inner, {
      get: (target, name: keyof typeof inner) =>
        name === "put" || name === "append"
          ? (...args: readonly unknown[]) => {
              written.push(args);
              return (target[name] as (...rest: readonly unknown[]) => unknown)(
                ...args,
              );
            }
          : target[name],
    });
    const { all, up } = processes(2, { cluster: { store } });
    const session = await Session.start(up, latest, {
      roots: {},
      experimental: { planted: {} },
    });
    await session.ask(ask(1, "resources/subscribe", { uri: "planted://1" }));
    const stream = await at(all[0], session).post(call(2, "roots"));
    const { id } = await stream.message();
    await at(all[1], session).post({
      jsonrpc: "2.0",
      id,
      result: { roots: [{ uri: "file:///planted" }] },
    });
    await stream.text();
    all[0].notify("resourceUpdated", "planted://1");
    await until(() => JSON.stringify(written).split('"bus"').length > 4);
    expect(JSON.stringify(written)).not.toContain("planted");
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
    expect(warnings).toEqual([
      "cluster: another process has other secrets. Give all the same ones.",
    ]);
    stream.leave();
  });
});
