import { memoryPair, responseCache, serve } from "@mcpgen/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  clientWire,
  everything,
  failure,
  makeClient,
  makeServer,
  modern,
  turns,
} from "../kit/index.js";

const key = String(modern.facts.meta.subscriptionId);

describe("a client that listens", () => {
  afterEach(() => void vi.useRealTimers());

  const open = (): ReturnType<typeof clientWire> =>
    clientWire(modern, { timeout: 200, handlers: {} });

  it("SUBS-01 SUBS-07 TIME-01 sends a filter, waits without a limit, and stops with a cancellation", async () => {
    const { client, wire } = await open();
    vi.useFakeTimers();
    const controller = new AbortController();
    const listening = failure(
      client.subscriptionsListen?.(
        { notifications: { toolsListChanged: true } },
        { signal: controller.signal },
      ),
    );
    const { id, params } = await wire.next();
    expect(params).toMatchObject({ notifications: { toolsListChanged: true } });
    await vi.advanceTimersByTimeAsync(3_600_000);
    vi.useRealTimers();
    expect(await wire.rest()).toEqual([]);
    controller.abort("enough");
    expect(await listening).toBe("enough");
    expect(await wire.next()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: id },
    });
  });

  it("STDIO-13 passes each notification to its own stream", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    const server = makeServer(modern.protocol, { capabilities: everything });
    await serve(serverTransport, server);
    const all: string[] = [];
    const client = await makeClient(modern.protocol, clientTransport, {
      handlers: {
        "notifications/tools/list_changed": () => void all.push("tools"),
      },
    });
    const methodsByList: Record<string, string[]> = { tools: [], prompts: [] };
    for (const [name, methods] of Object.entries(methodsByList)) {
      const notifications = { [`${name}ListChanged`]: true };
      const onNotice = (method: string): void => void methods.push(method);
      void client
        .subscriptionsListen?.({ notifications }, { onNotice })
        ?.catch(() => {});
    }
    await turns();
    for (const list of ["tools", "prompts", "resources"])
      server.notify[`${list}ListChanged`]?.();
    await turns();
    const first = "notifications/subscriptions/acknowledged";
    expect(methodsByList).toEqual({
      tools: [first, "notifications/tools/list_changed"],
      prompts: [first, "notifications/prompts/list_changed"],
    });
    expect(all).toEqual(["tools"]);
    await client.close();
  });

  it("handles no notification of a stream that is not open, and drops nothing from its cache for one (STDIO-13)", async () => {
    const handled: unknown[] = [];
    const { client, wire } = await clientWire(modern, {
      cache: responseCache(),
      handlers: {
        "notifications/tools/list_changed": (params) =>
          void handled.push(params["_meta"]),
        "notifications/message": ({ data }) => void handled.push(data),
      },
    });
    const listed = client.listTools();
    await wire.answer({
      tools: [],
      resultType: "complete",
      ttlMs: 9e9,
      cacheScope: "private",
    });
    await listed;
    const calling = client.callTool({ name: "x" });
    const { id: call } = await wire.next();
    const controller = new AbortController();
    const ended = failure(
      client.subscriptionsListen?.(
        { notifications: { toolsListChanged: true } },
        { signal: controller.signal },
      ),
    );
    const { id: old } = await wire.next();
    controller.abort("enough");
    await ended;
    await wire.next();
    void client
      .subscriptionsListen?.({ notifications: { toolsListChanged: true } })
      ?.catch(() => {});
    const { id } = await wire.next();
    const changed = (_meta?: unknown): void =>
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta },
      });
    for (const foreign of [
      undefined,
      {},
      ...[old, call, String(id), "other", null].map((one) => ({ [key]: one })),
    ]) {
      changed(foreign);
    }
    await turns();
    expect(handled).toEqual([]);
    await client.listTools();
    expect(await wire.rest()).toEqual([]);
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: "of a call" },
    });
    changed({ [key]: id });
    await turns();
    expect(handled).toEqual(["of a call", { [key]: id }]);
    void client.listTools().catch(() => {});
    expect(await wire.next()).toMatchObject({ method: "tools/list" });
    void calling.catch(() => {});
    await client.close();
  });

  it("SUBS-11 warns of requested notifications that the server does not acknowledge", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    await serve(
      serverTransport,
      makeServer(modern.protocol, {
        capabilities: everything,
        limits: { subscriptions: 1 },
      }),
    );
    const warnings: string[] = [];
    const client = await makeClient(modern.protocol, clientTransport, {
      onWarning: (text) => void warnings.push(text),
    });
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ["a:1", "a:2"],
    };
    void client.subscriptionsListen?.({ notifications })?.catch(() => {});
    await turns();
    expect(warnings).toEqual([
      'The server sends ["a:1"] of resourceSubscriptions; ["a:1","a:2"] was requested.',
    ]);
    await client.close();
  });

  it("CANC-08 ends the stream on a cancellation of its id by the server, and ignores others", async () => {
    const { client, wire } = await open();
    const listening = client.subscriptionsListen?.({ notifications: {} });
    const { id } = await wire.next();
    const calling = failure(client.callTool({ name: "x" }));
    const other = await wire.next();
    for (const requestId of [other["id"], "unheard of", id]) {
      wire.send({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId },
      });
    }
    expect(await listening).toEqual({
      resultType: "complete",
      _meta: { [key]: id },
    });
    expect((await calling).name).toBe("TimeoutError");
  });
});
