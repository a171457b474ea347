import { MessageChannel, type MessagePort } from "node:worker_threads";
import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  type AnyProtocol,
  clientWire,
  everything,
  failure,
  type Json,
  legacyRevisions,
  makeClient,
  makeServer,
  revisions,
  text,
  turns,
} from "../kit/index.js";

const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const wrongBlocks: readonly Json[] = [
  { type: "video", data: "" },
  { type: "text" },
  { type: "image", data: "" },
  { type: "resource", resource: {} },
  { text: "no type" },
];
/** One item of each list. */
const items: Json = {
  tools: { name: "a", inputSchema: { type: "object" } },
  prompts: { name: "a" },
  resources: { name: "a", uri: "a:b" },
  resourceTemplates: { name: "a", uriTemplate: "a:{b}" },
  tasks: {
    taskId: "a",
    status: "working",
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    ttl: null,
  },
};

describe.each(revisions)("a client of $revision", (one) => {
  it.each(wrongBlocks)(
    "rejects a tool's result with the block %j (TOOL-23)",
    async (block) => {
      const { client, wire } = await clientWire(one);
      const calling = failure(client.callTool({ name: "x" }));
      await wire.answer({ content: [block], ...complete });
      const error = await calling;
      expect(error.name).toBe("ValidationError");
      expect(error.message).toContain("tools/call result: content[0]");
    },
  );

  it.each([
    { role: "system", content: { type: "text", text: "x" } },
    ...wrongBlocks.map((content) => ({ role: "user", content })),
  ])("rejects a prompt with the message %j (PROMPT-06)", async (message) => {
    const { client, wire } = await clientWire(one);
    const getting = failure(client.getPrompt({ name: "x" }));
    await wire.answer({ messages: [message], ...complete });
    const error = await getting;
    expect(error.name).toBe("ValidationError");
    expect(error.message).toContain("prompts/get result: messages[0]");
  });

  it("reports a log message with an unknown level or without data, and does not pass it to its handler (LOG-08)", async () => {
    const handled: unknown[] = [];
    const errors: string[] = [];
    const { client, wire } = await clientWire(one, {
      onError: ({ message }) => errors.push(message),
      handlers: {
        "notifications/message": ({ data }) => void handled.push(data),
      },
    });
    for (const params of [
      { level: "loud", data: 1 },
      { level: "info" },
      { data: 1 },
      { level: "info", data: "fine" },
    ]) {
      wire.send({ jsonrpc: "2.0", method: "notifications/message", params });
    }
    await turns();
    expect(handled).toEqual(["fine"]);
    expect(errors).toHaveLength(3);
    await client.close();
  });

  it("receives responses even if a server floods it with progress (PROG-09)", async () => {
    const { client, wire } = await clientWire(one);
    const values: number[] = [];
    const onProgress = ({ progress }: { progress: number }): number =>
      values.push(progress);
    const calling = client.callTool({ name: "x" }, { onProgress });
    const { id, params } = await wire.next();
    const { progressToken } = (params as Json)["_meta"] as Json;
    for (let i = 1; i <= 5000; i++) {
      const params = {
        progressToken: i % 2 ? progressToken : "unknown",
        progress: i,
      };
      wire.send({ jsonrpc: "2.0", method: "notifications/progress", params });
    }
    const listing = client.listTools();
    await wire.answer({ tools: [], ...complete });
    expect(await listing).toMatchObject({ tools: [] });
    wire.send({ jsonrpc: "2.0", id, result: { ...text("done"), ...complete } });
    expect(await calling).toMatchObject(text("done"));
    expect(values.at(-1)).toBe(4999);
    // Only the token of a task lasts longer than its call.
    const late = { progressToken, progress: 6000 };
    const method = "notifications/progress";
    wire.send({ jsonrpc: "2.0", method, params: late });
    await turns();
    expect(values.at(-1)).toBe(4999);
  });

  const lists = Object.values(one.protocol.clientSide.outgoingRequests).filter(
    ({ items }) => items !== undefined,
  );
  it.each(lists.map(({ method, items }) => [method, String(items)]))(
    "reads all pages of %s, also if there is only one (PAGE-08)",
    async (method, name) => {
      const { client, wire } = await clientWire(
        one,
        {},
        { ...everything, tasks: { list: {} } },
      );
      const walk = (
        client as unknown as Record<string, () => AsyncIterable<unknown>>
      )[name];
      const read = async (): Promise<unknown[]> => {
        const all: unknown[] = [];
        for await (const item of walk?.call(client) ?? []) all.push(item);
        return all;
      };
      const itemOf = (page: number): Json => ({
        ...(items[name] as Json),
        "x-page": page,
      });
      for (const cursors of [[], ["", "2"]]) {
        const reading = read();
        for (let i = 0; i <= cursors.length; i++) {
          const next = i < cursors.length && { nextCursor: cursors[i] };
          expect(
            await wire.answer({ [name]: [itemOf(i)], ...complete, ...next }),
          ).toMatchObject({
            method,
          });
        }
        expect(await reading).toEqual(
          Array.from({ length: cursors.length + 1 }, (_, i) => itemOf(i)),
        );
      }
      expect(await wire.rest()).toEqual([]);
    },
  );

  it("sends in _meta only reserved keys that the revision defines (META-06)", async () => {
    const { client, wire } = await clientWire(one);
    const options = { onProgress: () => {} };
    for (const call of [
      client.callTool({ name: "x" }, options),
      client.listTools({}, options),
    ]) {
      call.catch(() => {});
    }
    const defined = Object.values(one.facts.meta);
    const requests = await wire.rest();
    expect(requests.map(({ method }) => method)).toEqual([
      "tools/call",
      "tools/list",
    ]);
    for (const { params } of requests) {
      for (const key of Object.keys((params as Json)["_meta"] as Json))
        expect(defined).toContain(key);
    }
    await client.close();
  });

  it("sends every call of a tool through the transport, where a host can log it with its outcome (TOOL-24)", async () => {
    const log: unknown[] = [];
    const audited = (carrier: Transport): Transport => {
      const names = new Map<unknown, unknown>();
      return {
        send(message, options) {
          const { id, method, params } = message as Json;
          if (method === "tools/call") names.set(id, (params as Json)["name"]);
          return carrier.send(message, options);
        },
        start: (receiver) =>
          carrier.start({
            malformed: (error) => receiver.malformed(error),
            ended: () => receiver.ended(),
            closed: (error) => receiver.closed(error),
            message(message) {
              const { id, result, error } = message as {
                id?: unknown;
                result?: Json;
                error?: Json;
              };
              if (names.has(id))
                log.push([
                  names.get(id),
                  error?.["code"] ?? result?.["isError"] ?? "done",
                ]);
              receiver.message(message);
            },
          }),
        close: () => carrier.close(),
      };
    };
    const [clientTransport, serverTransport] = memoryPair();
    const handlers = {
      "tools/call": ({ name }: Json): Json => {
        if (name === "broken") return { nothing: true };
        return { ...text("x"), ...(name === "failing" && { isError: true }) };
      },
    };
    await serve(
      serverTransport,
      makeServer(one.protocol, { onError: () => {}, handlers }),
    );
    const client = await makeClient(one.protocol, audited(clientTransport));
    for (const name of ["fine", "failing", "broken"])
      await client.callTool({ name }).catch(() => {});
    expect(log).toEqual([
      ["fine", "done"],
      ["failing", true],
      ["broken", -32603],
    ]);
    await client.close();
  });
});

describe.each(legacyRevisions)("a handler of a client of $revision", (one) => {
  it("gets the reason of a server that cancels its request (CANC-11)", async () => {
    let reason: unknown;
    const { wire } = await clientWire(one, {
      handlers: {
        "roots/list": (_, { signal }) =>
          new Promise(() =>
            signal.addEventListener("abort", () => (reason = signal.reason)),
          ),
      },
    });
    wire.send({ jsonrpc: "2.0", id: "q", method: "roots/list" });
    await turns();
    const params = { requestId: "q", reason: "the user left" };
    wire.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    expect(await wire.rest()).toEqual([]);
    expect(reason).toMatchObject({
      name: "AbortError",
      message: "the user left",
    });
  });

  it("sends few of 5,000 progress notifications, and the last before the answer (PROG-09)", async () => {
    const { wire } = await clientWire(one, {
      handlers: {
        "roots/list": (_, { progress }) => {
          for (let i = 1; i <= 5000; i++) progress(i);
          return { roots: [] };
        },
      },
    });
    wire.send({
      jsonrpc: "2.0",
      id: "q",
      method: "roots/list",
      params: { _meta: { progressToken: "t" } },
    });
    const sent = await wire.rest();
    expect(sent.length).toBeLessThan(100);
    expect(sent.at(-2)).toMatchObject({
      params: { progressToken: "t", progress: 5000 },
    });
    expect(sent.at(-1)).toMatchObject({ id: "q", result: { roots: [] } });
  });
});

describe("a custom transport", () => {
  /** The minimum that the documentation of `Transport` requires. */
  const over = (port: MessagePort): Transport => ({
    start(receiver) {
      port.on("message", (data) => receiver.message(JSON.parse(String(data))));
      port.on("close", () => receiver.closed());
    },
    send: (value) => port.postMessage(JSON.stringify(value)),
    close: () => Promise.resolve(port.close()),
  });

  it.each(
    revisions.map(({ revision, protocol }) => [revision, protocol] as const),
  )(
    "supports a session of %s with only start, send and close (CUST-06)",
    async (_, protocol: AnyProtocol) => {
      const { port1, port2 } = new MessageChannel();
      await serve(
        over(port2),
        makeServer(protocol, {
          handlers: { "tools/call": () => text("done") },
        }),
      );
      const client = await makeClient(protocol, over(port1));
      expect(await client.callTool({ name: "x" })).toMatchObject(text("done"));
      await client.close();
    },
  );
});
