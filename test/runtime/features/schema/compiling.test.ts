import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tools } from "@mcpgen/runtime/features";
import type { Json } from "../../kit/index.js";
import { accepts, define, object, openTool } from "./kit.js";

const old = "http://json-schema.org/draft-07/schema#";
const text = { type: "string" };
const named = { $id: "https://example.com/n", ...text };

/** Schemas of `a` that a validator refuses to compile as they are. */
const accepted: readonly (readonly [
  what: string,
  schema: Json,
  root?: Json,
])[] = [
  [
    "a reference beside an id, to a part below the id",
    { $id: "https://example.com/a", $defs: { n: text }, $ref: "#/$defs/n" },
  ],
  ["the same part with the same id twice", named, { properties: { b: named } }],
  [
    "the same part with the same id twice, in draft-07",
    named,
    { $schema: old, properties: { b: named } },
  ],
  ["the keyword id of draft-04", { id: "https://example.com/a", ...text }],
  ["nullable without a type", { nullable: true, anyOf: [text] }],
  [
    "nullable beside a reference",
    { nullable: true, $ref: "#/$defs/n" },
    { $defs: { n: text } },
  ],
  ["nullable as false", { nullable: false, ...text }],
  ["an id that is no URI", { $id: "http://[", ...text }],
  [
    "the id of the whole schema",
    { $id: "https://example.com/root", ...text },
    { $id: "https://example.com/other" },
  ],
  [
    "the id of the dialect",
    { $id: "https://json-schema.org/draft/2020-12/schema", ...text },
  ],
  [
    "the id of the other dialect",
    { $id: "http://json-schema.org/draft-07/schema#", ...text },
  ],
  [
    "an anchor in a part with an id, and the same outside of it",
    { $id: "a", $defs: { n: { $anchor: "n", ...text } }, $ref: "#n" },
    { $defs: { m: { $anchor: "n", type: "number" } } },
  ],
  [
    "an id of draft-07 that is an anchor",
    { $ref: "#n" },
    { $schema: old, definitions: { n: { $id: "#n", ...text } } },
  ],
  [
    "an id beside a reference in draft-07, which does not count",
    { $id: "https://example.com/a", $ref: "#/definitions/n" },
    { $schema: old, definitions: { n: text } },
  ],
  [
    "a name that a URI must escape",
    { $ref: "#/$defs/a%20%25~1b" },
    { $defs: { "a %/b": text } },
  ],
  [
    "an id of a part whose name a URI must escape",
    { $ref: "https://example.com/n" },
    { $defs: { "~a/b": named } },
  ],
  [
    "a name that an unknown keyword has too, for something else, before it",
    { $ref: "https://example.com/n" },
    { properties: { b: named }, "x-own": { ...named, type: "number" } },
  ],
  [
    "a name that an unknown keyword has too, for something else, after it",
    { $ref: "https://example.com/n" },
    { "x-own": { ...named, type: "number" }, $defs: { b: named } },
  ],
  [
    "a reference to the first of what an unknown keyword contains",
    { $ref: "#/x-own" },
    { "x-own": text },
  ],
  [
    "a reference into a list in an unknown keyword",
    { $ref: "#/x-own/1" },
    { "x-own": [{ type: "strang" }, text, { type: "strang" }] },
  ],
  [
    "a reference into an unknown keyword, beside what no reference leads to",
    { $ref: "#/x-own/n" },
    { "x-own": { no: { type: "strang" }, n: text, n2: { type: "strang" } } },
  ],
];

/** Schemas of `a` that cannot be checked, and a part of the error. */
const refused: readonly (readonly [
  what: string,
  schema: Json,
  error: string,
  root?: Json,
])[] = [
  [
    "two different parts with an id",
    { anyOf: [named, { ...named, type: "number" }] },
    "is the name of two different parts",
  ],
  [
    "two different parts with an anchor",
    { anyOf: [{ $anchor: "n" }, { $anchor: "n", ...text }] },
    '"#n" is the name of two different parts',
  ],
  [
    "the id of the whole schema for another part",
    { $id: "https://example.com/root", ...text },
    "is the name of two different parts",
    { $id: "https://example.com/root" },
  ],
  [
    "a reference to a part outside of the id around it",
    { $id: "a", properties: { b: { $ref: "#/$defs/n" } } },
    '$ref "#/$defs/n" has no target',
    { $defs: { n: text } },
  ],
  [
    "a reference to the other dialect",
    { $ref: old },
    "has no target in the schema",
  ],
  [
    "two different parts with an anchor, in draft-07",
    { anyOf: [{ $id: "#n", ...text }, { $id: "#n" }] },
    '"#n" is the name of two different parts',
    { $schema: old },
  ],
  [
    "a reference to null",
    { default: null, $ref: "#/properties/a/default" },
    '$ref "#/properties/a/default" has no target',
  ],
  [
    "a reference into null",
    { default: null, $ref: "#/properties/a/default/b" },
    '$ref "#/properties/a/default/b" has no target',
  ],
  [
    "a reference to a list",
    { allOf: [text, {}], $ref: "#/properties/a/allOf" },
    '$ref "#/properties/a/allOf" has no target',
  ],
  [
    "a reference to text",
    { ...text, $ref: "#/properties/a/type" },
    '$ref "#/properties/a/type" has no target',
  ],
  ...["const", "default", "enum"].map(
    (keyword) =>
      [
        `a reference to the id of a value, in ${keyword}`,
        { $ref: named.$id },
        `$ref "${named.$id}" has no target`,
        {
          properties: {
            b: { [keyword]: keyword === "enum" ? [named] : named },
          },
        },
      ] as const,
  ),
  ...[
    { properties: { a: { type: "strang" }, b: { not: text } } },
    { properties: { a: { not: text }, b: { type: "strang" } } },
    { anyOf: [{ not: text }, { type: "strang" }] },
    { anyOf: [{ type: "strang" }, { not: text }] },
    { not: { not: { type: "strang" } }, if: { not: text } },
  ].map(
    (own) =>
      [
        `a reference to an invalid part in an unknown keyword: ${JSON.stringify(own)}`,
        { $ref: "#/x-own/n" },
        'type: expected one of string, number, integer, boolean, array, object, null, or a list of them, got "strang".',
        { "x-own": { m: { not: text }, n: own, n2: { not: text } } },
      ] as const,
  ),
  [
    "references that only lead to each other, by names that a URI must escape",
    { $ref: "#/$defs/~0a~1b" },
    '$ref "#/$defs/~0a~1b" leads back to itself',
    {
      $defs: {
        "~a/b": { $ref: "#/$defs/c~1%25" },
        "c/%": { $ref: "#/$defs/~0a~1b" },
      },
    },
  ],
  [
    "references that only lead to each other",
    { $ref: "#/$defs/a" },
    "leads back to itself",
    { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
  ],
];

const schemaOf = (a: unknown, root: unknown = {}): Json => {
  const { properties, ...rest } = Object(root) as Json;
  return object({ ...rest, properties: { a, ...(properties as object) } });
};

/** A Standard Schema that cannot be converted. */
const standard = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => ({ value }),
  },
};

/** What a call without arguments that fit ends in. */
async function codeOf(inputSchema: Json, args: Json): Promise<unknown> {
  const client = await openTool(inputSchema);
  return await client.callTool({ name: "t", arguments: args }).then(
    () => "answered",
    ({ code }: { readonly code: unknown }) => code,
  );
}

describe("a schema that a validator cannot compile", () => {
  it.each(accepted)("is checked all the same: %s", async (_, a, root) => {
    const client = await openTool(schemaOf(a, root));
    expect(await accepts(client, { a: "text" })).toBe(true);
    expect(await accepts(client, { a: 7 })).toBe(false);
  });

  it.each([
    [true, true],
    [false, false],
  ])(
    "accepts null for a type that is nullable, and not otherwise: nullable as %s",
    async (nullable, isAccepted) => {
      const client = await openTool(schemaOf({ nullable, ...text }));
      expect(await accepts(client, { a: null })).toBe(isAccepted);
    },
  );

  it.each(refused)(
    "is refused when its tool is declared, by the name of the tool: %s",
    (_, a, error, root) => {
      expect(define(schemaOf(a, root))).toThrow(error);
      expect(define(schemaOf(a, root))).toThrow('The tool "t": inputSchema');
      const output = { name: "o", outputSchema: schemaOf(a, root) };
      expect(() => tools([{ ...output, handler: () => ({}) }])).toThrow(
        'The tool "o": outputSchema',
      );
    },
  );

  it("is refused as the separate JSON Schema of a Standard Schema too", () => {
    const [, a, error] = refused[0] as (typeof refused)[number];
    const schema = { inputSchema: standard, inputJsonSchema: schemaOf(a) };
    expect(() => tools([{ name: "t", ...schema, handler: () => "" }])).toThrow(
      error,
    );
  });

  it("leaves the list of tools as its author wrote it", async () => {
    const [, a] = accepted[0] as (typeof accepted)[number];
    const client = await openTool(schemaOf(a));
    const { tools: listed } = await client.listTools();
    expect(listed).toMatchObject([{ inputSchema: schemaOf(a) }]);
  });

  const names = fc.constantFrom("a", "b", "https://example.com/a", "#n", "a#n");
  const reference = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("#/$defs/a", "#/$defs/b") },
    names,
    fc.constantFrom("#", "#/properties/a", "a#/$defs/b", "#n"),
  );
  /** A schema of at most this depth, with at most three keywords. */
  const schemas = (depth: number): fc.Arbitrary<Json> => {
    const inner = depth === 0 ? fc.constant<Json>(text) : schemas(depth - 1);
    const table = fc.dictionary(fc.constantFrom("a", "b"), inner, {
      maxKeys: 2,
    });
    const members = {
      $id: names,
      $anchor: fc.constantFrom("n", "m"),
      $ref: reference,
      $defs: table,
      properties: table,
      anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
      type: fc.constantFrom("string", "object", "null"),
      nullable: fc.boolean(),
      id: fc.string(),
    };
    const keywords = Object.keys(members) as (keyof typeof members)[];
    return fc
      .subarray(keywords, { maxLength: 3 })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(chosen.map((name) => [name, members[name]])),
        ),
      );
  };
  const whole = fc.record({
    $defs: fc.record({ a: schemas(1), b: schemas(1) }),
    properties: fc.record({ a: schemas(2) }),
  });

  it("is none of those that a tool can be declared with, in either dialect", async () => {
    let declared = 0;
    await fc.assert(
      fc.asyncProperty(
        whole,
        fc.boolean(),
        fc.constantFrom<Json>({}, { a: 1 }, { a: { b: "x" } }, { b: [null] }),
        async (schema, isOld, args) => {
          const inputSchema = {
            ...schema,
            ...(isOld && { $schema: old }),
            type: "object",
          };
          try {
            define(inputSchema)();
          } catch (error) {
            return void expect(error).toBeInstanceOf(TypeError);
          }
          declared++;
          expect(await codeOf(inputSchema, args)).toBe("answered");
        },
      ),
      { numRuns: 300 },
    );
    expect(declared).toBeGreaterThan(30);
  });
});
