import { http, type HttpClientOptions } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Answer,
  cached,
  event,
  events,
  failure as refusal,
  json,
  modernScript,
  paramsOf,
  result,
  Script,
  type Seen,
} from "./http-script.js";
import {
  type AnyClient,
  type ClientOptions,
  clientWire,
  failure,
  type Json,
  makeClient,
  modern,
  text,
  turns,
} from "./kit.js";

const clients: AnyClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const ways: readonly { way: string; options: HttpClientOptions }[] = [
  { way: "Node's own client", options: {} },
  { way: "fetch", options: { fetch: (url, init) => fetch(url, init) } },
];

async function open(
  script: Script,
  options: HttpClientOptions = {},
  settings: ClientOptions = {},
): Promise<AnyClient> {
  const client = await makeClient(modern.protocol, http(script.url, options), settings);
  clients.push(client);
  return client;
}
const opening = (calls: Answer): Promise<Script> => Script.open(modernScript(modern.revision, calls));
const done = { ...text("done"), resultType: "complete" };
const isCall = ({ body }: Seen): boolean => body?.["method"] === "tools/call";
const version = String(modern.facts.meta.protocolVersion);

describe.each(ways)("a client of the modern era over HTTP, by $way", ({ options }) => {
  it("HTTP-41 HDR-01 HDR-02 HDR-03 posts single requests, with what they are about in headers", async () => {
    const answers: Readonly<Record<string, Json>> = {
      "tools/call": done,
      "tools/list": { tools: [], ...cached },
      "prompts/get": { messages: [], resultType: "complete" },
      "resources/read": { contents: [], ...cached },
    };
    const script = await opening((seen, response) =>
      json(response, result(seen, answers[String(seen.body?.["method"])] ?? {})),
    );
    const client = await open(script, options);
    await client.listTools();
    await client.callTool({ name: "naïve\ttool" });
    await client.getPrompt({ name: "p" });
    await client.readResource({ uri: "file:///a b" });
    await client.close();
    const told = script.seen.map(({ headers }) => [headers["mcp-method"], headers["mcp-name"]]);
    expect(told).toEqual([
      ["server/discover", undefined],
      ["tools/list", undefined],
      ["tools/call", `=?base64?${Buffer.from("naïve\ttool").toString("base64")}?=`],
      ["prompts/get", "p"],
      ["resources/read", "file:///a b"],
    ]);
    for (const seen of script.seen) {
      expect(seen.method).toBe("POST");
      expect(seen.headers["mcp-protocol-version"]).toBe(modern.revision);
      expect((paramsOf(seen)["_meta"] as Json)[version]).toBe(modern.revision);
      expect(seen.headers["mcp-session-id"]).toBeUndefined();
      expect(seen.headers["accept"]).toContain("text/event-stream");
    }
  });

  it("HTTP-45 CANC-07 CANC-09 gives up a call by closing its stream, and tells nothing more", async () => {
    const script = await opening((seen, response) => {
      if (paramsOf(seen)["name"] === "stream") events(response).write(": wait\n\n");
    });
    const client = await open(script, options);
    for (const name of ["stream", "silence"]) {
      const controller = new AbortController();
      const calling = failure(client.callTool({ name }, { signal: controller.signal }));
      const asked = await script.until((seen) => paramsOf(seen)["name"] === name);
      controller.abort(new Error("enough"));
      expect((await calling).message).toBe("enough");
      expect(await asked.cut).toBe(true);
    }
    await turns();
    expect(script.story).toEqual(["server/discover", "tools/call", "tools/call"]);
  });

  it("HTTP-46 SSE-11 fails a request whose stream breaks, with an id or without, and takes none up again", async () => {
    const script = await opening((seen, response) => {
      const { name } = paramsOf(seen);
      if (name === "ends") events(response).end("id: 1\nretry: 1\ndata:\n\n");
      else events(response).write("id: 1\ndata:\n\n", () => response.destroy());
    });
    const client = await open(script, { ...options, reconnectTime: 1 });
    for (const name of ["ends", "breaks"]) {
      const error = await failure(client.callTool({ name }));
      expect(error.name).toBe("TransportError");
      expect(error.message).toMatch(/stream ended before the answer/);
    }
    await turns();
    expect(script.story).toEqual(["server/discover", "tools/call", "tools/call"]);
    const ids = script.seen.map(({ body }) => body?.["id"]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("HTTP-50 HTTP-51 hands on the error of a 400 or 404 as what it is, and opens nothing anew", async () => {
    const script = await opening((seen, response) => {
      const { name } = paramsOf(seen);
      if (name === "gone") return json(response, refusal(seen, -32601), 404);
      if (name === "lacking") return json(response, refusal(seen, -32021, { requiredCapabilities: {} }), 400);
      response.writeHead(404).end();
    });
    const client = await open(script, options);
    expect(await failure(client.callTool({ name: "gone" }))).toMatchObject({
      name: "McpError",
      code: -32601,
    });
    expect(await failure(client.callTool({ name: "lacking" }))).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: {} },
    });
    expect(await failure(client.callTool({ name: "empty" }))).toMatchObject({
      name: "TransportError",
      status: 404,
      isSessionLost: false,
    });
    expect(script.story.filter((what) => what !== "tools/call")).toEqual(["server/discover"]);
  });

  it("JRPC-14 answers nothing that is asked on a stream", async () => {
    const script = await opening((seen, response) => {
      events(response).end(event({ jsonrpc: "2.0", id: 1, method: "ping" }) + event(result(seen, done)));
    });
    const faults: Error[] = [];
    const client = await open(script, options, { onError: (error) => faults.push(error) });
    expect(await client.callTool({ name: "x" })).toEqual(done);
    await turns();
    expect(faults).toHaveLength(1);
    expect(script.story).toEqual(["server/discover", "tools/call"]);
  });

  it("SUBS-06 SUBS-07 HTTP-45 listens on several streams, and ends each by closing it", async () => {
    const script = await opening((seen, response) => {
      const tag = { [String(modern.facts.meta.subscriptionId)]: seen.body?.["id"] };
      const { notifications } = paramsOf(seen);
      const params = { notifications, _meta: tag };
      events(response).write(
        event({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params }) +
          event({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: { _meta: tag } }),
      );
    });
    const heard: unknown[] = [];
    const client = await open(script, options, {
      handlers: { "notifications/tools/list_changed": (params) => void heard.push(params) },
    });
    const controllers = [new AbortController(), new AbortController()];
    const streams = controllers.map(({ signal }) =>
      client.subscriptionsListen?.({ notifications: { toolsListChanged: true } }, { signal }),
    );
    const ends = streams.map((stream) => failure(stream ?? Promise.resolve()));
    while (heard.length < 2) await turns();
    for (const controller of controllers) controller.abort(new Error("enough"));
    expect((await Promise.all(ends)).map(({ message }) => message)).toEqual(["enough", "enough"]);
    for (const seen of script.seen.slice(1)) expect(await seen.cut).toBe(true);
  });

  it("SUBS-09 opens a stream again that broke before its result, by a new request, and says when it gives up", async () => {
    let streams = 0;
    const script = await opening((seen, response) => {
      if (isCall(seen)) return json(response, result(seen, done));
      // The third one is refused, the fifth ends in good order.
      if (++streams === 3) return void response.writeHead(503).end();
      const tag = { [String(modern.facts.meta.subscriptionId)]: seen.body?.["id"] };
      const params = { notifications: paramsOf(seen)["notifications"], _meta: tag };
      const method = "notifications/subscriptions/acknowledged";
      const last = streams === 5 ? event(result(seen, { resultType: "complete", _meta: tag })) : "";
      events(response).end(event({ jsonrpc: "2.0", method, params }) + last);
    });
    const notices: string[] = [];
    const listen = (client: AnyClient): Promise<Json> =>
      client.subscriptionsListen?.(
        { notifications: { toolsListChanged: true } },
        { onNotice: (method) => notices.push(method) },
      ) as Promise<Json>;
    const patient = await open(script, options, { listening: { reconnectTime: 1 } });
    expect(await listen(patient)).toMatchObject({ resultType: "complete" });
    const listens = script.seen.filter(({ body }) => body?.["method"] === modern.facts.jobs.listen);
    expect(new Set(listens.map(({ body }) => body?.["id"])).size).toBe(5);
    expect(notices).toHaveLength(4);
    const hasty = await open(script, options, { listening: { reconnectTime: 1, maxReconnects: 2 } });
    expect((await failure(listen(hasty))).message).toMatch(/the stream ended before the answer/);
    expect(streams).toBe(8);
  });

  it("SUBS-09 does not ask again for what was refused, or when nobody wants it any more", async () => {
    const script = await opening((seen, response) => {
      if (script.seen.length === 2) return void response.writeHead(503).end();
      const tag = { [String(modern.facts.meta.subscriptionId)]: seen.body?.["id"] };
      const params = { notifications: {}, _meta: tag };
      events(response).end(
        event({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params }),
      );
    });
    const client = await open(script, options, { listening: { reconnectTime: 3_600_000 } });
    const listen = (signal?: AbortSignal): Promise<Error & Json> =>
      failure(client.subscriptionsListen?.({ notifications: {} }, { signal }) as Promise<Json>);
    expect((await listen())["status"]).toBe(503);
    const enough = new AbortController();
    const aborted = listen(enough.signal);
    await script.until(() => script.seen.length === 3);
    await turns();
    enough.abort(new Error("enough"));
    expect((await aborted).message).toBe("enough");
    const closed = listen();
    await script.until(() => script.seen.length === 4);
    await turns();
    await client.close();
    expect((await closed).message).toBe("The connection is closed.");
    expect(script.seen).toHaveLength(4);
  });
});

describe("arguments that a tool wants in headers", () => {
  const annotated = (header: string, type = "string"): Json => ({ type, "x-mcp-header": header });
  const tool = (name: string, properties: Json): Json => ({
    name,
    inputSchema: { type: "object", properties },
  });
  const region = tool("region", {
    where: annotated("Region"),
    deep: { type: "object", properties: { count: annotated("Count", "integer") } },
    sure: annotated("Sure", "boolean"),
    plain: { type: "string" },
  });
  const serving = (
    tools: () => readonly Json[],
    call: Answer = (seen, response) => json(response, result(seen, done)),
  ) =>
    opening((seen, response, count) => {
      if (isCall(seen)) call(seen, response, count);
      else json(response, result(seen, { tools: tools(), ...cached }));
    });

  it("HDR-06 HDR-07 HDR-08 HDR-14 go into them once a list has told, and nothing else does", async () => {
    const script = await serving(() => [region]);
    const client = await open(script);
    const given = { where: " us", deep: { count: 42 }, sure: false, plain: "p" };
    await client.callTool({ name: "region", arguments: given });
    await client.listTools();
    await client.callTool({ name: "region", arguments: given });
    await client.callTool({ name: "region", arguments: { where: null, sure: true, deep: {} } });
    await client.callTool({ name: "region", arguments: { where: "" } });
    const told = script.seen
      .filter(isCall)
      .map(({ headers }) =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-"))),
      );
    expect(told).toEqual([
      {},
      { "mcp-param-region": "=?base64?IHVz?=", "mcp-param-count": "42", "mcp-param-sure": "false" },
      { "mcp-param-sure": "true" },
      { "mcp-param-region": "" },
    ]);
  });

  it("HDR-08 are not sent at all when two sides could read them differently", async () => {
    const script = await serving(() => [region]);
    const client = await open(script);
    await client.listTools();
    for (const count of [2 ** 53, -(2 ** 53), 1.5]) {
      const error = await failure(client.callTool({ name: "region", arguments: { deep: { count } } }));
      expect(error.name).toBe("ValidationError");
      expect(error.message).toContain("params.arguments.deep.count");
    }
    expect(script.seen.filter(isCall)).toEqual([]);
  });

  it("HDR-11 leaves out of a list what cannot be called, and says why", async () => {
    const bad = [
      tool("no name", { a: annotated("") }),
      tool("no token", { a: annotated("a b") }),
      tool("a list", { a: annotated("A", "array") }),
      tool("twice", { a: annotated("Same"), b: annotated("SAME") }),
      tool("below items", { a: { type: "array", items: annotated("A") } }),
    ];
    const script = await serving(() => [region, ...bad, tool("plain", {})]);
    const warnings: string[] = [];
    const client = await open(script, {}, { onWarning: (warning) => warnings.push(warning) });
    const { tools } = await client.listTools();
    expect((tools as readonly Json[]).map(({ name }) => name)).toEqual(["region", "plain"]);
    expect(warnings).toHaveLength(bad.length);
    bad.forEach(({ name }, i) => expect(warnings[i]).toContain(JSON.stringify(name)));
  });

  it("HDR-12 matter to no other carrier", async () => {
    const bad = tool("no name", { a: annotated("") });
    const { client, wire } = await clientWire(modern);
    const listing = client.listTools();
    await wire.answer({ tools: [bad], ...cached });
    expect((await listing)["tools"]).toEqual([bad]);
  });

  it("HDR-13 reads the list anew when the server says that the headers are wrong, and tries once more", async () => {
    let isStrict = false;
    const script = await serving(
      () => [isStrict ? region : tool("region", {})],
      (seen, response) => {
        if (isStrict && seen.headers["mcp-param-region"] !== "us") json(response, refusal(seen, -32020), 400);
        else json(response, result(seen, done));
      },
    );
    const client = await open(script);
    await client.listTools();
    isStrict = true;
    expect(await client.callTool({ name: "region", arguments: { where: "us" } })).toEqual(done);
    expect(script.story.slice(2)).toEqual(["tools/call", "tools/list", "tools/call"]);
    const error = await failure(client.callTool({ name: "region", arguments: { where: "de" } }));
    expect(error).toMatchObject({ name: "McpError", code: -32020 });
    expect(script.story.slice(5)).toEqual(["tools/call", "tools/list", "tools/call"]);
  });
});
