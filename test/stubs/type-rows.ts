/** A schema, and the type that is generated for it. */
export type Row = readonly [schema: unknown, type: string];

const text = { type: "string" };
const number = { type: "number" };
const object = (
  properties: object,
  required: readonly string[] = [],
  more: object = {},
): object => ({
  type: "object",
  properties,
  required,
  ...more,
});
const closed = { additionalProperties: false };
const letters = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `a${i}`);
const old = { $schema: "http://json-schema.org/draft-07/schema#" };

export const rows: readonly Row[] = [
  [{}, "unknown"],
  [true, "unknown"],
  [false, "never"],
  [text, "string"],
  [{ ...text, nullable: true }, "string | null"],
  [number, "number"],
  [{ type: "integer" }, "number"],
  [{ type: "boolean" }, "boolean"],
  [{ type: "null" }, "null"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ type: ["integer", "number"] }, "number"],
  [{ enum: ["a", "b"] }, '"a" | "b"'],
  [{ enum: [1, "b", null, true] }, '1 | "b" | null | true'],
  [{ const: "x" }, '"x"'],
  [{ const: 7 }, "7"],
  [{ const: null }, "null"],
  [{ const: [1, "a", { b: [] }] }, '[1, "a", { b: [] }]'],
  [
    { const: Array.from({ length: 50 }, () => 1) },
    `[${Array.from({ length: 50 }, () => 1).join()}]`,
  ],
  [{ const: Array.from({ length: 51 }, () => 1) }, "unknown[]"],
  [{ type: "string", enum: ["a", 1] }, '"a"'],
  [{ type: "string", minLength: 1, pattern: "^a" }, "string"],
  [{ type: "string", format: "date-time" }, "string"],
  [{ type: "number", minimum: 0, multipleOf: 2 }, "number"],
  [{ type: "array" }, "unknown[]"],
  [{ type: "array", items: text }, "string[]"],
  [
    { type: "array", items: text, minItems: 1, maxItems: 2, uniqueItems: true },
    "string[]",
  ],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "array", items: { type: "array", items: number } }, "number[][]"],
  [
    { type: "array", prefixItems: [text, number], minItems: 2, items: false },
    "[string, number]",
  ],
  [
    { type: "array", prefixItems: [text, number], items: false },
    "[string?, number?]",
  ],
  [
    { type: "array", prefixItems: [text], minItems: 1, items: number },
    "[string, ...number[]]",
  ],
  [
    { type: "array", prefixItems: [text, number], items: { type: "null" } },
    "[string?, number?, ...null[]]",
  ],
  [
    {
      ...old,
      type: "array",
      items: [text, number],
      minItems: 2,
      additionalItems: false,
    },
    "[string, number]",
  ],
  [{ type: "object" }, "{ [key: string]: unknown }"],
  [object({ a: text }, ["a"]), "{ a: string }"],
  [object({ a: text }), "{ a?: string }"],
  [object({ a: text, b: number }, ["b"]), "{ a?: string; b: number }"],
  [object({ a: text }, ["a"], closed), "{ a: string }"],
  [
    object({ a: text }, [], { additionalProperties: { type: "boolean" } }),
    "{ [key: string]: unknown; a?: string }",
  ],
  [object({}, ["a"]), "{ a: unknown }"],
  [object({ a: object({ b: text }, ["b"]) }, ["a"]), "{ a: { b: string } }"],
  [
    object({ "a-b": text, "1": number }, ["a-b"]),
    '{ "1"?: number; "a-b": string }',
  ],
  [object({ __proto__: text }, []), "{ [key: string]: unknown }"],
  [
    object({ constructor: text, toString: number }, ["constructor"]),
    "{ constructor: string; toString?: number }",
  ],
  [{ type: "object", additionalProperties: text }, "{ [key: string]: string }"],
  [
    { type: "object", additionalProperties: { type: ["number", "null"] } },
    "{ [key: string]: number | null }",
  ],
  [{ type: "object", ...closed }, "{ [key: string]: never }"],
  [{ properties: { a: text } }, "{ a?: string }"],
  [
    { type: "object", patternProperties: { "^x": text } },
    "{ [key: string]: unknown }",
  ],
  [
    { type: "object", patternProperties: { "^x": text }, ...closed },
    "{ [key: string]: string }",
  ],
  [
    {
      type: "object",
      patternProperties: { "^x": text, "^y": number },
      additionalProperties: { type: "null" },
    },
    "{ [key: string]: string | number | null }",
  ],
  [
    {
      type: "object",
      propertyNames: { enum: ["a", "b"] },
      additionalProperties: number,
    },
    "{ a?: number; b?: number }",
  ],
  [
    {
      type: "object",
      propertyNames: { $ref: "#/$defs/t" },
      additionalProperties: number,
      required: ["a"],
      $defs: { t: { type: "string", enum: ["a", "b"] } },
    },
    "{ a: number; b?: number }",
  ],
  [
    {
      type: "object",
      propertyNames: { anyOf: [{ const: "a" }, { const: "b" }] },
    },
    "{ a?: unknown; b?: unknown }",
  ],
  [
    {
      type: "object",
      propertyNames: { enum: letters(100) },
      additionalProperties: number,
    },
    `{ ${letters(100)
      .map((name) => `${name}?: number`)
      .join("; ")} }`,
  ],
  [
    {
      type: "object",
      propertyNames: { enum: letters(101) },
      additionalProperties: number,
    },
    "{ [key: string]: number }",
  ],
  [
    {
      type: "array",
      prefixItems: letters(50).map(() => text),
      minItems: 50,
      items: false,
    },
    `[${letters(50)
      .map(() => "string")
      .join()}]`,
  ],
  [
    { type: "array", prefixItems: letters(51).map(() => text), items: number },
    "unknown[]",
  ],
  [{ not: {} }, "never"],
  [{ anyOf: [{ not: {} }, text] }, "string"],
  [
    object({ a: { anyOf: [{ not: { $ref: "#/$defs/t" } }, text] } }, [], {
      $defs: { t: {} },
    }),
    "{ a?: string }",
  ],
  [{ anyOf: [text, number] }, "string | number"],
  [{ oneOf: [text, { type: "null" }] }, "string | null"],
  [{ anyOf: [text, {}] }, "unknown"],
  [
    {
      oneOf: [
        object({ k: { const: "a" } }, ["k"]),
        object({ k: { const: "b" }, n: number }, ["k", "n"]),
      ],
    },
    '{ k: "a" } | { k: "b"; n: number }',
  ],
  [
    { allOf: [object({ a: text }, ["a"]), object({ b: number }, ["b"])] },
    "{ a: string } & { b: number }",
  ],
  [{ type: "object", allOf: [object({ a: text }, ["a"])] }, "{ a: string }"],
  // Members of another part that this one requires.
  [
    { allOf: [object({ a: text, b: number })], required: ["a"] },
    "{ a: unknown } & { a?: string; b?: number }",
  ],
  [
    {
      $ref: "#/$defs/t",
      required: ["a"],
      $defs: { t: object({ a: text, b: number }) },
    },
    "{ a: unknown } & { a?: string; b?: number }",
  ],
  [
    { anyOf: [object({ a: text }), object({ b: number })], required: ["a"] },
    "{ a: unknown } & ({ a?: string } | { b?: number })",
  ],
  // Members that no part describes.
  [
    object({ b: number }, [], {
      allOf: [object({ a: text })],
      unevaluatedProperties: number,
    }),
    "{ b?: number; [key: string]: unknown } & { a?: string }",
  ],
  [
    object({ b: number }, [], {
      anyOf: [object({ a: text })],
      unevaluatedProperties: number,
    }),
    "{ b?: number; [key: string]: unknown } & { a?: string }",
  ],
  [
    object({ b: number }, [], {
      anyOf: [object({ a: text })],
      unevaluatedProperties: false,
    }),
    "{ b?: number } & { a?: string }",
  ],
  // As TypeBox writes a tuple.
  [
    {
      type: "array",
      items: [text, number],
      additionalItems: false,
      minItems: 2,
      maxItems: 2,
    },
    "[string, number]",
  ],
  [{ not: text }, "unknown"],
  [{ type: "string", not: { const: "x" } }, "string"],
  [
    { type: "object", if: object({ a: text }), else: { required: ["b"] } },
    "{ [key: string]: unknown }",
  ],
  // Parsed from text, because a linter reports an object with a member "then".
  [
    JSON.parse(
      '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"if":{"properties":{"a":{"const":"x"}}},"then":{"properties":{"b":{"type":"number"}},"required":["b","c"]},"else":{"required":["d"]}}',
    ),
    "{ a: string; b?: unknown; c?: unknown; d?: unknown }",
  ],
  [
    JSON.parse(
      '{"type":"object","properties":{"a":{}},"allOf":[{"if":{"required":["a"]},"then":{"$ref":"#/$defs/t"}}],"$defs":{"t":{"properties":{"b":{"type":"number"}}}}}',
    ),
    "{ a?: unknown; b?: unknown }",
  ],
  [
    object({ a: text }, [], {
      dependentSchemas: { a: { properties: { b: number }, required: ["c"] } },
    }),
    "{ a?: string; b?: unknown; c?: unknown }",
  ],
  [
    object({ a: text }, [], { dependentRequired: { a: ["b"] } }),
    "{ a?: string; b?: unknown }",
  ],
  [
    object({ a: text }, [], {
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    }),
    "{ a?: string; b?: unknown }",
  ],
  [
    object({ a: text }, [], {
      ...closed,
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    }),
    "{ a?: string }",
  ],
  [
    {
      $ref: "#/$defs/t",
      dependentRequired: { a: ["b"] },
      $defs: { t: object({ a: text }) },
    },
    "{ a?: string } & { a?: unknown; b?: unknown }",
  ],
  // What also accepts other values is no object.
  [
    { allOf: [{ type: ["object", "null"] }], required: ["a"] },
    "{ [key: string]: unknown } | null",
  ],
  [{ allOf: [{ properties: {} }], required: ["a"] }, "unknown"],
  [{ properties: {} }, "unknown"],
  [
    object({ a: text }, [], {
      allOf: [{ anyOf: [{ type: "object" }, { required: ["b"] }] }],
    }),
    "{ a?: string; b?: unknown }",
  ],
  [{ $ref: "#/$defs/t", $defs: { t: text } }, "string"],
  [
    object({ a: { $ref: "#/$defs/t" } }, ["a"], {
      $defs: { t: object({ b: number }, ["b"]) },
    }),
    "{ a: { b: number } }",
  ],
  [{ ...old, definitions: { t: text }, $ref: "#/definitions/t" }, "string"],
  [
    {
      anyOf: [{ $ref: "#/$defs/t" }, { $ref: "#/$defs/t" }, number],
      $defs: { t: text },
    },
    "string | number",
  ],
  [
    { anyOf: [object({ a: text }), object({ b: text })] },
    "{ a?: string } | { b?: string }",
  ],
  [{ $ref: "https://example.com/schema.json" }, "unknown"],
  [object({ a: { default: 1, type: "number" } }), "{ a?: number }"],
  [
    object({ a: { title: "Injected", tsType: "any", type: "string" } }, ["a"]),
    "{ a: string }",
  ],
  [
    object({ a: { type: ["array", "null"], items: text } }, ["a"]),
    "{ a: string[] | null }",
  ],
  [
    object({ a: { anyOf: [{ type: "array", items: text }, text] } }, ["a"]),
    "{ a: string[] | string }",
  ],
  [object({ a: { const: { x: [1, "y"] } } }, ["a"]), '{ a: { x: [1, "y"] } }'],
  [{ enum: [] }, "unknown"],
];
