import {
  memoryPair,
  type Receiver,
  serve,
  type Transport,
  TransportError,
} from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { webSocket } from "@mcpgen/runtime/websocket";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import {
  connect,
  createServers,
  type Revision,
} from "../../../generated/index.js";
import { bundle } from "../kit/bundle.js";
import {
  failure,
  info,
  type Json,
  legacy,
  makeServer,
  metaFor,
  modern,
  revisions,
  turns,
} from "../kit/index.js";
import { all, discovered, hello, old, unsupported, wired } from "./kit.js";

const scripted = bundle("scripted");
const spoiled = bundle("spoiled-server");

describe("connect", () => {
  describe.each(revisions)(
    "to a server that supports only $revision",
    ({ revision, protocol }) => {
      it("VERS-01 VERS-02 COMPAT-01 COMPAT-02 detects the revision of the server", async () => {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(serverTransport, makeServer(protocol));
        await using client = await connect(clientTransport, { info });
        expect(client.revision).toBe(revision);
        expect(client.server.info).toEqual(info);
      });

      it("connects with exactly one revision if the user requires it", async () => {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(serverTransport, makeServer(protocol));
        await using client = await connect(clientTransport, {
          info,
          mode: revision as Revision,
        });
        expect(client.revision).toBe(revision);
        const [other, end] = memoryPair();
        await serve(end, makeServer(protocol));
        const wrong = all.find((one) => one !== revision) as Revision;
        expect(
          (await failure(connect(other, { info, mode: wrong }))).name,
        ).toMatch(/Error$/);
      });

      it("uses the newest revision with a server of all revisions", async () => {
        const [clientTransport, serverTransport] = memoryPair();
        await serve(
          serverTransport,
          createServers({
            info,
            handlers: { "tools/list": () => ({ tools: [] }) },
          }),
        );
        await using client = await connect(clientTransport, {
          info,
          revisions: [revision as Revision],
        });
        expect(client.revision).toBe(revision);
        expect((await client.listTools()).tools).toEqual([]);
      });

      it("SCHEMA-05 receives the schema of a tool unchanged", async () => {
        const inputSchema = {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object" as const,
          properties: { place: { type: "string", "x-mcp-header": "Place" } },
          required: ["place"],
          $defs: {},
        };
        const [clientTransport, serverTransport] = memoryPair();
        const handlers = {
          "tools/list": () => ({ tools: [{ name: "weather", inputSchema }] }),
        };
        await serve(serverTransport, createServers({ info, handlers }));
        await using client = await connect(clientTransport, {
          info,
          revisions: [revision as Revision],
        });
        const { tools } = await client.listTools();
        expect(tools[0]?.inputSchema).toEqual(inputSchema);
      });
    },
  );

  it("COMPAT-01 probes first, with the preferred revision", async () => {
    const { wire, clientTransport } = wired();
    const connecting = connect(clientTransport, { info });
    const probe = await wire.answer(discovered(modern.revision));
    expect(probe["method"]).toBe("server/discover");
    expect((probe["params"] as Json)["_meta"]).toMatchObject(metaFor(modern));
    expect((await connecting).revision).toBe(modern.revision);
  });

  it.each([
    ["-32601", { code: -32601, message: "no such method" }],
    ["-32602", { code: -32602, message: "?" }],
    ["-32600", { code: -32600, message: "initialize first" }],
    ["-32603", { code: -32603, message: "?" }],
    ["a code of its own", { code: -32000, message: "?" }],
  ])(
    "COMPAT-02 COMPAT-03 COMPAT-07 falls back to the handshake on %s",
    async (_, error) => {
      const { wire, clientTransport } = wired();
      const connecting = connect(clientTransport, { info });
      const { id } = await wire.next();
      wire.send({ jsonrpc: "2.0", id, error });
      const opening = await wire.answer(hello(legacy.revision));
      expect(opening).toMatchObject({
        method: "initialize",
        params: { protocolVersion: old[0] },
      });
      const client = await connecting;
      expect(client.revision).toBe(legacy.revision);
      await wire.next();
      // LIFE-10: the client answers requests of the legacy server again.
      expect(await wire.ask("p", "ping")).toMatchObject({ result: {} });
    },
  );

  it("COMPAT-02 falls back to initialize if the server does not answer the probe", async () => {
    const { wire, clientTransport } = wired();
    const connecting = connect(clientTransport, { info, probeTimeout: 30 });
    const probe = await wire.next();
    expect(await wire.next()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: probe["id"] },
    });
    await wire.answer(hello(legacy.revision));
    expect((await connecting).revision).toBe(legacy.revision);
    // The late answer to the probe changes nothing.
    wire.send({
      jsonrpc: "2.0",
      id: probe["id"],
      result: discovered(modern.revision),
    });
    await turns();
    expect((await connecting).revision).toBe(legacy.revision);
  });

  it.each([-32020, -32021])(
    "COMPAT-02 does not fall back on %i, which only the modern era knows",
    async (code) => {
      const { wire, clientTransport } = wired();
      const connecting = failure(connect(clientTransport, { info }));
      const { id } = await wire.next();
      wire.send({ jsonrpc: "2.0", id, error: { code, message: "no" } });
      expect(await connecting).toMatchObject({ name: "McpError", code });
      await turns();
      expect(wire.closed).toBe(true);
      expect(wire.seen).toHaveLength(1);
    },
  );

  it("VERS-08 VERS-10 tries a version that the server lists once more, and then rejects", async () => {
    const { wire, clientTransport } = wired();
    const connecting = connect(clientTransport, { info });
    const first = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id: first["id"],
      error: unsupported(modern.revision),
    });
    await wire.answer(discovered(modern.revision));
    expect((await connecting).revision).toBe(modern.revision);

    const again = wired();
    const refused = failure(connect(again.clientTransport, { info }));
    for (let i = 0; i < 2; i++) {
      const { id } = await again.wire.next();
      again.wire.send({
        jsonrpc: "2.0",
        id,
        error: unsupported(modern.revision),
      });
    }
    expect(await refused).toMatchObject({ code: -32022 });
    expect(again.wire.seen).toHaveLength(2);
  });

  it.each(["result", "error"] as const)(
    "COMPAT-09 uses a shared legacy revision that the server lists in its %s",
    async (answer) => {
      const { wire, clientTransport } = wired();
      const connecting = connect(clientTransport, { info });
      const { id } = await wire.next();
      const lists = ["2099-01-01", old[1] as string];
      wire.send({
        jsonrpc: "2.0",
        id,
        ...(answer === "result"
          ? { result: discovered(...lists) }
          : { error: unsupported(...lists) }),
      });
      const opening = await wire.answer(hello(old[1] as string));
      expect(opening["params"]).toMatchObject({ protocolVersion: old[1] });
      expect((await connecting).revision).toBe(old[1]);
    },
  );

  it("COMPAT-09 rejects with the revisions of both sides if they share none", async () => {
    const { wire, clientTransport } = wired();
    const connecting = failure(connect(clientTransport, { info }));
    await wire.answer(discovered("2099-01-01"));
    const error = await connecting;
    expect(error.name).toBe("SessionError");
    expect(error.message).toContain("2099-01-01");
    expect(error.message).toContain(modern.revision);
  });

  it("COMPAT-04 starts a server again that exits at the probe", async () => {
    const answer = JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      result: hello(legacy.revision),
    });
    // The server exits at a first message other than initialize; the second
    // start gets initialize.
    const steps = [
      "hear",
      "unless:initialize",
      `say:${answer}\n`,
      "hear",
      "hear",
    ];
    const losses: unknown[] = [];
    const transport = stdio(process.execPath, [await scripted, ...steps], {
      stderr: "ignore",
    });
    await using client = await connect(transport, {
      info,
      onClose: (error) => losses.push(error),
    });
    expect(client.revision).toBe(legacy.revision);
    expect(losses).toEqual([]);
  });

  describe.each(["exits", "refuses", "hangs"])(
    "to a legacy server that answers the probe with an error and then %s",
    (what) => {
      it("COMPAT-04 starts a new process, which gets only `initialize`", async () => {
        const transport = stdio(
          process.execPath,
          [await spoiled, what, legacy.revision],
          {
            stderr: "ignore",
            shutdownTime: 300,
          },
        );
        await using client = await connect(transport, {
          info,
          probeTimeout: 1000,
        });
        expect(client.revision).toBe(legacy.revision);
        expect(client.server.info).toMatchObject({ name: "spoiled" });
      });

      it("COMPAT-04 opens a new WebSocket, which gets only `initialize`", async () => {
        const server = new WebSocketServer({
          port: 0,
          host: "127.0.0.1",
          handleProtocols: () => "mcp",
        });
        server.on("connection", (socket) => {
          let isSpoiled: boolean | undefined;
          socket.on("message", (data) => {
            const { id, method } = JSON.parse(String(data)) as Json;
            const isFirst = isSpoiled === undefined;
            isSpoiled ??= method !== "initialize";
            const error = { code: -32601, message: "initialize first" };
            const answer = isSpoiled
              ? { error }
              : { result: hello(legacy.revision) };
            if (isFirst || what === "refuses")
              socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
            if (isSpoiled && what === "exits") socket.close();
          });
        });
        await once(server, "listening");
        const { port } = server.address() as AddressInfo;
        const client = await connect(webSocket(`ws://127.0.0.1:${port}`), {
          info,
          probeTimeout: 300,
        });
        expect(client.revision).toBe(legacy.revision);
        await client.close();
        server.close();
      });
    },
  );

  it("COMPAT-04 rejects with the answer to `initialize` of the second process if that fails as well", async () => {
    const refusal = (id: number): string =>
      `say:${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000 - id, message: "no" } })}\n`;
    // The client has sent one request before `initialize`, and none to the
    // second process.
    const steps = [
      "hear",
      "unless:server/discover",
      refusal(0),
      "hear",
      refusal(1),
      "hear",
    ];
    const transport = stdio(process.execPath, [await scripted, ...steps], {
      stderr: "ignore",
    });
    const error = await failure(connect(transport, { info }));
    expect(error).toMatchObject({ name: "TransportError" });
    expect(error.message).toContain("ended with code 1");
  });

  it("COMPAT-11 rejects a legacy server at once if the client has only modern revisions", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    await serve(serverTransport, makeServer(legacy.protocol));
    const error = await failure(
      connect(clientTransport, { info, mode: modern.revision as Revision }),
    );
    expect(error).toMatchObject({
      name: "SessionError",
      reason: "revision",
      cause: { code: -32600 },
    });
    expect(error.message).toMatch(
      /older than 2026-07-28.*mcpgen --version all.*connect/,
    );
  });

  it("COMPAT-11 rejects within `probeTimeout` if the client has only modern revisions and the server is silent", async () => {
    for (const open of [
      (clientTransport: Transport) =>
        connect(clientTransport, {
          info,
          mode: modern.revision as Revision,
          probeTimeout: 30,
        }),
      (clientTransport: Transport) =>
        modern.protocol.Client.connect(clientTransport, {
          info,
          probeTimeout: 30,
        }),
      (clientTransport: Transport) =>
        modern.protocol.Client.connect(clientTransport, { info, timeout: 30 }),
    ]) {
      const { wire, clientTransport } = wired();
      const error = await failure(open(clientTransport));
      expect(error).toMatchObject({ name: "SessionError", reason: "revision" });
      expect(error.message).toMatch(
        /older than 2026-07-28.*within 30 ms.*`probeTimeout`.*mcpgen --version all/,
      );
      expect(wire.seen.map(({ method }) => method)).toEqual([
        "server/discover",
        "notifications/cancelled",
      ]);
    }
  });

  it("COMPAT-11 quotes what the server answered", async () => {
    const { wire, clientTransport } = wired();
    const connecting = failure(
      connect(clientTransport, { info, mode: modern.revision as Revision }),
    );
    const { id } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id,
      error: { code: -32601, message: `no\u001b[2J\n${"x".repeat(5000)}` },
    });
    expect((await connecting).message).toBe(
      String.raw`The server seems to be older than 2026-07-28: server/discover is answered with -32601 "no\u001b[2J\n${"x".repeat(193)}". Generate all revisions (${"`mcpgen --version all`"}) and open the connection with their ${"`connect`"}, without ${"`mode`"}.`,
    );
  });

  it.each([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [399, false],
    [400, true],
    [401, false],
    [404, true],
    [499, true],
    [500, false],
    [undefined, false],
  ])(
    "COMPAT-11 takes a server that answers HTTP with the status %s for an older one: %s",
    async (status, isOlder) => {
      for (const cause of [undefined, new Error("broken")]) {
        const error = new TransportError("It said no.", { status, cause });
        let receiver: Receiver | undefined;
        const transport: Transport = {
          carrier: "http",
          answersEach: true,
          start: (one) => void (receiver = one),
          send: (message) =>
            queueMicrotask(() =>
              receiver?.lost?.((message as { id: number }).id, error),
            ),
          close: async () => {},
        };
        const thrown = await failure(
          modern.protocol.Client.connect(transport, { info }),
        );
        // A success with a cause was cut off.
        const isCut = cause !== undefined && (status ?? 0) < 300;
        if (!isOlder || isCut)
          expect(thrown).toMatchObject({ message: "It said no.", status });
        else
          expect(thrown).toMatchObject({
            name: "SessionError",
            reason: "revision",
            cause: error,
            message: expect.stringMatching(
              /^The server seems to be older than 2026-07-28: It said no\. Generate all revisions /,
            ) as string,
          });
      }
    },
  );
});
