import type { Protection } from "@mcpgen/auth/protect";
import { type Transport, serve } from "@mcpgen/runtime";
import {
  serveWebSocket,
  socketTransport,
  type SocketLike,
  webSocket,
} from "@mcpgen/runtime/websocket";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { everythingServer } from "./kit/everything.js";
import {
  type AnyProtocol,
  byRevision,
  failure,
  type Json,
  legacy,
  makeClient,
  makeServer,
  modern,
  revisions,
  text,
  textOf,
  turns,
} from "./kit/index.js";
import { watch } from "./kit/watch.js";
import { lifecycleSuite } from "./lifecycle.suite.js";
import { transportSuite } from "./transport.suite.js";
import { sampled } from "../whole.js";

const servers: { close(): unknown }[] = [];
afterAll(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A raw server that calls a function with every socket. */
async function serving(
  meet: (socket: WebSocket) => void,
  handleProtocols: (offered: Set<string>) => string | false = () => "mcp",
): Promise<string> {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    handleProtocols,
  });
  await new Promise((resolve) => server.on("listening", resolve));
  servers.push(server);
  server.on("connection", meet);
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const echoing = serving((socket) =>
  socket.on("message", (data) => socket.send(String(data))),
);

transportSuite("a WebSocket", async (): Promise<Transport> =>
  webSocket(await echoing),
);

lifecycleSuite(
  "a WebSocket",
  async (revision) => {
    const definition = makeServer(
      byRevision[revision] as AnyProtocol,
      everythingServer,
    );
    const server = await serveWebSocket(definition, { port: 0 });
    servers.push(server);
    return webSocket(server.url);
  },
  sampled(revisions, (one) => one === legacy || one === modern),
);

/** The events of a transport. */
async function listening(
  transport: Transport,
): Promise<{ events: unknown[]; until(count: number): Promise<void> }> {
  const events: unknown[] = [];
  await transport.start({
    message: (message) => events.push(message),
    malformed: (error) => events.push(error),
    ended: () => events.push("ended"),
    closed: (error) => events.push(["closed", error?.message]),
  });
  const until = async (count: number): Promise<void> => {
    while (events.length < count) await turns(1);
  };
  return { events, until };
}

describe("a client over a WebSocket", () => {
  it("CUST-04 offers the subprotocol, and rejects a server with another one", async () => {
    const offered: string[] = [];
    const url = await serving(
      () => {},
      (names) => {
        offered.push(...names);
        return false;
      },
    );
    expect(
      (await failure((async () => webSocket(url).start({} as never))())).name,
    ).toBe("TransportError");
    expect(offered).toEqual(["mcp"]);
  });

  it("CUST-04 closes on binary or too long messages, and continues after a message that is not JSON", async () => {
    const codes: number[] = [];
    const payloads: (string | Buffer)[] = [
      Buffer.from("{}"),
      JSON.stringify("x".repeat(200)),
    ];
    const url = await serving((socket) => {
      socket.send("{");
      socket.send("1");
      socket.send(payloads.shift() ?? "");
      socket.on("close", (code) => codes.push(code));
    });
    for (const reason of [
      "Messages must be text frames.",
      "A message is longer than 100 bytes.",
    ]) {
      const { events, until } = await listening(
        webSocket(url, { limits: { messageBytes: 100 } }),
      );
      await until(3);
      expect(events).toEqual([
        expect.objectContaining({ name: "ValidationError" }),
        1,
        ["closed", reason],
      ]);
    }
    while (codes.length < 2) await turns(1);
    // The WebSocket of a platform only lets a program send codes of its own
    // range.
    expect(codes).toEqual(globalThis.WebSocket ? [4003, 4009] : [1003, 1009]);
  });

  it("CUST-04 drops a byte order mark before a message", async () => {
    const url = await serving((socket) => socket.send('\uFEFF{"a":1}'));
    const { events, until } = await listening(webSocket(url));
    await until(1);
    expect(events).toEqual([{ a: 1 }]);
  });

  it("reports the reason of the peer's disconnect", async () => {
    const url = await serving((socket) => socket.close(1011, "tired"));
    const { events, until } = await listening(webSocket(url));
    await until(1);
    expect(events).toEqual([["closed", "The socket failed (1011): tired."]]);
    const cut = await serving((socket) => socket.terminate());
    const other = await listening(webSocket(cut));
    await other.until(1);
    expect(other.events).toEqual([["closed", "The socket failed (1006)."]]);
  });

  it("sends the given headers", async () => {
    const server = createServer();
    const sockets = new WebSocketServer({
      server,
      handleProtocols: () => "mcp",
    });
    servers.push(sockets, server);
    const seen = new Promise((resolve) => {
      sockets.on("connection", (_, { headers }) =>
        resolve(headers.authorization),
      );
    });
    await new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", resolve),
    );
    const { port } = server.address() as AddressInfo;
    const transport = webSocket(`ws://127.0.0.1:${port}`, {
      headers: { authorization: "Bearer t" },
    });
    await listening(transport);
    expect(await seen).toBe("Bearer t");
    await transport.close();
  });

  it("rejects an invalid URL and an unreachable server", async () => {
    expect(() => webSocket("http://localhost")).toThrow(TypeError);
    const url = await serving(() => {});
    for (const one of [url.replace(/:\d+/, ":1"), "ws://127.0.0.1:1"]) {
      const error = await failure(
        (async () => webSocket(one).start({} as never))(),
      );
      expect(error.name).toBe("TransportError");
    }
  });

  it("waits while the peer does not read", async () => {
    let reads = (): void => {};
    const url = await serving((socket) => {
      socket.pause();
      reads = () => socket.resume();
    });
    const transport = webSocket(url, { limits: { waitingBytes: 1000 } });
    await listening(transport);
    const big = "x".repeat(1_000_000);
    let room: Promise<void> | void = undefined;
    for (let i = 0; i < 100 && !room; i++) room = transport.send({ i, big });
    expect(room).toBeInstanceOf(Promise);
    reads();
    await room;
    await transport.close();
  });
});

/** A socket whose events and whose unsent bytes a test decides. */
class FakeSocket extends EventTarget {
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly closings: unknown[][] = [];
  terminations = 0;
  send(message: string): void {
    this.sent.push(message);
  }
  close(...args: unknown[]): void {
    this.closings.push(args);
  }
  terminate(): void {
    this.terminations++;
  }
  emit(type: string, members: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(type), members));
  }
}

/** A transport over such a socket, with the events that it has told of. */
function overFake(options: object = {}, members: Partial<FakeSocket> = {}) {
  const socket = Object.assign(new FakeSocket(), members);
  const transport = socketTransport(socket as unknown as SocketLike, options);
  return { socket, transport, started: listening(transport) };
}

describe("the transport over a socket", () => {
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['"12345678"', true],
    ['"123456789"', false],
    ['"éééé"', true],
    ['"éééé1"', false],
    ['"12"', true],
  ])(
    "takes a message of at most ten bytes in UTF-8, and closes on a longer one: %s",
    async (data, isTaken) => {
      const limits = { messageBytes: 10 };
      const { socket, started } = overFake({ limits });
      const { events } = await started;
      socket.emit("message", { data });
      socket.emit("message", { data: "1" });
      const reason = "A message is longer than 10 bytes.";
      expect(events).toEqual(
        isTaken ? [JSON.parse(data), 1] : [["closed", reason]],
      );
      expect(socket.closings).toEqual(isTaken ? [] : [[1009, reason]]);
    },
  );

  it.each([
    [{}, 1_048_576],
    [{ limits: { waitingBytes: 10 } }, 10],
  ])(
    "waits with the options %j while more than %i bytes are not sent, and no longer",
    async (options, most) => {
      vi.useFakeTimers();
      const { socket, transport, started } = overFake(options);
      await started;
      socket.bufferedAmount = most;
      expect(transport.send({ a: 1 })).toBeUndefined();
      socket.bufferedAmount = most + 1;
      const room = transport.send({ a: 2 });
      expect(transport.send({ a: 3 })).toBe(room);
      expect(socket.sent).toEqual(['{"a":1}', '{"a":2}', '{"a":3}']);
      let hasRoom = false;
      void room?.then(() => (hasRoom = true));
      await vi.advanceTimersByTimeAsync(100);
      expect(hasRoom).toBe(false);
      socket.bufferedAmount = most;
      await vi.advanceTimersByTimeAsync(10);
      expect(hasRoom).toBe(true);
      expect(transport.send({ a: 4 })).toBeUndefined();
    },
  );

  it("waits for nothing after the socket is closed", async () => {
    vi.useFakeTimers();
    const limits = { waitingBytes: 10 };
    const { socket, transport, started } = overFake({ limits });
    await started;
    socket.bufferedAmount = 11;
    const room = transport.send({});
    socket.readyState = 3;
    await vi.advanceTimersByTimeAsync(10);
    await expect(room).resolves.toBeUndefined();
    expect(() => transport.send({})).toThrow("The connection is closed.");
  });

  it.each([
    [{ code: 1000, reason: "bye" }, undefined],
    [{ code: 1011, reason: "" }, "The socket failed (1011)."],
    [{}, "The socket failed (0)."],
    [
      { code: 4000, reason: "x".repeat(200) },
      `The socket failed (4000): ${"x".repeat(125)}.`,
    ],
  ])(
    "tells once that the peer has closed, with a part of its reason: %j",
    async (members, message) => {
      const { socket, started } = overFake();
      const { events } = await started;
      socket.emit("close", members);
      socket.emit("close", members);
      expect(events).toEqual([["closed", message]]);
    },
  );

  it("tells the error of a platform with the code of the close after it", async () => {
    const { socket, started } = overFake();
    const { events } = await started;
    socket.emit("error", { message: "no route" });
    socket.emit("close", { code: 1006 });
    expect(events).toEqual([["closed", "The socket failed: no route (1006)."]]);
  });

  it.each([
    ["error", { message: "no route" }, ": no route."],
    ["error", {}, "."],
    ["close", { code: 1006, reason: "gone" }, " (1006): gone."],
  ])(
    "does not start if the socket does not open: %s %j",
    async (type, members, message) => {
      const { socket, started } = overFake({}, { readyState: 0 });
      setImmediate(() => socket.emit(type, members));
      await expect(started).rejects.toThrow(
        `The socket could not be opened${message}`,
      );
    },
  );

  it("starts when the socket opens, and not at all if it is closed", async () => {
    const { socket, started } = overFake({}, { readyState: 0 });
    setImmediate(() => socket.emit("open"));
    await started;
    for (const readyState of [2, 3])
      await expect(overFake({}, { readyState }).started).rejects.toThrow(
        "The socket is closed.",
      );
  });

  it("does not start after it was closed before", async () => {
    const { socket, transport, started } = overFake({}, { readyState: 0 });
    setImmediate(() => void transport.close());
    await expect(started).rejects.toThrow("The connection is closed.");
    expect(socket.closings).toEqual([[1000, undefined]]);
  });

  it("closes once, with a code for programs where no other is allowed, and drops later messages", async () => {
    const calls: unknown[][] = [];
    const { socket, transport, started } = overFake(
      {},
      {
        close: (...args) => {
          calls.push(args);
          if (calls.length === 1) throw new Error("not allowed");
        },
      },
    );
    const { events } = await started;
    const closing = transport.close();
    expect(transport.close()).toBe(closing);
    socket.emit("message", { data: "1" });
    socket.emit("close", { code: 4000, reason: "late" });
    await closing;
    expect(calls).toEqual([
      [1000, undefined],
      [4000, undefined],
    ]);
    expect(events).toEqual([["closed", undefined]]);
  });

  it.each([
    [{}, 2000],
    [{ shutdownTime: 50 }, 50],
  ])(
    "ends a socket with the options %j whose peer does not close within %i milliseconds",
    async (options, most) => {
      vi.useFakeTimers();
      const { socket, transport, started } = overFake(options);
      const { events } = await started;
      const closing = transport.close();
      await vi.advanceTimersByTimeAsync(most - 1);
      expect([socket.terminations, events]).toEqual([0, []]);
      await vi.advanceTimersByTimeAsync(1);
      await closing;
      expect([socket.terminations, events]).toEqual([
        1,
        [["closed", undefined]],
      ]);
    },
  );

  it("does not close a socket that is closed", async () => {
    const { socket, transport, started } = overFake();
    await started;
    socket.readyState = 3;
    await transport.close();
    expect([socket.closings, socket.terminations]).toEqual([[], 0]);
  });
});

describe("a server over WebSockets", () => {
  const open: WebSocket[] = [];
  afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));
  const start = async (
    options = {},
    onError: (error: Error) => void = () => {},
  ) => {
    const definition = makeServer(modern.protocol, {
      onError,
      handlers: {
        "tools/call": (_, { auth }) => text(JSON.stringify(auth ?? null)),
      },
    });
    const server = await serveWebSocket(definition, { port: 0, ...options });
    servers.push(server);
    return server;
  };
  /** The status of the response: 101, or that of a rejection. */
  const enter = (
    url: string,
    protocols: string | string[] = "mcp",
    headers = {},
  ): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url, protocols, { headers });
      open.push(socket);
      socket.on("open", () => resolve(101));
      socket.on("error", () => {});
      socket.on("unexpected-response", (_, { statusCode }) =>
        resolve(statusCode ?? 0),
      );
    });

  it.each([
    ["mcp", {}, 101],
    [["other", "mcp"], {}, 101],
    ["mcp", { origin: "https://app.example.com" }, 101],
    ["mcp", { origin: "http://localhost:5173" }, 101],
    ["mcp", { origin: "https://evil.example.com" }, 403],
    ["mcp", { host: "evil.example.com" }, 403],
    ["other", {}, 400],
    [[], {}, 400],
  ])(
    "CUST-03 CUST-04 HTTP-08 HTTP-10 answers a client with the subprotocol %j and the headers %j with %i",
    async (protocols, headers, status) => {
      const { url } = await start({
        allowedOrigins: ["https://app.example.com"],
      });
      expect(await enter(url, protocols, headers)).toBe(status);
    },
  );

  it("CUST-04 reads a list of subprotocols with spaces", async () => {
    const { url } = await start();
    const request = get(url.replace("ws:", "http:"), {
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": Buffer.alloc(16).toString("base64"),
        "sec-websocket-protocol": "other, mcp",
      },
    });
    const [response, socket] = (await once(request, "upgrade")) as [
      { readonly statusCode: number; readonly headers: object },
      { destroy(): void },
    ];
    socket.destroy();
    expect(response).toMatchObject({
      statusCode: 101,
      headers: { "sec-websocket-protocol": "mcp" },
    });
  });

  it("forgets the bytes of a ping and of a pong when it has read them", async () => {
    const { url } = await start({ limits: { bytes: 400 } });
    const socket = new WebSocket(url, "mcp");
    open.push(socket);
    socket.on("error", () => {});
    let answered = (): void => {};
    for (const type of ["pong", "close"]) socket.on(type, () => answered());
    await once(socket, "open");
    for (let i = 0; i < 100 && socket.readyState === WebSocket.OPEN; i++)
      await new Promise<void>((resolve) => {
        answered = resolve;
        socket.pong("12345678");
        socket.ping("12345678");
      });
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it("answers a client at another path with 404", async () => {
    expect(await enter(`${(await start()).url}/else`)).toBe(404);
  });

  it("HTTP-09 listens only on 127.0.0.1", async () => {
    const { url } = await start();
    expect(await enter(url)).toBe(101);
    // On Linux this is another address of the same machine, which a server on
    // all addresses would accept.
    const error = await failure(
      (async () =>
        webSocket(url.replace("127.0.0.1", "127.0.0.2")).start({} as never))(),
    );
    expect(error.name).toBe("TransportError");
  });

  it("CUST-03 calls authenticate, and passes the caller to the handlers", async () => {
    const authenticate = (
      request: Request,
    ): Response | { principal: string } =>
      request.headers.get("authorization") === "Bearer t"
        ? { principal: "ada" }
        : new Response(null, { status: 401 });
    const { url } = await start({ authenticate });
    expect(await enter(url)).toBe(401);
    const transport = webSocket(url, {
      headers: { authorization: "Bearer t" },
    });
    await using client = await makeClient(modern.protocol, transport);
    expect(textOf(await client.callTool({ name: "x" }))).toBe(
      '{"principal":"ada"}',
    );
  });

  it.each([
    undefined,
    null,
    false,
    "ada",
    [[]],
    { status: 401 },
    new Headers(),
  ])(
    "rejects a connection and reports it if authenticate returns %s, neither a response nor a plain object",
    async (returned) => {
      const errors: Error[] = [];
      const { url } = await start(
        { authenticate: () => returned as never },
        (error) => errors.push(error),
      );
      expect([await enter(url), errors.length]).toEqual([500, 1]);
    },
  );

  it("rejects a connection with the response of another realm that authenticate returns", async () => {
    const foreign = runInNewContext(
      "({ status: 403, headers: { get() {}, forEach() {} }, text: async () => '' })",
    ) as Response;
    expect(
      await enter((await start({ authenticate: () => foreign })).url),
    ).toBe(403);
  });

  it.each([undefined, {}, { auth: "ada" }, Promise.resolve({ auth: null })])(
    "rejects a connection and reports it if a protection returns %s, which neither admits nor rejects it",
    async (returned) => {
      const errors: Error[] = [];
      const protect: Protection = {
        admit: () => returned as never,
        scopesOf: () => [],
        refuse: () => ({ status: 403, headers: {} }),
        whenEnded: () => () => {},
        routes: {},
      };
      const { url } = await start({ protect }, (error) => errors.push(error));
      expect([await enter(url), errors.length]).toEqual([500, 1]);
    },
  );

  it("accepts messages of at most 4 MiB by default, as HTTP does", async () => {
    const { url } = await start();
    const socket = new WebSocket(url, "mcp");
    open.push(socket);
    await new Promise((resolve) => socket.on("open", resolve));
    const closing = new Promise((resolve) => socket.on("close", resolve));
    socket.on("error", () => {});
    socket.send(JSON.stringify("x".repeat(4_200_000)));
    expect(await closing).toBe(1009);
  });

  it("counts the requests and the bytes of incomplete messages of all clients", async () => {
    let free = (): void => {};
    const freed = new Promise<void>((resolve) => (free = resolve));
    const seen = watch();
    const called = async (): Promise<Json> => {
      seen.saw("call");
      await freed;
      return text("done");
    };
    const definition = makeServer(modern.protocol, {
      handlers: { "tools/call": called },
    });
    const server = await serveWebSocket(definition, {
      port: 0,
      limits: { requests: 3, bytes: 1_000_000 },
    });
    servers.push(server);
    const transports = [webSocket(server.url), webSocket(server.url)];
    await using one = await makeClient(
      modern.protocol,
      transports[0] as Transport,
    );
    await using two = await makeClient(
      modern.protocol,
      transports[1] as Transport,
    );
    const openCalls = [
      one.callTool({ name: "x" }),
      one.callTool({ name: "x" }),
      two.callTool({ name: "x" }),
    ];
    await seen.until("call", 3);
    const refused = await failure(two.callTool({ name: "x" }));
    expect(refused.message).toContain("Too many requests.");
    free();
    for (const call of openCalls) expect(textOf(await call)).toBe("done");
    expect(textOf(await two.callTool({ name: "x" }))).toBe("done");
    const closings = Array.from({ length: 4 }, async () => {
      const socket = new WebSocket(server.url, "mcp");
      open.push(socket);
      socket.on("error", () => {});
      await new Promise((resolve) => socket.on("open", resolve));
      socket.send("x".repeat(400_000), { fin: false });
      await new Promise((resolve) => socket.on("close", resolve));
    });
    await Promise.race(closings);
    expect(textOf(await two.callTool({ name: "x" }))).toBe("done");
  });

  it("answers requests that are not for a WebSocket, and keeps serving after invalid input", async () => {
    const { url, port } = await start({ limits: { messageBytes: 1000 } });
    expect((await fetch(url.replace("ws:", "http:"))).status).toBe(426);
    const socket = new WebSocket(url, "mcp");
    open.push(socket);
    await new Promise((resolve) => socket.on("open", resolve));
    const closing = new Promise((resolve) => socket.on("close", resolve));
    socket.send("x".repeat(5000));
    expect(await closing).toBe(1009);
    expect(port).toBeGreaterThan(0);
    await using client = await makeClient(modern.protocol, webSocket(url));
    expect(client.revision).toBe(modern.revision);
  });

  it("accepts a client although others hold all connections without a WebSocket", async () => {
    const { url, port } = await start({ limits: { connections: 3 } });
    await using first = await makeClient(modern.protocol, webSocket(url));
    // One never speaks, the other is refused and keeps its side open.
    const held = [
      "",
      "GET /mcp HTTP/1.1\r\nHost: evil.example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ];
    const sockets = await Promise.all(
      held.map(async (head) => {
        const socket = connect({
          port,
          host: "127.0.0.1",
          allowHalfOpen: true,
        });
        socket.on("error", () => {});
        await once(socket, "connect");
        socket.write(head);
        if (head !== "") await once(socket, "data");
        return socket;
      }),
    );
    await using second = await makeClient(modern.protocol, webSocket(url));
    await using third = await makeClient(modern.protocol, webSocket(url));
    expect([first, second, third].map(({ revision }) => revision)).toEqual(
      Array(3).fill(modern.revision),
    );
    for (const socket of sockets) socket.destroy();
  });

  it("closes all connections, and rejects if it cannot listen", async () => {
    const server = await start();
    const client = await makeClient(modern.protocol, webSocket(server.url));
    const error = await failure(start({ port: server.port }));
    expect(error.name).toBe("TransportError");
    await server.close();
    expect((await failure(client.callTool({ name: "x" }))).name).toBe(
      "TransportError",
    );
  });
});

it("accepts any open socket, such as one that another server has accepted", async () => {
  const url = await serving((socket) => {
    void serve(
      socketTransport(socket as unknown as SocketLike),
      makeServer(modern.protocol),
    );
  });
  await using client = await makeClient(modern.protocol, webSocket(url));
  expect(client.revision).toBe(modern.revision);
});
