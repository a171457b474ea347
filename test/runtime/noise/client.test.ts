import { memoryPair, type Transport } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import { stdio } from "@mcpgen/runtime/stdio";
import { webSocket } from "@mcpgen/runtime/websocket";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { bundle } from "../kit/bundle.js";
import {
  info,
  type Json,
  legacy,
  legacyRevisions,
  makeClient,
  textOf,
} from "../kit/index.js";
import { until } from "../kit/watch.js";
import {
  events,
  json,
  legacyScript,
  result,
  Script,
} from "../http/kit/script.js";
import { jsonNoise, noise, noisyServer } from "./server.js";

const oldest = legacyRevisions.at(-1) ?? legacy;
const program = bundle("noisy-server");

const cleanups: (() => void)[] = [];
afterAll(() => cleanups.forEach((clean) => clean()));

/**
 * A transport to a noisy server, and the first warning of each kind of noise.
 */
interface Peer {
  readonly transport: Transport;
  readonly kinds: readonly string[];
}

async function overMemory(): Promise<Peer> {
  const [clientTransport, serverTransport] = memoryPair();
  const say = (line: string): void =>
    void serverTransport.send(JSON.parse(line));
  const receive = noisyServer(legacy.revision, jsonNoise, say);
  const ignored = (): void => {};
  const message = (value: unknown): void => receive(value as Json);
  void serverTransport.start({
    message,
    malformed: ignored,
    ended: ignored,
    closed: ignored,
  });
  return { transport: clientTransport, kinds: ["Not a message: null"] };
}

async function overStdio(): Promise<Peer> {
  const transport = stdio(process.execPath, [await program, legacy.revision]);
  return { transport, kinds: ["A line is not JSON: ", "Not a message: null"] };
}

async function overWebSocket(): Promise<Peer> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.on("listening", resolve));
  cleanups.push(() => server.close());
  server.on("connection", (socket) => {
    const receive = noisyServer(legacy.revision, noise, (line) =>
      socket.send(line),
    );
    socket.on("message", (data) => receive(JSON.parse(String(data)) as Json));
  });
  const { port } = server.address() as AddressInfo;
  return {
    transport: webSocket(`ws://127.0.0.1:${port}`),
    kinds: ["A message is not JSON: ", "Not a message: null"],
  };
}

async function overSse(): Promise<Peer> {
  let stream: ServerResponse | undefined;
  const receive = noisyServer(oldest.revision, noise, (line) =>
    stream?.write(`data: ${line}\n\n`),
  );
  const { url } = await Script.open(({ body }, response) => {
    if (body) {
      response.writeHead(202).end();
      return receive(body);
    }
    stream = events(response);
    stream.write("event: endpoint\ndata: /messages\n\n");
  });
  return {
    transport: sse(url),
    kinds: ["The response is not JSON: ", "Not a message: null"],
  };
}

/** Messages go over the stream of a GET. */
async function overGet(): Promise<Peer> {
  let stream: ServerResponse | undefined;
  let waiting = "";
  const receive = noisyServer(legacy.revision, noise, (line) => {
    if (stream) stream.write(`data: ${line}\n\n`);
    else waiting += `data: ${line}\n\n`;
  });
  const { url } = await Script.open((seen, response) => {
    const { id, method } = seen.body ?? {};
    if (seen.method === "GET") {
      stream = events(response);
      stream.write(waiting);
    } else if (seen.method === "DELETE") response.end();
    else if (method === "initialize") {
      const opened = {
        protocolVersion: legacy.revision,
        capabilities: { tools: {} },
        serverInfo: info,
      };
      json(response, result(seen, opened));
    } else {
      if (id === undefined || method === undefined)
        response.writeHead(202).end();
      else events(response);
      receive(seen.body as Json);
    }
  });
  return {
    transport: http(url),
    kinds: ["The response is not JSON: ", "Not a message: null"],
  };
}

/** Messages go over the stream of their own POST. */
async function overPost(): Promise<Peer> {
  let unexpected = 0;
  const calls = legacyScript(legacy.revision, (seen, response) => {
    const stream = events(response);
    for (const line of noise) stream.write(`data: ${line}\n\n`);
    const content = [{ type: "text", text: String(unexpected) }];
    stream.end(`data: ${JSON.stringify(result(seen, { content }))}\n\n`);
  });
  const { url } = await Script.open((seen, response, count) => {
    const { id, method } = seen.body ?? {};
    if (seen.body && method === undefined) unexpected++;
    if (unexpected < 1000 || id !== undefined) calls(seen, response, count);
  });
  return {
    transport: http(url),
    kinds: ["The response is not JSON: ", "Not a message: null"],
  };
}

describe.each([
  ["in memory", legacy, overMemory],
  ["over stdio", legacy, overStdio],
  ["over a WebSocket", legacy, overWebSocket],
  ["over HTTP+SSE", oldest, overSse],
  ["over the GET stream of Streamable HTTP", legacy, overGet],
  ["over the response of Streamable HTTP", legacy, overPost],
])("a client %s", (_, { protocol }, open) => {
  it("does not answer input that is not a message, warns once of each kind, and reports the number when it closes", async () => {
    const { transport, kinds } = await open();
    const warnings: string[] = [];
    const errors: Error[] = [];
    const client = await makeClient(protocol, transport, {
      onWarning: (text) => warnings.push(text),
      onError: (error) => errors.push(error),
    });
    const call = async (): Promise<string> =>
      textOf(await client.callTool({ name: "count" }));
    await call();
    // An answer to the noise would be on its way before these calls.
    for (let i = 0; i < 3; i++) expect(await call()).toBe("0");
    await until(() => expect(warnings).toHaveLength(kinds.length));
    expect(warnings).toEqual(
      kinds.map((kind) => expect.stringContaining(kind)),
    );
    // Nothing of the server reaches a terminal unescaped.
    expect(warnings.join("")).not.toMatch(/\p{Cc}/u);
    await client.close();
    const more = kinds.map((kind) =>
      expect.stringMatching(`^${kind.split(":")[0]}: [1-9]\\d* more`),
    );
    expect(warnings.slice(kinds.length)).toEqual(more);
    expect(errors).toEqual([]);
  });
});

describe.each([
  "null",
  "{}",
  '""',
  '{"ok":true}',
  "[]",
  '{"jsonrpc":"2.0","id":9,"method":"ping"}',
])(
  "a client over Streamable HTTP whose notification is answered with %s",
  (body) => {
    it.each([200, 202])(
      "drops it at status %i, warns once and sends nothing",
      async (status) => {
        const script = await Script.open((seen, response) => {
          const { id, method } = seen.body ?? {};
          if (id !== undefined && method !== undefined) {
            const opened = {
              protocolVersion: legacy.revision,
              capabilities: { tools: {} },
              serverInfo: info,
            };
            return json(response, result(seen, { ...opened, content: [] }));
          }
          if (!seen.body) return void response.writeHead(405).end();
          // A client that answers the body gets the same body again.
          if (script.seen.length < 100)
            response
              .writeHead(status, { "content-type": "application/json" })
              .end(body);
        });
        const warnings: string[] = [];
        const { protocol } = legacy;
        const client = await makeClient(protocol, http(script.url), {
          capabilities: { roots: { listChanged: true } },
          onWarning: (text) => warnings.push(text),
        });
        for (let i = 0; i < 3; i++) await client.callTool({ name: "x" });
        await client.rootsListChanged?.();
        await client.callTool({ name: "x" });
        expect(script.methods.filter((method) => method === "answer")).toEqual(
          [],
        );
        expect(warnings).toEqual([expect.stringMatching(/has a body\.$/)]);
        await client.close();
      },
    );
  },
);
