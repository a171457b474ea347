import {
  type Attributes,
  type Context,
  context,
  type Link,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { ObservedRequest, RequestOutcome } from "@mcpgen/runtime";
import { telemetry } from "@mcpgen/runtime/telemetry";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface SpanSeen {
  name: string;
  readonly kind: SpanKind | undefined;
  readonly root: boolean | undefined;
  readonly links: readonly Link[];
  readonly parent: SpanContext | undefined;
  attributes: Attributes;
  status: unknown;
  ends: number;
}

interface Measured {
  readonly name: string;
  readonly options: unknown;
  readonly seconds: number;
  readonly attributes: Attributes;
  readonly span: SpanContext | undefined;
}

const spanContext = (digit: string): SpanContext => ({
  traceId: digit.repeat(32),
  spanId: digit.repeat(16),
  traceFlags: 1,
});

let spans: SpanSeen[] = [];
let measured: Measured[] = [];
let active: Context = ROOT_CONTEXT;

/** An SDK that keeps what it is told. */
beforeEach(() => {
  [spans, measured, active] = [[], [], ROOT_CONTEXT];
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan(name, options = {}, parent = ROOT_CONTEXT) {
        const { kind, root, links = [], attributes = {} } = options;
        const seen: SpanSeen = {
          name,
          kind,
          root,
          links,
          parent: trace.getSpanContext(parent),
          attributes,
          status: undefined,
          ends: 0,
        };
        spans.push(seen);
        const span = {
          spanContext: () => spanContext("5"),
          setAttributes: (more: Attributes) => {
            seen.attributes = { ...seen.attributes, ...more };
          },
          setStatus: (status: unknown) => void (seen.status = status),
          updateName: (next: string) => void (seen.name = next),
          end: () => void seen.ends++,
        };
        return span as never;
      },
      startActiveSpan: () => undefined as never,
    }),
  });
  metrics.setGlobalMeterProvider({
    getMeter: () =>
      ({
        createHistogram: (name: string, options: unknown) => ({
          record: (seconds: number, attributes: Attributes, at: Context) =>
            measured.push({
              name,
              options,
              seconds,
              attributes,
              span: trace.getSpanContext(at),
            }),
        }),
      }) as never,
  });
  context.setGlobalContextManager({
    active: () => active,
    with(next, work, self, ...args) {
      const before = active;
      active = next;
      try {
        return work.apply(self as never, args);
      } finally {
        active = before;
      }
    },
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  propagation.setGlobalPropagator({
    inject(from, carrier) {
      const { traceId, spanId } = trace.getSpanContext(from) as SpanContext;
      Object.assign(carrier as object, {
        traceparent: `00-${traceId}-${spanId}-01`,
        other: "not for MCP",
      });
    },
    extract(from, carrier) {
      const { traceparent = "" } = carrier as { traceparent?: string };
      const [, traceId, spanId] = traceparent.split("-");
      if (traceId === undefined || spanId === undefined) return from;
      return trace.setSpanContext(from, { traceId, spanId, traceFlags: 1 });
    },
    fields: () => [],
  });
});
afterEach(() => {
  for (const api of [trace, metrics, context, propagation]) api.disable();
});

const received: ObservedRequest = {
  direction: "received",
  method: "tools/call",
  name: "echo",
  id: 7,
  principal: undefined,
  params: { name: "echo", arguments: { text: "hi" } },
  meta: {},
  session: undefined,
  taskId: undefined,
  carrier: undefined,
  address: undefined,
};
const ok: RequestOutcome = {
  kind: "ok",
  milliseconds: 250,
  revision: "2025-11-25",
  sessionEnd: undefined,
  result: { content: [] },
  error: undefined,
  code: undefined,
};
const failed = (error: unknown, code?: number): RequestOutcome => ({
  ...ok,
  kind: "error",
  result: undefined,
  error,
  code,
});

type Row = [
  request: Partial<ObservedRequest>,
  outcome?: Partial<RequestOutcome>,
];

/** The spans of these requests, one after the other. */
async function observed(content: boolean, ...rows: Row[]): Promise<SpanSeen[]> {
  const observe = await telemetry({ content });
  for (const [request, outcome] of rows)
    observe({ ...received, ...request })?.end?.({ ...ok, ...outcome });
  return spans;
}

describe("the span of a request", () => {
  it.each([
    ["sent", undefined, SpanKind.CLIENT, false],
    ["received", undefined, SpanKind.SERVER, false],
    ["received", "t1", SpanKind.INTERNAL, true],
  ] as const)(
    "has the kind of its direction: %s, task %s",
    async (direction, taskId, kind, root) => {
      const [span] = await observed(false, [{ direction, taskId }]);
      expect(span).toMatchObject({ kind, root, ends: 1, status: undefined });
    },
  );

  it.each([
    ["sent", {}, "tools/call echo"],
    ["sent", { name: undefined }, "tools/call"],
    ["sent", { method: "tasks/get", name: "t" }, "tasks/get"],
    ["sent", { method: "prompts/get", name: "p" }, "prompts/get p"],
    ["sent", { method: "resources/read", name: "a:b" }, "resources/read"],
    ["sent", { name: "a\nb" }, "tools/call a\ufffdb"],
    ["received", { taskId: "t1" }, "tools/call echo"],
    ["received", {}, "tools/call"],
    ["received", { method: "a\nb", name: undefined }, "a\ufffdb"],
  ] as const)(
    "has the method and the name at its start: %s %j: %s",
    async (direction, request, expected) => {
      const observe = await telemetry();
      observe({ ...received, direction, ...request });
      expect(spans.map(({ name }) => name)).toEqual([expected]);
    },
  );

  it.each([
    ["a result", ok, "tools/call echo"],
    ["another error", failed(new Error("x"), -32603), "tools/call echo"],
    ["an error without a code", failed(new Error("x")), "tools/call echo"],
    ["invalid params", failed(new Error("x"), -32602), "tools/call"],
    [
      "no revision and no result",
      { ...failed(new Error("x"), -32601), revision: undefined },
      "_OTHER",
    ],
    ["a result of no revision", { ...ok, revision: undefined }, undefined],
  ])(
    "of a client gets the name at its end if it is one of the server: %s",
    async (_, outcome, expected = "tools/call echo") => {
      const [span] = await observed(false, [{}, outcome]);
      expect(span?.name).toBe(expected);
    },
  );

  it("has the name from the start once a request with it had a result", async () => {
    await observed(false, [{}, failed(new Error("x"), -32602)], [{}, ok]);
    const observe = await telemetry();
    observe(received)?.end?.(ok);
    observe(received);
    expect(spans.map(({ name }) => name)).toEqual([
      "tools/call",
      "tools/call echo",
      "tools/call echo",
      "tools/call echo",
    ]);
  });

  it("that is sent keeps its name if nobody answers", async () => {
    const [span] = await observed(false, [
      { direction: "sent" },
      { ...failed(new Error("x")), revision: undefined },
    ]);
    expect(span?.name).toBe("tools/call echo");
  });

  it.each([
    [999, "tools/call last"],
    [1000, "tools/call"],
  ])(
    "has one of 1,000 names that clients chose: after %i others it is %s",
    async (count, expected) => {
      const rows = Array.from({ length: count }, (_, i): Row => [
        { name: `n${i}` },
        failed(new Error("x"), -32603),
      ]);
      const last: Row = [{ name: "last" }, failed(new Error("x"), -32603)];
      const all = await observed(false, ...rows, last);
      expect(all.at(-1)?.name).toBe(expected);
    },
  );

  it.each([
    [ok, undefined, undefined],
    [{ ...ok, kind: "tool_error" }, "tool_error", ""],
    [
      { ...failed(new Error("late\n"), undefined), kind: "timeout" },
      "timeout",
      "late\ufffd",
    ],
    [{ ...failed(undefined, undefined), kind: "cancelled" }, "cancelled", ""],
    [failed(new RangeError("far"), undefined), "RangeError", "far"],
    [failed(new RangeError("far"), -32000), "-32000", "far"],
    [failed("text", undefined), "_OTHER", ""],
    [failed(Object.assign(new Error("x"), { name: "" })), "_OTHER", "x"],
    [failed(new Error("x".repeat(1001))), "Error", "x".repeat(1000)],
  ] as [RequestOutcome, string | undefined, string | undefined][])(
    "tells how the request ended: %j",
    async (outcome, type, message) => {
      const [span] = await observed(false, [{}, outcome]);
      expect(span?.attributes["error.type"]).toBe(type);
      expect(span?.attributes["rpc.response.status_code"]).toBe(
        outcome.code === undefined ? undefined : String(outcome.code),
      );
      expect(span?.status).toEqual(
        type === undefined
          ? undefined
          : { code: SpanStatusCode.ERROR, message },
      );
    },
  );

  it.each([
    [
      {},
      { "gen_ai.tool.name": "echo", "gen_ai.operation.name": "execute_tool" },
    ],
    [{ name: undefined }, {}],
    [{ method: "prompts/get" }, { "gen_ai.prompt.name": "echo" }],
    [{ method: "resources/read" }, { "mcp.resource.uri": "echo" }],
    [{ id: undefined }, { "jsonrpc.request.id": undefined }],
    [{ id: "a\nb" }, { "jsonrpc.request.id": "a\ufffdb" }],
    [{ session: "s" }, { "mcp.session.id": "s" }],
    [{ carrier: "pipe" }, { "network.transport": "pipe" }],
    [
      { carrier: "http" },
      { "network.transport": "tcp", "network.protocol.name": "http" },
    ],
    [
      { address: "http://h.example/a" },
      { "server.address": "h.example", "server.port": 80 },
    ],
    [
      { address: "https://h.example/a" },
      { "server.address": "h.example", "server.port": 443 },
    ],
    [
      { address: "https://h.example:8080/a" },
      { "server.address": "h.example", "server.port": 8080 },
    ],
  ] as [Partial<ObservedRequest>, Attributes][])(
    "has the attributes of the conventions: %j",
    async (request, more) => {
      const [span] = await observed(false, [request]);
      const { method = "tools/call", name = "echo" } = request;
      const isNamedTool =
        method === "tools/call" && "name" in request === false;
      const expected = {
        "mcp.method.name": method,
        "jsonrpc.request.id": "7",
        "mcp.protocol.version": "2025-11-25",
        ...(isNamedTool && {
          "gen_ai.tool.name": name,
          "gen_ai.operation.name": "execute_tool",
        }),
        ...more,
      };
      expect(span?.attributes).toEqual(
        Object.fromEntries(
          Object.entries(expected).filter(([, value]) => value !== undefined),
        ),
      );
    },
  );

  it.each([
    [true, {}, '{"text":"hi"}', '{"content":[]}'],
    [false, {}, undefined, undefined],
    [true, { method: "prompts/get" }, undefined, undefined],
    [true, { name: undefined }, undefined, undefined],
    [true, { params: undefined }, undefined, '{"content":[]}'],
    [
      true,
      { params: { arguments: "x".repeat(10_000) } },
      `"${"x".repeat(9999)}`,
      '{"content":[]}',
    ],
  ] as const)(
    "has arguments and result of a tool only with the option: %s, %j",
    async (content, request, input, output) => {
      const [span] = await observed(content, [request]);
      expect(span?.attributes["gen_ai.tool.call.arguments"]).toBe(input);
      expect(span?.attributes["gen_ai.tool.call.result"]).toBe(output);
    },
  );
});

describe("the context of a trace", () => {
  const parentOf = (digit: string): string =>
    `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
  const outer = trace.setSpanContext(ROOT_CONTEXT, spanContext("1"));

  it("is sent in the members that MCP has for it, and only then", async () => {
    const observe = await telemetry();
    expect(observe({ ...received, direction: "sent" })?.meta).toEqual({
      traceparent: parentOf("5"),
    });
    expect(observe(received)?.meta).toBeUndefined();
  });

  it("is that of the span while the work runs", async () => {
    const observe = await telemetry();
    let during: string | undefined;
    observe(received)?.run?.(
      () => (during = trace.getSpanContext(context.active())?.spanId),
    );
    expect(during).toBe(spanContext("5").spanId);
  });

  it.each([
    ["received", parentOf("2"), undefined, "2", ["1"]],
    ["received", parentOf("1"), undefined, "1", []],
    ["received", undefined, undefined, "1", []],
    ["received", parentOf("2"), "t1", "1", ["1"]],
    ["sent", parentOf("2"), undefined, "1", []],
  ] as const)(
    "of a request that is %s with %s (task %s) is its parent, or is linked",
    async (direction, traceparent, taskId, parent, links) => {
      active = outer;
      const meta = traceparent === undefined ? {} : { traceparent };
      const [span] = await observed(false, [{ direction, meta, taskId }]);
      expect(span?.parent?.spanId[0]).toBe(parent);
      expect(span?.links.map((link) => link.context.spanId[0])).toEqual(links);
    },
  );

  it.each([
    ["traceparent", `${parentOf("2")}-${"x".repeat(456)}`, true],
    ["traceparent", `${parentOf("2")}-${"x".repeat(457)}`, false],
    ["traceparent", `${parentOf("2")}\n`, false],
    ["traceparent", 5, false],
    ["other", parentOf("2"), false],
  ])("is read from a valid member: %s %j: %s", async (name, value, isRead) => {
    const [span] = await observed(false, [{ meta: { [name]: value } }]);
    expect(span?.parent?.spanId).toBe(
      isRead ? spanContext("2").spanId : undefined,
    );
  });
});

describe("the durations of requests", () => {
  const labels = {
    "mcp.method.name": "tools/call",
    "mcp.protocol.version": "2025-11-25",
    "gen_ai.tool.name": "echo",
    "gen_ai.operation.name": "execute_tool",
  };

  it.each(["sent", "received"] as const)(
    "are measured in seconds, with the span: %s",
    async (direction) => {
      await observed(false, [{ direction }]);
      const side = direction === "sent" ? "client" : "server";
      expect(measured).toEqual([
        {
          name: `mcp.${side}.operation.duration`,
          options: {
            unit: "s",
            advice: { explicitBucketBoundaries: expect.any(Array) },
          },
          seconds: expect.closeTo(0.25, 1),
          attributes: labels,
          span: spanContext("5"),
        },
      ]);
    },
  );

  it("are none of a task", async () => {
    await observed(false, [{ taskId: "t1" }]);
    expect(measured).toEqual([]);
  });

  it("have the names of requests with a result, and those of methods that a revision has", async () => {
    const unknown = { ...failed(new Error("x"), -32601), revision: undefined };
    await observed(
      false,
      [{}, failed(new Error("x"), -32603)],
      [{}, ok],
      [{}, failed(new Error("x"), -32603)],
      [{ method: "no/such" }, unknown],
      [{}, { ...ok, revision: undefined }],
    );
    const seen = measured.map(({ attributes }) => [
      attributes["mcp.method.name"],
      attributes["gen_ai.tool.name"],
    ]);
    expect(seen).toEqual([
      ["tools/call", undefined],
      ["tools/call", "echo"],
      ["tools/call", "echo"],
      ["_OTHER", undefined],
      ["tools/call", "echo"],
    ]);
  });

  it.each([
    [999, "echo"],
    [1000, undefined],
  ])("have at most 1,000 names: after %i others", async (count, expected) => {
    const others = Array.from({ length: count }, (_, i): Row => [
      { name: `n${i}` },
    ]);
    await observed(false, ...others, [{}]);
    expect(measured.at(-1)?.attributes["gen_ai.tool.name"]).toBe(expected);
  });

  it.each([
    [99, "-1", "-1"],
    [100, "_OTHER", undefined],
  ])(
    "have at most 100 codes of errors: after %i others",
    async (count, type, code) => {
      const others = Array.from({ length: count }, (_, i): Row => [
        {},
        failed(new Error("x"), i),
      ]);
      await observed(false, ...others, [{}, failed(new Error("x"), -1)]);
      const { attributes } = measured.at(-1) as Measured;
      expect([
        attributes["error.type"],
        attributes["rpc.response.status_code"],
      ]).toEqual([type, code]);
    },
  );

  it("of a session are measured once, when it ends", async () => {
    active = trace.setSpanContext(ROOT_CONTEXT, spanContext("1"));
    const session = new AbortController();
    const withSession = { sessionEnd: session.signal };
    await observed(
      false,
      [{ carrier: "http" }, withSession],
      [{ carrier: "http" }, withSession],
    );
    const isOfSession = ({ name }: Measured): boolean =>
      name === "mcp.server.session.duration";
    expect(measured.filter(isOfSession)).toEqual([]);
    session.abort();
    expect(measured.filter(isOfSession)).toEqual([
      {
        name: "mcp.server.session.duration",
        options: expect.anything(),
        seconds: expect.closeTo(0.25, 1),
        attributes: {
          "mcp.protocol.version": "2025-11-25",
          "network.transport": "tcp",
          "network.protocol.name": "http",
        },
        span: spanContext("1"),
      },
    ]);
  });
});
