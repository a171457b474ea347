import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { describe, expect, it, vi } from "vitest";
import { ask, call, modernPost } from "../http/kit/messages.js";
import { sessionRevisions, type Tools } from "../http/kit/server.js";
import { Session } from "../http/kit/session.js";
import { modern, revisions, text } from "../kit/index.js";
import { until } from "../kit/watch.js";
import {
  at,
  closingProcesses,
  latest,
  listening,
  nextNotice,
  type Process,
  processes,
} from "./kit.js";

closingProcesses();

/** A tool that sends the user to a page. */
const page: Tools[string] = async (_, { request }) => {
  const params = {
    mode: "url",
    message: "Go",
    url: "https://example.test/",
    elicitationId: "e1",
  };
  return text(String((await request("elicitation/create", params))["action"]));
};

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
      expect(await nextNotice(stream)).toEqual([
        "notifications/tools/list_changed",
        undefined,
      ]);
      const told = new Set<unknown>();
      while (!told.has("notifications/tools/list_changed"))
        told.add((await nextNotice(elsewhere))[0]);
      for (const one of [stream, elsewhere]) one.leave();
    },
  );

  it("HTTP-17 ends the stream of a session each time that the client opens another, at whichever process", async () => {
    const { all } = processes(2);
    const session = await Session.start(all[0], latest);
    let stream = await listening(all[0], session);
    for (const place of [1, 0, 0, 1, 1, 0]) {
      const next = await listening(all[place] as Process, session);
      let hasEnded = false;
      void stream.text().then(() => (hasEnded = true));
      await until(() => hasEnded);
      stream = next;
    }
    all[1].notify("toolsListChanged");
    await until(
      async () =>
        (await nextNotice(stream))[0] === "notifications/tools/list_changed",
    );
    stream.leave();
  });

  it("announces a change to the listeners of 2026-07-28", async () => {
    const { all } = processes(2, { revisions });
    const body = ask(1, "subscriptions/listen", {
      notifications: { toolsListChanged: true },
    });
    const stream = await all[0].send(modernPost(modern, body));
    expect((await stream.message())["method"]).toBe(
      "notifications/subscriptions/acknowledged",
    );
    all[1].notify("toolsListChanged");
    expect((await stream.message())["method"]).toBe(
      "notifications/tools/list_changed",
    );
    stream.leave();
  });

  it("ELIC-11 tells only the client of a URL elicitation that it completes, at whichever process", async () => {
    const { all, up } = processes(3, { tools: { page } });
    const capabilities = { elicitation: { url: {} } };
    const [ada, bob] = [
      await Session.start(up, latest, capabilities),
      await Session.start(up, latest, capabilities),
    ];
    const call1 = await at(all[0], ada).post(call(1, "page"));
    const { id } = await call1.message();
    const [own, other] = [
      await listening(all[1], ada),
      await listening(all[1], bob),
    ];
    await at(all[0], ada).post({
      jsonrpc: "2.0",
      id,
      result: { action: "accept" },
    });
    let isTold = false;
    const completes = (async () => {
      while (
        (await nextNotice(own))[0] !== "notifications/elicitation/complete"
      );
      isTold = true;
    })();
    await until(() => {
      all[2].notify("elicitationComplete", { elicitationId: "e1" });
      return isTold;
    });
    await completes;
    all[0].notify("toolsListChanged");
    const told: unknown[] = [];
    for (let i = 0; i < 4; i++) told.push((await nextNotice(other))[0]);
    expect(told).not.toContain("notifications/elicitation/complete");
    for (const stream of [own, other, call1]) stream.leave();
  });

  it.each([
    ["the process that asked", 0],
    ["another one", 1],
  ])(
    "ELIC-11 tells a client that listens at %s once that a URL elicitation completes",
    async (_, place) => {
      const { all } = processes(2, { tools: { page } });
      const ada = await Session.start(all[0], latest, {
        elicitation: { url: {} },
      });
      const answer = await ada.post(call(1, "page"));
      const { id } = await answer.message();
      const stream = await listening(all[place] as Process, ada);
      all[0].notify("elicitationComplete", { elicitationId: "e1" });
      const told: unknown[] = [];
      const isTold = () => told.includes("notifications/elicitation/complete");
      while (!isTold()) told.push((await nextNotice(stream))[0]);
      await ada.post({ jsonrpc: "2.0", id, result: { action: "accept" } });
      expect((await answer.message())["result"]).toBeDefined();
      // What another process announces comes later than that.
      all[1 - place]?.notify("toolsListChanged");
      while (told.at(-1) !== "notifications/tools/list_changed")
        told.push((await nextNotice(stream))[0]);
      expect(
        told.filter(
          (method) => method === "notifications/elicitation/complete",
        ),
      ).toHaveLength(1);
      for (const one of [stream, answer]) one.leave();
    },
  );

  it("tells the others what they may have missed, also if the record of one session cannot be read", async () => {
    const inner = memorySharedStore();
    let poisoned = "";
    const get: SharedStore["get"] = (key) =>
      key === poisoned
        ? Promise.reject(new Error("WRONGTYPE"))
        : inner.get(key);
    const put: SharedStore["put"] = (key, ...args) => {
      if (key.startsWith("session/")) poisoned ||= key;
      return inner.put(key, ...args);
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { all } = processes(1, {
        cluster: { store: { ...inner, get, put } },
      });
      const eve = await Session.start(all[0], latest);
      await eve.ask(ask(1, "logging/setLevel", { level: "error" }));
      const session = await Session.start(all[0], latest);
      const stream = await listening(all[0], session);
      inner.interrupt();
      const told = nextNotice(stream);
      await vi.advanceTimersByTimeAsync(15_000);
      expect((await told)[0]).toContain("list_changed");
      stream.leave();
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(sessionRevisions)(
    "tells a client of $revision that each list has changed, and what it follows, and nothing else, if entries may be lost",
    async (revision) => {
      const { all, store } = processes(1);
      const session = await Session.start(all[0], revision);
      for (const uri of ["a://1", "a://2"])
        await session.ask(ask(uri, "resources/subscribe", { uri }));
      const stream = await listening(all[0], session);
      store.interrupt();
      const told: unknown[] = [];
      while (told.length < 5) told.push((await nextNotice(stream)).join(" "));
      expect(told.map(String).sort()).toEqual([
        "notifications/prompts/list_changed ",
        "notifications/resources/list_changed ",
        "notifications/resources/updated a://1",
        "notifications/resources/updated a://2",
        "notifications/tools/list_changed ",
      ]);
      stream.leave();
    },
  );

  it("tells a client that listens at another process what it may have missed", async () => {
    const { all, start } = processes(2);
    const session = await Session.start(all[0], latest);
    await session.post(ask(1, "resources/subscribe", { uri: "a://1" }));
    const first = await listening(all[0], session);
    const { id } = (await first.next()) ?? {};
    first.leave();
    for (const headers of [
      {},
      { "last-event-id": id },
      { "last-event-id": "0123456789abcdef/7-3" },
    ]) {
      const stream = await at(start(), session).listen(headers);
      const told = new Set<unknown>();
      for (let i = 0; i < 4; i++) told.add((await nextNotice(stream))[0]);
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
      notifications: {
        toolsListChanged: true,
        resourceSubscriptions: ["a://1"],
      },
    });
    const listen = await all[1].send(modernPost(modern, body));
    await listen.message();
    store.interrupt();
    const methods = [
      (await nextNotice(stream))[0],
      (await nextNotice(stream))[0],
      (await nextNotice(stream))[0],
    ];
    expect(methods).toContain("notifications/tools/list_changed");
    const told = [await nextNotice(listen), await nextNotice(listen)];
    expect(told).toContainEqual(["notifications/resources/updated", "a://1"]);
    for (const one of [stream, listen]) one.leave();
  });
});
