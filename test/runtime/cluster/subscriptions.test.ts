import type { SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it } from "vitest";
import { ask } from "../http/kit/messages.js";
import type { Answer } from "../http/kit/exchange.js";
import { Session } from "../http/kit/session.js";
import { errorOf, type Json, resultOf, turns } from "../kit/index.js";
import { gate, until } from "../kit/watch.js";
import {
  at,
  byHeader,
  closingProcesses,
  latest,
  listening,
  nextNotice,
  type Process,
  processes,
  subscribing,
} from "./kit.js";

closingProcesses();

describe("a cluster with a store", () => {
  it("RES-05 notifies a subscriber, whichever process it listens at, and no longer once it has unsubscribed", async () => {
    const { all, up } = processes(3);
    const session = await Session.start(up, latest);
    expect(
      resultOf(
        await at(all[0], session).ask(
          ask(1, "resources/subscribe", { uri: "a://1" }),
        ),
      ),
    ).toEqual({});
    expect(
      resultOf(
        await at(all[1], session).ask(
          ask(2, "resources/subscribe", { uri: "a://2" }),
        ),
      ),
    ).toEqual({});
    const stream = await listening(all[2], session);
    const told = async (uri: string): Promise<void> => {
      for (;;) if ((await nextNotice(stream))[1] === uri) return;
    };
    all[0].notify("resourceUpdated", "a://1");
    await told("a://1");
    all[1].notify("resourceUpdated", "a://2");
    await told("a://2");
    await at(all[0], session).ask(
      ask(3, "resources/unsubscribe", { uri: "a://1" }),
    );
    await until(async () => {
      all[0].notify("resourceUpdated", "a://1");
      all[0].notify("resourceUpdated", "a://2");
      const uris: unknown[] = [];
      do uris.push((await nextNotice(stream))[1]);
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
    const stream = await listening(
      start({ cluster: { store: losing } }),
      session,
    );
    one.notify("resourceUpdated", "a://1");
    for (;;) if ((await nextNotice(stream))[1] === "a://1") break;
    stream.leave();
  });

  it("RES-05 keeps a subscription that the client asks for again after the store has refused it", async () => {
    const { start, store } = processes(0);
    let isAway = false;
    const away: SharedStore = {
      ...store,
      put: (...args) =>
        isAway
          ? Promise.reject(new Error("The engine is away."))
          : store.put(...args),
    };
    const onError = (): void => {};
    const one = start({
      cluster: { store: away },
      settings: { ...subscribing, onError },
    });
    const session = await Session.start(one, latest);
    const subscribe = (uri: string): Promise<Json> =>
      session.ask(ask(1, "resources/subscribe", { uri }));
    await subscribe("a://1");
    isAway = true;
    errorOf(await subscribe("a://2"));
    isAway = false;
    expect(resultOf(await subscribe("a://2"))).toEqual({});
    const stream = await listening(one, session);
    one.notify("resourceUpdated", "a://2");
    one.notify("resourceUpdated", "a://1");
    const uris = [(await nextNotice(stream))[1]];
    while (uris.at(-1) !== "a://1") uris.push((await nextNotice(stream))[1]);
    expect(uris).toContain("a://2");
    stream.leave();
  });

  it("RES-05 asks whether a client may be notified with its claims, also at the process that opened its session", async () => {
    const mayReceive = (
      _: string,
      { auth }: { readonly auth?: { readonly principal: string } | undefined },
    ) => auth?.principal === "ada";
    const { all } = processes(2, {
      http: byHeader,
      settings: { ...subscribing, mayReceive } as never,
    });
    const session = await Session.start(
      all[0],
      latest,
      {},
      { authorization: "ada" },
    );
    const stream = await listening(all[0], session);
    await at(all[1], session).ask(
      ask(1, "resources/subscribe", { uri: "a://1" }),
    );
    let isTold = false;
    const told = (async () => {
      while ((await nextNotice(stream))[1] !== "a://1");
      isTold = true;
    })();
    await until(() => {
      all[1].notify("resourceUpdated", "a://1");
      return isTold;
    });
    await told;
    stream.leave();
  });

  it("RES-05 notifies a subscriber of a change that its process hears of before the subscription", async () => {
    const { all, start, store } = processes(1);
    let isHeld = false;
    const { ended: released, end: release } = gate<void>();
    const get: SharedStore["get"] = async (key) => {
      if (isHeld && key.startsWith("session/")) await released;
      return store.get(key);
    };
    const other = start({ cluster: { store: { ...store, get } } });
    const session = await Session.start(all[0], latest);
    const stream = await listening(other, session);
    const subscribe = async (uri: string): Promise<void> =>
      expect(
        resultOf(await session.ask(ask(1, "resources/subscribe", { uri }))),
      ).toEqual({});
    // What is told because a process or a stream begins comes before this.
    await subscribe("a://0");
    while ((await nextNotice(stream))[1] !== "a://0");
    isHeld = true;
    await subscribe("a://1");
    all[0].notify("resourceUpdated", "a://1");
    // Entries arrive in their order.
    all[0].notify("promptsListChanged");
    const changed = ["notifications/prompts/list_changed", undefined];
    expect(await nextNotice(stream)).toEqual(changed);
    release();
    expect(await nextNotice(stream)).toEqual([
      "notifications/resources/updated",
      "a://1",
    ]);
    all[0].notify("promptsListChanged");
    expect(await nextNotice(stream)).toEqual(changed);
    stream.leave();
  });

  it("RES-05 notifies a subscriber once of a subscription that its process learns after it has missed entries", async () => {
    const { all, start, store } = processes(1);
    let isCut = false;
    const follow: SharedStore["follow"] = (log, receive, lost) =>
      store.follow(log, (entry) => isCut || receive(entry), lost);
    const other = start({ cluster: { store: { ...store, follow } } });
    const session = await Session.start(all[0], latest);
    const stream = await listening(other, session);
    const subscribe = (uri: string): Promise<Json> =>
      session.ask(ask(1, "resources/subscribe", { uri }));
    await subscribe("a://0");
    while ((await nextNotice(stream))[1] !== "a://0");
    isCut = true;
    await subscribe("a://1");
    await until(() => all[0].handler.health().unsent === 0);
    await turns(20);
    isCut = false;
    // The process sees a gap before this.
    await subscribe("a://2");
    const uris: unknown[] = [];
    while (uris.at(-1) !== "a://2") uris.push((await nextNotice(stream))[1]);
    // If it was told again, that came before this.
    all[0].notify("resourceUpdated", "a://2");
    do uris.push((await nextNotice(stream))[1]);
    while (uris.at(-1) !== "a://2");
    expect(uris.filter((uri) => uri === "a://1")).toEqual(["a://1"]);
    stream.leave();
  });

  it("HTTP-17 sends each notification over the stream that a client has opened last, of those at several processes", async () => {
    const { all } = processes(3);
    const session = await Session.start(all[0], latest);
    const told = async (stream: Answer): Promise<void> => {
      all[0].notify("promptsListChanged");
      while (
        (await nextNotice(stream))[0] !== "notifications/prompts/list_changed"
      );
    };
    const end = async (stream: Answer): Promise<void> => {
      while (await stream.next());
    };
    for (let i = 0; i < 4; i++) {
      const [older, newer] = [all[i % 3], all[(i + 1) % 3]] as [
        Process,
        Process,
      ];
      const first = await listening(older, session);
      await told(first);
      const last = await listening(newer, session);
      await end(first);
      await told(last);
      last.leave();
    }
    const streams = await Promise.all(
      all.map((process) => listening(process, session)),
    );
    let ended = 0;
    for (const stream of streams) void end(stream).then(() => ended++);
    await until(() => ended === 2);
    await turns(50);
    expect(ended).toBe(2);
    for (const stream of streams) stream.leave();
  });

  it("RES-05 writes to an engine that has lost all what it knows of its sessions", async () => {
    const { store, start } = processes(0);
    let engine = 0;
    const nameOf = (key: string): string => `${engine} ${key}`;
    const losing: SharedStore = {
      ...store,
      get: (key) => store.get(nameOf(key)),
      put: (key, value, options) => store.put(nameOf(key), value, options),
    };
    const options = { cluster: { store: losing, sessions: "stored" } } as const;
    const one = start(options);
    const session = await Session.start(one, latest);
    await session.ask(ask(1, "resources/subscribe", { uri: "a://1" }));
    await until(
      async () =>
        (await at(start(options), session).post(ask(2, "ping"))).status === 200,
    );
    engine++;
    store.interrupt();
    const other = start(options);
    await until(
      async () =>
        (await at(other, session).post(ask(2, "ping"))).status === 200,
    );
    const stream = await listening(other, session);
    await until(async () => {
      one.notify("resourceUpdated", "a://1");
      one.notify("promptsListChanged");
      return (await nextNotice(stream))[1] === "a://1";
    });
    stream.leave();
  });

  it("RES-05 takes over a subscription for which another process had no room, once it has", async () => {
    const { all, start } = processes(1);
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const small = start({
      settings: { ...subscribing, limits: { subscriptions: 1 }, onError },
    });
    const session = await Session.start(all[0], latest);
    for (const uri of ["a://1", "a://2"])
      await session.ask(ask(1, "resources/subscribe", { uri }));
    const stream = await listening(small, session);
    expect(errors).not.toEqual([]);
    await session.ask(ask(2, "resources/unsubscribe", { uri: "a://1" }));
    let isTold = false;
    const told = (async () => {
      while ((await nextNotice(stream))[1] !== "a://2");
      isTold = true;
    })();
    await until(() => {
      small.notify("resourceUpdated", "a://2");
      return isTold;
    });
    await told;
    stream.leave();
  });

  it("keeps the changes of two processes at once", async () => {
    const { all, start } = processes(2);
    const session = await Session.start(all[0], latest);
    await at(all[1], session).post(ask(0, "ping"));
    await Promise.all(
      Array.from({ length: 20 }, (_, id) =>
        at(all[id % 2] as Process, session).ask(
          ask(id, "resources/subscribe", { uri: `a://${id}` }),
        ),
      ),
    );
    const third = start();
    const stream = await listening(third, session);
    const uris = new Set<unknown>();
    while (uris.size < 20) {
      const [, uri] = await nextNotice(stream);
      if (uri !== undefined) uris.add(uri);
    }
    stream.leave();
  });

  it.each([
    { count: 1, where: "one process" },
    { count: 3, where: "three processes" },
  ])(
    "RES-05 keeps 200 changes that one client makes at once at $where",
    async ({ count }) => {
      const { all, start } = processes(count);
      const session = await Session.start(all[0], latest);
      const answers = await Promise.all(
        Array.from({ length: 201 }, (_, id) => {
          const at_ = at(all[id % count] as Process, session);
          if (id === 200)
            return at_.ask(ask(id, "logging/setLevel", { level: "error" }));
          return at_.ask(ask(id, "resources/subscribe", { uri: `a://${id}` }));
        }),
      );
      expect(answers.filter((answer) => "error" in answer)).toEqual([]);
      const stream = await listening(start(), session);
      const uris = new Set<unknown>();
      while (uris.size < 200) {
        const [, uri] = await nextNotice(stream);
        if (uri !== undefined) uris.add(uri);
      }
      stream.leave();
    },
  );
});
