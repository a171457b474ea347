import { memoryPair, type Transport } from "@mcpgen/runtime";
import type { HttpClientOptions } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { stdio } from "@mcpgen/runtime/stdio";
import { webSocket } from "@mcpgen/runtime/websocket";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { call, open, opening, ways } from "../http/kit/client.js";
import { event, events, result, Script } from "../http/kit/script.js";
import { bundle } from "../kit/bundle.js";
import {
  failure,
  info,
  type Json,
  legacy,
  makeClient,
  Wire,
} from "../kit/index.js";

type Fetch = NonNullable<HttpClientOptions["fetch"]>;
const scripted = bundle("scripted");

/** `fetch` that fails for calls of tools. */
const failing =
  (error: () => Error): Fetch =>
  async (url, init) => {
    if (String(init.body).includes("tools/call")) throw error();
    return fetch(url, init);
  };

/** The error of `fetch` of undici. */
const fetchFailed = (message: string, more: object): Error =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error(message), more),
  });
const system = (code: string, syscall: string): Error =>
  fetchFailed(`${syscall} ${code} 10.0.0.1:80`, { code, syscall });

describe("the error of a call over HTTP says that the call may have run", () => {
  it.each([
    [
      "a browser says only that it failed",
      () => new TypeError("Failed to fetch"),
      /Failed to fetch/,
    ],
    [
      "a worker lost its connection",
      () => new Error("Network connection lost."),
      /connection lost/,
    ],
    [
      "the headers do not arrive within the 300 seconds of Node.js",
      () =>
        fetchFailed("Headers Timeout Error", {
          code: "UND_ERR_HEADERS_TIMEOUT",
        }),
      /fetch failed: Headers Timeout Error/,
    ],
    [
      "the socket broke",
      () => fetchFailed("other side closed", { code: "UND_ERR_SOCKET" }),
      /other side closed/,
    ],
    [
      "the system gave up a connection",
      () => system("ETIMEDOUT", "read"),
      /read ETIMEDOUT/,
    ],
    [
      "the system has no route any more",
      () => system("EHOSTUNREACH", "read"),
      /read EHOSTUNREACH/,
    ],
  ])("if %s, with the message of the cause", async (_, error, message) => {
    const script = await opening(() => {});
    const client = await open(script, { fetch: failing(error) });
    const thrown = await failure(client.callTool(call));
    expect(thrown).toMatchObject({ name: "TransportError", mayHaveRun: true });
    expect(thrown.message).toMatch(message);
  });

  it.each(ways)(
    "if the connection breaks after it was sent, through $way",
    async ({ options }) => {
      const script = await opening((_, response) => void response.destroy());
      const client = await open(script, options);
      expect(await failure(client.callTool(call))).toMatchObject({
        mayHaveRun: true,
      });
    },
  );

  it.each([502, 504, 520, 522, 524])(
    "if a proxy lost the answer and sends %i",
    async (status) => {
      const script = await opening(
        (_, response) => void response.writeHead(status).end(),
      );
      const client = await open(script);
      const thrown = await failure(client.callTool(call));
      expect(thrown).toMatchObject({
        status,
        mayHaveRun: true,
        isRetryable: true,
      });
    },
  );
});

describe("the error of a call over HTTP says that the call has not run", () => {
  it.each([
    ["the connection is refused", () => system("ECONNREFUSED", "connect")],
    [
      "the connection is not accepted in time",
      () => system("ETIMEDOUT", "connect"),
    ],
    [
      "`fetch` gives up the connection",
      () => fetchFailed("timeout", { code: "UND_ERR_CONNECT_TIMEOUT" }),
    ],
    ["there is no route", () => system("EHOSTUNREACH", "connect")],
    ["the name is not known", () => system("ENOTFOUND", "getaddrinfo")],
    [
      "no address accepts it",
      () =>
        new AggregateError([
          Object.assign(new Error("no"), { syscall: "connect" }),
        ]),
    ],
    [
      "the certificate is too old",
      () => fetchFailed("expired", { code: "CERT_HAS_EXPIRED" }),
    ],
    [
      "the certificate has another name",
      () => fetchFailed("name", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
    ],
    [
      "nobody knows its signer",
      () => fetchFailed("signer", { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }),
    ],
  ])("if %s", async (_, error) => {
    const script = await opening(() => {});
    const cause = error();
    const client = await open(script, { fetch: failing(() => cause) });
    const thrown = await failure(client.callTool(call));
    expect(thrown).toMatchObject({ name: "TransportError", mayHaveRun: false });
    expect(thrown.cause).toBe(cause);
  });

  it.each(ways)(
    "if nothing listens there, through $way",
    async ({ options }) => {
      const script = await opening(() => {});
      const client = await open(script, options);
      await script.close();
      // The first call may get a connection that was kept.
      await failure(client.callTool(call));
      expect(await failure(client.callTool(call))).toMatchObject({
        mayHaveRun: false,
        isRetryable: true,
      });
    },
  );

  it.each(ways)(
    "if its headers cannot be made, through $way",
    async ({ options }) => {
      const script = await opening(() => {});
      let isBroken = false;
      const headers = (): Record<string, string> => {
        if (isBroken) throw new Error("no token");
        return {};
      };
      const client = await open(script, { ...options, headers });
      isBroken = true;
      const thrown = await failure(client.callTool(call));
      expect(thrown).toMatchObject({
        name: "TransportError",
        mayHaveRun: false,
      });
      expect(thrown.message).toContain("no token");
    },
  );

  it.each([400, 429, 500, 503, 521, 523, 525])(
    "if the server answers %i",
    async (status) => {
      const script = await opening(
        (_, response) => void response.writeHead(status).end(),
      );
      const client = await open(script);
      expect(await failure(client.callTool(call))).toMatchObject({
        status,
        mayHaveRun: false,
      });
    },
  );
});

/**
 * A transport whose server answers `initialize` and ends the connection at a
 * call.
 */
const ending: [name: string, make: () => Promise<Transport>][] = [
  [
    "stdio",
    async () => {
      const answer = {
        protocolVersion: legacy.revision,
        capabilities: { tools: {} },
        serverInfo: info,
      };
      const hello = JSON.stringify({ jsonrpc: "2.0", id: 0, result: answer });
      const steps = ["hear", `say:${hello}\n`, "hear", "hear", "exit:3"];
      return stdio(process.execPath, [await scripted, ...steps], {
        stderr: "ignore",
      });
    },
  ],
  [
    "HTTP+SSE",
    async () => {
      let stream: ReturnType<typeof events> | undefined;
      const script = await Script.open((seen, response) => {
        if (seen.method === "GET")
          return void (stream = events(response)).write(
            "event: endpoint\ndata: /x\n\n",
          );
        response.writeHead(202).end();
        const capabilities = { tools: {} };
        const hello = {
          protocolVersion: legacy.revision,
          capabilities,
          serverInfo: info,
        };
        if (seen.body?.["method"] === "initialize")
          stream?.write(event(result(seen, hello)));
        if (seen.body?.["method"] === "tools/call") stream?.end();
      });
      return sse(script.url);
    },
  ],
  [
    "a WebSocket",
    async () => {
      const server = new WebSocketServer({
        port: 0,
        host: "127.0.0.1",
        handleProtocols: () => "mcp",
      });
      await once(server, "listening");
      server.on("connection", (socket) =>
        socket.on("message", (data) => {
          const { id, method } = JSON.parse(String(data)) as Json;
          const answer = {
            protocolVersion: legacy.revision,
            capabilities: { tools: {} },
            serverInfo: info,
          };
          if (method === "initialize")
            socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: answer }));
          if (method === "tools/call") socket.terminate();
          server.close();
        }),
      );
      return webSocket(
        `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      );
    },
  ],
  [
    "memory",
    async () => {
      const [clientTransport, serverTransport] = memoryPair();
      const wire = new Wire(serverTransport);
      const answer = {
        protocolVersion: legacy.revision,
        capabilities: { tools: {} },
        serverInfo: info,
      };
      void (async () => {
        await wire.answer(answer);
        await wire.next();
        await wire.next();
        await serverTransport.close();
      })();
      return clientTransport;
    },
  ],
];

it.each(ending)(
  "a call that was open when its connection ended may have run, and a later one has not, over %s",
  async (_, make) => {
    const closed: unknown[] = [];
    const transport = await make();
    const client = await makeClient(legacy.protocol, transport, {
      onClose: (error) => closed.push(error),
    });
    expect(await failure(client.callTool(call))).toMatchObject({
      name: "TransportError",
      mayHaveRun: true,
    });
    expect(await failure(client.callTool(call))).toMatchObject({
      name: "TransportError",
      mayHaveRun: false,
    });
    expect(closed).toHaveLength(1);
    await client.close();
  },
);

it("a call that was open when the program closed its client may have run", async () => {
  const script = await opening(() => {});
  const client = await open(script, {}, { onClose: () => {} });
  const calling = failure(client.callTool(call));
  await script.until(({ body }) => body?.["method"] === "tools/call");
  await client.close();
  expect(await calling).toMatchObject({
    name: "TransportError",
    mayHaveRun: true,
  });
});
