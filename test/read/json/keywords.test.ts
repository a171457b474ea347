import { describe, expect, it } from "vitest";
import type { Property } from "../../../src/generator/ir/constraint/form.js";
import type { Json } from "../../../src/generator/ir/json.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import {
  alias,
  anyObject,
  array,
  bare,
  boolean,
  both,
  bounded,
  formatted,
  iface,
  integer,
  literal,
  map,
  member,
  never,
  number,
  object,
  reference,
  schema,
  text,
  typed,
  union,
  unknown,
} from "../../ir/schemas.js";
import { declarationOf, file, read, schemaOf } from "./reading.js";

const values = (...all: readonly Json[]): Schema =>
  schema({ kind: "values", values: all });
/** The checks of several schemas, which apply together. */
const and = (...schemas: readonly Schema[]): Schema =>
  schema(...schemas.flatMap(({ checks }) => checks));
const optional = (name: string, given: Schema = unknown): Property =>
  member(name, given, true);
/** Conditions on the members of an object, without a type. */
const members = (...properties: readonly Property[]): Schema =>
  schema(...object(properties).checks.filter(({ kind }) => kind !== "type"));
const a = reference("A");

const rows: readonly { given: unknown; want: Schema; codes?: string[] }[] = [
  { given: {}, want: unknown },
  { given: true, want: unknown },
  { given: { type: "string" }, want: text },
  { given: { type: "string", format: "uri" }, want: formatted("uri") },
  { given: { type: "number" }, want: number },
  { given: { type: "integer" }, want: integer },
  {
    given: { type: "number", minimum: 0, maximum: 1 },
    want: bounded(number, 0, 1),
  },
  { given: { type: "integer", minimum: 0 }, want: bounded(integer, 0) },
  { given: { type: "boolean" }, want: boolean },
  { given: { type: "null" }, want: typed("null") },
  { given: { type: "array" }, want: typed("array") },
  {
    given: { type: "array", items: { type: "string" }, maxItems: 100 },
    want: array(text, 100),
  },
  {
    given: {
      type: "array",
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: { type: "boolean" },
    },
    want: schema(
      { kind: "type", types: ["array"] },
      { kind: "items", first: [text, number], rest: boolean },
    ),
    codes: ["MG305"],
  },
  { given: { type: "array", items: true }, want: array(unknown) },
  { given: { type: "array", items: { $ref: "#/$defs/A" } }, want: array(a) },
  // Objects and maps.
  { given: { type: "object" }, want: anyObject },
  { given: { type: "object", properties: {} }, want: anyObject },
  {
    given: { type: "object", properties: {}, additionalProperties: true },
    want: anyObject,
  },
  { given: { type: "object", additionalProperties: {} }, want: map(unknown) },
  {
    given: { type: "object", additionalProperties: { type: "string" } },
    want: map(text),
  },
  {
    given: {
      type: "object",
      properties: { a: { type: "string" }, b: {} },
      required: ["a"],
    },
    want: object([member("a"), optional("b")]),
  },
  {
    given: { type: "object", properties: { a: {} }, additionalProperties: {} },
    want: object([optional("a")], unknown),
  },
  {
    given: {
      type: "object",
      properties: { a: {} },
      additionalProperties: false,
    },
    want: object([optional("a")], never),
  },
  {
    given: { type: "object", required: ["a"] },
    want: and(anyObject, schema({ kind: "required", names: ["a"] })),
  },
  // Values.
  { given: { const: "ref/prompt" }, want: literal("ref/prompt") },
  {
    given: { const: -32700, type: "integer" },
    want: and(integer, literal(-32700)),
  },
  { given: { const: [1] }, want: literal([1]) },
  { given: { enum: ["a"] }, want: literal("a") },
  {
    given: { enum: ["b", "a", "b"], type: "string" },
    want: and(text, values("b", "a")),
  },
  {
    given: { enum: ["a", 1, true, null, { b: 1 }] },
    want: values("a", 1, true, null, { b: 1 }),
  },
  // Several types.
  { given: { type: ["string", "integer"] }, want: typed("string", "integer") },
  {
    given: { type: ["integer", "null"], minimum: 1 },
    want: bounded(typed("integer", "null"), 1),
  },
  { given: { type: ["string"] }, want: text },
  { given: { type: ["integer", "number"] }, want: number },
  {
    given: { type: "string", nullable: true },
    want: typed("string", "null"),
    codes: ["MG314"],
  },
  { given: { type: "string", nullable: false }, want: text },
  // Alternatives and conjunctions.
  {
    given: { anyOf: [{ type: "string" }, { $ref: "#/$defs/A" }] },
    want: union(text, a),
  },
  { given: { anyOf: [{ type: "string" }, {}] }, want: union(text, unknown) },
  {
    given: {
      anyOf: [
        { anyOf: [{ type: "string" }, { type: "null" }] },
        { type: "boolean" },
      ],
    },
    want: union(union(text, typed("null")), boolean),
  },
  {
    given: { type: "string", anyOf: [{ const: "a" }, { const: "b" }] },
    want: and(text, union(literal("a"), literal("b"))),
  },
  {
    given: { oneOf: [{ type: "string" }, { type: "number" }] },
    want: schema({ kind: "one", schemas: [text, number] }),
  },
  { given: { allOf: [{ $ref: "#/$defs/A" }] }, want: both(a) },
  {
    given: { allOf: [{ type: "string" }, { type: "number" }] },
    want: both(text, number),
  },
  {
    given: {
      type: "object",
      properties: { b: {} },
      allOf: [{ $ref: "#/$defs/A" }],
    },
    want: and(object([optional("b")]), both(a)),
  },
  { given: false, want: never },
  {
    given: { not: { type: "string" } },
    want: schema({ kind: "not", schema: text }),
  },
  {
    given: { if: { type: "string" }, then: { const: "a" }, else: { const: 1 } },
    want: schema({
      kind: "when",
      test: text,
      then: literal("a"),
      otherwise: literal(1),
    }),
  },
  {
    given: {
      then: { const: "a" },
      if: { type: "string" },
      not: { const: 1 },
      oneOf: [{}],
      anyOf: [{}],
      allOf: [{}],
      enum: ["b", "a"],
      const: "a",
    },
    want: and(
      literal("a"),
      values("b", "a"),
      both(unknown),
      union(unknown),
      schema(
        { kind: "one", schemas: [unknown] },
        { kind: "not", schema: literal(1) },
        { kind: "when", test: text, then: literal("a"), otherwise: null },
      ),
    ),
  },
  // A pattern that is not checked accepts too much, so that its negation would
  // reject valid values.
  {
    given: { not: { type: "string", pattern: "(a+)+$" } },
    want: unknown,
    codes: ["MG307", "MG308"],
  },
  // References.
  { given: { $ref: "#/$defs/A" }, want: a },
  { given: { $ref: "#/$defs/A", description: "An A." }, want: a },
  {
    given: { $ref: "#/$defs/A", type: "object", properties: { b: {} } },
    want: and(a, object([optional("b")])),
  },
  { given: { $ref: "#/$defs/A/properties/a" }, want: text },
  { given: { $ref: "#/$defs/A/properties/f" }, want: both(formatted("uri")) },
  // A keyword without its type accepts the values of other types.
  {
    given: { properties: { a: {} } },
    want: members(optional("a")),
    codes: ["MG207"],
  },
  {
    given: { items: { type: "string" } },
    want: schema({ kind: "items", first: [], rest: text }),
    codes: ["MG207"],
  },
  { given: { minimum: 1 }, want: bounded(unknown, 1) },
];

describe("a schema of a schema.json", () => {
  it.each(rows)(
    "is read with each of its keywords: $given",
    ({ given, want, codes = [] }) => {
      const { schema, codes: reported } = schemaOf(given);
      expect(bare(schema)).toEqual(want);
      expect(reported).toEqual(codes);
    },
  );

  it("keeps annotations as notes, which say nothing of its values", () => {
    const notes = {
      title: "T",
      default: "d",
      examples: ["e"],
      $comment: "c",
      readOnly: true,
      writeOnly: true,
    };
    const { schema, codes } = schemaOf({ type: "string", ...notes });
    expect(codes).toEqual([]);
    expect(schema.checks).toEqual(text.checks);
    expect(schema.notes).toEqual(
      Object.entries(notes).map(([keyword, value]) => ({
        keyword,
        value,
        isCondition: false,
      })),
    );
  });
});

it("keywords beside $ref are ignored in draft-07, with a diagnostic", () => {
  const given = {
    $ref: "#/definitions/A",
    type: "object",
    properties: { b: {} },
    description: "An A.",
  };
  const { schema, reports } = schemaOf(given, "draft-07");
  expect(bare(schema)).toEqual(a);
  expect(
    reports.map(({ code, message, hint }) => [code, message, hint]),
  ).toEqual(
    ["type", "properties"].map((name) => [
      "MG207",
      `"${name}" is ignored next to a "$ref" in draft-07`,
      'combine both in an "allOf"',
    ]),
  );
});

it("a member may have the name of a keyword", () => {
  const names = [
    "type",
    "$ref",
    "properties",
    "required",
    "anyOf",
    "const",
    "enum",
    "description",
    "constructor",
  ];
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: "string" }]),
  );
  const { schema, codes } = schemaOf({ type: "object", properties });
  expect(codes).toEqual([]);
  expect(schema).toEqual(object(names.map((name) => optional(name, text))));
});

it("a member may be called __proto__", () => {
  const { protocol, reports } = read(
    '{"$defs": {"X": {"type": "object", "properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"]}}}',
  );
  expect(reports).toEqual([]);
  expect(declarationOf(protocol, "X")).toEqual(
    iface("X", [], [member("__proto__")]),
  );
});

it("the keyword description becomes prose, and deprecated becomes a tag", () => {
  const { protocol } = read(
    file({
      X: {
        type: "object",
        description: " An X. ",
        deprecated: true,
        properties: { a: { description: "An a." } },
      },
    }),
  );
  const { doc, ...own } = iface(
    "X",
    [],
    [optional("a", { ...unknown, doc: { text: "An a.", tags: [] } })],
  ).schema;
  expect(declarationOf(protocol, "X").schema).toEqual({
    ...own,
    doc: { ...doc, text: "An X.", tags: [{ name: "deprecated", text: "" }] },
  });
});

it("the definitions of $defs and definitions are read in the order of the text", () => {
  const { protocol } = read(
    '{"definitions": {"B": true, "A": {"$ref": "#/$defs/C"}}, "$defs": {"C": {"type": "string"}}}',
  );
  expect(
    protocol?.declarations.map(({ name, kind }) => `${kind} ${name}`),
  ).toEqual(["alias B", "alias A", "alias C"]);
});

it.each([
  ["a plain name", "A", "#/$defs/A"],
  [
    "a name with angle brackets, as is",
    "Record<string,string>",
    "#/$defs/Record<string,string>",
  ],
  [
    "a name with angle brackets, percent-encoded",
    "Record<string,string>",
    "#/$defs/Record%3Cstring%2Cstring%3E",
  ],
  ["a slash and a tilde", "a/b~c", "#/$defs/a~1b~0c"],
  ["a space", "a b", "#/$defs/a%20b"],
  ["a magic name", "constructor", "#/$defs/constructor"],
])("a reference to %s is followed", (_, name, $ref) => {
  const { protocol, reports } = read(
    file({ [name]: { type: "string" }, X: { $ref } }),
  );
  expect(reports).toEqual([]);
  expect(declarationOf(protocol, "X")).toEqual(alias("X", reference(name)));
});
