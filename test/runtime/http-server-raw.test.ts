import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpHandler, type HttpOptions, serveHttp, type ServeHttpOptions } from "@mcpgen/runtime/http";
import { isTransportError } from "@mcpgen/runtime";
import {
  ask,
  call,
  hello,
  modernPost,
  type Open,
  sendNode,
  serversWith,
  Session,
  watch,
  eventually,
} from "./http-server-kit.js";
import { failure, legacy, modern, resultOf, text, textOf, turns } from "./kit.js";

/** A socket in the hands of a test. */
class Raw {
  readonly socket: Socket;
  text = "";
  closed = false;
  readonly gone: Promise<void>;
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("data", (chunk: Buffer) => {
      this.text += chunk.toString("latin1");
      this.#wake?.();
    });
    this.socket.on("error", () => {});
    this.gone = new Promise((resolve) =>
      this.socket.on("close", () => {
        this.closed = true;
        this.#wake?.();
        resolve();
      }),
    );
  }

  write(data: string | Uint8Array): this {
    this.socket.write(data);
    return this;
  }

  /** Resolves once all that came matches, or the connection is closed. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.text) && !this.closed)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.text;
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d+)/g)]
      .map(([, status]) => Number(status))
      .filter((s) => s !== 100);
  }
}

const body = JSON.stringify(hello(legacy.revision));
const usual = [
  "Host: 127.0.0.1",
  "Accept: application/json, text/event-stream",
  "Content-Type: application/json",
];
const head = (lines: readonly string[], first = "POST /mcp HTTP/1.1"): string =>
  `${[first, ...lines].join("\r\n")}\r\n\r\n`;
const whole = (text = body, more: readonly string[] = usual, first?: string): string =>
  head([...more, `Content-Length: ${Buffer.byteLength(text)}`], first) + text;

describe("the HTTP server, byte by byte", () => {
  const closing: (() => Promise<void>)[] = [];
  const open = async (
    options: HttpOptions = {},
    serving: ServeHttpOptions = {},
    servers = serversWith(),
  ): Promise<Open & { raw(): Raw }> => {
    const up = await serveHttp(createHttpHandler(servers, options), { port: 0, drainTime: 100, ...serving });
    closing.push(up.close);
    return {
      port: up.port,
      close: up.close,
      send: (sent) => sendNode(up.port, sent),
      raw: () => new Raw(up.port),
    };
  };
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  it("HTTP-09 listens where nobody but this machine reaches it", async () => {
    const up = await serveHttp(createHttpHandler(serversWith()), { port: 0 });
    closing.push(up.close);
    expect(up.url).toBe(`http://127.0.0.1:${up.port}/mcp`);
    const taken = await failure(serveHttp(createHttpHandler(serversWith()), { port: up.port }));
    expect([isTransportError(taken), taken.message]).toEqual([
      true,
      expect.stringContaining(`Nothing can listen on 127.0.0.1:${up.port}`) as string,
    ]);
  });

  it("HTTP-10 a name that is not this machine's is refused with 403", async () => {
    const up = await open();
    for (const [host, status] of [
      ["127.0.0.1", 200],
      ["LOCALHOST:3000", 200],
      ["[::1]:3000", 200],
      ["[::1]", 200],
      ["evil.example.com", 403],
      ["127.0.0.1.evil.example.com", 403],
      ["localhost:80@evil.example.com", 403],
      ["", 403],
    ] as const) {
      const raw = up.raw().write(whole(body, [`Host: ${host}`, ...usual.slice(1)]));
      await raw.until(/\r\n\r\n/);
      expect([host, raw.statuses]).toEqual([host, [status]]);
      raw.socket.destroy();
    }
  });

  it("HTTP/1.0 without a host is refused, with one it is served, and the connection ends", async () => {
    const up = await open();
    const nameless = up.raw().write(whole(body, usual.slice(1), "POST /mcp HTTP/1.0"));
    await nameless.gone;
    expect(nameless.statuses).toEqual([403]);
    const named = up.raw().write(whole(body, usual, "POST /mcp HTTP/1.0"));
    await named.gone;
    expect(named.statuses).toEqual([200]);
    expect(named.text).toContain('"id":"hello"');
  });

  it("a body in chunks, byte by byte, and after 100 Continue is one body", async () => {
    const up = await open();
    const chunked = up.raw().write(head([...usual, "Transfer-Encoding: chunked"]));
    for (const byte of Buffer.from(body)) chunked.write(`1\r\n${String.fromCharCode(byte)}\r\n`);
    chunked.write("0\r\n\r\n");
    const slow = up.raw();
    for (const byte of Buffer.from(whole())) {
      slow.write(Uint8Array.of(byte));
      if (byte === 10) await turns(1);
    }
    const expecting = up
      .raw()
      .write(head([...usual, "Expect: 100-continue", `Content-Length: ${body.length}`]));
    await expecting.until(/100 Continue\r\n\r\n/);
    expecting.write(body);
    for (const raw of [chunked, slow, expecting]) {
      await raw.until(/"id":"hello"/);
      expect(raw.statuses).toEqual([200]);
      raw.socket.destroy();
    }
  });

  it("requests behind one another on one connection are answered in order, also after those that were refused", async () => {
    const up = await open({ maxBodyBytes: 1000 });
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

  it("HTTP-21 413 comes while the client is still sending, and it gets to see it", async () => {
    const up = await open({ maxBodyBytes: 1000 });
    const raw = up.raw().write(head([...usual, "Content-Length: 50000000"]));
    for (let sent = 0; sent < 50_000_000; sent += 1_000_000) {
      raw.write(Buffer.alloc(1_000_000, 120));
      await turns(1);
    }
    await raw.until(/\r\n\r\n[^]*\}/);
    expect(raw.statuses).toEqual([413]);
    expect(raw.text).toContain("at most 1000 bytes");
    raw.socket.destroy();
  });

  it("paths are compared as they stand; queries do not matter", async () => {
    const up = await open();
    for (const [path, status] of [
      ["/mcp", 200],
      ["/mcp?", 200],
      ["/mcp?a=1&b=2?", 200],
      ["/mc%70", 404],
      ["/MCP", 404],
      ["/mcp/", 404],
      ["//mcp", 404],
      ["/mcp#x", 404],
      ["/", 404],
      ["*", 404],
    ] as const) {
      const raw = up.raw().write(whole(body, usual, `POST ${path} HTTP/1.1`));
      await raw.until(/\r\n\r\n/);
      expect([path, raw.statuses]).toEqual([path, [status]]);
      raw.socket.destroy();
    }
  });

  it("no request makes authenticate fail for its first line or its host", async () => {
    const urls: string[] = [];
    const up = await open({
      allowedHosts: ["127.0.0.1", "a b", "%%%"],
      authenticate: (request) => {
        urls.push(`${request.method} ${request.url}`);
        return {};
      },
    });
    for (const [first, host, status] of [
      ["POST /mcp?x=1 HTTP/1.1", "127.0.0.1", 200],
      ["POST /mcp HTTP/1.1", "%%%", 200],
      ["TRACE /mcp HTTP/1.1", "127.0.0.1", 405],
      ["BREW /mcp HTTP/1.1", "127.0.0.1", 400],
    ] as const) {
      const raw = up.raw().write(whole(body, [`Host: ${host}`, ...usual.slice(1)], first));
      await raw.until(/\r\n\r\n/);
      expect([first, raw.statuses]).toEqual([first, [status]]);
      raw.socket.destroy();
    }
    expect(urls).toEqual(["POST http://127.0.0.1/mcp?x=1", "POST http://localhost/mcp"]);
  });

  it("headers over the limit are refused with 431, and many small ones are not", async () => {
    const up = await open();
    const large = up.raw().write(whole(body, [...usual, `X: ${"x".repeat(20_000)}`]));
    await large.gone;
    expect(large.statuses).toEqual([431]);
    const many = Array.from({ length: 800 }, (_, i) => `H${i}: 1`);
    const small = up.raw().write(whole(body, [...usual, ...many]));
    await small.until(/\r\n\r\n/);
    expect(small.statuses).toEqual([200]);
    small.socket.destroy();
  });

  it("who sends headers or a body too slowly is cut off, and others are served", async () => {
    const up = await open({}, { headersTimeout: 100, requestTimeout: 200 });
    const headers = up.raw().write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    const rest = up.raw().write(head([...usual, "Content-Length: 100"]) + "{");
    const drip = setInterval(() => {
      headers.write("X: y\r\n");
      rest.write(" ");
    }, 20);
    expect((await up.send({ body })).status).toBe(200);
    await Promise.all([headers.gone, rest.gone]);
    clearInterval(drip);
    expect([headers.statuses, rest.statuses]).toEqual([[408], [408]]);
  });

  it("who does not read is cut off after a while, whether it is sent a stream or a body", async () => {
    const seen = watch();
    const value = "x".repeat(30_000_000);
    const tools = {
      large: () => text(value),
      flood: (
        _: unknown,
        context: { progress(n: number): void; log(level: string, data: unknown): void },
      ) => {
        context.log("error", value);
        return text("flooded");
      },
    };
    const up = await open({}, { sendTimeout: 100 }, serversWith(tools));
    const session = await Session.start(up, legacy);
    const lines = Object.entries(session.headers).map(([name, given]) => `${name}: ${given}`);
    const stuck = ["large", "flood"].map((name, id) => {
      const raw = up.raw();
      raw.socket.pause();
      raw.socket.once("close", () => seen.saw("cut"));
      return raw.write(whole(JSON.stringify(call(id, name)), [...usual, ...lines]));
    });
    // Whoever waits for an answer without reading anything of one is not cut off.
    const listening = await session.listen();
    for (const raw of stuck) {
      // A paused socket learns of its end only by reading.
      await new Promise((resolve) => setTimeout(resolve, 600));
      raw.socket.resume();
    }
    await seen.until("cut", 2);
    expect(resultOf(await session.ask(ask(9, "ping")))).toEqual({});
    listening.leave();
    for (const raw of stuck) expect(raw.text.length).toBeLessThan(value.length);
  });

  it("HTTP-45 a socket that is reset in the middle cancels, and the server goes on", async () => {
    const seen = watch();
    const servers = serversWith({
      stuck: async (_, { signal }) => {
        seen.saw("begun");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        seen.saw("aborted");
      },
    });
    const up = await open({}, {}, servers);
    const { headers = {}, body: sent } = modernPost(modern, call(1, "stuck"));
    const lines = Object.entries(headers).map(([name, given]) => `${name}: ${String(given)}`);
    const raw = up.raw().write(whole(JSON.stringify(sent), [...usual, ...lines]));
    await seen.until("begun");
    raw.socket.resetAndDestroy();
    await seen.until("aborted");
    // Gone in the middle of its body.
    const half = up.raw().write(head([...usual, "Content-Length: 100"]) + "{");
    await turns();
    half.socket.resetAndDestroy();
    expect((await up.send({ body })).status).toBe(200);
    await eventually(() => expect(servers.reduce((sum, { core }) => sum + core.links.size, 0)).toBe(1));
  });

  it("a client that has said all it has to say is still answered", async () => {
    const up = await open();
    const raw = up.raw();
    raw.socket.end(whole());
    await raw.gone;
    expect(raw.statuses).toEqual([200]);
    expect(raw.text).toContain('"id":"hello"');
  });

  it("a header given twice is not taken for one", async () => {
    const up = await open();
    const session = await Session.start(up, legacy);
    const id = `Mcp-Session-Id: ${session.headers["mcp-session-id"]}`;
    const raw = up.raw().write(whole(JSON.stringify(ask(1, "ping")), [...usual, id, id]));
    await raw.until(/\r\n\r\n/);
    expect(raw.statuses).toEqual([404]);
    raw.socket.destroy();
  });

  it("handlers of somebody else are served beside ours, on paths of their own", async () => {
    const up = await serveHttp(
      {
        "/mcp": createHttpHandler(serversWith()),
        "/echo": async (request) =>
          new Response(`${request.method} ${await request.text()}`, { status: 201 }),
        "/fails": () => Promise.reject(new Error("no")),
        "/stream": async () =>
          new Response(new Blob(["data: 1\n\n"]).stream(), {
            headers: { "content-type": "text/event-stream" },
          }),
      },
      { port: 0 },
    );
    closing.push(up.close);
    const told = [];
    for (const [method, path, sent] of [
      ["POST", "/echo", "hi"],
      ["GET", "/echo", undefined],
      ["HEAD", "/echo", undefined],
      ["DELETE", "/echo", undefined],
      ["GET", "/fails", undefined],
      ["GET", "/stream", undefined],
      ["POST", "/mcp", body],
    ] as const) {
      const answer = await sendNode(up.port, { method, path, body: sent });
      told.push([answer.status, (await answer.text()).slice(0, 12)]);
    }
    expect(told).toEqual([
      [201, "POST hi"],
      [201, "GET "],
      [201, ""],
      [201, "DELETE "],
      [500, ""],
      [200, "data: 1\n\n"],
      [200, '{"jsonrpc":"'],
    ]);
  });

  it("100 clients at once get their own answers", async () => {
    const up = await open();
    const sessions = await Promise.all(Array.from({ length: 100 }, () => Session.start(up, legacy)));
    const answers = await Promise.all(
      sessions.map(async (session, i) => textOf(resultOf(await session.ask(call(1, "echo", { value: i }))))),
    );
    expect(answers).toEqual(sessions.map((_, i) => String(i)));
  });
});
