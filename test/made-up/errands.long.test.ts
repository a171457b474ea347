import { join as path } from "node:path";
import { tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../repository.js";
import { carelessly } from "../runtime/kit/careless.js";
import { failure, type Json } from "../runtime/kit/messages.js";
import { serveWire } from "../runtime/kit/wire.js";
import {
  generated,
  type Generated,
  type Handlers,
  info,
  joined as join,
  refusal,
  schemas,
} from "./made-up.js";

let both: Generated;
beforeAll(async () => {
  both = await generated(
    path(root, "schema/2026-07-28"),
    schemas.errands,
    "tasks",
  );
});

const id = "com.example/errands";
const declared: Json = { extensions: { [id]: {} } };
const handlers: Handlers = {
  "errands/run": ({ errandId }) => ({ receipt: `ran ${String(errandId)}` }),
  "tools/call": () => ({ resultType: "ticket", errandId: "7" }),
};
const text = (value: string): Json => ({
  content: [{ type: "text", text: value }],
});

describe("a made-up extension beside the extension tasks", () => {
  it("EXT-04 adds its types and validators", () => {
    const { isRunErrandParams, isTask } = both;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    expect(isRunErrandParams?.({ errandId: "7", pence: 3, _meta })).toBe(true);
    for (const pence of [-1, 0.5])
      expect(isRunErrandParams?.({ errandId: "7", pence, _meta })).toBe(false);
    expect(isRunErrandParams?.({ errandId: "7", _meta: {} })).toBe(false);
    expect(isTask).toBeDefined();
    expect((both as unknown as Json)["HIGHEST_PRICE"]).toBe(500);
  });

  it("EXT-04 adds members to the types of the revision", () => {
    const { isServerCapabilities, isSubscriptionFilter } = both;
    expect(isServerCapabilities?.({ errands: { run: 7 } })).toBe(false);
    expect(isSubscriptionFilter?.({ errandIds: [7] })).toBe(false);
  });

  it("EXT-02 answers its method for clients that declare the extension", async () => {
    const { client } = await join(both, handlers, {
      clientCapabilities: declared,
    });
    expect(client.server.capabilities).toEqual({
      tools: {},
      errands: { run: {} },
      ...declared,
    });
    expect(await client["runErrand"]?.({ errandId: "7" })).toMatchObject({
      receipt: "ran 7",
    });
    const wrong = (): Promise<unknown> =>
      refusal(client["runErrand"]?.({ errandId: 7 as never }));
    expect(await carelessly(both["clientSide"], wrong)).toMatchObject({
      code: -32602,
    });
  });

  it("EXT-03 refuses its method to clients that do not declare the extension, and does not send it to other servers", async () => {
    const { client: plain } = await join(both, handlers);
    expect(
      await refusal(plain["runErrand"]?.({ errandId: "7" })),
    ).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: declared },
    });
    const { client: lonely } = await join(
      both,
      {},
      { clientCapabilities: declared },
    );
    expect(
      String(await failure(lonely["runErrand"]?.({ errandId: "7" }))),
    ).toContain(id);
  });

  it("EXT-04 replaces the result of a tool by its own kind, which the client resolves to a result", async () => {
    const follow = {
      ticket: async (
        { errandId }: Json,
        { ask }: { ask(method: string, params: Json): Promise<Json> },
      ): Promise<Json> =>
        text(String((await ask("errands/run", { errandId }))["receipt"])),
    };
    const { client } = await join(both, handlers, {
      clientCapabilities: declared,
      settings: { follow },
    });
    expect(await client["callTool"]?.({ name: "any" })).toMatchObject(
      text("ran 7"),
    );
    const { client: plain } = await join(both, handlers);
    expect(await refusal(plain["callTool"]?.({ name: "any" }))).toMatchObject({
      code: -32021,
    });
    const { client: idle } = await join(both, handlers, {
      clientCapabilities: declared,
    });
    expect(
      String(await failure(idle["callTool"]?.({ name: "any" }))),
    ).toContain('unexpected "ticket"');
  });

  it("rejects a malformed result of its own kind, with the path", async () => {
    const { client } = await join(
      both,
      { "tools/call": () => ({ resultType: "ticket", errandId: 7 }) },
      {
        clientCapabilities: declared,
        settings: { follow: { ticket: (first) => Promise.resolve(first) } },
      },
    );
    const called = (): Promise<Error> =>
      failure(client["callTool"]?.({ name: "any" }));
    expect(String(await carelessly(both["serverSide"], called))).toContain(
      "tools/call result: errandId: expected a string, got 7",
    );
  });

  it("EXT-04 sends its notification to a client that listens with its own filter", async () => {
    const messages: unknown[] = [];
    const { client, server } = await join(both, handlers, {
      client: {
        "notifications/errands/done": ({ errandId }) => messages.push(errandId),
      },
      clientCapabilities: declared,
    });
    const stop = new AbortController();
    const listening = failure(
      client["subscriptionsListen"]?.(
        { notifications: { errandIds: ["7"] } },
        { signal: stop.signal, timeout: Infinity },
      ),
    );
    await client["discover"]?.();
    for (const errandId of ["6", "7"])
      server.notify["errandDone"]?.({ errandId });
    await client["discover"]?.();
    stop.abort();
    await listening;
    expect(messages).toEqual(["7"]);
  });

  it("does not change tasks: the client resolves a task and a ticket at the same time", async () => {
    const slow = {
      name: "slow",
      execution: { taskSupport: "required" },
      handler: () => "done",
    };
    const ticket = {
      name: "ticket",
      handler: () => ({ resultType: "ticket", errandId: "8" }),
    };
    const more = {
      ...tools([slow, ticket]),
      ...tasks({ pollInterval: 1 }),
    } as unknown as Handlers;
    const server = { "errands/run": handlers["errands/run"] as never, ...more };
    const { client } = await join(both, server, {
      client: { ...tasks() } as never,
      clientCapabilities: declared,
      settings: {
        follow: {
          ticket: ({ errandId }) => Promise.resolve(text(String(errandId))),
        },
      },
    });
    expect(await client["callTool"]?.({ name: "slow" })).toMatchObject(
      text("done"),
    );
    expect(await client["callTool"]?.({ name: "ticket" })).toMatchObject(
      text("8"),
    );
  });

  it("is absent from code that was generated without it", async () => {
    const without = await generated(path(root, "schema/2026-07-28"), "tasks");
    const wire = await serveWire(without.createServer({ info, handlers: {} }));
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": declared,
    };
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "errands/run",
      params: { errandId: "7", _meta },
    });
    expect(await wire.next()).toMatchObject({ id: 1, error: { code: -32601 } });
  });
});
