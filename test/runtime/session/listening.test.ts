import { memoryPair, serve } from "@mcpgen/runtime";
import { describe, expect, it } from "vitest";
import {
  type AnyServer,
  errorOf,
  everything,
  type Json,
  makeClient,
  makeServer,
  metaFor,
  modern,
  resultOf,
  serveWire,
  text,
  turns,
  type Wire,
} from "../kit/index.js";

const key = String(modern.facts.meta.subscriptionId);
const listen = async (
  wire: Wire,
  id: unknown,
  notifications: unknown,
): Promise<Json> => {
  return wire.ask(id, "subscriptions/listen", {
    notifications,
    _meta: metaFor(modern),
  });
};
const announce = (server: AnyServer): void => {
  server.notify["toolsListChanged"]?.();
  server.notify["promptsListChanged"]?.();
  server.notify["resourcesListChanged"]?.();
  for (const uri of ["a:1", "a:1/2"])
    server.notify["resourceUpdated"]?.({ uri });
  server.notify["resourceUpdated"]?.("a:12");
};
const notificationsOf = async (wire: Wire): Promise<unknown[][]> =>
  (await wire.rest()).map(({ method, params }) => [
    method,
    (params as Json)["uri"],
    ((params as Json)["_meta"] as Json)[key],
  ]);

describe("streams of notifications", () => {
  it.each([7, "7"])(
    "SUBS-02 SUBS-04 begin with the accepted filter, tagged with the id of the request: %j",
    async (id) => {
      const server = makeServer(modern.protocol, {
        capabilities: { tools: { listChanged: true }, resources: {} },
      });
      const wire = await serveWire(server);
      const expected = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourceSubscriptions: ["a:1"],
        other: true,
      };
      expect(await listen(wire, id, expected)).toEqual({
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: {
          notifications: { toolsListChanged: true },
          _meta: { [key]: id },
        },
      });
    },
  );

  it("SUBS-03 SUBS-06 SUBS-12 carry only the requested notifications", async () => {
    const server = makeServer(modern.protocol, { capabilities: everything });
    const wire = await serveWire(server);
    await listen(wire, "tools", {
      toolsListChanged: true,
      promptsListChanged: false,
    });
    await listen(wire, "a:1", { resourceSubscriptions: ["a:1"] });
    await listen(wire, "nothing", {});
    announce(server);
    expect(await notificationsOf(wire)).toEqual([
      ["notifications/tools/list_changed", undefined, "tools"],
      ["notifications/resources/updated", "a:1", "a:1"],
      ["notifications/resources/updated", "a:1/2", "a:1"],
    ]);
  });

  it("SUBS-02 SUBS-03 carry the changes of each of several resources, which are accepted in their order", async () => {
    const server = makeServer(modern.protocol, { capabilities: everything });
    const wire = await serveWire(server);
    const resourceSubscriptions = ["b:1", "a:1", "c:1"];
    const { params } = await listen(wire, 1, { resourceSubscriptions });
    expect(params).toMatchObject({ notifications: { resourceSubscriptions } });
    for (const uri of ["a:1", "d:1", "b:1"])
      server.notify["resourceUpdated"]?.({ uri });
    expect((await notificationsOf(wire)).map(([, uri]) => uri)).toEqual([
      "a:1",
      "b:1",
    ]);
  });

  it("RES-05 carry a change of the same URI in another notation", async () => {
    const server = makeServer(modern.protocol, { capabilities: everything });
    const wire = await serveWire(server);
    await listen(wire, 1, {
      resourceSubscriptions: ["test://caf%C3%A9/a%20b"],
    });
    for (const uri of [
      "test://café/a b",
      "test://caf%c3%a9/%61%20b",
      "test://cafe",
    ])
      server.notify["resourceUpdated"]?.({ uri });
    expect((await notificationsOf(wire)).map(([, uri]) => uri)).toEqual([
      "test://café/a b",
      "test://caf%c3%a9/%61%20b",
    ]);
  });

  it("carry the first and the last of many changes of a list in one turn", async () => {
    const server = makeServer(modern.protocol, { capabilities: everything });
    const wire = await serveWire(server);
    await listen(wire, 1, { toolsListChanged: true, promptsListChanged: true });
    for (let i = 0; i < 50; i++) {
      server.notify["toolsListChanged"]?.();
      await Promise.resolve();
    }
    server.notify["promptsListChanged"]?.();
    expect((await notificationsOf(wire)).map(([method]) => method)).toEqual([
      "notifications/tools/list_changed",
      "notifications/prompts/list_changed",
      "notifications/tools/list_changed",
    ]);
    server.notify["toolsListChanged"]?.();
    expect(await notificationsOf(wire)).toHaveLength(4);
  });

  it("SUBS-03 are sent only on the connection of the request", async () => {
    const server = makeServer(modern.protocol, { capabilities: everything });
    const [one, other] = [await serveWire(server), await serveWire(server)];
    await listen(one, 1, { toolsListChanged: true });
    announce(server);
    expect(await one.rest()).toHaveLength(1);
    expect(await other.rest()).toEqual([]);
  });

  it("SUBS-07 CANC-03 end without a result when the client cancels them", async () => {
    const server = makeServer(modern.protocol, { capabilities: everything });
    const wire = await serveWire(server);
    await listen(wire, 1, { toolsListChanged: true });
    await listen(wire, 2, { toolsListChanged: true });
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    await turns();
    announce(server);
    expect((await notificationsOf(wire)).map(([, , id]) => id)).toEqual([2]);
  });

  it("SUBS-08 end with a result when the server closes", async () => {
    const [clientTransport, serverTransport] = memoryPair();
    const { close } = await serve(
      serverTransport,
      makeServer(modern.protocol, { capabilities: everything }),
    );
    const client = await makeClient(modern.protocol, clientTransport);
    const listening = client.subscriptionsListen?.({
      notifications: { toolsListChanged: true },
    });
    await turns();
    await close();
    expect(await listening).toMatchObject({
      resultType: "complete",
      _meta: { [key]: 1 },
    });
  });

  it.each([undefined, null, [[]], true])(
    "SUBS-01 are rejected with the filter %j",
    async (filter) => {
      const wire = await serveWire(
        makeServer(modern.protocol, { capabilities: everything }),
      );
      expect(errorOf(await listen(wire, 1, filter))["code"]).toBe(-32602);
    },
  );

  it("SUBS-01 are rejected without metadata", async () => {
    const wire = await serveWire(
      makeServer(modern.protocol, { capabilities: everything }),
    );
    expect(errorOf(await wire.ask(1, "subscriptions/listen", {}))["code"]).toBe(
      -32602,
    );
  });

  it("have a limited number of subjects in one filter", async () => {
    const wire = await serveWire(
      makeServer(modern.protocol, {
        capabilities: everything,
        limits: { subscriptions: 2 },
      }),
    );
    const { params } = await listen(wire, 1, {
      resourceSubscriptions: ["a:1", "a:2", "a:3"],
    });
    expect((params as Json)["notifications"]).toEqual({
      resourceSubscriptions: ["a:1", "a:2"],
    });
  });

  it("are limited in number", async () => {
    const wire = await serveWire(
      makeServer(modern.protocol, { capabilities: everything }),
    );
    for (let id = 0; id < 100; id++) await listen(wire, id, {});
    expect(errorOf(await listen(wire, 100, {}))).toEqual({
      code: -32603,
      message: "Too many streams.",
    });
    wire.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 0 },
    });
    expect(await listen(wire, 101, {})).toMatchObject({
      params: { _meta: { [key]: 101 } },
    });
  });

  it("do not block other requests", async () => {
    const wire = await serveWire(
      makeServer(modern.protocol, {
        capabilities: everything,
        limits: { inFlight: 1 },
      }),
    );
    for (let id = 0; id < 5; id++)
      await listen(wire, id, { toolsListChanged: true });
    expect(
      resultOf(
        await wire.ask("d", "server/discover", { _meta: metaFor(modern) }),
      ),
    ).toBeDefined();
  });

  it("SUBS-05 do not carry the progress and logs of a call", async () => {
    const server = makeServer(modern.protocol, {
      capabilities: { logging: {}, tools: { listChanged: true } },
      handlers: {
        "tools/call": (_, { progress, log }) => {
          progress(1);
          log("error", "x");
          return text("done");
        },
      },
    });
    const wire = await serveWire(server);
    const { logLevel = "" } = modern.facts.meta;
    await listen(wire, "stream", { toolsListChanged: true });
    const _meta = {
      ...metaFor(modern),
      progressToken: "t",
      [logLevel]: "debug",
    };
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "x", _meta },
    });
    const messages = await wire.rest();
    expect(messages.map(({ method }) => method)).toEqual([
      "notifications/progress",
      "notifications/message",
      undefined,
    ]);
    expect(JSON.stringify(messages)).not.toContain(key);
  });

  it("end with their result and then a cancellation with their id, if all share a channel (SUBS-08, CANC-10)", async () => {
    const server = makeServer(modern.protocol, { capabilities: everything });
    const [clientTransport, serverTransport] = memoryPair();
    const serving = await serve(serverTransport, server);
    const { Wire: TestWire } = await import("../kit/index.js");
    const wire = new TestWire(clientTransport);
    for (const id of ["one", 2])
      await listen(wire, id, { toolsListChanged: true });
    const from = wire.seen.length;
    await serving.close();
    const ends = wire.seen.slice(from).map((message) => {
      const { requestId } = (message["params"] ?? {}) as Json;
      return message["method"] === undefined
        ? ["result", message["id"]]
        : [message["method"], requestId];
    });
    expect(ends.slice().sort()).toEqual(
      [
        ["result", "one"],
        ["result", 2],
        ["notifications/cancelled", "one"],
        ["notifications/cancelled", 2],
      ].sort(),
    );
    expect(ends[0]?.[0]).toBe("result");
  });
});
