import { isTransportError } from "@mcpgen/runtime";
import { once } from "node:events";
import { createServer } from "node:http";
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import { type AddressInfo, connect } from "node:net";
import {
  createHttpHandler,
  type HttpHandler,
  nodeListener,
  serveHttp,
} from "@mcpgen/runtime/http";
import { describe, expect, it } from "vitest";
import { failure, legacy, resultOf, textOf, turns } from "../../kit/index.js";
import { sendNode } from "../kit/exchange.js";
import { ask, call } from "../kit/messages.js";
import { serversWith } from "../kit/server.js";
import { Session } from "../kit/session.js";
import { afterTest } from "../../kit/closing.js";
import { body, head, open, Raw, usual, whole } from "../kit/raw.js";

describe("the HTTP server, byte by byte", () => {
  it("HTTP-09 listens on an address that only this machine can reach", async () => {
    const up = await serveHttp(createHttpHandler(serversWith()), { port: 0 });
    afterTest(up.close);
    expect(up.url).toBe(`http://127.0.0.1:${up.port}/mcp`);
    const error = await failure(
      serveHttp(createHttpHandler(serversWith()), { port: up.port }),
    );
    expect([isTransportError(error), error.message]).toEqual([
      true,
      expect.stringContaining(
        `The server cannot listen on 127.0.0.1:${up.port}`,
      ) as string,
    ]);
  });

  it.each([
    ["127.0.0.1", 200],
    ["LOCALHOST:3000", 200],
    ["[::1]:3000", 200],
    ["[::1]", 200],
    ["evil.example.com", 403],
    ["127.0.0.1.evil.example.com", 403],
    ["localhost:80@evil.example.com", 403],
    ["", 403],
  ] as const)(
    "HTTP-10 answers a request for the host %j with %i",
    async (host, status) => {
      const raw = (await open())
        .raw()
        .write(whole(body, [`Host: ${host}`, ...usual.slice(1)]));
      await raw.until(/\r\n\r\n/);
      expect(raw.statuses).toEqual([status]);
      raw.socket.destroy();
    },
  );

  it("rejects HTTP/1.0 without a host, serves it with one, and closes the connection", async () => {
    const up = await open();
    const nameless = up
      .raw()
      .write(whole(body, usual.slice(1), "POST /mcp HTTP/1.0"));
    await nameless.ended;
    expect(nameless.statuses).toEqual([403]);
    const named = up.raw().write(whole(body, usual, "POST /mcp HTTP/1.0"));
    await named.ended;
    expect(named.statuses).toEqual([200]);
    expect(named.text).toContain('"id":"hello"');
  });

  const readBody = async (raw: Raw): Promise<void> => {
    await raw.until(/"id":"hello"/);
    expect(raw.statuses).toEqual([200]);
    raw.socket.destroy();
  };

  it("reads a body in chunks", async () => {
    const chunked = (await open())
      .raw()
      .write(head([...usual, "Transfer-Encoding: chunked"]));
    for (const byte of Buffer.from(body))
      chunked.write(`1\r\n${String.fromCharCode(byte)}\r\n`);
    await readBody(chunked.write("0\r\n\r\n"));
  });

  it("reads a body byte by byte", async () => {
    const slow = (await open()).raw();
    for (const byte of Buffer.from(whole())) {
      slow.write(Uint8Array.of(byte));
      if (byte === 10) await turns(1);
    }
    await readBody(slow);
  });

  it("reads a body after 100 Continue", async () => {
    const up = await open();
    const expecting = up
      .raw()
      .write(
        head([
          ...usual,
          "Expect: 100-continue",
          `Content-Length: ${body.length}`,
        ]),
      );
    await expecting.until(/100 Continue\r\n\r\n/);
    await readBody(expecting.write(body));
  });

  it("answers pipelined requests in order, also after rejected ones", async () => {
    const up = await open({ limits: { bodyBytes: 1000 } });
    const long = "x".repeat(100_000);
    const raw = up
      .raw()
      .write(
        whole() +
          whole(long) +
          whole(long, [...usual.slice(0, 2), "Content-Type: text/plain"]) +
          whole(long, [...usual, "Origin: http://evil.example.com"]) +
          whole("{") +
          head(usual.slice(0, 2), "PUT /mcp HTTP/1.1") +
          head(usual.slice(0, 2), "GET /elsewhere HTTP/1.1") +
          whole(),
      );
    await raw.until(/(HTTP\/1\.1[^]*){8}"id":"hello"/);
    expect(raw.statuses).toEqual([200, 413, 415, 403, 400, 405, 404, 200]);
    raw.socket.destroy();
  });

  it.each([
    ["/mcp", 200],
    ["/mcp?", 200],
    ["/mcp?a=1&b=2?", 200],
    ["/mc%70", 404],
    ["/MCP", 404],
    ["/mcp/", 200],
    ["/mcp/?a=1", 200],
    ["/mcp//", 404],
    ["http://127.0.0.1:3000/mcp", 200],
    ["HTTP://localhost/mcp/?a=1", 200],
    ["http://127.0.0.1", 404],
    ["http://evil.example.com/mcp", 403],
    ["//mcp", 404],
    ["/mcp#x", 404],
    ["/", 404],
    ["*", 404],
  ] as const)(
    "compares paths exactly, but for one slash at the end, queries and the origin of a target: %s gets %i",
    async (path, status) => {
      const raw = (await open())
        .raw()
        .write(whole(body, usual, `POST ${path} HTTP/1.1`));
      await raw.until(/\r\n\r\n/);
      expect(raw.statuses).toEqual([status]);
      raw.socket.destroy();
    },
  );

  it("calls authenticate with a valid URL for any request line and host", async () => {
    const urls: string[] = [];
    const handler = createHttpHandler(serversWith(), {
      authenticate: (request) => {
        urls.push(`${request.method} ${request.url}`);
        return {};
      },
    });
    const server = createServer(nodeListener(handler, false)).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    afterTest(handler.close, async () => void server.close());
    const { port } = server.address() as AddressInfo;
    for (const [first, host, status] of [
      ["POST /mcp?x=1 HTTP/1.1", "127.0.0.1", 200],
      ["POST /mcp HTTP/1.1", "%%%", 200],
      ["TRACE /mcp HTTP/1.1", "127.0.0.1", 405],
      ["BREW /mcp HTTP/1.1", "127.0.0.1", 400],
    ] as const) {
      const raw = new Raw(port).write(
        whole(body, [`Host: ${host}`, ...usual.slice(1)], first),
      );
      await raw.until(/\r\n\r\n/);
      expect([first, raw.statuses]).toEqual([first, [status]]);
      raw.socket.destroy();
    }
    expect(urls).toEqual([
      "POST http://127.0.0.1/mcp?x=1",
      "POST http://localhost/mcp",
    ]);
  });

  it("answers a client that has ended its side of the connection", async () => {
    const up = await open();
    const raw = up.raw();
    raw.socket.end(whole());
    await raw.ended;
    expect(raw.statuses).toEqual([200]);
    expect(raw.text).toContain('"id":"hello"');
  });

  it("does not accept a header that is sent twice", async () => {
    const up = await open();
    const session = await Session.start(up, legacy);
    const id = `Mcp-Session-Id: ${session.headers["mcp-session-id"]}`;
    const raw = up
      .raw()
      .write(whole(JSON.stringify(ask(1, "ping")), [...usual, id, id]));
    await raw.until(/\r\n\r\n/);
    expect(raw.statuses).toEqual([404]);
    raw.socket.destroy();
  });

  it.each([
    ["127.0.0.1", undefined, 403],
    ["::1", undefined, 403],
    ["0.0.0.0", undefined, 200],
    ["127.0.0.1", false, 200],
    ["0.0.0.0", true, 403],
  ] as const)(
    "answers a host name of another machine behind nodeListener at %s, which is local: %j, with %i",
    async (address, isLocal, status) => {
      const handler = createHttpHandler(serversWith());
      afterTest(handler.close);
      const server = createServer(nodeListener(handler, isLocal)).listen(
        0,
        address,
      );
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, address === "::1" ? "::1" : "127.0.0.1");
      socket.write(whole(body, ["Host: mcp.example.com", ...usual.slice(1)]));
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(Number(String(answer).slice(9, 12))).toBe(status);
      socket.destroy();
      server.close();
    },
  );

  it.each([{}, "", null, undefined, []].map((value) => [value]))(
    "reads a body that a parser of another media type left unread, and set to %j",
    async (value) => {
      const listener = nodeListener(createHttpHandler(serversWith()));
      const server = createServer((request, response) => {
        listener(Object.assign(request, { body: value }), response);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      afterTest(async () => void server.close());
      const { port } = server.address() as AddressInfo;
      const answer = await sendNode(port, { path: "/mcp", body });
      expect([answer.status, (await answer.text()).slice(0, 12)]).toEqual([
        200,
        '{"jsonrpc":"',
      ]);
    },
  );

  it.each([
    ["a handler of this package", 403, (handler: HttpHandler) => handler],
    // It does not know the address on which the server listens.
    [
      "a handler of another package",
      200,
      (handler: HttpHandler) => (request: Request) => handler(request),
    ],
  ] as const)(
    "HTTP-10 serves HTTP/2 of Node through %s, with authenticate and by the name of the host",
    async (_name, foreign, through) => {
      const seen: string[] = [];
      const handler = createHttpHandler(serversWith(), {
        authenticate: ({ headers, url }) => {
          seen.push(
            `${url} ${[...headers.keys()].filter((name) => name.startsWith(":")).length}`,
          );
          return { principal: "one" };
        },
      });
      const server = createHttp2Server(
        nodeListener(through(handler)) as unknown as (
          request: Http2ServerRequest,
          response: Http2ServerResponse,
        ) => void,
      );
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const session = connectHttp2(`http://127.0.0.1:${port}`);
      afterTest(
        handler.close,
        async () => session.destroy(),
        async () => void server.close(),
      );
      const send = async (
        authority: string,
        text: string,
      ): Promise<readonly [number | undefined, string]> => {
        const stream = session.request({
          ":method": "POST",
          ":path": "/mcp",
          ":authority": authority,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        });
        stream.end(text);
        const [headers] = (await once(stream, "response")) as [
          { readonly ":status"?: number },
        ];
        let received = "";
        for await (const chunk of stream.setEncoding("utf8"))
          received += String(chunk);
        return [headers[":status"], received];
      };
      for (let count = 0; count < 2; count++) {
        const [status, text] = await send(`127.0.0.1:${port}`, body);
        expect([status, text.slice(0, 12)]).toEqual([200, '{"jsonrpc":"']);
      }
      expect(seen).toEqual(
        Array.from({ length: 2 }, () => `http://127.0.0.1:${port}/mcp 0`),
      );
      expect((await send("evil.example.com", body))[0]).toBe(foreign);
    },
  );

  it("serves handlers of other packages on their own paths", async () => {
    const up = await serveHttp(
      {
        "/mcp": createHttpHandler(serversWith()),
        "/echo": async (request) =>
          new Response(`${request.method} ${await request.text()}`, {
            status: 201,
          }),
        "/fails": () => Promise.reject(new Error("no")),
        "/healthz": () => new Response("up"),
        "/stream": async () =>
          new Response(new Blob(["data: 1\n\n"]).stream(), {
            headers: { "content-type": "text/event-stream" },
          }),
      },
      { port: 0 },
    );
    afterTest(up.close);
    const statuses = [];
    for (const [method, path, sent] of [
      ["POST", "/echo", "hi"],
      ["GET", "/echo", undefined],
      ["HEAD", "/echo", undefined],
      ["DELETE", "/echo", undefined],
      ["GET", "/fails", undefined],
      ["GET", "/healthz", undefined],
      ["GET", "/stream", undefined],
      ["POST", "/mcp", body],
    ] as const) {
      const answer = await sendNode(up.port, { method, path, body: sent });
      statuses.push([answer.status, (await answer.text()).slice(0, 12)]);
    }
    expect(statuses).toEqual([
      [201, "POST hi"],
      [201, "GET "],
      [201, ""],
      [201, "DELETE "],
      [500, ""],
      [200, "up"],
      [200, "data: 1\n\n"],
      [200, '{"jsonrpc":"'],
    ]);
  });

  it("HTTP-21 streams the body to a handler of another package, which may reject it before its end", async () => {
    const ours = createHttpHandler(serversWith(), {
      limits: { bodyBytes: 1000 },
    });
    const up = await serveHttp((request: Request) => ours(request), {
      port: 0,
    });
    afterTest(up.close, ours.close);
    const raw = new Raw(up.port);
    raw
      .write(head([...usual, "Content-Length: 100000000"]))
      .write("x".repeat(2000));
    await raw.until(/\r\n\r\n/);
    expect(raw.statuses).toEqual([413]);
    raw.socket.destroy();
    const cut = new Raw(up.port);
    cut
      .write(head([...usual, "Content-Length: 900"]))
      .write("x")
      .socket.end();
    await cut.ended;
    expect((await sendNode(up.port, { path: "/mcp", body })).status).toBe(200);
  });

  it.each([
    { does: "rejects", status: 413, next: 200, isPassedOn: true },
    { does: "does not read", status: 201, next: 201, isPassedOn: false },
  ])(
    "answers the next request on a connection after a handler of another package $does a long body",
    async (one) => {
      const ours = createHttpHandler(serversWith(), {
        limits: { bodyBytes: 1000 },
      });
      const handler = async (request: Request): Promise<Response> =>
        one.isPassedOn ? ours(request) : new Response("seen", { status: 201 });
      const up = await serveHttp(handler, { port: 0 });
      afterTest(up.close, ours.close);
      const raw = new Raw(up.port);
      const length = 1_000_000;
      raw
        .write(head([...usual, `Content-Length: ${length}`]))
        .write("x".repeat(2000));
      await raw.until(/\r\n\r\n/);
      raw.write("x".repeat(length - 2000)).write(whole());
      await raw.until(/HTTP[^]*HTTP[^]*\r\n\r\n/);
      expect(raw.statuses).toEqual([one.status, one.next]);
      raw.socket.destroy();
    },
  );

  it("sends each of 100 concurrent clients its own responses", async () => {
    const up = await open();
    const sessions = await Promise.all(
      Array.from({ length: 100 }, () => Session.start(up, legacy)),
    );
    const answers = await Promise.all(
      sessions.map(async (session, i) =>
        textOf(resultOf(await session.ask(call(1, "echo", { value: i })))),
      ),
    );
    expect(answers).toEqual(sessions.map((_, i) => String(i)));
  });
});
