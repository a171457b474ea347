import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
import { build } from "esbuild";
import { McpError, memoryPair, observer, serve } from "@mcpgen/runtime";
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { stdio } from "@mcpgen/runtime/stdio";
import { tasks } from "@mcpgen/runtime/tasks";
import { telemetry } from "@mcpgen/runtime/telemetry";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
} from "vitest";
import {
  legacy,
  makeClient,
  makeServer,
  modern,
  revisions,
} from "../runtime/kit/index.ts";
import { gate } from "../runtime/kit/watch.ts";
import { programForNode } from "../sources.ts";
import { observedServer, startSdk } from "./telemetry-kit.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const sdk = startSdk();
const app = trace.getTracer("app");
const closing = [];
let folder = "";

beforeAll(async () => {
  // Where the program finds the packages of this suite.
  const cache = join(here, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "telemetry-"));
  await build({
    ...programForNode,
    entryPoints: [join(here, "telemetry-server.mjs")],
    outfile: join(folder, "server.mjs"),
    external: ["@opentelemetry/*"],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => void sdk.spans());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A client of a server, both observed, whose user answers each question. */
async function open(one, transport, options = {}) {
  const client = await makeClient(one.protocol, transport, {
    observe: observer(await telemetry()),
    handlers: {
      "elicitation/create": () => ({ action: "accept", content: {} }),
    },
    ...options,
  });
  closing.push(() => client.close());
  return client;
}

/**
 * How to reach a server of one revision, and its spans where they are not those
 * of this process.
 */
const carriers = {
  memory: async (one, server) => {
    const [clientTransport, serverTransport] = memoryPair();
    await serve(
      serverTransport,
      makeServer(one.protocol, server ?? (await observedServer(sdk))),
    );
    return clientTransport;
  },
  stdio: async ({ revision }) =>
    stdio(process.execPath, [join(folder, "server.mjs"), revision]),
  HTTP: async (one, server) => {
    const handler = createHttpHandler(
      makeServer(one.protocol, server ?? (await observedServer(sdk))),
    );
    // As instrumentation of `node:http` does.
    const serving = await serveHttp(
      (request) =>
        app.startActiveSpan("POST", { kind: SpanKind.SERVER }, async (span) => {
          const response = await handler(request);
          span.end();
          return response;
        }),
      { port: 0 },
    );
    closing.push(
      () => serving.close(),
      () => handler.close(),
    );
    return http(serving.url);
  },
};
const rows = [legacy, modern].flatMap((one) =>
  Object.keys(carriers).map((carrier) => ({ ...one, one, carrier })),
);

/**
 * A function that finds a span by its kind and name; the oldest one of several.
 */
const finder = (spans) => (kind, name, parent) => {
  const found = spans.find(
    (span) =>
      span.kind === kind &&
      span.name === name &&
      (!parent || span.parent === parent.spanId),
  );
  if (!found)
    throw new Error(
      `no ${kind} span ${name} in ${JSON.stringify(spans, undefined, 1)}`,
    );
  return found;
};

describe.each(rows)(
  "a trace over $carrier in $revision",
  ({ one, carrier, isModern, revision }) => {
    it("goes from the client to the server, to the question and back", async () => {
      const client = await open(one, await carriers[carrier](one));
      const root = await app.startActiveSpan("app", async (span) => {
        const baggage = propagation.createBaggage({ user: { value: "ada" } });
        await context.with(
          propagation.setBaggage(context.active(), baggage),
          async () => {
            expect(
              (await client.callTool({ name: "ask" })).content[0].text,
            ).toBe("accept");
            expect(
              (await client.callTool({ name: "baggage" })).content[0].text,
            ).toContain("ada");
          },
        );
        span.end();
        return span.spanContext();
      });
      const others = JSON.parse(
        (await client.callTool({ name: "spans" })).content[0].text,
      );
      const spans = [...others, ...sdk.spans()];
      const find = finder(spans);
      const call = find("client", "tools/call ask", { spanId: root.spanId });
      const answer = find("server", "tools/call ask", call);
      const asked = find("client", "elicitation/create", answer);
      const question = find("server", "elicitation/create", asked);
      // With questions inside results, the next round of the call is part of
      // it.
      const last = isModern
        ? find(
            "server",
            "tools/call ask",
            find("client", "tools/call ask", call),
          )
        : answer;
      const work = find("internal", "work", last);
      for (const { traceId } of [call, answer, asked, question, last, work])
        expect(traceId).toBe(root.traceId);

      const network = { memory: {}, stdio: { "network.transport": "pipe" } }[
        carrier
      ] ?? {
        "network.transport": "tcp",
        "network.protocol.name": "http",
      };
      const common = {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "ask",
        "mcp.protocol.version": revision,
        "jsonrpc.request.id": expect.stringMatching(/^\d+$/),
        ...network,
      };
      const isHttp = carrier === "HTTP";
      expect(answer.attributes).toEqual({
        ...common,
        ...(isHttp &&
          !isModern && {
            "mcp.session.id": expect.stringMatching(/^[\da-f-]{36}$/),
          }),
      });
      expect(call.attributes).toEqual({
        ...common,
        ...(isHttp && {
          "server.address": "127.0.0.1",
          "server.port": expect.any(Number),
        }),
      });
      expect([call.status.code, answer.status.code]).toEqual([0, 0]);
      // The span of the HTTP request is another one, which is linked.
      const posts = spans
        .filter(({ name }) => name === "POST")
        .map(({ spanId }) => spanId);
      if (isHttp) expect(posts).toContain(answer.links[0]);
      else expect(answer.links).toEqual([]);
    });
  },
);

describe.each([legacy, modern])("spans and metrics in $revision", (one) => {
  const { revision } = one;

  it("say how each request ended", async () => {
    const client = await open(one, await carriers.memory(one));
    sdk.spans();
    await sdk.durations();
    const stop = new AbortController();
    const calls = [
      client.callTool({ name: "baggage" }),
      client.callTool({ name: "broken" }),
      client.callTool({ name: "refused" }).catch(() => {}),
      client.callTool({ name: "slow" }, { timeout: 1 }).catch(() => {}),
      client
        .callTool({ name: "slow" }, { signal: stop.signal })
        .catch(() => {}),
      client.callTool({ name: `${"x".repeat(5000)}\n` }).catch(() => {}),
      client.readResource({ uri: "note://1" }),
      client.getPrompt({ name: "greet" }),
      client.listTools(),
    ];
    stop.abort();
    await Promise.all(calls);
    const spans = sdk.spans();
    const rowsOf = (kind) =>
      spans
        .filter((span) => span.kind === kind)
        .map(({ name, attributes, status }) => [
          name.slice(0, 30),
          attributes["error.type"],
          attributes["rpc.response.status_code"],
          status.code,
          status.message,
        ])
        .sort();
    // Clients invent names: the span of a server has only those that it knows.
    const invented = (name) => [
      name,
      "-32602",
      "-32602",
      2,
      "There is no such tool.",
    ];
    const endings = [
      ["prompts/get greet", undefined, undefined, 0, undefined],
      ["resources/read", undefined, undefined, 0, undefined],
      ["tools/call baggage", undefined, undefined, 0, undefined],
      ["tools/call broken", "tool_error", undefined, 2, ""],
      ["tools/call refused", "77", "77", 2, "refused"],
      ["tools/list", undefined, undefined, 0, undefined],
    ];
    const slow = (type, message) => [
      "tools/call slow",
      type,
      undefined,
      2,
      expect.stringContaining(message),
    ];
    expect(rowsOf("client")).toEqual(
      [
        ...endings,
        invented(`tools/call ${"x".repeat(19)}`),
        slow("cancelled", "abort"),
        slow("timeout", "no answer within 1 ms"),
      ].sort(),
    );
    expect(rowsOf("server")).toEqual(
      [
        ...endings,
        invented("tools/call"),
        slow("cancelled", "abort"),
        slow("cancelled", "no answer within 1 ms"),
      ].sort(),
    );
    const read = finder(spans)("server", "resources/read");
    expect(read.attributes["mcp.resource.uri"]).toBe("note://1");
    expect(
      finder(spans)("server", "prompts/get greet").attributes[
        "gen_ai.prompt.name"
      ],
    ).toBe("greet");
    expect(spans.filter(({ name }) => name.length > 200)).toEqual([]);

    const metrics = await sdk.durations();
    expect(metrics.map(({ name, unit }) => [name, unit]).sort()).toEqual([
      ["mcp.client.operation.duration", "s"],
      ["mcp.server.operation.duration", "s"],
    ]);
    for (const { points } of metrics) {
      const pointOf = (labels) =>
        points.find(
          ({ attributes }) =>
            JSON.stringify(attributes) === JSON.stringify(labels),
        )?.value;
      const call = {
        "gen_ai.operation.name": "execute_tool",
        "mcp.protocol.version": revision,
      };
      const done = pointOf({
        ...call,
        "gen_ai.tool.name": "baggage",
        "mcp.method.name": "tools/call",
      });
      expect(done?.count).toBe(1);
      expect(done?.buckets.boundaries).toEqual([
        0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
      ]);
      const names = points.flatMap(
        ({ attributes }) => attributes["gen_ai.tool.name"] ?? [],
      );
      expect(names.sort()).toEqual(["baggage", "broken"]);
      expect(
        points.filter(({ attributes }) => "mcp.resource.uri" in attributes),
      ).toEqual([]);
    }
  });

  it("have no text of a client in the labels of metrics but what the server knows", async () => {
    const clientTransport = await carriers.memory(one);
    const client = await open(one, clientTransport, { observe: undefined });
    await sdk.durations();
    for (let i = 0; i < 20; i++)
      void clientTransport.send({
        jsonrpc: "2.0",
        id: `n${i}`,
        method: `none/${i}`,
        params: { name: `n${i}` },
      });
    await client.callTool({ name: "baggage" });
    const [{ points }] = await sdk.durations();
    const unknown = points.filter(
      ({ attributes }) => attributes["mcp.method.name"] === "_OTHER",
    );
    expect(unknown.map(({ value }) => value.count)).toEqual([20]);
    expect(points).toHaveLength(2);
  });

  it("have at most 100 codes of errors of a server in their labels", async () => {
    let code = 0;
    const refuse = () => {
      throw new McpError(++code, "refused");
    };
    const server = { handlers: { "tools/call": refuse } };
    const client = await open(one, await carriers.memory(one, server));
    await sdk.durations();
    for (let i = 0; i < 150; i++)
      await client.callTool({ name: "baggage" }).catch(() => {});
    const [{ points }] = await sdk.durations();
    const codes = points.map(
      ({ attributes }) => attributes["rpc.response.status_code"],
    );
    expect(codes).toHaveLength(101);
    const other = points.find(
      ({ attributes }) => attributes["error.type"] === "_OTHER",
    );
    expect([
      other.value.count,
      other.attributes["rpc.response.status_code"],
    ]).toEqual([50, undefined]);
  });

  it("have the duration of each session, if the revision has sessions", async () => {
    await sdk.durations();
    for (const carrier of ["memory", "HTTP"]) {
      const client = await open(one, await carriers[carrier](one));
      await client.callTool({ name: "baggage" });
      await client.callTool({ name: "baggage" });
      await client.close();
      for (const close of closing.splice(0).reverse()) await close();
    }
    const sessions = (await sdk.durations()).filter(({ name }) =>
      name.includes(".session."),
    );
    const countsOf = ({ name, points }) => [
      name,
      points.map(({ value }) => value.count),
    ];
    const names = [
      "mcp.client.session.duration",
      "mcp.server.session.duration",
    ];
    expect(sessions.map(countsOf).sort()).toEqual(
      one.isModern ? [] : names.map((name) => [name, [1, 1]]),
    );
  });

  it("ignore a context that is not one", async () => {
    const errors = [];
    const server = {
      ...(await observedServer(sdk)),
      onError: (error) => errors.push(error),
    };
    const client = await open(one, await carriers.memory(one, server), {
      observe: undefined,
    });
    const id = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
    const valid = `00-${id}-01`;
    const parents = [
      [{ traceparent: valid }, "00f067aa0ba902b7"],
      [
        { traceparent: valid, tracestate: "x".repeat(513), baggage: { a: 1 } },
        "00f067aa0ba902b7",
      ],
      [
        { traceparent: valid, tracestate: ["a=1"], baggage: "a=1\r\nb=2" },
        "00f067aa0ba902b7",
      ],
      [{ traceparent: 7 }],
      [{ traceparent: [valid] }],
      [{ traceparent: { toString: "x" } }],
      [{ traceparent: valid.toUpperCase() }],
      [{ traceparent: `ff-${id}-01` }],
      [{ traceparent: `00-${"0".repeat(32)}-${"0".repeat(16)}-01` }],
      [{ traceparent: `${valid}\n` }],
      [{ traceparent: `${valid}-${"x".repeat(1e6)}` }],
      [{ tracestate: "a=1", baggage: `${"a=1,".repeat(3000)}` }],
    ];
    for (const [meta, parent] of parents) {
      sdk.spans();
      const { content } = await client.callTool({ name: "baggage" }, { meta });
      const span = finder(sdk.spans())("server", "tools/call baggage");
      expect(
        [span.parent, content[0].text, span.links],
        JSON.stringify(meta).slice(0, 200),
      ).toEqual([parent, "[]", []]);
    }
    expect(errors).toEqual([]);
  });

  it("have the arguments and results of tools only if the program wants it", async () => {
    const contentOf = async (options) => {
      const client = await open(
        one,
        await carriers.memory(one, await observedServer(sdk, options)),
        {
          observe: undefined,
        },
      );
      await client.callTool({ name: "broken", arguments: { city: "Oslo" } });
      const { attributes } = finder(sdk.spans())("server", "tools/call broken");
      return [
        attributes["gen_ai.tool.call.arguments"],
        attributes["gen_ai.tool.call.result"],
      ];
    };
    expect(await contentOf({})).toEqual([undefined, undefined]);
    expect(await contentOf({ content: true })).toEqual([
      '{"city":"Oslo"}',
      expect.stringContaining('"broken"'),
    ]);
  });
});

describe("the work of a task", () => {
  it("has a trace of its own, with a link to the call that created it", async () => {
    const one = revisions.find(
      ({ facts }) => facts.wellKnown.taskResult !== undefined,
    );
    const { ended, end } = gate();
    const handler = async () => {
      app.startActiveSpan("step", (span) => span.end());
      end();
      return "done";
    };
    const { observe } = await observedServer(sdk);
    const work = {
      name: "work",
      handler,
      execution: { taskSupport: "optional" },
    };
    const client = await open(
      one,
      await carriers.memory(one, {
        handlers: { ...tools([work]), ...tasks() },
        observe,
      }),
    );
    await sdk.durations();
    await client.callTool({ name: "work", arguments: {}, task: {} });
    await ended;
    await client.listTools();
    const spans = sdk.spans();
    const find = finder(spans);
    const call = find("server", "tools/call work");
    const task = find("internal", "tools/call work");
    expect([task.parent, task.links]).toEqual([undefined, [call.spanId]]);
    expect(find("internal", "step", task).traceId).toBe(task.traceId);
    expect(task.traceId).not.toBe(call.traceId);
    const [{ points }] = (await sdk.durations()).filter(({ name }) =>
      name.includes("server"),
    );
    expect(points.map(({ value }) => value.count)).toEqual([1, 1]);
  });
});
