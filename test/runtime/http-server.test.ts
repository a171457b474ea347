import { afterEach, describe, expect, it } from "vitest";
import type { HttpOptions } from "@mcpgen/runtime/http";
import {
  ask,
  call,
  doors,
  hello,
  named,
  type Open,
  Session,
  sessionRevisions,
  serversWith,
  tell,
  type Tools,
  watch,
} from "./http-server-kit.js";
import {
  errorOf,
  type Json,
  legacy,
  legacyRevisions,
  resultOf,
  type ServerOptions,
  text,
  textOf,
  turns,
} from "./kit.js";

const first = named("2025-03-26");
describe.each(doors)("the legacy shape behind $name", (door) => {
  const opened: Open[] = [];
  const open = async (
    options: HttpOptions = {},
    tools: Tools = {},
    settings: ServerOptions = {},
    wanted = legacyRevisions,
  ): Promise<Open> => {
    const up = await door.open(serversWith(tools, settings, wanted), options);
    opened.push(up);
    return up;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  describe.each(sessionRevisions)("at $revision", (revision) => {
    it("HTTP-01 HTTP-07 one path takes POST and GET, and a request is answered by one JSON object", async () => {
      const session = await Session.start(await open(), revision);
      expect(session.opening.header("content-type")).toBe("application/json");
      const answer = await session.post(call(1, "echo", { value: "hi" }));
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toBe("application/json");
      const body = await answer.json();
      expect(body["id"]).toBe(1);
      expect(textOf(resultOf(body))).toBe("hi");
      const stream = await session.listen();
      expect([stream.status, stream.header("content-type")]).toEqual([200, "text/event-stream"]);
      stream.leave();
    });

    it("HTTP-05 notifications and responses alone are answered by 202 and nothing", async () => {
      const session = await Session.start(await open(), revision);
      for (const body of [
        tell("notifications/initialized"),
        tell("notifications/unheard", { of: 1 }),
        { jsonrpc: "2.0", id: 99, result: {} },
        { jsonrpc: "2.0", id: 99, error: { code: 1, message: "no" } },
      ]) {
        const answer = await session.post(body);
        expect([answer.status, await answer.text()]).toEqual([202, ""]);
      }
    });

    it("HTTP-06 HTTP-21 what is no message is refused with 400 and an error, and the session goes on", async () => {
      const session = await Session.start(await open(), revision);
      for (const [body, code] of [
        ["{", -32700],
        ["", -32700],
        [new Uint8Array([0x22, 0xff, 0x22]), -32700],
        ["5", -32600],
        ["null", -32600],
        ['{"jsonrpc":"2.0"}', -32600],
        ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
        ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
        ['{"jsonrpc":"2.0","id":1}', -32600],
      ] as const) {
        const answer = await session.post(body);
        expect([body, answer.status]).toEqual([body, 400]);
        expect(errorOf(await answer.json())["code"]).toBe(code);
      }
      expect(resultOf(await session.ask(ask(2, "ping")))).toEqual({});
    });

    it("HTTP-18 HTTP-19 what belongs to a request comes on its stream, which ends with the answer", async () => {
      const session = await Session.start(await open(), revision);
      const listening = await session.listen();
      const answer = await session.post(call(1, "count", {}, { progressToken: "p" }));
      expect(answer.header("content-type")).toBe("text/event-stream");
      for (const progress of [1, 2, 3]) {
        const message = await answer.message();
        expect(message["method"]).toBe("notifications/progress");
        expect(message["params"]).toMatchObject({ progressToken: "p", progress });
      }
      expect(textOf(resultOf(await answer.message()))).toBe("counted");
      expect(await answer.next()).toBeUndefined();
      listening.leave();
    });

    it("HTTP-16 HTTP-17 each message goes to one stream: announcements to GET, answers never", async () => {
      const servers = serversWith({}, {}, [revision]);
      const up = await door.open(servers);
      opened.push(up);
      const session = await Session.start(up, revision);
      const stream = await session.listen();
      servers[0]?.notify["promptsListChanged"]?.();
      const first = await session.post(call(1, "count", {}, { progressToken: 1 }));
      const second = await session.post(call(2, "count", {}, { progressToken: 2 }));
      for (const [answer, token] of [
        [second, 2],
        [first, 1],
      ] as const) {
        const messages = [];
        for (let event = await answer.next(); event; event = await answer.next())
          if (event.data) messages.push(JSON.parse(event.data) as Json);
        expect(messages.map(({ id, params }) => id ?? (params as Json)["progressToken"])).toEqual(
          Array(4).fill(token),
        );
      }
      servers[0]?.notify["toolsListChanged"]?.();
      expect((await stream.message())["method"]).toBe("notifications/prompts/list_changed");
      expect((await stream.message())["method"]).toBe("notifications/tools/list_changed");
      stream.leave();
    });

    it("HTTP-20 a client that goes away cancels nothing; notifications/cancelled does, and ends the POST", async () => {
      const seen = watch();
      let finish = (): void => {};
      const session = await Session.start(
        await open(
          {},
          {
            work: async (_, { signal }) => {
              const finished = new Promise<void>((resolve) => (finish = resolve));
              seen.saw("begun");
              signal.addEventListener("abort", () => {
                seen.saw("aborted");
                finish();
              });
              await finished;
              seen.saw(signal.aborted ? "given up" : "done");
              return text("done");
            },
          },
        ),
        revision,
      );
      const gone = session.post(call(1, "work")).catch(() => {});
      const tick = session.post(call(2, "count", {}, { progressToken: 1 }));
      await seen.until("begun");
      const answer = await tick;
      answer.leave();
      // Time in which a server that took leaving for cancelling would do so.
      await new Promise((resolve) => setTimeout(resolve, 50));
      finish();
      await seen.until("done");
      await gone;
      const cancelled = session.post(call(3, "work"));
      await seen.until("begun", 2);
      const told = await session.post(tell("notifications/cancelled", { requestId: 3, reason: "enough" }));
      expect(told.status).toBe(202);
      await seen.until("aborted");
      const rest = await cancelled;
      expect([rest.status, rest.header("content-type")]).toEqual([200, "text/event-stream"]);
      for (let event = await rest.next(); event; event = await rest.next()) expect(event.data).toBe("");
      expect(resultOf(await session.ask(call(3, "echo", { value: "the id is free again" })))).toBeDefined();
    });

    it("asks the client on the stream of the call, and takes the answer from another POST", async () => {
      const session = await Session.start(await open(), revision, { roots: {} });
      const answer = await session.post(call(1, "roots"));
      const question = await answer.message();
      expect(question["method"]).toBe("roots/list");
      const told = await session.post({
        jsonrpc: "2.0",
        id: question["id"],
        result: { roots: [{ uri: "file:///home" }] },
      });
      expect(told.status).toBe(202);
      expect(textOf(resultOf(await answer.message()))).toBe("file:///home");
      expect(await answer.next()).toBeUndefined();
    });

    it("JRPC-03 an id that is in use is refused, and the first one is still answered", async () => {
      const seen = watch();
      let finish = (): void => {};
      const up = await open(
        {},
        {
          slow: () =>
            new Promise((resolve) => {
              finish = () => resolve(text("slow"));
              seen.saw("begun");
            }),
        },
      );
      const session = await Session.start(up, revision);
      const slow = session.post(call("same", "slow"));
      await seen.until("begun");
      const second = await session.post(ask("same", "ping"));
      expect([second.status, (await second.json())["id"]]).toEqual([400, "same"]);
      finish();
      expect(textOf(resultOf(await (await slow).json()))).toBe("slow");
      expect(resultOf(await session.ask(ask("same", "ping")))).toEqual({});
    });

    it("a result that is no JSON becomes an error, and nothing hangs", async () => {
      const errors: Error[] = [];
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      const session = await Session.start(
        await open(
          {},
          { circle: async () => circle, count: () => ({ content: [], big: 1n }) },
          { onError: (error) => void errors.push(error) },
        ),
        revision,
      );
      for (const name of ["circle", "count"]) {
        expect(errorOf(await session.ask(call(name, name)))["code"]).toBe(-32603);
      }
      expect(errors).toHaveLength(2);
      expect(resultOf(await session.ask(ask(2, "ping")))).toEqual({});
    });
  });

  it("HTTP-03 a POST whose client does not take both kinds of answer is refused with 406", async () => {
    const up = await open();
    for (const [accept, status] of [
      [undefined, 406],
      ["application/json", 406],
      ["text/event-stream", 406],
      ["text/html", 406],
      ["application/json, text/event-stream", 200],
      ["TEXT/EVENT-STREAM;q=0.5 , Application/JSON", 200],
      ["*/*", 200],
      ["application/*, text/*", 200],
    ] as const) {
      const answer = await up.send({ body: hello(legacy.revision), headers: { accept } });
      expect([accept, answer.status]).toEqual([accept, status]);
    }
  });

  it("HTTP-04 a body that is not said to be JSON is refused with 415", async () => {
    const up = await open();
    for (const [type, status] of [
      [undefined, 415],
      ["text/plain", 415],
      ["application/jsonp", 415],
      ["application/x-www-form-urlencoded", 415],
      ["application/json", 200],
      ["application/json; charset=utf-8", 200],
      ["Application/JSON;charset=UTF-8", 200],
    ] as const) {
      const body = new TextEncoder().encode(JSON.stringify(hello(legacy.revision)));
      const answer = await up.send({ body, headers: { "content-type": type } });
      expect([type, answer.status]).toEqual([type, status]);
    }
  });

  it("HTTP-08 pages of other origins are refused with 403, before anything else is looked at", async () => {
    const up = await open();
    for (const [origin, status] of [
      ["http://evil.example.com", 403],
      ["null", 403],
      ["garbage", 403],
      ["http://localhost.evil.example.com", 403],
      ["http://localhost:5173", 200],
      ["https://127.0.0.1", 200],
      ["http://[::1]:1", 200],
    ] as const) {
      const answer = await up.send({ body: hello(legacy.revision), headers: { origin } });
      expect([origin, answer.status]).toEqual([origin, status]);
    }
    const listening = await up.send({ method: "GET", headers: { origin: "http://evil.example.com" } });
    expect(listening.status).toBe(403);
  });

  it("HTTP-10 a name that is not allowed is refused with 403", async () => {
    const up = await open({ allowedHosts: ["mcp.example.com"] });
    for (const [host, origin, status] of [
      ["mcp.example.com", undefined, 200],
      ["MCP.example.com:8080", undefined, 200],
      ["mcp.example.com:8080", "http://mcp.example.com:8080", 200],
      ["mcp.example.com:8080", "http://mcp.example.com", 403],
      ["evil.example.com", undefined, 403],
      ["127.0.0.1", undefined, 403],
    ] as const) {
      const answer = await up.send({ body: hello(legacy.revision), headers: { host, origin } });
      expect([host, origin, answer.status]).toEqual([host, origin, status]);
    }
  });

  it("allowed pages are told what they may do, before they call and when they have", async () => {
    const page = "https://app.example.com";
    const up = await open({ allowedOrigins: [page] });
    const asked = await up.send({
      method: "OPTIONS",
      headers: {
        origin: page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, mcp-session-id",
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.header("access-control-allow-origin")).toBe(page);
    expect(asked.header("access-control-allow-methods")).toBe("GET, POST, DELETE");
    expect(asked.header("access-control-allow-headers")).toBe("content-type, mcp-session-id");
    const session = await Session.start(up, legacy, {}, { origin: page });
    const answers = [
      session.opening,
      await session.post(ask(1, "ping")),
      await session.post(call(2, "count", {}, { progressToken: 1 })),
      await session.post("{"),
      await session.post(tell("notifications/initialized")),
      await session.send({ method: "PUT", body: "{}" }),
      await up.send({ body: ask(1, "ping"), headers: { origin: page } }),
    ];
    for (const answer of answers) {
      expect(answer.header("access-control-allow-origin")).toBe(page);
      expect(answer.header("access-control-expose-headers")).toMatch(/mcp-session-id/i);
      expect(answer.header("vary")).toBe("Origin");
    }
    const stranger = await up.send({ method: "OPTIONS", headers: { origin: "https://evil.example.com" } });
    expect([stranger.status, stranger.header("access-control-allow-origin")]).toEqual([403, undefined]);
    // The same session may be used from elsewhere: what is said depends on who asks.
    const plain = await session.send({ body: ask(3, "ping"), headers: { origin: undefined } });
    expect(plain.header("access-control-allow-origin")).toBeUndefined();
  });

  it("HTTP-12 a client that states no revision is served: in its session, and as 2025-03-26 without one", async () => {
    const session = await Session.start(await open(), legacy);
    const { headers } = session;
    const stated = { [legacy.facts.headers.version ?? ""]: undefined };
    expect((await session.send({ body: ask(1, "ping"), headers: { ...headers, ...stated } })).status).toBe(
      200,
    );
    const alone = await open({ sessions: false });
    const batch = await alone.send({ body: [ask(1, "ping"), ask(2, "ping")] });
    expect([batch.status, await batch.json()]).toEqual([
      200,
      [1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })),
    ]);
  });

  it("HTTP-13 a revision that is not spoken is refused with 400, whatever the method", async () => {
    const session = await Session.start(await open(), legacy);
    const version = legacy.facts.headers.version ?? "";
    for (const stated of ["2099-01-01", "garbage", "", "2025-06-18, 2025-11-25"]) {
      for (const sent of [{ body: ask(1, "ping") }, { method: "GET" }, { method: "DELETE" }]) {
        const answer = await session.send({ ...sent, headers: { [version]: stated } });
        expect([stated, answer.status]).toEqual([stated, 400]);
      }
    }
    expect(resultOf(await session.ask(ask(1, "ping")))).toEqual({});
  });

  it("HTTP-14 HTTP-15 a GET that takes no stream is refused with 406", async () => {
    const session = await Session.start(await open(), legacy);
    for (const accept of [undefined, "application/json"])
      expect((await session.listen({ accept })).status).toBe(406);
    const stream = await session.listen();
    expect(stream.header("x-accel-buffering")).toBe("no");
    expect(stream.header("cache-control")).toMatch(/no-transform/);
    stream.leave();
  });

  it("HTTP-15 other methods, and without sessions all but POST, are refused with 405", async () => {
    const up = await open();
    for (const method of ["PUT", "PATCH", "HEAD"]) {
      const answer = await up.send({ method });
      expect([method, answer.status, answer.header("allow")]).toEqual([method, 405, "GET, POST, DELETE"]);
    }
    const alone = await open({ sessions: false });
    for (const method of ["GET", "DELETE", "PUT", "HEAD"]) {
      const answer = await alone.send({ method });
      expect([method, answer.status, answer.header("allow")]).toEqual([method, 405, "POST"]);
    }
  });

  it("HTTP-21 a body over the limit is refused with 413, however it comes, and one at the limit is not", async () => {
    const body = JSON.stringify(hello(legacy.revision));
    const up = await open({ maxBodyBytes: body.length });
    expect((await up.send({ body })).status).toBe(200);
    const long = await up.send({ body: `${body} ` });
    expect([long.status, errorOf(await long.json())["code"]]).toEqual([413, -32600]);
    const huge = await up.send({ body: "x".repeat(8_000_000) });
    expect(huge.status).toBe(413);
    expect((await up.send({ body })).status).toBe(200);
  });

  it("JRPC-12 a byte order mark goes by, and text comes back as it was", async () => {
    const session = await Session.start(await open(), legacy);
    const value = "grüß 你好 \u{1F600} \u2028 \uFFFD";
    const bytes = new TextEncoder().encode(`\uFEFF${JSON.stringify(call(1, "echo", { value }))}`);
    expect(textOf(resultOf(await (await session.post(bytes)).json()))).toBe(value);
  });

  it("JRPC-02 ids come back as they were", async () => {
    const session = await Session.start(await open(), legacy);
    for (const id of [0, -1, 2 ** 53 - 1, "", "0", "é", "x".repeat(10_000), "__proto__"])
      expect((await session.ask(ask(id, "ping")))["id"]).toBe(id);
  });

  it("too many POSTs at once are refused with 503 until one is answered", async () => {
    const seen = watch();
    let finish = (): void => {};
    const up = await open(
      { maxRequests: 2 },
      {
        slow: () =>
          new Promise((resolve) => {
            const former = finish;
            finish = () => (former(), resolve(text("slow")));
            seen.saw("begun");
          }),
      },
    );
    const session = await Session.start(up, legacy);
    const slow = [session.post(call(1, "slow")), session.post(call(2, "slow"))];
    await seen.until("begun", 2);
    const refused = await session.post(ask(3, "ping"));
    expect([refused.status, refused.header("retry-after")]).toEqual([503, "1"]);
    finish();
    for (const answer of slow) expect((await answer).status).toBe(200);
    expect((await session.post(ask(3, "ping"))).status).toBe(200);
  });

  it("what fails in authenticate is told to the server's owner and to nobody else", async () => {
    const errors: Error[] = [];
    const up = await open(
      {
        authenticate: () => {
          throw new Error("the password is swordfish");
        },
      },
      {},
      { onError: (error) => void errors.push(error) },
    );
    const answer = await up.send({ body: hello(legacy.revision) });
    expect([answer.status, await answer.text()]).toEqual([500, ""]);
    expect(errors.map(({ message }) => message)).toEqual(["the password is swordfish"]);
  });

  describe("batches", () => {
    it("BATCH-01 BATCH-02 requests and notifications in one array are answered in one array", async () => {
      const session = await Session.start(await open(), first);
      const answer = await session.post([
        ask(1, "ping"),
        tell("notifications/unheard"),
        call("two", "echo", { value: 2 }),
        { jsonrpc: "2.0", id: 77, result: {} },
      ]);
      expect([answer.status, answer.header("content-type")]).toEqual([200, "application/json"]);
      const replies = (await answer.json()) as unknown as Json[];
      expect(replies.map(({ id }) => id)).toEqual([1, "two"]);
      const silent = await session.post([
        tell("notifications/unheard"),
        { jsonrpc: "2.0", id: 9, result: {} },
      ]);
      expect([silent.status, await silent.text()]).toEqual([202, ""]);
    });

    it("BATCH-02 what comes before the last answer makes a stream of all of them", async () => {
      const session = await Session.start(await open(), first);
      const answer = await session.post([
        ask(1, "ping"),
        call(2, "count", {}, { progressToken: "p" }),
        ask(3, "ping"),
      ]);
      expect(answer.header("content-type")).toBe("text/event-stream");
      const ids = [];
      for (let event = await answer.next(); event; event = await answer.next()) {
        const { id, method } = JSON.parse(event.data ?? "null") as Json;
        ids.push(id ?? method);
      }
      const progress = "notifications/progress";
      expect(ids).toEqual([1, progress, progress, progress, 2, 3]);
    });

    it("BATCH-03 BATCH-04 an initialize in an array, an empty one and one that is too long are one error", async () => {
      const up = await open({}, {}, { maxBatch: 3 });
      const outside = await up.send({ body: [hello(first.revision)] });
      expect(outside.status).toBe(400);
      const session = await Session.start(up, first);
      const many = [1, 2, 3, 4].map((id) => ask(id, "ping"));
      for (const body of [[], many, [1, 2, 3, 4]]) {
        const answer = await session.post(body);
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
      }
      // None of their ids is taken by that.
      expect(await session.ask(ask(1, "ping"))).toMatchObject({ id: 1, result: {} });
      const inside = (await session.ask([hello(first.revision)] as unknown as Json)) as unknown as Json[];
      expect(inside).toMatchObject([{ id: "hello", error: { code: -32600 } }]);
    });

    it("BATCH-04 each element that is no message has an error of its own", async () => {
      const session = await Session.start(await open(), first);
      const answer = await session.post([1, "two", ask(3, "ping")]);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject([
        { id: null, error: { code: -32600 } },
        { id: null, error: { code: -32600 } },
        { id: 3, result: {} },
      ]);
    });

    it("JRPC-03 an id twice in one array is refused, and nothing waits for ever", async () => {
      const session = await Session.start(await open(), first);
      const answer = await session.post([call(1, "wait"), call(1, "wait")]);
      expect(answer.status).toBe(400);
      expect(await session.ask(ask(1, "ping"))).toMatchObject({ id: 1, result: {} });
    });

    it("a cancelled element leaves the answers to the others", async () => {
      const seen = watch();
      const session = await Session.start(
        await open(
          {},
          {
            slow: async (_, { signal }) => {
              seen.saw("begun");
              await new Promise((resolve) => signal.addEventListener("abort", resolve));
            },
          },
        ),
        first,
      );
      const answer = session.post([ask(1, "ping"), call(2, "slow")]);
      await seen.until("begun");
      await session.post(tell("notifications/cancelled", { requestId: 2 }));
      expect(await (await answer).json()).toMatchObject([{ id: 1, result: {} }]);
    });

    describe.each(sessionRevisions.filter(({ facts }) => !facts.batches))("at $revision", (revision) => {
      it.each([true, false])("BATCH-05 an array is no message (sessions: %s)", async (sessions) => {
        const up = await open({ sessions, keepAliveTime: 5 });
        const session = await Session.start(up, revision);
        for (const body of [[ask(1, "ping")], [ask(1, "ping"), ask(2, "ping")], [1], []]) {
          const answer = await session.post(body);
          expect(answer.status).toBe(400);
          expect(errorOf(await answer.json())["code"]).toBe(-32600);
        }
        // Nothing is left behind that signs of life could trip over.
        await turns(20);
        expect(await session.ask(ask(1, "ping"))).toMatchObject({ id: 1, result: {} });
      });
    });
  });

  describe("without sessions", () => {
    it.each(sessionRevisions)("each request at $revision stands alone", async (revision) => {
      const session = await Session.start(await open({ sessions: false }), revision);
      expect(session.opening.header("mcp-session-id")).toBeUndefined();
      expect(resultOf(await session.opening.json())["protocolVersion"]).toBe(revision.revision);
      const answer = await session.ask(call(1, "echo", { value: "alone" }));
      expect(textOf(resultOf(answer))).toBe("alone");
      const stream = await session.post(call(1, "count", {}, { progressToken: 1 }));
      expect(stream.header("content-type")).toBe("text/event-stream");
      expect((await stream.message())["method"]).toBe("notifications/progress");
      stream.leave();
    });

    it.each(sessionRevisions)(
      "the client at $revision cannot be asked, and that is an error at once",
      async (revision) => {
        const errors: Error[] = [];
        const up = await open({ sessions: false }, {}, { onError: (error) => void errors.push(error) });
        const session = await Session.start(up, revision, { roots: {} });
        const answer = await session.ask(call(1, "roots"));
        expect(errorOf(answer)["code"]).toBe(-32603);
        expect(errors).toHaveLength(1);
      },
    );

    it("a session that somebody names is not looked for", async () => {
      const up = await open({ sessions: false });
      const answer = await up.send({ body: ask(1, "ping"), headers: { "mcp-session-id": "made-up" } });
      expect(answer.status).toBe(200);
    });
  });
});
