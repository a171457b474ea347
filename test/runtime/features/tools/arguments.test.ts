import { tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  errorOf,
  type Json,
  makeServer,
  metaFor,
  resultOf,
  revisions,
  serveWire,
  shakeHands,
  textOf,
} from "../../kit/index.js";
import { echo, open, standard } from "./kit.js";

describe.each(revisions)("tools() at $revision", (one) => {
  const { protocol, isModern, facts } = one;

  it("TOOL-03 TOOL-16 answers invalid arguments with a failed result that contains the path, and runs no handler", async () => {
    let runs = 0;
    const rows = {
      type: "object",
      properties: {
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { "the name": { type: "string" } },
          },
        },
        kind: { enum: ["a", "b"] },
      },
      additionalProperties: false,
    };
    const client = await open(
      protocol,
      tools([{ name: "rows", inputSchema: rows, handler: () => void runs++ }]),
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
    expect(runs).toBe(0);
  });

  it.each([{ more: 1 }, {}, undefined])(
    "gives a tool without a schema no arguments, although a host adds %j",
    async (args) => {
      const bare = {
        name: "bare",
        handler: (args: unknown) => JSON.stringify(args),
      };
      const client = await open(protocol, tools([bare]));
      const result = await client.callTool({
        name: "bare",
        ...(args && { arguments: args }),
      });
      expect(textOf(result)).toBe("{}");
    },
  );

  it("TOOL-03 answers arguments on which code of the schema throws as invalid, and calls onError", async () => {
    const errors: string[] = [];
    const onError = ({ message }: Error, where?: string): void =>
      void errors.push(`${where}: ${message}`);
    const inputSchema = standard((value) => ({
      page: new URL(String(value["page"])).href,
    }));
    const parse = {
      name: "parse",
      inputSchema,
      inputJsonSchema: { type: "object" },
      handler: () => "ok",
    };
    const client = await open(protocol, tools([parse]), { onError });
    const result = await client.callTool({
      name: "parse",
      arguments: { page: "no URL" },
    });
    expect(result["isError"]).toBe(true);
    expect(textOf(result)).toBe(
      "Invalid arguments for the tool parse: Invalid URL.",
    );
    expect(errors).toEqual(["tools/call parse: Invalid URL"]);
    const masked = await open(protocol, tools([parse]), {
      onError,
      maskErrors: true,
    });
    const other = await masked.callTool({
      name: "parse",
      arguments: { page: "no URL" },
    });
    expect(textOf(other)).toBe(
      "Invalid arguments for the tool parse: they could not be checked.",
    );
  });

  const circle = { message: "expected a circle", path: ["kind"] };
  const text = { message: "expected text", path: [] };
  it.each([
    ["zod 4", { errors: [[circle], [text]] }],
    ["zod 3", { unionErrors: [{ issues: [circle] }, { issues: [text] }] }],
    ["valibot", { issues: [circle, text] }],
  ])(
    "TOOL-03 names the first issue of each alternative of a union of %s, and counts the issues that it does not name",
    async (_, alternatives) => {
      const union = {
        message: "Invalid input",
        path: ["shape"],
        ...alternatives,
      };
      const issues = [
        union,
        ...Array.from({ length: 11 }, (_, i) => ({
          message: "no",
          path: ["rows", i],
        })),
      ];
      const inputSchema = {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: () => ({ issues }),
        },
      };
      const client = await open(
        protocol,
        tools([
          {
            name: "draw",
            inputSchema,
            inputJsonSchema: { type: "object" },
            handler: () => "ok",
          },
        ]),
      );
      const message = textOf(await client.callTool({ name: "draw" }));
      expect(message).toContain(
        "shape: Invalid input (kind: expected a circle, or expected text); rows[0]: no;",
      );
      expect(message).toMatch(/rows\[8\]: no; and 2 more\.$/);
    },
  );

  it("TOOL-03 checks arguments with a Standard Schema, and passes its output to the handler", async () => {
    const schema = standard((value) =>
      typeof value["who"] === "string"
        ? { who: value["who"].toUpperCase() }
        : "expected a string",
    );
    const inputJsonSchema = {
      type: "object",
      properties: { who: { type: "string" } },
    };
    const client = await open(
      protocol,
      tools([
        {
          name: "greet",
          inputSchema: schema,
          inputJsonSchema,
          handler: ({ who }) => `Hello, ${who}!`,
        },
      ]),
    );
    const [listed] = (await client.listTools())["tools"] as readonly Json[];
    expect(listed).toEqual({ name: "greet", inputSchema: inputJsonSchema });
    expect(
      textOf(
        await client.callTool({ name: "greet", arguments: { who: "Ada" } }),
      ),
    ).toBe("Hello, ADA!");
    const wrong = await client.callTool({ name: "greet" });
    expect(wrong["isError"]).toBe(true);
    expect(textOf(wrong)).toBe(
      'Invalid arguments for the tool greet: rows[2]["the name"]: expected a string.',
    );
  });

  it("uses the JSON Schema of a Standard Schema that can be converted", async () => {
    const json = {
      input: { type: "object", title: "in" },
      output: { type: "object", title: "out" },
    };
    const schema = standard((value) => value, json);
    const client = await open(
      protocol,
      tools([
        {
          name: "both",
          inputSchema: schema,
          outputSchema: schema,
          handler: (args) => args,
        },
      ]),
    );
    const [listed] = (await client.listTools())["tools"] as readonly Json[];
    expect(listed).toEqual({
      name: "both",
      inputSchema: json.input,
      ...(one.revision >= "2025-06-18" && { outputSchema: json.output }),
    });
  });

  it("TOOL-04 rejects a call without a name", async () => {
    const wire = await serveWire(
      makeServer(protocol, { handlers: { ...tools([echo]) } }),
    );
    if (!isModern) await shakeHands(wire, facts.revision);
    const _meta = isModern ? metaFor(one) : undefined;
    const answer = await wire.ask(1, "tools/call", {
      arguments: {},
      ...(_meta && { _meta }),
    });
    expect(errorOf(answer)).toMatchObject({ code: -32602 });
  });

  it("TOOL-16 survives arguments that are nested as deeply as can be sent", async () => {
    const inputSchema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/tree" } },
      $defs: { tree: { type: "array", items: { $ref: "#/$defs/tree" } } },
    };
    const wire = await serveWire(
      makeServer(protocol, {
        handlers: {
          ...tools([{ name: "deep", inputSchema, handler: () => "ok" }]),
        },
      }),
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
