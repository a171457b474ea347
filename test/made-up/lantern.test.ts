import { beforeAll, describe, expect, it } from "vitest";
import { carelessly } from "../runtime/kit/careless.js";
import { failure, type Json } from "../runtime/kit/messages.js";
import { serveWire } from "../runtime/kit/wire.js";
import {
  all,
  generated,
  type Generated,
  type Handlers,
  info,
  joined as join,
  refusal,
  schemas,
} from "./made-up.js";

const handlers: Handlers = {
  "garden/harvest": async ({ bed }, { request, progress }) => {
    const { clouds } = await request("sky/look", { towards: "west" });
    progress(1, 1);
    return { baskets: [{ of: String(bed), weight: Number(clouds) / 2 }] };
  },
  "garden/beds/list": (params) =>
    params["cursor"] === undefined
      ? { beds: [{ name: "mint", facing: "south" }], nextCursor: "" }
      : { beds: [{ name: "sage", facing: "east" }] },
  "tools/call": () => ({
    content: [{ type: "scent", notes: ["rose", "rain"] }],
  }),
};
const sky: Handlers = { "sky/look": () => ({ clouds: 3, birds: ["swift"] }) };

let lantern: Generated;
beforeAll(async () => {
  lantern = await generated(schemas.lantern);
});

const meta = {
  "dev.lantern/protocolVersion": "lantern-2",
  "dev.lantern/clientInfo": info,
  "dev.lantern/clientCapabilities": {},
};

describe("a made-up revision that opens with metadata on every request", () => {
  it("negotiates its name, with reserved keys of its own prefix", async () => {
    const { client, server } = await join(lantern, handlers);
    expect(client.revision).toBe("lantern-2");
    expect(client.server.info).toEqual(info);
    expect(client.server.capabilities).toEqual({
      tools: {},
      garden: { harvest: {} },
    });
    const wire = await serveWire(server);
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "server/discover",
      params: { _meta: meta },
    });
    expect(await wire.next()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        supportedVersions: ["lantern-2"],
        capabilities: { tools: {}, garden: { harvest: {} } },
        resultType: "complete",
        ttlMs: expect.any(Number),
        cacheScope: expect.any(String),
        _meta: { "dev.lantern/serverInfo": info },
      },
    });
  });

  it("rejects a request without a version, or with an unknown one", async () => {
    const wire = await serveWire(
      lantern.createServer({
        info,
        questions: lantern.serverQuestions,
        handlers,
      }),
    );
    wire.send({
      jsonrpc: "2.0",
      id: 1,
      method: "garden/beds/list",
      params: {},
    });
    expect(await wire.next()).toMatchObject({ id: 1, error: { code: -32602 } });
    const other = { ...meta, "dev.lantern/protocolVersion": "lantern-1" };
    wire.send({
      jsonrpc: "2.0",
      id: 2,
      method: "garden/beds/list",
      params: { _meta: other },
    });
    expect(await wire.next()).toMatchObject({
      id: 2,
      error: {
        code: -32022,
        data: { supported: ["lantern-2"], requested: "lantern-1" },
      },
    });
  });

  it("answers a method that no other revision has, after its own kind of request to the client", async () => {
    const { client } = await join(lantern, handlers, { client: sky });
    const messages: number[] = [];
    const result = await client["gardenHarvest"]?.(
      { bed: "mint" },
      { onProgress: ({ progress }) => messages.push(progress) },
    );
    expect(result).toMatchObject({
      resultType: "complete",
      baskets: [{ of: "mint", weight: 1.5 }],
    });
    expect(messages).toEqual([1]);
  });

  it("embeds the request in a result under a key, with an encrypted state", async () => {
    const wire = await serveWire(
      lantern.createServer({
        info,
        questions: lantern.serverQuestions,
        handlers,
      }),
    );
    const able = { ...meta, "dev.lantern/clientCapabilities": { sky: {} } };
    const ask = (id: number, more: Json): void =>
      wire.send({
        jsonrpc: "2.0",
        id,
        method: "garden/harvest",
        params: { bed: "mint", _meta: able, ...more },
      });
    ask(1, {});
    const first = (await wire.next()) as { result: Json };
    const { inputRequests, requestState, resultType } = first.result;
    expect(resultType).toBe("input_required");
    const [[key, question] = []] = Object.entries(inputRequests as Json);
    expect(question).toEqual({
      method: "sky/look",
      params: { towards: "west" },
    });
    expect(String(requestState)).not.toContain("west");
    ask(2, { requestState, inputResponses: { [String(key)]: { clouds: 8 } } });
    expect(await wire.next()).toMatchObject({
      id: 2,
      result: { baskets: [{ of: "mint", weight: 4 }] },
    });
  });

  it("does not complete the call if the response to its question is invalid", async () => {
    const wire = await serveWire(
      lantern.createServer({
        info,
        questions: lantern.serverQuestions,
        handlers,
      }),
    );
    const able = { ...meta, "dev.lantern/clientCapabilities": { sky: {} } };
    const params = { bed: "mint", _meta: able };
    wire.send({ jsonrpc: "2.0", id: 1, method: "garden/harvest", params });
    const { result } = (await wire.next()) as { result: Json };
    const [key = ""] = Object.keys(result["inputRequests"] as Json);
    const inputResponses = { [key]: { clouds: "many" } };
    wire.send({
      jsonrpc: "2.0",
      id: 2,
      method: "garden/harvest",
      params: {
        ...params,
        requestState: result["requestState"],
        inputResponses,
      },
    });
    // The specification allows an error or another request; this server answers
    // with an error.
    expect(await wire.next()).toMatchObject({ id: 2, error: { code: -32602 } });
  });

  it("does not send its own kind of request to a client that did not declare the capability", async () => {
    const { client } = await join(lantern, handlers);
    const { code, data } = await refusal(
      client["gardenHarvest"]?.({ bed: "mint" }),
    );
    expect(code).toBe(-32021);
    expect(data).toEqual({ requiredCapabilities: { sky: {} } });
  });

  it("rejects its method in the client and in the server if the server did not declare the capability", async () => {
    const { "tools/call": call = () => ({}) } = handlers;
    const { client, server } = await join(lantern, { "tools/call": call });
    expect(
      String(await failure(client["gardenHarvest"]?.({ bed: "mint" }))),
    ).toContain('garden/harvest needs {"garden":{"harvest":{}}}');
    const wire = await serveWire(server);
    const params = { bed: "mint", _meta: meta };
    wire.send({ jsonrpc: "2.0", id: 2, method: "garden/harvest", params });
    expect(await wire.next()).toMatchObject({ id: 2, error: { code: -32601 } });
  });

  it("adds the required members of its results, and reads its own kind of list page by page", async () => {
    const { client } = await join(lantern, handlers);
    expect(await client["listGardenBeds"]?.({ cursor: "" })).toMatchObject({
      beds: [{ name: "sage", facing: "east" }],
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
    });
    const names = (await all(client["beds"]?.() as AsyncIterable<Json>)).map(
      ({ name }) => name,
    );
    expect(names).toEqual(["mint", "sage"]);
  });

  it("sends its own kind of content block", async () => {
    const { client } = await join(lantern, handlers);
    expect(await client["callTool"]?.({ name: "smell" })).toMatchObject({
      content: [{ type: "scent", notes: ["rose", "rain"] }],
    });
  });

  it("sends its own kind of notification to a client that listens with its own filter", async () => {
    const messages: string[] = [];
    const client: Handlers = {
      "notifications/garden/list_changed": () => messages.push("garden"),
      "notifications/tools/list_changed": () => messages.push("tools"),
    };
    const joined = await join(lantern, handlers, {
      client,
      serverCapabilities: {
        garden: { listChanged: true },
        tools: { listChanged: true },
      },
    });
    const stop = new AbortController();
    const listening = failure(
      joined.client["subscriptionsListen"]?.(
        { notifications: { gardenListChanged: true } },
        { signal: stop.signal, timeout: Infinity },
      ),
    );
    await joined.client["discover"]?.();
    joined.server.notify["toolsListChanged"]?.();
    joined.server.notify["gardenListChanged"]?.();
    await joined.client["discover"]?.();
    stop.abort();
    await listening;
    expect(messages).toEqual(["garden"]);
  });

  it("JRPC-11 answers invalid params with -32602 and the path", async () => {
    const { client } = await join(lantern, handlers, { client: sky });
    const call = (): Promise<unknown> =>
      refusal(client["gardenHarvest"]?.({ bed: "mint", basketsAtMost: "all" }));
    expect(await carelessly(lantern["clientSide"], call)).toMatchObject({
      code: -32602,
      message:
        'garden/harvest: params.basketsAtMost: expected an integer, got "all"',
      data: { issues: [{ path: ["params", "basketsAtMost"] }] },
    });
  });
});
