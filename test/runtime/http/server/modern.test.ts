import { describe, expect, it } from "vitest";
import {
  errorOf,
  modern,
  resultOf,
  text,
  textOf,
  turns,
} from "../../kit/index.js";
import type { Sent } from "../kit/exchange.js";
import { ask, call, tell } from "../kit/messages.js";
import { serverSets, codeOf, post, version } from "../kit/modern.js";
import {
  endpoints,
  type Open,
  opener,
  serversWith,
  serving,
  stuck,
  type Tools,
} from "../kit/server.js";
import { until, watch } from "../../kit/watch.js";

describe.each(endpoints)("the modern shape behind $name", (endpoint) => {
  const open = opener(endpoint, [modern]);
  const serve = serving(endpoint);

  describe.each(serverSets)("of $who", ({ served, sessions }) => {
    const openAll = (): Promise<Open> => open({ sessions }, {}, {}, served);

    it("HTTP-40 HTTP-07 answers a request with one JSON object, and opens no session", async () => {
      const up = await openAll();
      const answer = await up.send(
        post(call(1, "echo", { value: "hi" }), { "mcp-session-id": undefined }),
      );
      expect([answer.status, answer.header("content-type")]).toEqual([
        200,
        "application/json",
      ]);
      expect(answer.header("mcp-session-id")).toBeUndefined();
      expect(textOf(resultOf(await answer.json()))).toBe("hi");
    });

    it.each(
      [
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } },
        [ask(1, "tools/list")],
        [],
        5,
        null,
        {},
      ].map((body) => JSON.stringify(body)),
    )(
      "HTTP-41 rejects the body %s, which is neither a request nor a notification, with 400",
      async (body) => {
        const up = await openAll();
        const answer = await up.send({
          body,
          headers: { [version]: modern.revision },
        });
        expect([answer.status, errorOf(await answer.json())]).toEqual([
          400,
          {
            code: -32600,
            message: "Expected a body of one request or one notification.",
          },
        ]);
      },
    );

    it.each(["notifications/cancelled", "notifications/unheard"])(
      "HTTP-42 answers %s with 202 and no body",
      async (method) => {
        const answer = await (
          await openAll()
        ).send(post(tell(method, { requestId: 5 })));
        expect([answer.status, await answer.text()]).toEqual([202, ""]);
      },
    );

    it("HTTP-43 HTTP-44 HTTP-47 answers with a stream that ends with the response if a message is sent before it", async () => {
      const up = await openAll();
      const answer = await up.send(
        post(call(7, "count", {}, { progressToken: "p" })),
      );
      expect([
        answer.header("content-type"),
        answer.header("x-accel-buffering"),
      ]).toEqual(["text/event-stream", "no"]);
      for (const progress of [1, 2, 3]) {
        const event = await answer.next();
        expect(Object.keys(event ?? {})).toEqual(["data"]);
        expect(JSON.parse(event?.data ?? "")).toMatchObject({
          params: { progressToken: "p", progress },
        });
      }
      expect(await answer.message()).toMatchObject({
        id: 7,
        result: text("counted"),
      });
      expect(await answer.next()).toBeUndefined();
    });

    it("HTTP-45 cancels the request of a client that disconnects, before or after its first message", async () => {
      const seen = watch();
      const tools: Tools = {
        loud: async (_, { signal, progress }) => {
          progress(1);
          signal.addEventListener("abort", () => seen.saw("loud aborted"));
          await new Promise((resolve) =>
            signal.addEventListener("abort", resolve),
          );
          progress(2);
        },
        silent: async (_, { signal }) => {
          seen.saw("silent");
          await new Promise((resolve) =>
            signal.addEventListener("abort", resolve),
          );
          seen.saw("silent aborted");
          return text("too late");
        },
      };
      const servers = serversWith(tools, {}, served);
      const up = await serve(servers, { sessions });
      const loud = await up.send(
        post(call(1, "loud", {}, { progressToken: 1 })),
      );
      await loud.message();
      loud.leave();
      await seen.until("loud aborted");
      const leaving = new AbortController();
      const silent = up
        .send({ ...post(call(1, "silent")), signal: leaving.signal })
        .catch(() => {});
      await seen.until("silent");
      leaving.abort();
      await seen.until("silent aborted");
      await silent;
      await until(() =>
        expect(servers.map(({ core }) => core.sessions.size)).toEqual(
          servers.map(() => 0),
        ),
      );
    });

    it.each([
      "tools/cal",
      "ping",
      "initialize",
      "logging/setLevel",
      "resources/subscribe",
    ])("HTTP-48 answers the unknown method %s with 404", async (method) => {
      const answer = await (await openAll()).send(post(ask("x", method)));
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({
        id: "x",
        error: { code: -32601 },
      });
    });

    it("HTTP-49 answers an error of a handler, and parameters that are not valid, with 200", async () => {
      const up = await openAll();
      expect(await codeOf(await up.send(post(call(1, "fail"))))).toEqual([
        200, -32603,
      ]);
      expect(
        await codeOf(await up.send(post(ask(1, "tools/call", {})))),
      ).toEqual([200, -32602]);
    });

    it("LIFE-11 LIFE-12 keeps no state from one request to the next", async () => {
      const up = await openAll();
      expect((await up.send(post(call(1, "echo")))).status).toBe(200);
      const bare = await up.send({
        body: call(2, "echo"),
        headers: { [version]: modern.revision },
      });
      expect(bare.status).toBe(400);
      // Requests of several clients may have the same id.
      const answers = await Promise.all(
        [1, 1, 1].map((id) => up.send(post(call(id, "echo", { value: "x" })))),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    it("SUBS-02 SUBS-04 SUBS-08 sends announcements on a stream until the client disconnects or the server closes", async () => {
      const servers = serversWith({}, {}, served);
      const up = await serve(servers, { sessions });
      const listen = (id: string): Sent =>
        post(
          ask(id, "subscriptions/listen", {
            notifications: { toolsListChanged: true },
          }),
        );
      const [first, second] = [
        await up.send(listen("a")),
        await up.send(listen("b")),
      ];
      for (const [answer, id] of [
        [first, "a"],
        [second, "b"],
      ] as const) {
        const { subscriptionId = "" } = modern.facts.meta;
        expect(await answer.message()).toMatchObject({
          params: { _meta: { [subscriptionId]: id } },
        });
      }
      first.leave();
      await until(() =>
        expect(
          servers.reduce((sum, { core }) => sum + core.sessions.size, 0),
        ).toBe(1),
      );
      servers[0]?.notify["toolsListChanged"]?.();
      expect((await second.message())["method"]).toBe(
        "notifications/tools/list_changed",
      );
      const closing = up.close();
      expect(await second.message()).toMatchObject({
        id: "b",
        result: { resultType: "complete" },
      });
      expect(await second.next()).toBeUndefined();
      await closing;
    });
  });

  it("starts no handler, or cancels it at once, if the client disconnects while authenticate runs", async () => {
    const seen = watch();
    let admit = (): void => {};
    const servers = serversWith(stuck(seen));
    const up = await serve(servers, {
      authenticate: async () => {
        await new Promise<void>((resolve) => {
          admit = resolve;
          seen.saw("asked");
        });
        return {};
      },
    });
    const leaving = new AbortController();
    const sent = up
      .send({ ...post(call(1, "stuck")), signal: leaving.signal })
      .catch(() => {});
    await seen.until("asked");
    leaving.abort();
    await turns(10);
    admit();
    await sent;
    await turns(10);
    await until(() => {
      expect(servers.map(({ core }) => core.sessions.size)).toEqual(
        servers.map(() => 0),
      );
      expect(["asked", "asked,begun,aborted"]).toContain(seen.events.join());
    });
  });
});
