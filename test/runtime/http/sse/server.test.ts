import { afterEach, describe, expect, it } from "vitest";
import {
  createHttpHandler,
  type HttpOptions,
  serveHttp,
} from "@mcpgen/runtime/http";
import { createSseHandler, type SseOptions } from "@mcpgen/runtime/sse";
import { type Answer, sendNode, sendWeb, type Sent } from "../kit/exchange.js";
import { ask, call, hello, modernPost, tell } from "../kit/messages.js";
import { stuck, named, serversWith, type Tools } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { watch, until } from "../../kit/watch.js";
import {
  errorOf,
  type Json,
  legacy,
  modern,
  resultOf,
  type ServerOptions,
  text,
  textOf,
  turns,
} from "../../kit/index.js";

const oldest = named("2024-11-05");

interface Open {
  send(sent: Sent): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * On its own URL and on the URL of the endpoint, through Node and as a
 * function.
 */
const places = [
  { place: "beside the endpoint on Node", path: "/sse", isWeb: false },
  { place: "beside the endpoint as a function", path: "/sse", isWeb: true },
  { place: "on the endpoint on Node", path: "/mcp", isWeb: false },
  { place: "on the endpoint as a function", path: "/mcp", isWeb: true },
];

describe.each(places)("HTTP+SSE $place", ({ path, isWeb }) => {
  const opened: Open[] = [];
  const open = async (
    options: SseOptions & HttpOptions = {},
    tools: Tools = {},
    settings: ServerOptions = {},
  ): Promise<Open & { readonly servers: ReturnType<typeof serversWith> }> => {
    const servers = serversWith(tools, settings);
    const legacySse = createSseHandler(servers, options);
    const handler = createHttpHandler(servers, {
      ...options,
      ...(path === "/mcp" && { legacySse }),
    });
    if (isWeb) {
      const both = (request: Request): Promise<Response> =>
        (new URL(request.url).pathname === "/sse" ? legacySse : handler)(
          request,
        );
      const up = {
        servers,
        send: (sent: Sent) => sendWeb(both, { path, ...sent }),
        close: async () =>
          void (await Promise.all([legacySse.close(), handler.close()])),
      };
      opened.push(up);
      return up;
    }
    const serving = await serveHttp(
      path === "/mcp"
        ? { "/mcp": handler }
        : { "/mcp": handler, "/sse": legacySse },
      {
        port: 0,
      },
    );
    const up = {
      servers,
      send: (sent: Sent) => sendNode(serving.port, { path, ...sent }),
      close: serving.close,
    };
    opened.push(up);
    return up;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });

  /** A stream, and the URL to POST to. */
  const connect = async (
    up: Open,
    headers: Sent["headers"] = {},
  ): Promise<{ stream: Answer; uri: string }> => {
    const stream = await up.send({
      method: "GET",
      headers: { accept: "text/event-stream", ...headers },
    });
    expect([stream.status, stream.header("content-type")]).toEqual([
      200,
      "text/event-stream",
    ]);
    const first = await stream.next();
    expect(first?.event).toBe("endpoint");
    return { stream, uri: first?.data ?? "" };
  };
  const post = (
    up: Open,
    uri: string,
    body: unknown,
    headers: Sent["headers"] = {},
  ): Promise<Answer> =>
    // These clients send no Accept header.
    up.send({ path: uri, body, headers: { accept: undefined, ...headers } });

  it("HSSE-01 HSSE-03 COMPAT-18 sends the endpoint as the first event and messages as all others", async () => {
    const up = await open();
    const { stream, uri } = await connect(up);
    expect(uri).toMatch(new RegExp(`^${path}\\?sessionId=[\\w-]{36}$`));
    const accepted = await post(up, uri, hello(oldest.revision, { roots: {} }));
    expect([accepted.status, await accepted.text()]).toEqual([202, ""]);
    const event = await stream.next();
    expect(event?.event).toBe("message");
    expect(
      resultOf(JSON.parse(event?.data ?? "") as Json)["protocolVersion"],
    ).toBe(oldest.revision);
    stream.leave();
  });

  it("HSSE-03 sends questions, notifications and results of calls as messages", async () => {
    const up = await open();
    const { stream, uri } = await connect(up);
    await post(up, uri, hello(oldest.revision, { roots: {} }));
    await stream.next();
    expect(
      (await post(up, uri, tell("notifications/initialized"))).status,
    ).toBe(202);
    await post(up, uri, call(1, "roots"));
    const question = await stream.message();
    expect(question["method"]).toBe("roots/list");
    await post(up, uri, {
      jsonrpc: "2.0",
      id: question["id"],
      result: { roots: [{ uri: "file:///a" }] },
    });
    expect(textOf(resultOf(await stream.message()))).toBe("file:///a");
    await post(up, uri, call(2, "count", {}, { progressToken: "p" }));
    for (const progress of [1, 2, 3])
      expect(await stream.message()).toMatchObject({
        params: { progressToken: "p", progress },
      });
    expect(await stream.message()).toMatchObject({
      id: 2,
      result: text("counted"),
    });
    stream.leave();
  });

  it("HSSE-05 rejects a POST to an unknown session with 404, and without a session or a valid message with 400", async () => {
    const up = await open({ limits: { bodyBytes: 1000 } });
    const { stream, uri } = await connect(up);
    const unknown = `${path}?sessionId=6c40d9b1-94a7-4b1a-9d2c-0242ac120002`;
    expect((await post(up, unknown, ask(1, "ping"))).status).toBe(404);
    if (path === "/sse")
      expect((await post(up, path, ask(1, "ping"))).status).toBe(400);
    const broken = await post(up, uri, "{");
    expect([broken.status, errorOf(await broken.json())["code"]]).toEqual([
      400, -32700,
    ]);
    expect(
      (await post(up, uri, "{}", { "content-type": "text/plain" })).status,
    ).toBe(415);
    expect((await post(up, uri, "x".repeat(2000))).status).toBe(413);
    // JSON that is not a message gets 202, and an error over the stream.
    expect((await post(up, uri, 5)).status).toBe(202);
    expect(errorOf(await stream.message())["code"]).toBe(-32600);
    stream.leave();
  });

  it("HSSE-07 ends the session and the requests of a client that disconnects", async () => {
    const seen = watch();
    const up = await open({}, stuck(seen));
    const { stream, uri } = await connect(up);
    await post(up, uri, hello(oldest.revision));
    await stream.message();
    await post(up, uri, call(1, "stuck"));
    await seen.until("begun");
    stream.leave();
    await seen.until("aborted");
    await until(async () =>
      expect((await post(up, uri, ask(2, "ping"))).status).toBe(404),
    );
    await until(() =>
      expect(up.servers.map(({ core }) => core.sessions.size)).toEqual(
        up.servers.map(() => 0),
      ),
    );
  });

  it("SESS-08 rejects messages of other principals in a session", async () => {
    const up = await open({
      authenticate: (request) => {
        const principal = request.headers.get("authorization");
        return principal ? { principal } : new Response(null, { status: 401 });
      },
    });
    const { stream, uri } = await connect(up, { authorization: "Ada" });
    expect((await post(up, uri, ask(1, "ping"))).status).toBe(401);
    expect(
      (await post(up, uri, ask(1, "ping"), { authorization: "Bob" })).status,
    ).toBe(404);
    expect(
      (await post(up, uri, ask(1, "ping"), { authorization: "Ada" })).status,
    ).toBe(202);
    expect(await stream.message()).toMatchObject({ id: 1, result: {} });
    stream.leave();
  });

  it("HTTP-08 rejects pages of other origins, other methods with 405, and streams above the limit", async () => {
    const up = await open({ limits: { sessions: 1 } });
    const evil = { origin: "http://evil.example.com" };
    expect((await up.send({ method: "GET", headers: evil })).status).toBe(403);
    expect((await up.send({ method: "PUT", body: "{}" })).status).toBe(405);
    const { stream } = await connect(up);
    const full = await up.send({
      method: "GET",
      headers: { accept: "text/event-stream" },
    });
    expect([full.status, full.header("retry-after")]).toEqual([503, "10"]);
    stream.leave();
    await until(async () => (await connect(up)).stream.leave());
  });

  it("sends announcements, keep-alives and the end over the stream", async () => {
    const up = await open({ keepAliveTime: 5 });
    const { stream, uri } = await connect(up);
    await post(up, uri, hello(oldest.revision));
    await stream.message();
    await post(up, uri, tell("notifications/initialized"));
    await turns();
    for (const { notify } of up.servers) notify["toolsListChanged"]?.();
    expect((await stream.message())["method"]).toBe(
      "notifications/tools/list_changed",
    );
    let event = await stream.next();
    while (event && event.comment === undefined) event = await stream.next();
    expect(event).toBeDefined();
    opened.length = 0;
    const closing = up.close();
    while (await stream.next());
    await closing;
  });

  it("COMPAT-13 leaves the clients of all other revisions on the same URL to Streamable HTTP", async () => {
    const up = await open();
    const endpoint = {
      port: 0,
      close: up.close,
      send: (sent: Sent) => up.send({ path: "/mcp", ...sent }),
    };
    const session = await Session.start(endpoint, legacy);
    const stream = await session.listen();
    expect((await stream.next())?.event).toBeUndefined();
    stream.leave();
    expect((await session.send({ method: "DELETE" })).status).toBe(204);
    const sent = modernPost(modern, call(1, "echo", { value: "new" }));
    expect(textOf(resultOf(await (await endpoint.send(sent)).json()))).toBe(
      "new",
    );
  });
});

describe("HTTP+SSE", () => {
  it("HSSE-06 does not serve HTTP+SSE unless an option enables it", async () => {
    const handler = createHttpHandler(serversWith());
    const answer = await sendWeb(handler, {
      method: "GET",
      headers: { accept: "text/event-stream" },
    });
    expect(answer.status).toBe(400);
    await handler.close();
  });

  it.each([
    ["/tools/messages", /^\/tools\/messages\?sessionId=[\w-]+$/],
    [
      "https://mcp.example.com/messages?key=a",
      /^https:\/\/mcp\.example\.com\/messages\?key=a&sessionId=[\w-]+$/,
    ],
  ] as const)(
    "sends clients behind a proxy the public URI %s for messages",
    async (postUrl, uri) => {
      const handler = createSseHandler(serversWith(), { postUrl });
      const stream = await sendWeb(handler, { path: "/sse?key=b" });
      expect((await stream.next())?.data).toMatch(uri);
      await handler.close();
    },
  );

  it.each([
    ["application/json", 406],
    ["text/html", 406],
    ["text/event-stream", 200],
    ["text/*", 200],
    ["*/*", 200],
    [undefined, 200],
  ])(
    "opens a stream for a client that accepts %s: %i",
    async (accept, status) => {
      const handler = createSseHandler(serversWith());
      const sent = { path: "/sse", headers: { accept } };
      expect((await sendWeb(handler, sent)).status).toBe(status);
      await handler.close();
    },
  );

  it("requires a server that opens with initialize", () => {
    expect(() => createSseHandler(serversWith({}, {}, [modern]))).toThrow(
      new TypeError(
        "createSseHandler: no server has a revision with `initialize`, which HTTP+SSE requires.",
      ),
    );
    expect(() => createHttpHandler([])).toThrow(
      new TypeError("createHttpHandler: there is no server to serve."),
    );
  });
});
