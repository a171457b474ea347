import { afterEach, describe, expect, it } from "vitest";
import type { HttpOptions } from "@mcpgen/runtime/http";
import {
  type Answer,
  ask,
  call,
  doors,
  hello,
  modernPost,
  type Open,
  type Revision,
  type Sent,
  serversWith,
  Session,
  sessionRevisions,
  tell,
  type Tools,
  watch,
  eventually,
} from "./http-server-kit.js";
import {
  errorOf,
  type Json,
  legacy,
  makeServer,
  metaFor,
  modern,
  resultOf,
  revisions,
  type ServerOptions,
  text,
  textOf,
  turns,
} from "./kit.js";

const { version = "", method: methodHeader = "", name: nameHeader = "", param = "" } = modern.facts.headers;
const { HEADER_MISMATCH = 0, UNSUPPORTED_PROTOCOL_VERSION = 0 } = modern.facts.errors;

/** The POST of a request with some of its headers otherwise, or left out. */
const post = (message: Json, headers: Sent["headers"] = {}, capabilities: Json = {}): Sent =>
  modernPost(modern, message, { headers, capabilities });

async function codeOf(answer: Answer): Promise<readonly [number, unknown]> {
  return [answer.status, errorOf(await answer.json())["code"]];
}

describe.each(doors)("lists in pages behind $name", (door) => {
  /** Asks one replica after another, page by page, and returns what the handlers and the client got to see. */
  const turn = async (
    scopes: readonly (string | undefined)[],
    prefix = "",
  ): Promise<{ cursors: unknown[]; pages: Json[]; faults: string[] }> => {
    const [cursors, pages, faults]: [unknown[], Json[], string[]] = [[], [], []];
    let cursor: unknown;
    for (const [at, cacheScope] of scopes.entries()) {
      const replica = await door.open(
        makeServer(modern.protocol, {
          onError: ({ message }) => faults.push(message),
          handlers: {
            "tools/list": (params) => {
              cursors.push(params?.["cursor"]);
              const nextCursor = at + 1 < scopes.length ? `${prefix}${at + 1}` : undefined;
              return { tools: [], ...(cacheScope && { cacheScope }), ...(nextCursor && { nextCursor }) };
            },
          },
        }),
      );
      const params = cursor === undefined ? {} : { cursor };
      const answer = await replica.send(post({ jsonrpc: "2.0", id: at, method: "tools/list", params }));
      const message = await answer.json();
      pages.push((message["result"] ?? message["error"]) as Json);
      cursor = pages.at(-1)?.["nextCursor"];
      await replica.close();
    }
    return { cursors, pages, faults };
  };
  const scopesOf = (pages: readonly Json[]): unknown[] => pages.map(({ cacheScope }) => cacheScope);

  it.each([
    [["public", "public", undefined], "public"],
    [["private", "public", undefined], "private"],
    [[undefined, "public", "private"], "private"],
  ])("CACHE-06 pages that say %j are all %s, whoever answers for each", async (scopes, wanted) => {
    for (const prefix of ["", "+", "-"]) {
      const { cursors, pages } = await turn(scopes, prefix);
      expect(scopesOf(pages)).toEqual([wanted, wanted, wanted]);
      expect(cursors).toEqual([undefined, `${prefix}1`, `${prefix}2`]);
    }
  });

  it("CACHE-06 leaves the cursors of a private list as they are", async () => {
    const { pages } = await turn([undefined, undefined], "");
    expect(pages[0]?.["nextCursor"]).toBe("1");
  });

  it("CACHE-06 does not give away a page that says it is private after one that was public", async () => {
    const { pages, faults } = await turn(["public", "private"]);
    expect(pages[1]).toMatchObject({ code: -32603, message: "Internal error" });
    expect(faults).toEqual([
      "tools/list: this page is private, but the first one was public; all pages of a list are alike.",
    ]);
  });
});

describe.each(doors)("the modern shape behind $name", (door) => {
  const opened: Open[] = [];
  const open = async (
    options: HttpOptions = {},
    tools: Tools = {},
    settings: ServerOptions = {},
    wanted: readonly Revision[] = [modern],
  ): Promise<Open> => {
    const up = await door.open(serversWith(tools, settings, wanted), options);
    opened.push(up);
    return up;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  describe.each([
    { who: "a modern server alone", wanted: [modern], sessions: true },
    { who: "servers of all revisions", wanted: revisions, sessions: true },
    { who: "servers of all revisions without sessions", wanted: revisions, sessions: false },
  ])("of $who", ({ wanted, sessions }) => {
    const openAll = (tools: Tools = {}, settings: ServerOptions = {}): Promise<Open> =>
      open({ sessions }, tools, settings, wanted);

    it("HTTP-40 HTTP-07 a request is answered by one JSON object, and no session is made", async () => {
      const up = await openAll();
      const answer = await up.send(post(call(1, "echo", { value: "hi" }), { "mcp-session-id": undefined }));
      expect([answer.status, answer.header("content-type")]).toEqual([200, "application/json"]);
      expect(answer.header("mcp-session-id")).toBeUndefined();
      expect(textOf(resultOf(await answer.json()))).toBe("hi");
    });

    it("HTTP-41 a body that is neither a request nor a notification is refused with 400", async () => {
      const up = await openAll();
      const headers = { [version]: modern.revision };
      for (const body of [
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } },
        [ask(1, "tools/list")],
        [],
        5,
        null,
        {},
      ]) {
        const answer = await up.send({ body: JSON.stringify(body), headers });
        expect(await codeOf(answer)).toEqual([400, -32600]);
      }
    });

    it("HTTP-42 a notification is answered by 202 and nothing", async () => {
      const up = await openAll();
      for (const method of ["notifications/cancelled", "notifications/unheard"]) {
        const answer = await up.send(post(tell(method, { requestId: 5 })));
        expect([answer.status, await answer.text()]).toEqual([202, ""]);
      }
    });

    it("HTTP-43 HTTP-44 HTTP-47 what is told before the answer makes a stream that ends with it", async () => {
      const up = await openAll();
      const answer = await up.send(post(call(7, "count", {}, { progressToken: "p" })));
      expect([answer.header("content-type"), answer.header("x-accel-buffering")]).toEqual([
        "text/event-stream",
        "no",
      ]);
      for (const progress of [1, 2, 3]) {
        const event = await answer.next();
        expect(Object.keys(event ?? {})).toEqual(["data"]);
        expect(JSON.parse(event?.data ?? "")).toMatchObject({ params: { progressToken: "p", progress } });
      }
      expect(await answer.message()).toMatchObject({ id: 7, result: text("counted") });
      expect(await answer.next()).toBeUndefined();
    });

    it("HTTP-45 a client that goes away cancels, whether it has heard anything yet or not", async () => {
      const seen = watch();
      const tools: Tools = {
        loud: async (_, { signal, progress }) => {
          progress(1);
          signal.addEventListener("abort", () => seen.saw("loud aborted"));
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          progress(2);
        },
        silent: async (_, { signal }) => {
          seen.saw("silent");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          seen.saw("silent aborted");
          return text("too late");
        },
      };
      const servers = serversWith(tools, {}, wanted);
      const up = await door.open(servers, { sessions });
      opened.push(up);
      const loud = await up.send(post(call(1, "loud", {}, { progressToken: 1 })));
      await loud.message();
      loud.leave();
      await seen.until("loud aborted");
      const leaving = new AbortController();
      const silent = up.send({ ...post(call(1, "silent")), signal: leaving.signal }).catch(() => {});
      await seen.until("silent");
      leaving.abort();
      await seen.until("silent aborted");
      await silent;
      await eventually(() =>
        expect(servers.map(({ core }) => core.links.size)).toEqual(servers.map(() => 0)),
      );
    });

    it("HTTP-48 HTTP-49 an unknown method is 404, and all other errors have the status 200 or 400", async () => {
      const up = await openAll();
      for (const method of ["tools/cal", "ping", "initialize", "logging/setLevel", "resources/subscribe"]) {
        const answer = await up.send(post(ask("x", method)));
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({ id: "x", error: { code: -32601 } });
      }
      expect(await codeOf(await up.send(post(call(1, "fail"))))).toEqual([200, -32603]);
      expect(await codeOf(await up.send(post(ask(1, "tools/call", {}))))).toEqual([200, -32602]);
    });

    it("META-01 HDR-16 a request that does not say which revision it is, is refused with 400", async () => {
      const up = await openAll();
      const { protocolVersion = "", clientCapabilities = "" } = modern.facts.meta;
      const whole = metaFor(modern);
      for (const key of [protocolVersion, clientCapabilities]) {
        for (const wrong of [undefined, 5, null]) {
          const params = { name: "echo", arguments: {}, _meta: { ...whole, [key]: wrong } };
          const body = ask(1, "tools/call", params);
          const answer = await up.send({ body, headers: post(call(1, "echo")).headers ?? {} });
          expect(answer.status).toBe(400);
          expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32602 } });
        }
      }
      const bare = await up.send({
        body: ask(1, "tools/list"),
        headers: post(ask(1, "tools/list")).headers ?? {},
      });
      expect(await codeOf(bare)).toEqual([400, -32602]);
    });

    it("META-02 META-04 who the client is, is its own affair", async () => {
      const up = await openAll();
      const { clientInfo = "" } = modern.facts.meta;
      const answers = [];
      for (const given of [undefined, { name: "curl", version: "1" }]) {
        const sent = post(call(1, "echo", { value: "x" }, { [clientInfo]: given }));
        answers.push(await (await up.send(sent)).text());
      }
      expect(answers[0]).toBe(answers[1]);
    });

    it("META-05 a capability counts for the request that declares it, and for no other", async () => {
      const up = await openAll();
      const declared = await up.send(post(call(1, "elicit"), {}, { elicitation: { form: {} } }));
      expect(resultOf(await declared.json())["resultType"]).toBe("input_required");
      const { MISSING_REQUIRED_CLIENT_CAPABILITY: code } = modern.facts.errors;
      expect(await codeOf(await up.send(post(call(2, "elicit"))))).toEqual([400, code]);
    });

    it("VERS-07 an unknown revision is refused with 400 and the list of those there are", async () => {
      const up = await openAll();
      const { protocolVersion = "" } = modern.facts.meta;
      const sent = post(call(1, "echo", {}, { [protocolVersion]: "2099-01-01" }), {
        [version]: "2099-01-01",
      });
      const answer = await up.send(sent);
      expect(answer.status).toBe(400);
      expect(errorOf(await answer.json())).toMatchObject({
        code: UNSUPPORTED_PROTOCOL_VERSION,
        data: { requested: "2099-01-01", supported: wanted.map(({ revision }) => revision) },
      });
    });

    it("HDR-01 the header and the body name one revision, also for a notification", async () => {
      const up = await openAll();
      for (const message of [call(1, "echo"), tell("notifications/cancelled", { requestId: 1 })]) {
        for (const stated of [undefined, "", "2025-11-25", "2099-01-01"]) {
          const answer = await up.send(post(message, { [version]: stated }));
          expect([stated, ...(await codeOf(answer))]).toEqual([stated, 400, HEADER_MISMATCH]);
        }
      }
    });

    it("HDR-02 HDR-03 HDR-04 HDR-05 headers repeat method and name, whatever their own case", async () => {
      const up = await openAll();
      const echo = call(1, "echo", { value: "x" });
      const read = ask(1, "resources/read", { uri: "file:///Ä b" });
      const encoded = `=?base64?${Buffer.from("file:///Ä b").toString("base64")}?=`;
      for (const [message, headers, status] of [
        [echo, {}, 200],
        [echo, { [methodHeader]: undefined, [methodHeader.toUpperCase()]: "tools/call" }, 200],
        [echo, { [methodHeader]: "  tools/call\t" }, 200],
        [echo, { [methodHeader]: undefined }, 400],
        [echo, { [methodHeader]: "TOOLS/CALL" }, 400],
        [echo, { [methodHeader]: "tools/list" }, 400],
        [echo, { [methodHeader]: ["tools/call", "tools/call"] }, 400],
        [echo, { [nameHeader]: undefined }, 400],
        [echo, { [nameHeader]: "Echo" }, 400],
        [echo, { [nameHeader]: "" }, 400],
        [echo, { [nameHeader]: `=?base64?${Buffer.from("echo").toString("base64")}?=` }, 200],
        [echo, { [nameHeader]: "=?BASE64?ZWNobw==?=" }, 400],
        [echo, { [nameHeader]: "=?base64?ZWNob?=" }, 400],
        [read, { [nameHeader]: encoded }, 200],
        [read, { [nameHeader]: "=?base64?ZWNobw==?=" }, 400],
        [ask(1, "tools/list"), { [nameHeader]: "nobody asks" }, 200],
      ] as const) {
        const answer = await up.send(post(message, headers));
        expect([headers, answer.status]).toEqual([headers, status]);
        if (status === 400)
          expect(await answer.json()).toMatchObject({ id: 1, error: { code: HEADER_MISMATCH } });
      }
    });

    it("LIFE-11 LIFE-12 nothing is remembered from one request to the next", async () => {
      const up = await openAll();
      expect((await up.send(post(call(1, "echo")))).status).toBe(200);
      const bare = await up.send({ body: call(2, "echo"), headers: { [version]: modern.revision } });
      expect(bare.status).toBe(400);
      // Ids of requests that are not one client's are not one another's.
      const answers = await Promise.all(
        [1, 1, 1].map((id) => up.send(post(call(id, "echo", { value: "x" })))),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    it("SUBS-02 SUBS-04 SUBS-08 a stream of announcements is heard until the client leaves or the server closes", async () => {
      const servers = serversWith({}, {}, wanted);
      const up = await door.open(servers, { sessions });
      opened.push(up);
      const listen = (id: string): Sent =>
        post(ask(id, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
      const [first, second] = [await up.send(listen("a")), await up.send(listen("b"))];
      for (const [answer, id] of [
        [first, "a"],
        [second, "b"],
      ] as const) {
        const { subscriptionId = "" } = modern.facts.meta;
        expect(await answer.message()).toMatchObject({ params: { _meta: { [subscriptionId]: id } } });
      }
      first.leave();
      await eventually(() => expect(servers.reduce((sum, { core }) => sum + core.links.size, 0)).toBe(1));
      servers[0]?.notify["toolsListChanged"]?.();
      expect((await second.message())["method"]).toBe("notifications/tools/list_changed");
      opened.length = 0;
      const closing = up.close();
      expect(await second.message()).toMatchObject({ id: "b", result: { resultType: "complete" } });
      expect(await second.next()).toBeUndefined();
      await closing;
    });
  });

  it("COMPAT-14 a modern server alone has no use for GET and DELETE, nor for sessions", async () => {
    const up = await open();
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await up.send({ method, headers: { "mcp-session-id": "x", "last-event-id": "1-1" } });
      expect([answer.status, answer.header("allow")]).toEqual([405, "POST"]);
      expect(answer.header("mcp-session-id")).toBeUndefined();
    }
    const ignored = await up.send(post(call(1, "echo"), { "mcp-session-id": "x", "last-event-id": "1-1" }));
    expect([ignored.status, ignored.header("mcp-session-id")]).toEqual([200, undefined]);
  });

  it("COMPAT-15 COMPAT-19 a modern server alone refuses what has no header for its revision", async () => {
    const up = await open();
    for (const body of [hello(legacy.revision), ask(1, "tools/list"), tell("notifications/initialized")]) {
      expect(await codeOf(await up.send({ body }))).toEqual([400, HEADER_MISMATCH]);
    }
  });

  it("COMPAT-19 where legacy servers are too, a POST without the header is one of the oldest that has none", async () => {
    const up = await open({ sessions: false }, {}, {}, revisions);
    const answer = await up.send({ body: [call(1, "echo", { value: "old" })] });
    expect(textOf(resultOf(((await answer.json()) as unknown as Json[])[0] ?? {}))).toBe("old");
  });

  it("COMPAT-12 what a request is follows from its own version, then its method, its session, its header", async () => {
    const up = await open({}, {}, {}, revisions);
    const session = await Session.start(up, legacy);
    const stated = { [version]: modern.revision };
    const id = session.headers["mcp-session-id"];
    // (1) Its own version: modern, whatever the method and the session.
    expect(await codeOf(await up.send(post(ask(1, "initialize"), { "mcp-session-id": id })))).toEqual([
      404, -32601,
    ]);
    expect((await up.send(post(call(1, "echo"), { "mcp-session-id": id }))).status).toBe(200);
    // (2) A handshake without it: legacy, whatever the header says.
    const greeted = await up.send({ body: hello(legacy.revision), headers: stated });
    expect(greeted.header("mcp-session-id")).toBeDefined();
    // (3) A session that there is: legacy.
    expect(resultOf(await (await session.send({ body: ask(1, "ping"), headers: stated })).json())).toEqual(
      {},
    );
    // (4) A modern header: modern, and malformed.
    expect(await codeOf(await up.send({ body: ask(1, "tools/list"), headers: stated }))).toEqual([
      400, -32602,
    ]);
    const gone = { ...stated, "mcp-session-id": "gone" };
    expect(await codeOf(await up.send({ body: ask(1, "tools/list"), headers: gone }))).toEqual([400, -32602]);
    // (5) The rest is legacy.
    expect((await session.send({ body: ask(1, "ping"), headers: { "mcp-session-id": "gone" } })).status).toBe(
      404,
    );
    expect((await up.send({ body: ask(1, "ping") })).status).toBe(400);
  });

  it("COMPAT-13 clients of all revisions are served at once behind one URL", async () => {
    const up = await open({}, {}, {}, revisions);
    const sessions = await Promise.all(sessionRevisions.map((revision) => Session.start(up, revision)));
    const rounds = [1, 2, 3].flatMap((id) => [
      ...sessions.map((session) => session.ask(call(id, "echo", { value: id }))),
      up.send(post(call(id, "echo", { value: id }))).then((answer) => answer.json()),
    ]);
    const found = (await Promise.all(rounds)).map((answer) => textOf(resultOf(answer)));
    expect(found).toEqual([1, 2, 3].flatMap((id) => Array(sessions.length + 1).fill(String(id))));
  });

  it("HDR-06 HDR-07 HDR-09 HDR-10 arguments that a tool wants repeated are compared with their headers", async () => {
    const inputSchema = {
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        count: { type: "integer", "x-mcp-header": "Count" },
        dry: { type: "boolean", "x-mcp-header": "Dry" },
      },
    };
    const { tools } = await import("@mcpgen/runtime/features");
    const servers = [modern].map(({ protocol }) =>
      protocol.createServer({
        info: { name: "mirrors", version: "1" },
        handlers: tools([{ name: "deploy", inputSchema, handler: () => text("done") } as never]) as never,
      }),
    );
    const up = await door.open(servers);
    opened.push(up);
    const given = { region: "us ", count: 42, dry: false };
    const right = {
      [`${param}Region`]: "=?base64?dXMg?=",
      [`${param}Count`]: "42",
      [`${param}Dry`]: "false",
    };
    for (const [headers, status] of [
      [{}, 200],
      [{ [`${param}Count`]: "42.0" }, 200],
      [{ [`${param}Count`]: "43" }, 400],
      [{ [`${param}Count`]: "" }, 400],
      [{ [`${param}Region`]: "us" }, 400],
      [{ [`${param}Region`]: "=?base64?dXMg" }, 400],
      [{ [`${param}Dry`]: "FALSE" }, 400],
      [{ [`${param}Dry`]: undefined }, 400],
    ] as const) {
      const answer = await up.send(post(call(1, "deploy", given), { ...right, ...headers }));
      expect([headers, answer.status]).toEqual([headers, status]);
    }
    const missing = await up.send(post(call(1, "deploy", { region: null }), {}));
    expect(missing.status, "null and absent need no header").toBe(200);
    const extra = await up.send(post(call(1, "deploy", {}), { [`${param}Region`]: "eu" }));
    expect(extra.status, "a header without a value").toBe(400);
  });

  it("HDR-15 HDR-16 strangers and the unknown learn nothing of what they sent", async () => {
    const up = await open({
      authenticate: (request) =>
        request.headers.has("authorization") ? { principal: "ada" } : new Response(null, { status: 401 }),
    });
    const evil = { origin: "http://evil.example.com" };
    expect((await up.send({ body: "{", headers: evil })).status).toBe(403);
    expect((await up.send({ body: "{", headers: { [methodHeader]: "x" } })).status).toBe(401);
    expect((await up.send({ body: "{", headers: { authorization: "x" } })).status).toBe(400);
  });

  it("a client that left while it was looked up starts nothing, or is cancelled at once", async () => {
    const seen = watch();
    let admit = (): void => {};
    const servers = serversWith({
      stuck: async (_, { signal }) => {
        seen.saw("begun");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const up = await door.open(servers, {
      authenticate: async () => {
        await new Promise<void>((resolve) => {
          admit = resolve;
          seen.saw("asked");
        });
        return {};
      },
    });
    opened.push(up);
    const leaving = new AbortController();
    const sent = up.send({ ...post(call(1, "stuck")), signal: leaving.signal }).catch(() => {});
    await seen.until("asked");
    leaving.abort();
    await turns(10);
    admit();
    await sent;
    await turns(10);
    expect(seen.events).toEqual(["asked"]);
    expect(servers.map(({ core }) => core.links.size)).toEqual(servers.map(() => 0));
  });
});
