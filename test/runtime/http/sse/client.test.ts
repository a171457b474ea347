import { getEventListeners } from "node:events";
import { TransportError } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { sse } from "@mcpgen/runtime/sse";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { event, events, result, Script } from "../kit/script.js";
import { until } from "../../kit/watch.js";
import {
  failure,
  info,
  type Json,
  legacyRevisions,
  makeClient,
  text,
  turns,
} from "../../kit/index.js";
import { isWhole } from "../../../whole.js";

const oldest = legacyRevisions.at(-1) as (typeof legacyRevisions)[number];
const done = text("done");

/**
 * A server of the first revision, which responds over the stream of the client.
 */
async function serving(
  endpoint: (origin: string) => string = () => "/messages?session=1",
  status = 202,
  isEndless = false,
): Promise<{
  script: Script;
  stream(): ServerResponse;
  say(value: unknown): void;
}> {
  let stream: ServerResponse | undefined;
  const say = (value: unknown): void =>
    void stream?.write(`event: message\n${event(value)}`);
  const script: Script = await Script.open((seen, response) => {
    if (seen.method === "GET") {
      stream = events(response);
      return void stream.write(
        `: hello\n\nevent: endpoint\ndata: ${endpoint(script.origin)}\n\n`,
      );
    }
    const { method, id } = seen.body ?? {};
    response
      .writeHead(method === "tools/call" ? status : 202)
      .write("Accepted");
    if (!isEndless) response.end();
    const hello = {
      protocolVersion: oldest.revision,
      capabilities: { tools: {} },
      serverInfo: info,
    };
    if (id !== undefined && method !== undefined && status === 202) {
      const { name } = (seen.body?.["params"] ?? {}) as Json;
      if (name !== "wait")
        say(result(seen, method === "initialize" ? hello : done));
    } else if (method === "initialize") say(result(seen, hello));
  });
  return { script, stream: () => stream as ServerResponse, say };
}

const open = (
  script: Script,
  options: Parameters<typeof sse>[1] = {},
  settings = {},
) => makeClient(oldest.protocol, sse(script.url, options), settings);

describe("a client over HTTP+SSE", () => {
  it.each([
    ["a path", () => "/messages?session=1"],
    ["a complete URL", (origin: string) => `${origin}/messages?session=1`],
  ])(
    "HSSE-01 HSSE-02 HSSE-03 posts to the endpoint of the server, given as %s, and receives over the stream",
    async (_, endpoint) => {
      const { script } = await serving(endpoint);
      await using client = await open(script, {
        headers: { authorization: "Bearer t" },
      });
      expect(await client.callTool({ name: "x" })).toEqual(done);
      expect(script.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "GET /mcp",
        ...Array.from({ length: 3 }, () => "POST /messages?session=1"),
      ]);
      expect(
        script.seen.every(
          ({ headers }) => headers.authorization === "Bearer t",
        ),
      ).toBe(true);
    },
  );

  it("HSSE-02 takes the endpoint from the first event of that name, and from no other", async () => {
    const { script, stream } = await serving(
      () => "/first\n\nevent: endpoint\ndata: /second",
    );
    await using client = await open(script);
    stream().write(
      "event: endpoint\ndata: /third\n\nevent: other\ndata: /fourth\n\n",
    );
    await client.callTool({ name: "x" });
    expect(await client.callTool({ name: "x" })).toEqual(done);
    expect(new Set(script.seen.slice(1).map(({ url }) => url))).toEqual(
      new Set(["/first"]),
    );
  });

  it("HSSE-04 refuses to post to another origin", async () => {
    const other = await Script.open((_, response) => void response.end());
    const { script } = await serving(() => `${other.origin}/messages`);
    const error = await failure(open(script));
    expect(error.name).toBe("TransportError");
    expect(error.message).toBe(
      `${script.url} expects messages at another origin, ${other.origin}.`,
    );
    expect(other.seen).toEqual([]);
    expect(await script.seen[0]?.cut).toBe(true);
  });

  it("HSSE-04 refuses an endpoint that is not a URL", async () => {
    const { script } = await serving(() => "http://");
    expect(await failure(open(script))).toMatchObject({
      name: "TransportError",
      message: `${script.url} expects messages at an invalid URL.`,
    });
  });

  it("HSSE-07 closes the connection with the stream and does not resume it", async () => {
    const { script, stream } = await serving();
    const closings: unknown[] = [];
    const client = await open(
      script,
      {},
      { onClose: (error: unknown) => closings.push(error) },
    );
    const calling = failure(client.callTool({ name: "wait" }));
    await script.until(({ body }) => body?.["method"] === "tools/call");
    stream().end();
    expect((await calling).name).toBe("TransportError");
    expect(closings).toHaveLength(1);
    expect((await failure(client.callTool({ name: "x" }))).name).toBe(
      "TransportError",
    );
    await turns();
    expect(script.methods.filter((what) => what === "GET")).toHaveLength(1);
  });

  it.each([400, 404, 500])(
    "HSSE-05 rejects a call whose POST is answered with %i, and stays open",
    async (status) => {
      const { script } = await serving(undefined, status);
      await using client = await open(script);
      expect(await failure(client.callTool({ name: "x" }))).toMatchObject({
        name: "TransportError",
        status,
      });
      expect(await failure(client.callTool({ name: "x" }))).toMatchObject({
        name: "TransportError",
        status,
      });
    },
  );

  it("closes when the signal of its caller aborts, and takes no message then", async () => {
    const { script } = await serving();
    const controller = new AbortController();
    const closings: unknown[] = [];
    const transport = sse(script.url, { signal: controller.signal });
    const client = await makeClient(oldest.protocol, transport, {
      onClose: (error: unknown) => closings.push(error),
    });
    controller.abort(new Error("enough"));
    await until(() => closings.length > 0);
    expect(closings).toEqual([undefined]);
    expect(await script.seen[0]?.cut).toBe(true);
    expect(() => void transport.send({ jsonrpc: "2.0", method: "x" })).toThrow(
      new TransportError("The connection is closed."),
    );
    expect((await failure(client.callTool({ name: "x" }))).message).toBe(
      "The connection is closed.",
    );
  });

  it("leaves no listener on the signal of its caller once it has ended or could not be opened", async () => {
    const { signal } = new AbortController();
    const { script, stream } = await serving();
    const closings: unknown[] = [];
    await open(
      script,
      { signal },
      { onClose: (error: unknown) => closings.push(error) },
    );
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    stream().end();
    while (closings.length === 0) await turns();
    const none = await Script.open(
      (_, response) => void response.writeHead(404).end(),
    );
    await failure(open(none, { signal }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it.runIf(isWhole)(
    "does not wait for the end of an answer to a POST, and gives it up",
    async () => {
      const { script } = await serving(undefined, 202, true);
      await using client = await open(script, { maxConnections: 2 });
      expect(await client.callTool({ name: "x" })).toEqual(done);
      for (const { method, cut } of script.seen)
        expect(method === "GET" || (await cut)).toBe(true);
    },
  );

  it("answers requests of the server, and keeps the order of messages", async () => {
    const { script, say } = await serving();
    await using client = await open(script);
    for (let i = 0; i < 20; i++)
      say({ jsonrpc: "2.0", id: `p${i}`, method: "ping" });
    await script.until(({ body }) => body?.["id"] === "p19");
    expect(client.revision).toBe(oldest.revision);
    const answers = script.seen.flatMap(({ body }) =>
      body?.["result"] ? [body["id"]] : [],
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => `p${i}`));
  });

  it("rejects if there is no stream, or the stream names no URL for messages", async () => {
    const none = await Script.open(
      (_, response) => void response.writeHead(404).end(),
    );
    expect(await failure(open(none))).toMatchObject({
      name: "TransportError",
      status: 404,
    });
    const ends = await Script.open(
      (_, response) => void events(response).end(": nothing\n\n"),
    );
    expect((await failure(open(ends))).message).toMatch(/stream ended/);
    const nowhere = await serving(() => "http://[");
    expect((await failure(open(nowhere.script))).message).toContain(
      "invalid URL",
    );
  });

  it.each([
    ["HTTP+SSE", "the transport closes", sse],
    ["HTTP+SSE", "its stream ends", sse],
    ["HTTP", "the transport closes", http],
  ] as const)(
    "over %s rejects a message that is not accepted yet when %s",
    async (_, event, make) => {
      let stream: ServerResponse | undefined;
      const script = await Script.open((seen, response) => {
        // A POST gets no answer.
        if (seen.method !== "GET") return;
        stream = events(response);
        stream.write("event: endpoint\ndata: /messages\n\n");
      });
      const transport = make(script.url, { shutdownTime: 20 });
      await transport.start({
        message() {},
        malformed() {},
        ended() {},
        closed() {},
      });
      const sent = failure(
        transport.send({ jsonrpc: "2.0", method: "notifications/initialized" }),
      );
      await until(() =>
        expect(script.seen.some(({ method }) => method === "POST")).toBe(true),
      );
      if (event === "its stream ends") stream?.end();
      else await transport.close();
      expect((await sent).name).toBe("TransportError");
      await transport.close();
    },
  );

  it("sends pending messages before it closes", async () => {
    const { script } = await serving();
    const client = await open(script);
    await client.close();
    expect(await script.seen[0]?.cut).toBe(true);
    expect(script.methods).toEqual([
      "GET",
      "initialize",
      "notifications/initialized",
    ]);
    expect(() => sse("ftp://x")).toThrow(TypeError);
    expect(http("http://x").address).toBe("http://x/");
  });
});
