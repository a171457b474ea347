import { InputPending, McpError } from "@mcpgen/runtime";
import { type Features, type StandardSchema, tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  errorOf,
  failure,
  join,
  type Json,
  legacyRevisions,
  metaFor,
  modern,
  modernRevisions,
  type Progress,
  makeServer,
  resultOf,
  revisions,
  type ServerOptions,
  serveWire,
  shakeHands,
  textOf,
} from "./kit.js";

const echo = {
  name: "echo",
  title: "Echo",
  description: "Says it again",
  annotations: { readOnlyHint: true },
  inputSchema: { type: "object", properties: { value: { type: "string" } }, required: ["value"] },
  handler: ({ value }: Readonly<Record<string, unknown>>) => String(value),
};

const conditional =
  '{"if":{"properties":{"a":{"const":1}}},"then":{"properties":{"b":{"$ref":"#/$defs/place"}}},"else":{"properties":{"b":{"$ref":"#place"}}}}';

/** A Standard Schema made by hand, as libraries make theirs. */
function standard<T>(
  check: (value: Json) => string | T,
  json?: { readonly input: object; readonly output: object },
): StandardSchema<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "test",
      async validate(value) {
        const checked = check(value as Json);
        return typeof checked === "string"
          ? { issues: [{ message: checked, path: ["rows", 2, { key: "the name" }] }] }
          : { value: checked };
      },
      ...(json && { jsonSchema: { input: () => json.input, output: () => json.output } }),
    },
  };
}

type Protocol = (typeof revisions)[number]["protocol"];

async function open(
  protocol: Protocol,
  features: Features,
  options: Omit<ServerOptions, "handlers"> = {},
): Promise<AnyClient> {
  const { client } = await join(protocol, { server: { ...options, handlers: { ...features } } });
  return client;
}

describe.each(revisions)("tools() at $revision", (one) => {
  const { protocol, isModern, facts } = one;

  it("TOOL-01 TOOL-14 SCHEMA-05 declares tools and lists them as they were given, in their order", async () => {
    const strange = {
      name: "strange",
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: { place: { $anchor: "place", type: "object", "x-unknown": [1, { a: null }] } },
        allOf: [{ anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
        ...(JSON.parse(conditional) as Json),
        unevaluatedProperties: false,
      },
      _meta: { "example.com/x": 1 },
      "x-unknown": ["kept"],
      handler: () => "done",
    };
    const client = await open(protocol, tools([echo, strange, { name: "bare", handler: () => "done" }]));
    expect(client.server.capabilities).toEqual({ tools: {} });
    const listed = await client.listTools();
    const { handler: _echo, ...first } = echo;
    const { handler: _strange, ...second } = strange;
    expect(listed["tools"]).toEqual([
      first,
      second,
      // TOOL-10
      { name: "bare", inputSchema: { type: "object", additionalProperties: false } },
    ]);
    expect((await client.listTools())["tools"]).toEqual(listed["tools"]);
  });

  it("TOOL-01 answers with an empty list when there is no tool", async () => {
    const client = await open(protocol, tools([]));
    expect((await client.listTools())["tools"]).toEqual([]);
  });

  it("PAGE-02 PAGE-06 TOOL-14 lists many tools page by page", async () => {
    const many = Array.from({ length: 25 }, (_, i) => ({ name: `tool${i}`, handler: () => "done" }));
    const client = await open(protocol, tools(many, { pageSize: 10 }));
    const sizes: number[] = [];
    let cursor: unknown;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      sizes.push((page["tools"] as unknown[]).length);
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    expect(sizes).toEqual([10, 10, 5]);
    const names: unknown[] = [];
    for await (const { name } of client.tools()) names.push(name);
    expect(names).toEqual(many.map(({ name }) => name));
  });

  it("PAGE-04 refuses a cursor that it did not give out", async () => {
    const client = await open(protocol, tools([echo]));
    expect(await failure(client.listTools({ cursor: "nonsense" }))).toMatchObject({ code: -32602 });
  });

  it("TOOL-02 refuses to call a tool that is not there, also one named like a member of every object", async () => {
    const client = await open(protocol, tools([echo]));
    for (const name of ["other", "constructor", "__proto__", ""]) {
      const error = await failure(client.callTool({ name, arguments: {} }));
      expect(error).toMatchObject({ name: "McpError", code: -32602 });
    }
  });

  it("TOOL-03 TOOL-16 answers invalid arguments with a failed result that names the place, and runs nothing", async () => {
    let runs = 0;
    const rows = {
      type: "object",
      properties: {
        rows: { type: "array", items: { type: "object", properties: { "the name": { type: "string" } } } },
        kind: { enum: ["a", "b"] },
      },
      additionalProperties: false,
    };
    const client = await open(
      protocol,
      tools([
        { name: "rows", inputSchema: rows, handler: () => void runs++ },
        { name: "bare", handler: () => void runs++ },
      ]),
    );
    const call = async (name: string, args: Json): Promise<string> => {
      const result = await client.callTool({ name, arguments: args });
      expect(result["isError"]).toBe(true);
      return textOf(result);
    };
    expect(await call("rows", { rows: [{}, {}, { "the name": 1 }] })).toBe(
      'Invalid arguments for the tool rows: rows[2]["the name"]: must be string.',
    );
    expect(await call("rows", { more: 1 })).toContain('"more"');
    expect(await call("rows", { kind: "c" })).toContain('["a","b"]');
    expect(await call("bare", { more: 1 })).toContain("takes none");
    expect(runs).toBe(0);
  });

  it("TOOL-03 checks arguments by a Standard Schema, and hands on what it makes of them", async () => {
    const schema = standard((value) =>
      typeof value["who"] === "string" ? { who: value["who"].toUpperCase() } : "expected a string",
    );
    const inputJsonSchema = { type: "object", properties: { who: { type: "string" } } };
    const client = await open(
      protocol,
      tools([
        { name: "greet", inputSchema: schema, inputJsonSchema, handler: ({ who }) => `Hello, ${who}!` },
      ]),
    );
    const [listed] = (await client.listTools())["tools"] as readonly Json[];
    expect(listed).toEqual({ name: "greet", inputSchema: inputJsonSchema });
    expect(textOf(await client.callTool({ name: "greet", arguments: { who: "Ada" } }))).toBe("Hello, ADA!");
    const wrong = await client.callTool({ name: "greet" });
    expect(wrong["isError"]).toBe(true);
    expect(textOf(wrong)).toBe(
      'Invalid arguments for the tool greet: rows[2]["the name"]: expected a string.',
    );
  });

  it("takes the JSON Schema from a Standard Schema that can tell it", async () => {
    const json = { input: { type: "object", title: "in" }, output: { type: "object", title: "out" } };
    const schema = standard((value) => value, json);
    const client = await open(
      protocol,
      tools([{ name: "both", inputSchema: schema, outputSchema: schema, handler: (args) => args }]),
    );
    const [listed] = (await client.listTools())["tools"] as readonly Json[];
    expect(listed).toEqual({ name: "both", inputSchema: json.input, outputSchema: json.output });
  });

  it("TOOL-05 TOOL-15 answers a failure inside a tool with a failed result, and tells onError", async () => {
    const told: Error[] = [];
    const fail = { name: "fail", handler: () => Promise.reject(new Error("the printer is on fire")) };
    const client = await open(protocol, tools([fail]), { onError: (error) => told.push(error) });
    const result = await client.callTool({ name: "fail" });
    expect(result["isError"]).toBe(true);
    expect(textOf(result)).toBe("the printer is on fire");
    expect(told.map(({ message }) => message)).toEqual(["the printer is on fire"]);
  });

  it("lets an McpError be the answer", async () => {
    const fail = {
      name: "fail",
      handler: () => {
        throw new McpError(-31000, "Not today", { until: "tomorrow" });
      },
    };
    const client = await open(protocol, tools([fail]));
    expect(await failure(client.callTool({ name: "fail" }))).toMatchObject({
      code: -31000,
      message: "Not today",
      data: { until: "tomorrow" },
    });
  });

  it("TOOL-06 TOOL-08 TOOL-09 gives a structured result also as text", async () => {
    const outputSchema = { type: "object", properties: { sum: { type: "integer" } }, required: ["sum"] };
    const client = await open(
      protocol,
      tools([
        { name: "sum", outputSchema, handler: () => ({ sum: 3 }) },
        { name: "whole", outputSchema, handler: () => ({ structuredContent: { sum: 3 } }) },
        { name: "loose", handler: () => ({ sum: 3 }) },
      ]),
    );
    for (const name of ["sum", "whole", "loose"]) {
      const result = await client.callTool({ name });
      expect(result["structuredContent"]).toEqual({ sum: 3 });
      expect(JSON.parse(textOf(result))).toEqual({ sum: 3 });
      expect(result["isError"]).toBeUndefined();
    }
  });

  it("TOOL-09 gives structured content that is no object only where the revision knows it", async () => {
    const outputSchema = { type: "array", items: { type: "integer" } };
    const client = await open(protocol, tools([{ name: "list", outputSchema, handler: () => [1, 2] }]));
    const [listed] = (await client.listTools())["tools"] as readonly Json[];
    expect(listed?.["outputSchema"]).toEqual(isModern ? outputSchema : undefined);
    const result = await client.callTool({ name: "list" });
    expect(result["structuredContent"]).toEqual(isModern ? [1, 2] : undefined);
    expect(textOf(result)).toBe("[1,2]");
  });

  it("TOOL-06 never gives a structured result that does not fit its schema", async () => {
    const told: Error[] = [];
    const outputSchema = { type: "object", properties: { sum: { type: "integer" } }, required: ["sum"] };
    const misfits: readonly (readonly [string, unknown])[] = [
      ["wrong", { sum: "3" }],
      ["missing", {}],
      ["text", "3"],
      ["nothing", undefined],
      ["whole", { content: [] }],
    ];
    const client = await open(
      protocol,
      tools(misfits.map(([name, value]) => ({ name, outputSchema, handler: () => value }))),
      { onError: (error) => told.push(error) },
    );
    for (const [name] of misfits) {
      const result = await client.callTool({ name });
      expect(result["isError"]).toBe(true);
      expect(result["structuredContent"]).toBeUndefined();
      expect(textOf(result)).toContain("does not fit its outputSchema");
    }
    expect(told).toHaveLength(misfits.length);
  });

  it("a whole result passes as it is", async () => {
    const result = { content: [{ type: "text", text: "hi" }], isError: true, _meta: { "example.com/x": 1 } };
    const client = await open(protocol, tools([{ name: "whole", handler: () => result }]));
    expect(await client.callTool({ name: "whole" })).toMatchObject(result);
  });

  it("PROG-01 gives a tool the whole context", async () => {
    const heard: Progress[] = [];
    const count = {
      name: "count",
      handler: (_args: unknown, context: { revision: string; progress(step: number): void }) => {
        context.progress(1);
        return context.revision;
      },
    };
    const client = await open(protocol, tools([count]));
    const result = await client.callTool(
      { name: "count" },
      { onProgress: (progress) => heard.push(progress) },
    );
    expect(textOf(result)).toBe(facts.revision);
    expect(heard.map(({ progress }) => progress)).toEqual([1]);
  });

  it("TOOL-13 a function tells the tools there are, so that listChanged is declared", async () => {
    let current = [echo];
    const features = tools(() => current);
    const { client, server } = await join(protocol, { server: { handlers: { ...features } } });
    expect(client.server.capabilities).toEqual({ tools: { listChanged: true } });
    expect((await client.listTools())["tools"]).toHaveLength(1);
    current = [echo, { ...echo, name: "again" }];
    expect(() => server.notify["toolsListChanged"]?.()).not.toThrow();
    expect((await client.listTools())["tools"]).toHaveLength(2);
    expect(textOf(await client.callTool({ name: "again", arguments: { value: "x" } }))).toBe("x");
    current = [];
    expect(await failure(client.callTool({ name: "again" }))).toMatchObject({ code: -32602 });
  });

  it("a page that follows from a set that has changed goes on behind the last entry", async () => {
    const named = (...names: string[]): { name: string; handler(): string }[] =>
      names.map((name) => ({ name, handler: () => name }));
    let current = named("a", "b", "c", "d");
    const client = await open(
      protocol,
      tools(() => current, { pageSize: 2 }),
    );
    const { nextCursor: cursor } = await client.listTools();
    current = named("0", "a", "b", "c");
    expect((await client.listTools({ cursor }))["tools"]).toMatchObject([{ name: "c" }]);
    current = named("c");
    expect(await failure(client.listTools({ cursor }))).toMatchObject({ code: -32602 });
  });

  it("two lists of tools make one, and a handler written by hand goes before both", async () => {
    const handlers = { ...tools([echo]), ...tools([{ name: "bare", handler: () => "done" }]) };
    const { client } = await join(protocol, { server: { handlers } });
    expect((await client.listTools())["tools"]).toMatchObject([{ name: "echo" }, { name: "bare" }]);
    expect(textOf(await client.callTool({ name: "bare" }))).toBe("done");
    const byHand = { ...handlers, "tools/list": () => ({ tools: [] }) };
    const { client: other } = await join(protocol, { server: { handlers: byHand } });
    expect((await other.listTools())["tools"]).toEqual([]);
    expect(textOf(await other.callTool({ name: "bare" }))).toBe("done");
    const twice = { ...handlers, ...tools([echo]) };
    expect(() => makeServer(protocol, { handlers: twice })).toThrow('"echo" is there twice');
  });

  it("a tool that asks the client gets its answer, in whichever way the revision asks", async () => {
    if (!Object.hasOwn(protocol.clientSide.hears, "roots/list")) return expect(isModern).toBe(true);
    const ask = {
      name: "ask",
      inputSchema: { type: "object", properties: { n: { type: "integer" } } },
      handler: async (_args: unknown, context: { request(method: string): Promise<unknown> }) => {
        const { roots } = (await context.request("roots/list")) as { roots: Json[] };
        return roots.map(({ uri }) => uri).join();
      },
    };
    const { client } = await join(protocol, {
      server: { handlers: { ...tools([ask]) } },
      client: { handlers: { "roots/list": () => ({ roots: [{ uri: "file:///home" }] }) } },
    });
    expect(textOf(await client.callTool({ name: "ask", arguments: { n: 1 } }))).toBe("file:///home");
  });

  it("TOOL-04 refuses a call without a name, before any tool", async () => {
    const wire = await serveWire(makeServer(protocol, { handlers: { ...tools([echo]) } }));
    if (!isModern) await shakeHands(wire, facts.revision);
    const _meta = isModern ? metaFor(one) : undefined;
    const answer = await wire.ask(1, "tools/call", { arguments: {}, ...(_meta && { _meta }) });
    expect(errorOf(answer)).toMatchObject({ code: -32602 });
  });

  it("TOOL-16 survives arguments that are nested as deeply as can be sent", async () => {
    const inputSchema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/tree" } },
      $defs: { tree: { type: "array", items: { $ref: "#/$defs/tree" } } },
    };
    const wire = await serveWire(
      makeServer(protocol, { handlers: { ...tools([{ name: "deep", inputSchema, handler: () => "ok" }]) } }),
    );
    if (!isModern) await shakeHands(wire, facts.revision);
    const depth = 4000;
    const tree: unknown = JSON.parse("[".repeat(depth) + "]".repeat(depth));
    const _meta = isModern ? metaFor(one) : undefined;
    const answer = await wire.ask(1, "tools/call", {
      name: "deep",
      arguments: { tree },
      ...(_meta && { _meta }),
    });
    expect(resultOf(answer)["content"]).toBeDefined();
  });
});

describe.each(modernRevisions)("tools() at $revision", ({ protocol, facts }) => {
  it("META-05 tells the client which capability a tool needed and it did not declare", async () => {
    const ask = {
      name: "ask",
      handler: (_args: unknown, context: { request(method: string): Promise<unknown> }) =>
        context.request("roots/list"),
    };
    const client = await open(protocol, tools([ask]));
    const error = await failure(client.callTool({ name: "ask" }));
    expect(error).toMatchObject({ code: facts.errors["MISSING_REQUIRED_CLIENT_CAPABILITY"] });
    expect(error["data"]).toEqual({ requiredCapabilities: { roots: {} } });
  });
});

describe.each(legacyRevisions)("tools() at $revision", ({ protocol }) => {
  it("InputPending, whoever throws it, is no failure of the tool", async () => {
    const stop = {
      name: "stop",
      handler: () => {
        throw new InputPending();
      },
    };
    const client = await open(protocol, tools([stop]));
    expect(await failure(client.callTool({ name: "stop" }))).toMatchObject({ code: -32603 });
  });
});

describe("tools()", () => {
  it.each<readonly [string, object, string]>([
    ["a name that is there twice", { name: "echo" }, '"echo" is there twice'],
    ["TOOL-10 a schema that is null", { inputSchema: null }, "expected a Standard Schema or a JSON Schema"],
    ["TOOL-10 a schema of no object", { inputSchema: { type: "string" } }, 'expected the type "object"'],
    ["TOOL-10 a schema without a type", { inputSchema: {} }, 'expected the type "object"'],
    [
      "a Standard Schema that cannot tell its JSON Schema",
      { inputSchema: standard((value) => value) },
      "state it in inputJsonSchema",
    ],
    [
      "HDR-11 a header that clients would refuse",
      { inputSchema: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } } },
      "x-mcp-header",
    ],
  ])("refuses %s when it is defined", (_, members, message) => {
    const make = (): Features => tools([echo, { name: "other", handler: () => "", ...members }]);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it("TOOL-11 warns of a name that some clients refuse", () => {
    const warnings: string[] = [];
    const handlers = { ...tools([{ name: "two words", handler: () => "" }, echo]) };
    makeServer(modern.protocol, { handlers, onWarning: (text) => warnings.push(text) });
    expect(warnings).toEqual(["Some clients refuse the name of the tool two words."]);
  });
});
