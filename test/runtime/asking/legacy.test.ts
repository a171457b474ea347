import { describe, expect, it } from "vitest";
import {
  type AnyContext,
  clientWire,
  errorOf,
  join,
  type Json,
  legacyRevisions,
  makeServer,
  resultOf,
  serveWire,
  shakeHands,
  text,
  textOf,
  turns,
} from "../kit/index.js";
import { until } from "../kit/watch.js";
import { where } from "../kit/where.js";

describe.each(legacyRevisions)(
  "a session with a server of $revision that sends requests",
  (one) => {
    const { revision, protocol } = one;

    it("aborts running handlers and pending requests to the client when the client disconnects", async () => {
      const ends: string[] = [];
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": async (_, { request, signal }) => {
            signal.addEventListener("abort", () =>
              ends.push((signal.reason as Error).name),
            );
            await request("roots/list").catch((error: Error) =>
              ends.push(error.name),
            );
          },
          "notifications/roots/list_changed": (_, { signal }) =>
            new Promise(() =>
              signal.addEventListener("abort", () =>
                ends.push((signal.reason as Error).name),
              ),
            ),
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, revision, { roots: {} });
      wire.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      wire.send({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "x" },
      });
      await turns();
      await wire.transport.close();
      await turns();
      expect(ends).toEqual([
        "TransportError",
        "TransportError",
        "TransportError",
      ]);
    });

    it.runIf(revision === "2025-11-25")(
      "sends and reads boolean schemas of tools as objects",
      async () => {
        const messages = [
          { role: "user", content: { type: "text", text: "?" } },
        ];
        const inputSchema = {
          type: "object",
          properties: { any: true, none: false },
        };
        const params = {
          messages,
          maxTokens: 1,
          tools: [{ name: "a", inputSchema }],
        };
        const capabilities = { sampling: { tools: {} } };
        const seen: unknown[] = [];
        const handlers = {
          "sampling/createMessage": (received: Json) => {
            seen.push(received["tools"]);
            return {
              role: "assistant",
              content: { type: "text", text: "!" },
              model: "m",
            };
          },
        };
        const ask = {
          handlers: {
            "tools/call": async (_: Json, context: AnyContext) => {
              await context.request("sampling/createMessage", params);
              return text("done");
            },
          },
        };
        const { client } = await join(protocol, {
          client: { handlers, capabilities },
          server: ask,
        });
        expect(textOf(await client.callTool({ name: "x" }))).toBe("done");
        const raw = await clientWire(one, { handlers, capabilities });
        expect(
          await raw.wire.ask("q", "sampling/createMessage", params),
        ).toHaveProperty("result");
        const tools = [
          {
            name: "a",
            inputSchema: {
              type: "object",
              properties: { any: {}, none: { not: {} } },
            },
          },
        ];
        expect(seen).toEqual([tools, tools]);
      },
    );

    it("LIFE-05 TIME-01 sends a request to the client only after the handshake, and times out while it waits", async () => {
      const failures: Error[] = [];
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": async (_, { request, signal }) => {
            await request("roots/list", {}, { timeout: 20 }).catch(
              (error: Error) => failures.push(error),
            );
            const late = request("roots/list", {}, { timeout: 1e6 });
            signal.addEventListener(
              "abort",
              () => void late.catch((error: Error) => failures.push(error)),
            );
            await late;
          },
        },
      });
      const wire = await serveWire(server);
      const clientInfo = { name: "c", version: "1" };
      await wire.ask(0, "initialize", {
        protocolVersion: revision,
        capabilities: { roots: {} },
        clientInfo,
      });
      wire.send({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "x" },
      });
      await until(() => expect(failures).toHaveLength(1));
      expect(failures[0]).toMatchObject({
        name: "TimeoutError",
        message:
          "roots/list was not sent: the client did not send notifications/initialized within 20 ms.",
      });
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 1 },
      });
      await until(() => expect(failures).toHaveLength(2));
      expect(await wire.rest()).toEqual([]);
    });

    it("CANC-03 cancels a request to the client when the request that caused it ends", async () => {
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": async (_, { request }) => {
            await request("roots/list");
          },
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, revision, { roots: {} });
      wire.send({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "x" },
      });
      const question = await wire.next();
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: 1 },
      });
      expect(await wire.next()).toMatchObject({
        method: "notifications/cancelled",
        params: { requestId: question["id"] },
      });
      expect(await wire.rest()).toEqual([]);
    });
  },
);

describe.each(legacyRevisions)("a client of $revision", (one) => {
  const { protocol } = one;
  const asks = (method: string): boolean =>
    Object.hasOwn(protocol.clientQuestions.incomingRequests, method);

  it("JRPC-11 answers a malformed request with -32602 and the path", async () => {
    const { wire } = await clientWire(one, {
      handlers: { "sampling/createMessage": () => ({}) },
    });
    expect(
      errorOf(
        await wire.ask(1, "sampling/createMessage", {
          messages: [],
          maxTokens: "9",
        }),
      ),
    ).toMatchObject({
      code: -32602,
      data: { issues: [{ path: ["params", "maxTokens"] }] },
    });
  });

  it("limits the number of concurrent requests of the server", async () => {
    const { wire } = await clientWire(one, {
      limits: { inFlight: 3 },
      handlers: { "roots/list": () => new Promise(() => {}) },
    });
    for (let id = 0; id < 5; id++)
      wire.send({ jsonrpc: "2.0", id, method: "roots/list" });
    expect(
      (await wire.rest()).map(({ id, error }) => [id, (error as Json)["code"]]),
    ).toEqual([
      [3, -32603],
      [4, -32603],
    ]);
  });

  it("SAMP-02 sends the error code of a handler that rejects", async () => {
    const { McpError } = await import("@mcpgen/runtime");
    const { wire } = await clientWire(one, {
      handlers: {
        "sampling/createMessage": () => {
          throw new McpError(-1, "User rejected sampling request");
        },
      },
    });
    const answer = await wire.ask(1, "sampling/createMessage", {
      messages: [],
      maxTokens: 9,
    });
    expect(errorOf(answer)).toEqual({
      code: -1,
      message: "User rejected sampling request",
    });
  });

  it("PROG-05 CANC-03 sends progress to the server, and stops when the server cancels", async () => {
    let stopped: unknown;
    const { wire } = await clientWire(one, {
      handlers: {
        "roots/list": (_, { progress, signal, requestId }) => {
          progress(1, 2);
          return new Promise(() =>
            signal.addEventListener(
              "abort",
              () => (stopped = [requestId, (signal.reason as Error).message]),
            ),
          );
        },
      },
    });
    const progress = await wire.ask("q", "roots/list", {
      _meta: { progressToken: "t" },
    });
    expect(progress).toEqual({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1, total: 2 },
    });
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "q", reason: "late" },
    });
    expect(await wire.rest()).toEqual([]);
    expect(stopped).toEqual(["q", "late"]);
  });

  const requestedSchema = {
    type: "object",
    properties: {
      age: { type: "integer", minimum: 0 },
      city: { type: "string", enum: ["Rome", "Oslo"] },
      ok: { type: "boolean", default: true },
    },
    required: ["age"],
  };
  const unfit = [
    [{ age: -1 }, "content.age: expected at least 0"],
    [{ age: 1, city: "Ur" }, "content.city: expected one of the choices"],
    [{}, "content.age: expected a value"],
  ] as const;

  it.each(where(asks("elicitation/create")))(
    "returns a form with its defaults, and does not send content that does not match the form (ELIC-05, ELIC-06, ELIC-07)",
    async () => {
      let content: Json = { age: 7, city: "Oslo" };
      const errors: string[] = [];
      const { client, wire } = await clientWire(one, {
        onError: ({ message }) => errors.push(message),
        handlers: {
          "elicitation/create": () => ({ action: "accept", content }),
        },
      });
      const ask = (): Promise<Json> =>
        wire.ask("q", "elicitation/create", { message: "?", requestedSchema });
      expect((await ask())["result"]).toEqual({
        action: "accept",
        content: { age: 7, city: "Oslo", ok: true },
      });
      for (const [value, fault] of unfit) {
        content = value;
        expect(await ask()).toMatchObject({ error: { code: -32603 } });
        expect(errors.pop()).toBe(`elicitation/create result: ${fault}`);
      }
      await client.close();
    },
  );

  it.each(where(asks("elicitation/create")))(
    "gets no content that does not match the form, because the server rejects it (ELIC-06)",
    async () => {
      const server = makeServer(protocol, {
        handlers: {
          "tools/call": async (_, { request }) => {
            const params = { message: "?", requestedSchema };
            return text(
              await request("elicitation/create", params).then(
                String,
                (error: Error) => error.message,
              ),
            );
          },
        },
      });
      const wire = await serveWire(server);
      await shakeHands(wire, one.revision, { elicitation: {} });
      for (const [content, fault] of unfit) {
        const question = await wire.ask(1, "tools/call", { name: "x" });
        wire.send({
          jsonrpc: "2.0",
          id: question["id"],
          result: { action: "accept", content },
        });
        expect(textOf(resultOf(await wire.next()))).toBe(
          `elicitation/create result: ${fault}`,
        );
      }
    },
  );

  it("keeps context.request waiting up to its timeouts with progress, and the error names the method", async () => {
    const messages: number[] = [];
    const { client } = await join(protocol, {
      server: {
        handlers: {
          "tools/call": async (_, { request }) => {
            const onProgress = ({ progress }: { progress: number }): number =>
              messages.push(progress);
            const answer = request("roots/list", undefined, {
              timeout: 40,
              onProgress,
            });
            return text(
              await answer.then(String, (error: Error) => error.message),
            );
          },
        },
      },
      client: {
        handlers: {
          "roots/list": (_, { progress }) => {
            progress(0.5);
            return new Promise(() => {});
          },
        },
      },
    });
    expect(textOf(await client.callTool({ name: "x" }))).toBe(
      "roots/list: no answer within 40 ms. Raise `timeout` to wait longer.",
    );
    expect(messages).toEqual([0.5]);
  });
});
