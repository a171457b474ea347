import { responseCache } from "@mcpgen/runtime";
import { http } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { json, modernScript, result, Script } from "../http/kit/script.js";
import {
  type AnyClient,
  type ClientOptions,
  clientWire,
  failure,
  type Json,
  legacy,
  makeClient,
  modern,
  turns,
  type Wire,
} from "../kit/index.js";

afterEach(() => vi.restoreAllMocks());

const cacheable = (ttlMs: unknown, cacheScope = "private"): Json => ({
  resultType: "complete",
  ttlMs,
  cacheScope,
});
const tools = (...names: readonly string[]): Json => ({
  tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
});

const open = (
  options: ClientOptions = {},
): Promise<{ client: AnyClient; wire: Wire }> =>
  clientWire(modern, { cache: responseCache(), ...options });
/** Makes a call that the server has to answer. */
async function callAndAnswer(
  wire: Wire,
  call: Promise<Json>,
  answer: Json,
): Promise<Json> {
  await wire.answer(answer);
  return call;
}
const key = String(modern.facts.meta.subscriptionId);
/** Opens a stream; returns what makes a notification of it. */
async function stream(
  client: AnyClient,
  wire: Wire,
): Promise<(method: string, params?: Json) => Json> {
  void client
    .subscriptionsListen?.({ notifications: { toolsListChanged: true } })
    .catch(() => {});
  const { id } = await wire.next();
  return (method, params) => ({
    jsonrpc: "2.0",
    method: `notifications/${method}`,
    params: { ...params, _meta: { [key]: id } },
  });
}

/** Reads a resource twice, with news in between. */
async function expectRemoved(
  uri: string,
  subject: string,
  isRemoved: boolean,
): Promise<void> {
  const { client, wire } = await open();
  const changed = await stream(client, wire);
  const answer = { contents: [], ...cacheable(9999) };
  await callAndAnswer(wire, client.readResource({ uri }), answer);
  wire.send(changed("resources/updated", { uri: subject }));
  await turns();
  const again = client.readResource({ uri });
  if (isRemoved) await wire.answer(answer);
  await again;
  expect(await wire.rest()).toEqual([]);
}

describe("a client with a cache", () => {
  it("CACHE-03 sends no request for a fresh result, and one for an expired result", async () => {
    const { client, wire } = await open();
    const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
    const first = await callAndAnswer(wire, client.listTools(), {
      ...tools("a"),
      ...cacheable(500),
    });
    clock.mockReturnValue(1499);
    expect(await client.listTools()).toEqual(first);
    // What a caller does to a result is the caller's own affair.
    ((await client.listTools())["tools"] as Json[]).push({});
    expect(await client.listTools()).toEqual(first);
    expect(await wire.rest()).toEqual([]);
    clock.mockReturnValue(1500);
    const second = await callAndAnswer(wire, client.listTools(), {
      ...tools("b"),
      ...cacheable(500),
    });
    expect(second["tools"]).not.toEqual(first["tools"]);
  });

  it.each([0, -1, undefined])(
    "CACHE-03 does not cache a result with %s",
    async (ttlMs) => {
      const { client, wire } = await open();
      for (let i = 0; i < 2; i++)
        await callAndAnswer(wire, client.listTools(), {
          ...tools("a"),
          ...cacheable(ttlMs),
        });
    },
  );

  it("CACHE-02 distinguishes requests by their params without the metadata", async () => {
    const { client, wire } = await open();
    const contents = (text: string): Json => ({
      contents: [{ uri: "a:b", text }],
      ...cacheable(9999),
    });
    for (const uri of ["a:1", "a:2"])
      await callAndAnswer(wire, client.readResource({ uri }), contents(uri));
    const again = await client.readResource({
      uri: "a:2",
      _meta: { "x/y": 1 },
    });
    expect((again["contents"] as Json[])[0]?.["text"]).toBe("a:2");
    await callAndAnswer(wire, client.listTools(), {
      ...tools("a"),
      nextCursor: "",
      ...cacheable(9999),
    });
    await callAndAnswer(wire, client.listTools({ cursor: "" }), {
      ...tools("b"),
      ...cacheable(9999),
    });
    expect((await client.listTools({ cursor: "" }))["tools"]).toEqual(
      tools("b")["tools"],
    );
    expect(await wire.rest()).toEqual([]);
  });

  it("CACHE-05 removes only the results that a notification invalidates", async () => {
    const { client, wire } = await open();
    const changed = await stream(client, wire);
    const read = (uri: string): Promise<Json> => client.readResource({ uri });
    const fill = async (): Promise<void> => {
      await callAndAnswer(wire, client.listTools(), {
        ...tools("a"),
        ...cacheable(9999),
      });
      for (const uri of ["a:1", "a:2"])
        await callAndAnswer(wire, read(uri), {
          contents: [],
          ...cacheable(9999),
        });
    };
    await fill();
    wire.send(changed("prompts/list_changed"));
    wire.send(changed("resources/updated", { uri: "a:1" }));
    await turns();
    await Promise.all([client.listTools(), read("a:2")]);
    expect(await wire.rest()).toEqual([]);
    await callAndAnswer(wire, read("a:1"), {
      contents: [],
      ...cacheable(9999),
    });
    wire.send(changed("tools/list_changed"));
    wire.send(changed("resources/list_changed"));
    await turns();
    await fill();
  });

  it.each([
    ["a:/b", "a:/b", true],
    ["a:/%62", "a:/b", true],
    ["https://a.example", "https://a.example/", true],
    ["a:/b", "a:/b/c/d", true],
    ["a:/b/", "a:/b/c", true],
    ["a:/b/", "a:/b", false],
    ["a:/b", "a:/bc", false],
    ["a:/b/c", "a:/b", false],
    ["a:/", "a:/b", true],
    ["a:/", "a://b", false],
    ["a:/", "a://b/c", false],
    ["a://b", "a://b/c", true],
    ["a://b", "a://bc/d", false],
  ])(
    "CACHE-05 RES-05 removes a resource and what is below it, at news of it: %s, %s, %s",
    (uri, subject, isRemoved) => expectRemoved(uri, subject, isRemoved),
  );

  it.each([
    ["a:/b", "a:", false],
    ["a:/b", "a:/b", true],
  ])(
    "CACHE-05 RES-05 takes news with a million slashes: %s, %s, %s",
    (uri, start, isRemoved) =>
      expectRemoved(uri, start + "/".repeat(1_000_000), isRemoved),
  );

  it("CACHE-05 does not cache a result that was in flight when its list changed", async () => {
    const { client, wire } = await open();
    const changed = await stream(client, wire);
    const first = client.listTools();
    const { id } = await wire.next();
    wire.send(changed("tools/list_changed"));
    wire.send({
      jsonrpc: "2.0",
      id,
      result: { ...tools("old"), ...cacheable(9999) },
    });
    await first;
    await callAndAnswer(wire, client.listTools(), {
      ...tools("new"),
      ...cacheable(9999),
    });
  });

  it("CACHE-07 removes all pages of a list if the cursor of one is rejected", async () => {
    const { client, wire } = await open();
    await callAndAnswer(wire, client.listTools(), {
      ...tools("a"),
      nextCursor: "2",
      ...cacheable(9999),
    });
    const second = failure(client.listTools({ cursor: "2" }));
    const { id } = await wire.next();
    wire.send({
      jsonrpc: "2.0",
      id,
      error: { code: -32602, message: "no such page" },
    });
    expect(await second).toMatchObject({ code: -32602 });
    await callAndAnswer(wire, client.listTools(), {
      ...tools("b"),
      ...cacheable(9999),
    });
  });

  it("MRTR-16 does not cache results that depend on answers", async () => {
    const { client, wire } = await open();
    const asking = { resultType: "input_required", requestState: "s" };
    for (let i = 0; i < 2; i++) {
      const reading = client.readResource({ uri: "a:1" });
      await wire.answer(asking);
      await callAndAnswer(wire, reading, { contents: [], ...cacheable(9999) });
    }
  });

  it("CACHE-08 limits the number of entries, and sends no requests on its own", async () => {
    const { client, wire } = await open({ cache: responseCache() });
    for (const uri of ["a:1", "a:2", "a:3"])
      await callAndAnswer(wire, client.readResource({ uri }), {
        contents: [],
        ...cacheable(1),
      });
    await turns();
    expect(await wire.rest()).toEqual([]);
    vi.spyOn(performance, "now").mockReturnValue(0);
    for (let i = 0; i <= 256; i++)
      await callAndAnswer(wire, client.readResource({ uri: `b:${i}` }), {
        contents: [],
        ...cacheable(9999),
      });
    await client.readResource({ uri: "b:256" });
    await client.readResource({ uri: "b:1" });
    await callAndAnswer(wire, client.readResource({ uri: "b:0" }), {
      contents: [],
      ...cacheable(9999),
    });
  });

  it("CACHE-09 returns a stale result if the server does not answer and onStale is set, and calls onStale", async () => {
    const stale: unknown[] = [];
    const cache = responseCache({
      onStale: (method, error) => stale.push([method, error.name]),
    });
    const { client, wire } = await open({ cache });
    const changed = await stream(client, wire);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now");
    const list = (): Promise<Json> => client.listTools({}, { timeout: 20 });
    const kept500 = await callAndAnswer(wire, list(), {
      ...tools("a"),
      ...cacheable(500),
    });
    clock.mockImplementation(() => now() + 600);
    expect(await list()).toEqual(kept500);
    expect(stale).toEqual([["tools/list", "TimeoutError"]]);
    await wire.next();
    // A refusal is an answer.
    const refused = failure(client.listTools());
    const cancelled = await wire.next();
    const { id } =
      cancelled["method"] === "tools/list" ? cancelled : await wire.next();
    wire.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } });
    expect((await refused).name).toBe("McpError");
    // What an announcement made stale is gone, and so is what nobody wanted to
    // hear of.
    wire.send(changed("tools/list_changed"));
    await turns();
    expect((await failure(list())).name).toBe("TimeoutError");
    expect(stale).toHaveLength(1);
  });

  it("CACHE-09 returns a stale result if the server cannot be reached, but not if it rejects the caller", async () => {
    let status = 200;
    const script = await Script.open(
      modernScript(modern.revision, (seen, response) => {
        if (status === 200)
          json(response, result(seen, { ...tools("a"), ...cacheable(1) }));
        else response.writeHead(status).end();
      }),
    );
    const stale: string[] = [];
    const cache = responseCache({
      onStale: (_, { message }) => stale.push(message),
    });
    await using client = await makeClient(modern.protocol, http(script.url), {
      cache,
    });
    const first = await client.listTools();
    const clock = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(clock + 60_000);
    status = 403;
    expect(await failure(client.listTools())).toMatchObject({
      name: "TransportError",
      status,
    });
    status = 503;
    expect(await client.listTools()).toEqual(first);
    await script.close();
    expect(await client.listTools()).toEqual(first);
    expect(stale).toEqual([
      expect.stringMatching(/answered 503/),
      expect.stringMatching(/could not be reached/),
    ]);
  });

  it("CACHE-09 returns no stale results by default", async () => {
    const { client, wire } = await open();
    await callAndAnswer(wire, client.listTools(), {
      ...tools("a"),
      ...cacheable(500),
    });
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 600);
    expect((await failure(client.listTools({}, { timeout: 20 }))).name).toBe(
      "TimeoutError",
    );
  });

  it("caches nothing by default, and nothing of older revisions", async () => {
    for (const [one, cache] of [
      [modern, {}],
      [legacy, { cache: responseCache() }],
    ] as const) {
      const { client, wire } = await clientWire(one, cache);
      for (let i = 0; i < 2; i++)
        await callAndAnswer(wire, client.listTools(), {
          ...tools("a"),
          ...cacheable(9999),
        });
    }
  });

  it("CACHE-04 does not return private results to another caller", async () => {
    const listed = { ...tools("a"), ...cacheable(9999) };
    const prompts = { messages: [], resultType: "complete" };
    const script = await Script.open(
      modernScript(modern.revision, (seen, response) => {
        const method = String(seen.body?.["method"]);
        if (method === "tools/list") json(response, result(seen, listed));
        else if (method === "resources/read")
          json(
            response,
            result(seen, { contents: [], ...cacheable(9999, "public") }),
          );
        else json(response, result(seen, prompts));
      }),
    );
    let token = "a";
    const transport = http(script.url, {
      headers: () => ({ authorization: `Bearer ${token}` }),
    });
    await using client = await makeClient(modern.protocol, transport, {
      cache: responseCache(),
    });
    const all = async (): Promise<void> => {
      await client.listTools();
      await client.readResource({ uri: "a:1" });
      await client.getPrompt({ name: "p" });
    };
    await all();
    await all();
    token = "b";
    await client.getPrompt({ name: "p" });
    await all();
    const first = [
      "tools/list",
      "resources/read",
      "prompts/get",
      "prompts/get",
    ];
    expect(script.methods.slice(1)).toEqual([
      ...first,
      "prompts/get",
      "tools/list",
      "prompts/get",
    ]);
  });

  it.each(["cookie", "x-api-key", "authorization"])(
    "never serves one caller's private result to another whose %s differs (CACHE-04)",
    async (name) => {
      const script = await Script.open(
        modernScript(modern.revision, (seen, response) => {
          json(
            response,
            result(seen, {
              ...tools(`for-${String(seen.headers[name])}`),
              ...cacheable(9999),
            }),
          );
        }),
      );
      let user = "alice";
      let trace = 0;
      const headers = (): Record<string, string> => ({
        [name]: user,
        traceparent: `trace-${trace++}`,
      });
      const transport = http(script.url, { headers });
      await using client = await makeClient(modern.protocol, transport, {
        cache: responseCache(),
      });
      const listed = async (as: string): Promise<unknown> => {
        user = as;
        const [tool] = (await client.listTools())["tools"] as Json[];
        return tool?.["name"];
      };
      const messages: unknown[] = [];
      for (const as of ["alice", "bob", "alice", "bob"])
        messages.push(await listed(as));
      expect(messages).toEqual([
        "for-alice",
        "for-bob",
        "for-alice",
        "for-bob",
      ]);
      expect(
        script.methods.filter((what) => what === "tools/list"),
      ).toHaveLength(2);
    },
  );

  it("sends the headers that it looked up with, and rejects if the headers take too long", async () => {
    const script = await Script.open(
      modernScript(modern.revision, (seen, response) => {
        json(
          response,
          result(seen, {
            ...tools(`for-${String(seen.headers["cookie"])}`),
            ...cacheable(9999),
          }),
        );
      }),
    );
    let calls = 0;
    let make = (): Promise<Record<string, string>> =>
      Promise.resolve({ cookie: `${calls++}` });
    const transport = http(script.url, { headers: () => make() });
    await using client = await makeClient(modern.protocol, transport, {
      cache: responseCache(),
    });
    const before = calls;
    expect((await client.listTools())["tools"]).toMatchObject([
      { name: `for-${before}` },
    ]);
    expect(calls).toBe(before + 1);
    make = () => new Promise(() => {});
    expect((await failure(client.listTools({}, { timeout: 20 }))).name).toBe(
      "TimeoutError",
    );
    const stop = AbortSignal.abort(new Error("enough"));
    expect(
      (await failure(client.listTools({}, { signal: stop }))).message,
    ).toBe("enough");
  });
});
