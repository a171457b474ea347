import { PassThrough } from "node:stream";
import { memoryPair, type Receiver, serve } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { stdio, StdioServerTransport } from "@mcpgen/runtime/stdio";
import { webSocket } from "@mcpgen/runtime/websocket";
import { describe, expect, it } from "vitest";
import { bundle } from "./kit/bundle.js";
import { failure, legacy, makeClient, makeServer, text } from "./kit/index.js";
import { transportSuite } from "./transport.suite.js";

const echo = bundle("echo-carrier");

transportSuite("memory", async () => {
  const [clientTransport, serverTransport] = memoryPair();
  void serverTransport.start({
    message: (message) => void serverTransport.send(message),
    malformed: () => {},
    ended: () => {},
    closed: () => {},
  });
  return clientTransport;
});

transportSuite("stdio", async () => stdio(process.execPath, [await echo]));

const receiver: Receiver = {
  message: () => {},
  malformed: () => {},
  ended: () => {},
  closed: () => {},
};

describe("a transport that was started", () => {
  it.each([
    ["in memory", () => memoryPair()[0]],
    ["on stdio of a client", () => stdio(process.execPath, ["--eval", ""])],
    [
      "on stdio of a server",
      () =>
        new StdioServerTransport({
          input: new PassThrough(),
          output: new PassThrough(),
        }),
    ],
    ["over Streamable HTTP", () => http("http://127.0.0.1:9/")],
    ["over HTTP+SSE", () => sse("http://127.0.0.1:9/")],
    ["over a WebSocket", () => webSocket("ws://127.0.0.1:9/")],
  ])("throws if it is started again, %s", async (_, make) => {
    const transport = make();
    const first = (async () => transport.start(receiver))().catch(() => {});
    const error = await failure((async () => transport.start(receiver))());
    expect([error.name, error.message]).toEqual([
      "TypeError",
      "The transport was started before. Create one for each client or server.",
    ]);
    await first;
    await transport.close();
  });

  it("serves its first client, and not a second one", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    await serve(
      serverTransport,
      makeServer(legacy.protocol, {
        handlers: { "tools/call": () => text("done") },
      }),
    );
    const client = await makeClient(legacy.protocol, clientTransport);
    expect(
      (await failure(makeClient(legacy.protocol, clientTransport))).name,
    ).toBe("TypeError");
    expect(await client.callTool({ name: "x" })).toEqual(text("done"));
    await client.close();
  });
});

it.each([
  ["Streamable HTTP", () => http("https://me:secret@")],
  ["HTTP+SSE", () => sse("https://me:secret@")],
  ["a WebSocket", () => webSocket("wss://me:secret@")],
])(
  "a transport over %s throws for an address that is not a URL, and does not show it",
  (_, make) => {
    expect(make).toThrow(
      new TypeError("The address of the server is not a valid URL."),
    );
  },
);
