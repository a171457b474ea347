import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CallToolRequestParamsSchema } from "../../../../generated/2025-11-25/validators.js";
import { failure, join, type Json, modern, textOf } from "../../kit/index.js";
import { accepts, define, object, openTool } from "./kit.js";
import { runs } from "../../../whole.js";

const pair = object({
  properties: {
    p: {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "integer" }],
      items: false,
    },
  },
});
const oldPair = object({
  properties: {
    p: {
      type: "array",
      items: [{ type: "string" }, { type: "integer" }],
      additionalItems: false,
    },
  },
});

describe("the dialect of a JSON Schema", () => {
  afterEach(() => vi.restoreAllMocks());

  it("SCHEMA-01 SCHEMA-02 uses dialect 2020-12 if the schema does not name one", async () => {
    const client = await openTool({ ...pair, unevaluatedProperties: false });
    expect(await accepts(client, { p: ["a", 1] })).toBe(true);
    expect(await accepts(client, { p: ["a", "b"] })).toBe(false);
    expect(await accepts(client, { p: ["a", 1, 2] })).toBe(false);
    expect(await accepts(client, { q: 1 })).toBe(false);
  });

  it.each([
    ["https://json-schema.org/draft/2020-12/schema", pair],
    ["https://json-schema.org/draft/2020-12/schema#", pair],
    ["http://json-schema.org/draft-07/schema#", oldPair],
    ["http://json-schema.org/draft-07/schema", oldPair],
    ["https://json-schema.org/draft-07/schema#", oldPair],
  ])("SCHEMA-01 is that of $schema: %s", async ($schema, schema) => {
    const client = await openTool({ $schema, ...schema });
    expect(await accepts(client, { p: ["a", 1] })).toBe(true);
    expect(await accepts(client, { p: ["a", "b"] })).toBe(false);
    expect(await accepts(client, { p: ["a", 1, 2] })).toBe(false);
  });

  it.each([
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-04/schema#",
    "https://example.com/dialect",
    "constructor",
    7,
  ])(
    "SCHEMA-01 is refused when the tool is defined if it cannot be checked: %s",
    ($schema) => {
      expect(define(object({ $schema }))).toThrow(
        `The tool "t": inputSchema: $schema "${$schema}" is not supported, only 2020-12 and draft-07.`,
      );
      expect(define(object({ properties: { a: { $schema } } }))).toThrow(
        TypeError,
      );
    },
  );
});

describe("a member that every object of JavaScript inherits", () => {
  describe.each(["constructor", "valueOf", "toString", "hasOwnProperty"])(
    "counts as present only if the arguments have it: %s",
    (name) => {
      it("as a property", async () => {
        const closed = { additionalProperties: false };
        const optional = await openTool(
          object({ properties: { [name]: { type: "string" } }, ...closed }),
        );
        expect(await accepts(optional, {})).toBe(true);
        expect(await accepts(optional, { [name]: "x" })).toBe(true);
        expect(await accepts(optional, { [name]: 1 })).toBe(false);
      });

      it("as a required property", async () => {
        const required = await openTool(object({ required: [name] }));
        expect(await accepts(required, {})).toBe(false);
        expect(await accepts(required, { [name]: 1 })).toBe(true);
      });

      it("as a property that others depend on", async () => {
        const dependent = await openTool(
          object({ dependentRequired: { [name]: ["a"] } }),
        );
        expect(await accepts(dependent, {})).toBe(true);
      });
    },
  );
});

describe("a very large schema", () => {
  it("SCHEMA-04 is rejected when the tool is defined", () => {
    let deep: Json = { type: "string" };
    for (let i = 0; i < 200; i++) deep = { not: deep };
    expect(define(object({ properties: { deep } }))).toThrow(
      "at most 100 levels of subschemas",
    );
    const properties = Object.fromEntries(
      Array.from({ length: 6000 }, (_, i) => [`p${i}`, {}]),
    );
    expect(define(object({ properties }))).toThrow("at most 5000 subschemas");
    let endless: Record<string, unknown> = {};
    endless = Object.assign(endless, object({ properties: { endless } }));
    expect(define(endless)).toThrow("at most 100 levels of subschemas");
  });

  it("SCHEMA-04 has at most 100 levels and 5,000 parts, and unknown keywords do not count", () => {
    const nested = (levels: number, keyword: string): Json => {
      let schema: Json = {};
      for (let i = 0; i < levels; i++) schema = { [keyword]: schema };
      return schema;
    };
    expect(define(object(nested(100, "not")))).not.toThrow();
    expect(define(object(nested(101, "not")))).toThrow(
      new TypeError(
        'The tool "t": inputSchema: expected at most 100 levels of subschemas.',
      ),
    );
    expect(define(object(nested(300, "x-own")))).not.toThrow();
    const wide = (count: number): Json =>
      object({ allOf: Array.from({ length: count - 1 }, () => ({})) });
    expect(define(wide(5000))).not.toThrow();
    expect(define(wide(5001))).toThrow(
      new TypeError(
        'The tool "t": inputSchema: expected at most 5000 subschemas.',
      ),
    );
    const unknown = Array.from({ length: 6000 }, () => ({}));
    expect(define(object({ "x-own": unknown }))).not.toThrow();
  });

  it("SCHEMA-04 takes time proportional to its length, for any references", async () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `d${i}`,
        {
          properties: {
            a: { $ref: `#/$defs/d${i + 1}` },
            b: { $ref: `#/$defs/d${i + 1}` },
          },
        },
      ]),
    );
    const schema = object({
      $defs: { ...doubling, d60: { type: "string" } },
      $ref: "#/$defs/d0",
    });
    const client = await openTool(schema);
    expect(await accepts(client, { a: { b: { a: {} } } })).toBe(true);
  });
});

describe("checking arguments", () => {
  it("agrees with Ajv over random schemas and values, in both dialects", async () => {
    const leaf = fc.oneof(
      fc.record({
        type: fc.constantFrom(
          "string",
          "integer",
          "boolean",
          "null",
          "array",
          "object",
        ),
      }),
      fc.record({
        enum: fc.uniqueArray(fc.integer({ min: -2, max: 2 }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      fc.record({ minimum: fc.integer({ min: -3, max: 3 }) }),
      fc.record({ maxLength: fc.nat(3) }),
      fc.boolean(),
    );
    const schema = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.record({
          properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
        }),
        fc.record({ items: tie("schema") }),
        fc.record({
          anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        }),
        fc.record({ not: tie("schema") }),
      ),
    })).schema;
    const value = fc.dictionary(
      fc.constantFrom("a", "b", "c"),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          properties: fc.dictionary(fc.constantFrom("a", "b"), schema),
          required: fc.subarray(["a", "b"]),
        }),
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (members, values, isOld) => {
          const $schema = isOld
            ? "http://json-schema.org/draft-07/schema#"
            : undefined;
          const inputSchema = object({
            ...members,
            ...($schema && { $schema }),
          });
          const options = {
            strict: false,
            validateFormats: false,
            logger: false,
            validateSchema: false,
          } as const;
          const oracle = isOld ? new Ajv(options) : new Ajv2020(options);
          const client = await openTool(inputSchema);
          for (const args of values)
            expect(await accepts(client, args)).toBe(
              oracle.validate(inputSchema, args),
            );
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("accepts a generated schema, whose messages already contain the path", async () => {
    const inputJsonSchema = object({});
    const client = await openTool(CallToolRequestParamsSchema, {
      inputJsonSchema,
    });
    expect(await accepts(client, { name: "x" })).toBe(true);
    const wrong = await client.callTool({ name: "t", arguments: { name: 1 } });
    expect(textOf(wrong)).toBe(
      "Invalid arguments for the tool t: name: expected a string, got 1.",
    );
  });

  it.each([
    [{ const: 1 }, "must be equal to constant (1)"],
    [{ enum: [1, 3] }, "must be equal to one of the allowed values ([1,3])"],
    [{ type: "array", uniqueItems: true }, "must be array"],
  ])("says what is wrong with an argument of the schema %j", async (a, why) => {
    const client = await openTool(object({ properties: { a } }));
    const wrong = await client.callTool({ name: "t", arguments: { a: 2 } });
    expect(textOf(wrong)).toBe(`Invalid arguments for the tool t: a: ${why}.`);
  });

  it("reports at most ten issues, and how many more there are", async () => {
    const issues = Array.from({ length: 99 }, (_, i) => ({
      message: "no",
      path: ["rows", i],
    }));
    const schema = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) },
    };
    const client = await openTool(schema, { inputJsonSchema: object({}) });
    const message = textOf(await client.callTool({ name: "t" }));
    expect(message.split("; ")).toHaveLength(11);
    expect(message).toMatch(/rows\[9\]: no; and 89 more\.$/);
  });

  const number = (n: number): object => ({ message: `no ${n}` });
  const rows = Array.from({ length: 11 }, (_, n) => number(n));
  const ten = Array.from({ length: 10 }, (_, n) => `no ${n}`);
  it.each([
    ["ten issues", rows.slice(0, 10), ten.join("; ")],
    ["eleven issues", rows, `${ten.join("; ")}; and 1 more`],
    [
      "a message that has the path, but not at its beginning",
      [{ message: "see a: no", path: ["a"] }],
      "a: see a: no",
    ],
    [
      "a message that has the path at its beginning",
      [{ message: "a.b: no", path: ["a", { key: "b" }] }],
      "a.b: no",
    ],
    [
      "steps that are no names",
      [{ message: "no", path: ["a b", 0, "$c", "1d", ""] }],
      '["a b"][0].$c["1d"][""]: no',
    ],
    [
      "more than ten alternatives",
      [{ message: "none", errors: rows.map((row) => [row, number(99)]) }],
      `none (${ten.join(", or ")})`,
    ],
    [
      "alternatives of which one has no issue",
      [{ message: "none", errors: [[], [number(1)]] }],
      "none (no 1)",
    ],
    [
      "alternatives of an earlier version of a library",
      [{ message: "none", unionErrors: [{ issues: [number(1), number(2)] }] }],
      "none (no 1)",
    ],
    [
      "issues below an issue",
      [{ message: "none", path: ["a"], issues: [number(1), number(2)] }],
      "a: none (no 1, or no 2)",
    ],
  ])("tells the issues of a schema: %s", async (_, issues, expected) => {
    const validate = (): object => ({ issues });
    const client = await openTool(
      { "~standard": { version: 1, vendor: "test", validate } },
      { inputJsonSchema: object({}) },
    );
    expect(textOf(await client.callTool({ name: "t" }))).toBe(
      `Invalid arguments for the tool t: ${expected}.`,
    );
  });

  it.each([
    [{ multipleOf: 0.01 }, 19.99, undefined],
    [{ multipleOf: 0.01 }, 19.999, "must be multiple of 0.01"],
    [{ multipleOf: 1e-7 }, 1e21, undefined],
    [{ multipleOf: 1e21 }, 1e22, undefined],
    [{ multipleOf: 1e21 }, 1.5e21, "must be multiple of 1e+21"],
    [{ multipleOf: 2.5 }, 7.5, undefined],
    [{ multipleOf: 2.5 }, -7.4, "must be multiple of 2.5"],
    [{ uniqueItems: true }, [1, 1], "must NOT have duplicate items"],
    [{ uniqueItems: false }, [1, 1], undefined],
    [{ const: 1 }, 2, "must be equal to constant (1)"],
    [
      { enum: ["x".repeat(300), 2] },
      3,
      `must be equal to one of the allowed values (["${"x".repeat(198)})`,
    ],
    [
      { additionalProperties: false },
      { "b/~": 1 },
      'must NOT have additional properties ("b/~")',
    ],
    [
      { additionalProperties: { type: "string" } },
      { "b/~": 1 },
      "must be string",
      '["b/~"]',
    ],
  ])(
    "says which value a JSON Schema expects: %j for %j",
    async (schema, value, expected, at = "") => {
      const client = await openTool(object({ properties: { a: schema } }));
      const args = { a: value };
      expect(
        textOf(await client.callTool({ name: "t", arguments: args })),
      ).toBe(
        expected === undefined
          ? "ok"
          : `Invalid arguments for the tool t: a${at}: ${expected}.`,
      );
    },
  );

  it("does not validate formats", async () => {
    const client = await openTool(
      object({ properties: { when: { type: "string", format: "date-time" } } }),
    );
    expect(await accepts(client, { when: "tomorrow" })).toBe(true);
  });

  it("names the package to install if Ajv is missing", async () => {
    vi.resetModules();
    vi.doMock("ajv/dist/2020.js", () => {
      throw new Error("Cannot find package");
    });
    const fresh = await import("@mcpgen/runtime/features");
    const errors: Error[] = [];
    const handlers = {
      ...fresh.tools([
        { name: "t", inputSchema: object({}), handler: () => "ok" },
      ]),
    };
    const { client } = await join(modern.protocol, {
      server: { handlers, onError: (error) => errors.push(error) },
    });
    expect(await failure(client.callTool({ name: "t" }))).toMatchObject({
      code: -32603,
    });
    vi.doUnmock("ajv/dist/2020.js");
    expect(errors.map(({ message }) => message)).toEqual([
      "A plain JSON Schema needs the package ajv, which could not be loaded. Install ajv@8, or use a Standard Schema.",
    ]);
  });
});
