import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { describe, expect, it, vi } from "vitest";
import { callOf, ready } from "../kit/calls.js";
import { where } from "../kit/where.js";
import {
  type AnyContext,
  type AnyHandler,
  clientWire,
  type Json,
  makeClient,
  makeServer,
  metaFor,
  resultOf,
  type Revision,
  revisions,
  type ServerOptions,
  serveWire,
  shakeHands,
  text,
  Wire,
} from "../kit/index.js";

/** The warnings of a server during a call of its tool. */
async function warningsOf(
  one: Revision,
  tool: AnyHandler,
  options: ServerOptions = {},
): Promise<string[]> {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const wire = await ready(one, {
    onWarning,
    ...options,
    handlers: { ...options.handlers, "tools/call": tool },
  });
  for (const id of [1, 2])
    expect(await wire.ask(id, "tools/call", callOf(one))).toHaveProperty(
      "result",
    );
  return warnings;
}

const traces = [
  ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  ["tracestate", "vendor=a:b,other@x=1"],
  ["baggage", "userId=alice,isProduction=false;p=1"],
] as const;

describe.each(revisions)("a client of $revision", (one) => {
  it("warns once of keys in the `meta` of its calls that a server is warned of (META-06 META-08)", async () => {
    const warnings: string[] = [];
    const { client, wire } = await clientWire(one, {
      onWarning: (message) => warnings.push(message),
    });
    const good = {
      "com.example/x": 1,
      name: 1,
      progressToken: "p",
      ...Object.fromEntries(traces),
    };
    for (const meta of [
      good,
      { "mcp.dev/x": 1 },
      { "mcp.dev/x": 1 },
      { "1a/x": 1 },
      { traceparent: "free text" },
    ])
      client.callTool({ name: "x" }, { meta }).catch(() => {});
    client
      .callTool({ name: "x", _meta: { tracestate: "free text" } })
      .catch(() => {});
    const sent = (await wire.rest()).map(
      ({ params }) => (params as Json)["_meta"],
    );
    expect(sent[1]).toMatchObject({ "mcp.dev/x": 1 });
    expect(warnings).toEqual(
      [
        '"mcp.dev/x", whose prefix is reserved for the protocol; use a prefix of your own',
        '"1a/x", which is not of the form "prefix/name"',
        '"traceparent", whose value is not a traceparent of the W3C',
        '"tracestate", whose value is not a tracestate of the W3C',
      ].map((text) => `tools/call: _meta has the key ${text}.`),
    );
    await client.close();
  });
});

describe.each(revisions)("a server of $revision", (one) => {
  const embedded = {
    type: "resource",
    resource: { uri: "test://a", mimeType: "text/plain", text: "a" },
  };

  it("warns once of an embedded resource if it does not declare resources (TOOL-21)", async () => {
    const tool = (): Json => ({
      content: [{ type: "text", text: "a" }, embedded],
    });
    expect(await warningsOf(one, tool)).toEqual([
      'tools/call: a resource is embedded; declare {"resources":{}} among the server\'s capabilities.',
    ]);
    expect(
      await warningsOf(one, tool, { capabilities: { resources: {} } }),
    ).toEqual([]);
    expect(
      await warningsOf(one, tool, {
        handlers: { "resources/list": () => ({ resources: [] }) },
      }),
    ).toEqual([]);
    expect(await warningsOf(one, () => text("a"))).toEqual([]);
  });

  const tool = (keys: readonly string[]) => (): Json => ({
    ...text("a"),
    _meta: Object.fromEntries(keys.map((key) => [key, 1])),
  });
  it("does not warn of keys in _meta that are well-formed (META-06)", async () => {
    const good = [
      "name",
      "a.b/c",
      "com.example.mcp/x",
      "org.example/",
      "x-1/y.z_w",
      "mcp-like/x",
    ];
    expect(await warningsOf(one, tool(good))).toEqual([]);
  });

  it.each([
    "mcp.dev/x",
    "com.mcp/x",
    "tools.mcp.com/x",
    "io.modelcontextprotocol/mine",
    "1a/x",
    "a..b/c",
    "-x",
    "a/b/c",
  ])(
    "warns of the key %s in _meta, which is malformed or has a reserved prefix (META-06)",
    async (key) => {
      const warnings = await warningsOf(one, tool([key]));
      expect(warnings).toEqual([
        expect.stringContaining(`_meta has the key ${JSON.stringify(key)}`),
      ]);
    },
  );

  it.each(traces)(
    "does not warn of the key %s in _meta with a trace context, but with other values (META-08)",
    async (key, value) => {
      const result = (): Json => ({ ...text("a"), _meta: { [key]: value } });
      expect(await warningsOf(one, result), key).toEqual([]);
      for (const wrong of [1, "", "free text", null]) {
        const warnings = await warningsOf(one, () => ({
          ...text("a"),
          _meta: { [key]: wrong },
        }));
        expect(warnings, key).toEqual([
          expect.stringContaining(`_meta has the key "${key}", whose value`),
        ]);
      }
    },
  );

  const [trace, span] = [
    "0af7651916cd43dd8448eb211c80319c",
    "b7ad6b7169203331",
  ];
  it.each([
    ["traceparent", `ff-${trace}-${span}-01`, false],
    ["traceparent", `00-${"0".repeat(32)}-${span}-01`, false],
    ["traceparent", `00-${trace}-${"0".repeat(16)}-01`, false],
    ["traceparent", ` 00-${trace}-${span}-01`, false],
    ["traceparent", `00-${trace.toUpperCase()}-${span}-01`, false],
    ["traceparent", `0f-${trace}-${span}-00-more`, true],
    ["traceparent", `00-${"0".repeat(31)}1-${"0".repeat(15)}1-00`, true],
    ["tracestate", " ", false],
    ["tracestate", " =a", false],
    ["tracestate", "a b=c", false],
    ["tracestate", "a=b, ", false],
    ["tracestate", "a=b, c@d=e f", true],
    ["baggage", "\t", false],
    ["baggage", "a=b,c", false],
    ["baggage", "a b=c", false],
    ["baggage", "a = b;c=d , e=", true],
  ] as const)(
    "takes %s %j for a trace context as the W3C does: %s (META-08)",
    async (key, value, isValid) => {
      const result = (): Json => ({ ...text("a"), _meta: { [key]: value } });
      expect(await warningsOf(one, result)).toHaveLength(isValid ? 0 : 1);
    },
  );

  it("sends keys in _meta as they are, although it warns (META-06)", async () => {
    const wire = await ready(one, {
      onWarning: () => {},
      handlers: { "tools/call": tool(["mcp.dev/x"]) },
    });
    const { _meta } = resultOf(await wire.ask(1, "tools/call", callOf(one)));
    expect(_meta).toMatchObject({ "mcp.dev/x": 1 });
  });
});

/** A transport that only carries messages, as those of pipes and sockets do. */
const plain = (carrier: Transport): Transport => ({
  start: (receiver) => carrier.start(receiver),
  send: (message, options) => carrier.send(message, options),
  close: () => carrier.close(),
});

describe.each(revisions)(
  "advice about the messages of a program, in $revision",
  (one) => {
    const careless = (): Json => ({
      content: [{ type: "resource", resource: { uri: "test://a", text: "a" } }],
      // What is printed is printed once in a process.
      _meta: { [`mcp.dev/${one.revision}`]: 1 },
    });
    const ways: readonly (readonly [
      string,
      (transport: Transport) => Transport,
      boolean,
      boolean,
    ])[] = [
      ["another transport", plain, false, false],
      ["another transport, with `onWarning`", plain, true, true],
      ["memoryPair", (transport) => transport, false, true],
      ["memoryPair, with `onWarning`", (transport) => transport, true, true],
    ];

    it.each(ways)(
      "is for the author of a server while it is developed: over %s (META-06 TOOL-21)",
      async (_, carry, hasOnWarning, isAdvised) => {
        const print = vi.spyOn(console, "error").mockImplementation(() => {});
        const warnings: string[] = [];
        const onWarning = (message: string): void =>
          void warnings.push(message);
        const [clientTransport, serverTransport] = memoryPair();
        const server = makeServer(one.protocol, {
          ...(hasOnWarning && { onWarning }),
          handlers: { "tools/call": careless },
        });
        await serve(carry(serverTransport), server);
        const wire = new Wire(clientTransport);
        if (!one.isModern) await shakeHands(wire, one.revision);
        const answer = await wire.ask(1, "tools/call", callOf(one));
        expect(resultOf(answer)).toMatchObject(careless());
        const printed = print.mock.calls
          .map(([text]) => String(text))
          .filter((text) => text.includes("tools/call"));
        print.mockRestore();
        expect(printed.some((text) => text.includes("_meta has the key"))).toBe(
          isAdvised && !hasOnWarning,
        );
        expect(warnings).toHaveLength(isAdvised && hasOnWarning ? 2 : 0);
      },
    );

    it.each([
      ["memoryPair, for its author", (transport: Transport) => transport, 1],
      ["other transports, which costs nothing", plain, 0],
    ] as const)(
      "is counted in a client over %s (META-06)",
      async (_, carry, count) => {
        const warnings: string[] = [];
        const [clientTransport, serverTransport] = memoryPair();
        await serve(
          serverTransport,
          makeServer(one.protocol, {
            handlers: { "tools/call": () => text("a") },
          }),
        );
        const client = await makeClient(one.protocol, carry(clientTransport), {
          onWarning: (message) => warnings.push(message),
        });
        await client.callTool({ name: "x" }, { meta: { "mcp.dev/x": 1 } });
        expect(warnings).toHaveLength(count);
        await client.close();
      },
    );
  },
);

describe.each(
  revisions.filter(
    ({ protocol }) =>
      protocol.clientQuestions.incomingRequests["elicitation/create"],
  ),
)("an elicitation of a server of $revision", (one) => {
  const hasUrls = one.revision >= "2025-11-25";
  const capabilities = { elicitation: hasUrls ? { form: {}, url: {} } : {} };
  it.each([
    ["letters", "a".repeat(1_000_000)],
    ["signs of an address", "@".repeat(1_000_000)],
    ["names of secrets", `?${"token".repeat(200_000)}`],
    ["names of secrets after delimiters", "?token".repeat(150_000)],
  ])(
    "warns in linear time of a URL with a million %s (ELIC-21)",
    async (_, text) => {
      if (!hasUrls) return expect(text.length).toBeGreaterThan(0);
      const url = `https://example.com/${text}`;
      const params = { mode: "url", message: "Open", url, elicitationId: "1" };
      const { wasAsked } = await ask(params, { action: "accept" });
      expect(wasAsked).toBe(true);
    },
  );

  /**
   * The outcome of a call whose tool requests input, and the warnings of the
   * server.
   */
  const ask = async (
    params: Json,
    answer: Json,
  ): Promise<{ outcome: Json; warnings: string[]; wasAsked: boolean }> => {
    const warnings: string[] = [];
    const server = makeServer(one.protocol, {
      onWarning: (message) => {
        if (message.startsWith("elicitation/create: ")) warnings.push(message);
      },
      onError: () => {},
      stateKeys: ["x".repeat(32)],
      handlers: {
        "tools/call": async (_: Json, { request }: AnyContext) => {
          const { action } = await request("elicitation/create", params);
          return action === "accept"
            ? text("accepted")
            : { ...text(String(action)), isError: true };
        },
      },
    });
    const wire = await serveWire(server);
    if (!one.isModern) await shakeHands(wire, one.revision, capabilities);
    const meta = one.isModern ? { _meta: metaFor(one, capabilities) } : {};
    const call = { name: "x", ...meta };
    const first = await wire.ask(1, "tools/call", call);
    const questions =
      first["result"] && (resultOf(first)["inputRequests"] as Json | undefined);
    if (first["method"] === undefined && !questions)
      return { outcome: first, warnings, wasAsked: false };
    if (questions) {
      const inputResponses = Object.fromEntries(
        Object.keys(questions).map((key) => [key, answer["result"]]),
      );
      const { requestState } = resultOf(first);
      const outcome = await wire.ask(2, "tools/call", {
        ...call,
        inputResponses,
        requestState,
      });
      return { outcome, warnings, wasAsked: true };
    }
    wire.send({ jsonrpc: "2.0", id: first["id"], ...answer });
    return { outcome: await wire.next(), warnings, wasAsked: true };
  };
  const form = (description: string): Json => ({
    message: "What?",
    requestedSchema: {
      type: "object",
      properties: { name: { type: "string", description } },
    },
  });
  const declined = { result: { action: "decline" } };

  it("warns of a URL in a form (ELIC-17)", async () => {
    const { warnings, wasAsked } = await ask(
      form("see https://example.com"),
      declined,
    );
    expect(wasAsked).toBe(true);
    expect(warnings[0]).toContain("the form contains a URL");
    expect((await ask(form("your name"), declined)).warnings).toEqual([]);
  });

  const schemaOf = (members: Json, field: Json): Json => ({
    message: "What?",
    requestedSchema: {
      type: "object",
      ...members,
      properties: { page: { type: "string", ...field } },
    },
  });
  const adviceOn = async (params: Json): Promise<readonly string[]> =>
    (await ask(params, declined)).warnings.filter((text) =>
      text.includes("the form contains a URL"),
    );
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  it.each([
    schemaOf({ $schema }, {}),
    schemaOf({}, { default: "https://example.com" }),
  ])(
    "does not warn of a URL that the user does not read: %j (ELIC-17)",
    async (params) => {
      expect(await adviceOn(params)).toEqual([]);
    },
  );

  it.each([
    { ...schemaOf({}, {}), message: "See https://example.com" },
    schemaOf({}, { title: "HTTP://example.com" }),
  ])(
    "warns of a URL in text that the user reads: %j (ELIC-17)",
    async (params) => {
      expect(await adviceOn(params)).not.toEqual([]);
    },
  );

  it.each(["decline", "cancel"])(
    "ends the call in a result after the action %s (ELIC-16)",
    async (action) => {
      const { outcome } = await ask(form("name"), { result: { action } });
      expect(outcome).toMatchObject({
        result: { ...text(action), isError: true },
      });
    },
  );

  it.runIf(!one.isModern)(
    "ends the call in the error with which its client answers (ELIC-16)",
    async () => {
      const { outcome } = await ask(form("name"), {
        error: { code: -32603, message: "broken" },
      });
      expect(outcome).toMatchObject({
        error: { code: -32603, message: "broken" },
      });
    },
  );

  const page = (url: string): Json => ({
    mode: "url",
    message: "?",
    url,
    ...(!one.isModern && { elicitationId: url }),
  });

  it.each(where(hasUrls))(
    "with credentials in its URL is not sent (ELIC-21)",
    async () => {
      for (const user of ["ada:secret", "ada", ":secret"]) {
        const url = `https://${user}@example.com/`;
        expect((await ask(page(url), declined)).wasAsked).toBe(false);
      }
    },
  );

  it.each(where(hasUrls))(
    "has a warning if something in its URL seems secret or personal (ELIC-21)",
    async () => {
      for (const path of [
        "?access_token=x",
        "#api_key=x",
        "?a=1&email=x",
        "/ada@example.com",
        "?to=ada%40example.com",
      ]) {
        const { warnings, wasAsked } = await ask(
          page(`https://example.com/${path}`),
          declined,
        );
        expect(wasAsked, path).toBe(true);
        expect(warnings[0], path).toContain(
          "the URL seems to contain secrets or personal data",
        );
      }
      expect(
        (
          await ask(
            page("https://example.com/connect?id=1&page=@scope"),
            declined,
          )
        ).warnings,
      ).toEqual([]);
    },
  );
});
