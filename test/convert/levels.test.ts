import { describe, expect, it } from "vitest";
import { follow } from "../../src/commands/convert/follow.js";
import {
  acceptsNull,
  orNull,
  repairs,
  typed,
} from "../../src/commands/convert/level.js";
import { spellingsFor } from "../../src/commands/convert/names.js";
import { oneObject } from "../../src/commands/convert/one-object.js";
import { convertSchema } from "../../src/commands/convert/schema.js";
import { convertTools } from "../../src/commands/convert/tools.js";
import { providers, type Provider } from "../../src/commands/lint/providers.js";
import { Diagnostics } from "../../src/generator/diagnostics.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";

const text = { type: "string" };
const named = (id: string): Provider => {
  const provider = providers.find((one) => one.id === id);
  if (provider === undefined) throw new Error(id);
  return provider;
};

describe("a reference", () => {
  it.each<[target: JsonRecord[string], schema: object]>([
    [
      { ...text, description: "A." },
      { ...text, description: "B." },
    ],
    [true, { description: "B." }],
    [["a"], { description: "B." }],
  ])("to %j is %j", (any, schema) => {
    const value = { $ref: "#/$defs/any", description: "B." };
    expect(follow({ $defs: { any } }, value, ["a"])).toEqual({
      schema,
      at: ["a", "#/$defs/any"],
    });
  });
});

describe("one level of a schema", () => {
  const properties = { a: text, b: text };
  it.each<[rule: string, before: JsonRecord, after: JsonRecord]>([
    [
      "required-members",
      { properties, required: ["c", "b"] },
      { properties, required: ["b"] },
    ],
    ["required-members", { properties, required: ["c"] }, { properties }],
    ["required-members", { properties, required: "a" }, { properties }],
    ["object-keywords", { ...text, properties, required: ["a"] }, text],
    ["one-type", { type: ["string"], minLength: 1 }, { ...text, minLength: 1 }],
    [
      "one-type",
      { type: ["string", "null", "string"] },
      { ...text, nullable: true },
    ],
    [
      "one-type",
      {
        type: ["integer", "number", "string", "null"],
        title: "T",
        description: "D",
        minimum: 1,
        maxLength: 2,
        default: 3,
      },
      {
        title: "T",
        description: "D",
        anyOf: [
          { type: "integer", minimum: 1, default: 3, nullable: true },
          { type: "number", minimum: 1, default: 3, nullable: true },
          { ...text, maxLength: 2, default: 3, nullable: true },
        ],
      },
    ],
    ["one-type", { type: ["null"] }, { type: "null", nullable: true }],
    [
      "one-type",
      { type: ["string", "array"] },
      { anyOf: [text, { type: "array" }] },
    ],
    [
      "one-type",
      { type: ["string", "array"], anyOf: [text] },
      { anyOf: [text] },
    ],
  ])("satisfies the rule %s: %j becomes %j", (rule, before, after) => {
    expect(repairs[rule]?.(before)).toEqual(after);
  });

  it.each<[schema: JsonRecord, after: JsonRecord | null]>([
    [{}, null],
    [{ type: ["string", "null"] }, null],
    [{ anyOf: [text, { type: "null" }] }, null],
    [{ anyOf: [text, true] }, { anyOf: [text, true, { type: "null" }] }],
    [{ anyOf: [text] }, { anyOf: [text, { type: "null" }] }],
    [{ ...text, nullable: false }, { type: ["string", "null"] }],
    [{ type: ["string", "number"] }, { type: ["string", "number", "null"] }],
    [{ const: null }, null],
    [{ const: "a" }, { enum: ["a", null] }],
    [
      { type: "null", enum: ["a"] },
      { type: ["null"], enum: ["a", null] },
    ],
  ])("accepts null, or does so then: %j", (schema, after) => {
    expect(acceptsNull(schema)).toBe(after === null);
    expect(orNull(schema)).toEqual(after ?? schema);
  });
});

describe("one object in place of alternatives", () => {
  const object = (schema: JsonRecord) =>
    oneObject(
      schema,
      [],
      ["oneOf", "anyOf", "allOf"].filter((name) => schema[name] !== undefined),
      (value, at) => ({ schema: value as JsonRecord, at }),
    );
  const closed = { additionalProperties: false };

  it.each<[schema: JsonRecord, object: JsonRecord, sets: readonly string[]]>([
    [
      { anyOf: [{ properties: { a: text } }, { properties: { b: text } }] },
      { type: "object", properties: { a: text, b: text } },
      ["(a)", "(b)"],
    ],
    [
      {
        anyOf: [
          {
            properties: { title: text, kind: { const: "book" } },
            required: ["title", "kind"],
          },
          { properties: { kind: { const: "any" } }, required: ["kind"] },
        ],
      },
      {
        type: "object",
        properties: { title: text, kind: { enum: ["book", "any"] } },
        required: ["kind"],
      },
      ['(title, kind = "book")', '(kind = "any")'],
    ],
    [
      {
        type: ["object", "null"],
        properties: { a: text, b: text },
        unevaluatedProperties: false,
        oneOf: [
          {
            properties: { a: { const: "x" }, c: text, b: { const: "y" } },
            required: ["c", "a", "d"],
          },
          { properties: { b: { const: "z" } } },
        ],
      },
      {
        type: ["object", "null"],
        properties: { a: text, b: { enum: ["y", "z"] }, c: text },
      },
      ['(c, a = "x", d)', '(b = "z")'],
    ],
    [
      {
        oneOf: [
          { properties: { a: { const: 1 } }, ...closed },
          { properties: { a: text }, required: ["a"] },
        ],
      },
      { type: "object", properties: { a: { anyOf: [{ const: 1 }, text] } } },
      ["(a = 1)", "(a)"],
    ],
    [
      { oneOf: [{ properties: { a: text }, ...closed }, { ...closed }] },
      { type: "object", properties: { a: text }, ...closed },
      ["(a)"],
    ],
    [
      {
        anyOf: [
          {
            type: ["object", "null"],
            properties: { a: text },
            required: ["a"],
          },
          { type: "string" },
          true,
        ],
      },
      { type: "object", properties: { a: text }, required: ["a"] },
      [],
    ],
    [
      {
        properties: { a: text },
        allOf: [
          { properties: { a: { const: "x" }, b: text }, required: ["b"] },
          { required: ["a"], ...closed },
        ],
      },
      {
        type: "object",
        properties: { a: text, b: text },
        required: ["b", "a"],
        ...closed,
      },
      [],
    ],
  ])(
    "has the members of all, and says what belongs together: %j",
    (schema, one, sets) => {
      expect(object(schema)).toEqual({ object: one, sets });
    },
  );
});

describe("a schema whose type is said in other words", () => {
  it.each<[schema: JsonRecord, added: JsonRecord]>([
    [{ enum: ["a", "b"] }, { type: "string" }],
    [{ enum: [1, null, ["a"]] }, { type: ["number", "null", "array"] }],
    [{ const: true }, { type: "boolean" }],
    [{ properties: {} }, { type: "object" }],
    [{ required: ["a"] }, { type: "object", properties: { a: {} } }],
    [{ items: text }, { type: "array" }],
    [{ items: text, anyOf: [text] }, {}],
    [{ items: text, type: "string" }, {}],
    [{ required: [] }, {}],
    [
      { properties: { a: text }, required: ["a", "b"] },
      { type: "object", properties: { a: text, b: {} } },
    ],
  ])("has it: %j gets %j", (schema, added) => {
    expect(typed(schema)).toEqual({ ...schema, ...added });
  });
});

describe("a spelling", () => {
  it("has at most 256 characters where the pattern has no limit", () => {
    const name = `ü${"x".repeat(300)}`;
    expect(spellingsFor([name], "^[a-z_]*$").get(name)).toBe(
      `_${"x".repeat(255)}`,
    );
  });
});

describe("what a conversion says", () => {
  it("is a sentence of at most 1000 characters for alternatives", () => {
    const anyOf = Array.from({ length: 40 }, (_, i) => {
      const name = `${"m".repeat(30)}${i}`;
      return { properties: { [name]: text }, required: [name] };
    });
    const { words } = convertSchema({ type: "object", anyOf }, named("openai"));
    expect(words.map(({ length }) => length)).toEqual([1000]);
    expect(words[0]).toMatch(/^Give one of these: \(m+0\) or \(m+1\) or /);
  });

  it.each([
    [200, true],
    [201, false],
  ])(
    "quotes the schema of a JSON text of up to 200 characters: %i, %s",
    (length, isQuoted) => {
      const own = { title: "x".repeat(length - '{"title":""}'.length) };
      const { schema } = convertSchema(
        { type: "object", properties: { a: own }, required: ["a"] },
        named("openai-strict"),
      );
      expect(schema["properties"]).toEqual({
        a: {
          type: "string",
          description: isQuoted
            ? `JSON text of a value of this schema: ${JSON.stringify(own)}`
            : "JSON text",
        },
      });
    },
  );

  it.each([
    [3, ""],
    [4, ", and 1 more"],
    [5, ", and 2 more"],
  ])(
    "names three of %i things that the model does not learn, and a tool by 80 characters",
    (count, more) => {
      const diagnostics = new Diagnostics();
      const letters = [..."abcdefg"].slice(0, count);
      const name = "n".repeat(100);
      const inputSchema = {
        type: "object",
        properties: Object.fromEntries(
          letters.map((letter) => [letter, { ...text, not: { const: "x" } }]),
        ),
        required: letters,
      };
      const tool = {
        name,
        description: null,
        title: "T",
        raw: { inputSchema },
      };
      const provider = named("openai-strict");
      const [converted] = convertTools([tool as never], provider, diagnostics);
      expect(converted?.description).toBe("T");
      const listed = ["a", "b", "c"]
        .map((letter) => `not of inputSchema.properties.${letter}`)
        .join(", ");
      expect(diagnostics.list).toEqual([
        {
          code: "MG319",
          severity: "note",
          message: `the schema for ${provider.title} does not have ${listed}${more}`,
          hint: "read the comment in tools.ts; the client still checks all arguments",
          location: null,
          within: [`tool "${"n".repeat(80)}"`],
        },
      ]);
    },
  );
});
