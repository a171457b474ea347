import { describe, expect, it } from "vitest";
import type { Property, Type } from "../../../src/ir/model.js";
import { declarationOf, file, read, typeOf } from "./reading.js";

const doc = { text: "", tags: [] };
const text: Type = { kind: "string", format: null, known: [] };
const number: Type = { kind: "number", integer: false, minimum: null, maximum: null };
const integer: Type = { ...number, integer: true };
const boolean: Type = { kind: "boolean" };
const unknown: Type = { kind: "unknown" };
const anyObject: Type = { kind: "object", properties: [], rest: null };
const literal = (value: string | number | boolean | null): Type => ({
  kind: "literal",
  value,
  constant: null,
});
const reference = (name: string): Type => ({ kind: "reference", name });
const array = (element: Type, maxItems: number | null = null): Type => ({ kind: "array", element, maxItems });
const union = (...members: Type[]): Type => ({ kind: "union", members });
const record = (member: Type): Type => ({ kind: "record", member });
const object = (properties: Property[], rest: Type | null = null): Type => ({
  kind: "object",
  properties,
  rest,
});
const member = (name: string, type: Type, optional = true): Property => ({ name, optional, type, doc });

const rows: readonly { given: unknown; want: Type; codes?: string[] }[] = [
  { given: {}, want: unknown },
  { given: true, want: unknown },
  { given: { description: "Any value." }, want: unknown },
  { given: { type: "string" }, want: text },
  { given: { type: "string", format: "uri" }, want: { ...text, format: "uri" } },
  { given: { type: "number" }, want: number },
  { given: { type: "integer" }, want: integer },
  { given: { type: "number", minimum: 0, maximum: 1 }, want: { ...number, minimum: 0, maximum: 1 } },
  { given: { type: "integer", minimum: 0 }, want: { ...integer, minimum: 0 } },
  { given: { type: "boolean" }, want: boolean },
  { given: { type: "null" }, want: literal(null) },
  { given: { type: "array" }, want: array(unknown) },
  { given: { type: "array", items: { type: "string" }, maxItems: 100 }, want: array(text, 100) },
  { given: { type: "array", items: true }, want: array(unknown) },
  { given: { type: "array", items: { $ref: "#/$defs/A" } }, want: array(reference("A")) },
  // Objects and maps.
  { given: { type: "object" }, want: anyObject },
  { given: { type: "object", properties: {} }, want: anyObject },
  { given: { type: "object", properties: {}, additionalProperties: true }, want: anyObject },
  {
    given: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    want: record(text),
  },
  { given: { type: "object", additionalProperties: {} }, want: record(unknown) },
  { given: { type: "object", additionalProperties: true }, want: record(unknown) },
  { given: { type: "object", additionalProperties: { type: "string" } }, want: record(text) },
  {
    given: { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] },
    want: object([member("a", text, false), member("b", unknown)]),
  },
  {
    given: { type: "object", properties: { a: {} }, additionalProperties: {} },
    want: object([member("a", unknown)], unknown),
  },
  { given: { type: "object", required: ["a"] }, want: object([member("a", unknown, false)]) },
  {
    given: { type: "object", properties: { a: {} }, additionalProperties: false },
    want: object([member("a", unknown)]),
    codes: ["MG206"],
  },
  // Values.
  { given: { const: "ref/prompt" }, want: literal("ref/prompt") },
  { given: { const: -32700, type: "integer" }, want: literal(-32700) },
  { given: { const: null }, want: literal(null) },
  { given: { enum: ["a"] }, want: literal("a") },
  { given: { enum: ["b", "a", "b"], type: "string" }, want: union(literal("b"), literal("a")) },
  {
    given: { enum: ["a", 1, true, null] },
    want: union(literal("a"), literal(1), literal(true), literal(null)),
  },
  // Several types.
  { given: { type: ["string", "integer"] }, want: union(text, integer) },
  {
    given: { type: ["integer", "null"], minimum: 1 },
    want: union({ ...integer, minimum: 1 }, literal(null)),
  },
  { given: { type: ["string"] }, want: text },
  { given: { type: ["integer", "number"] }, want: number },
  {
    given: { type: ["string", "null"], format: "uri" },
    want: union({ ...text, format: "uri" }, literal(null)),
  },
  { given: { type: "string", nullable: true }, want: union(text, literal(null)) },
  { given: { type: "string", nullable: false }, want: text },
  // Alternatives.
  { given: { anyOf: [{ type: "string" }, { $ref: "#/$defs/A" }] }, want: union(text, reference("A")) },
  { given: { anyOf: [{ type: "string" }] }, want: text },
  {
    given: { anyOf: [{ anyOf: [{ type: "string" }, { type: "null" }] }, { type: "boolean" }] },
    want: union(text, literal(null), boolean),
  },
  { given: { anyOf: [{ type: "string" }, {}] }, want: unknown },
  {
    given: { anyOf: [{ const: "a" }, { type: "string" }] },
    want: { ...text, known: ["a"] },
  },
  {
    given: { type: "string", anyOf: [{ const: "a" }, { const: "b" }] },
    want: union(literal("a"), literal("b")),
  },
  {
    given: { oneOf: [{ type: "string" }, { type: "number" }] },
    want: union(text, number),
    codes: ["MG207"],
  },
  // Conjunctions.
  { given: { allOf: [{ $ref: "#/$defs/A" }] }, want: reference("A") },
  { given: { allOf: [{ type: "string" }, {}] }, want: text },
  { given: { allOf: [{ type: "integer" }, { type: "integer" }] }, want: integer },
  {
    given: { type: "object", allOf: [{ $ref: "#/$defs/A" }] },
    want: reference("A"),
  },
  {
    given: { allOf: [{ $ref: "#/$defs/A" }, { type: "object", properties: { b: { type: "string" } } }] },
    want: { kind: "intersection", members: [reference("A"), object([member("b", text)])] },
  },
  {
    given: { type: "object", properties: { b: {} }, allOf: [{ $ref: "#/$defs/A" }] },
    want: { kind: "intersection", members: [object([member("b", unknown)]), reference("A")] },
  },
  { given: { allOf: [{ type: "string" }, { type: "number" }] }, want: text, codes: ["MG206"] },
  // References.
  { given: { $ref: "#/$defs/A" }, want: reference("A") },
  { given: { $ref: "#/$defs/A", description: "An A." }, want: reference("A") },
  {
    given: { $ref: "#/$defs/A", type: "object", properties: { b: {} } },
    want: { kind: "intersection", members: [reference("A"), object([member("b", unknown)])] },
  },
  { given: { $ref: "#/$defs/A/properties/a" }, want: text },
  // A keyword without its type.
  { given: { properties: { a: {} } }, want: object([member("a", unknown)]), codes: ["MG207"] },
  { given: { minimum: 1 }, want: { ...number, minimum: 1 }, codes: ["MG207"] },
  // Annotations say nothing about values.
  {
    given: { type: "string", title: "T", default: "d", examples: ["e"], $comment: "c", readOnly: true },
    want: text,
  },
];

describe("the type of a schema", () => {
  it.each(rows)("has the meaning of its keywords: $given", ({ given, want, codes = [] }) => {
    expect(typeOf(given)).toEqual({ type: want, codes });
  });
});

it("keywords beside $ref are ignored in draft-07, with a diagnostic", () => {
  const schema = { $ref: "#/definitions/A", type: "object", properties: { b: {} }, description: "An A." };
  expect(typeOf(schema, "draft-07")).toEqual({ type: reference("A"), codes: ["MG207", "MG207"] });
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
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const { type, codes } = typeOf({ type: "object", properties });
  expect(codes).toEqual([]);
  expect(type).toEqual(object(names.map((name) => member(name, text))));
});

it("a member may be called __proto__", () => {
  const { protocol, reports } = read(
    '{"$defs": {"X": {"type": "object", "properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"]}}}',
  );
  expect(reports).toEqual([]);
  expect(declarationOf(protocol, "X")).toMatchObject({ properties: [member("__proto__", text, false)] });
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
  expect(declarationOf(protocol, "X")).toEqual({
    kind: "interface",
    name: "X",
    doc: { text: "An X.", tags: [{ name: "deprecated", text: "" }] },
    bases: [],
    properties: [{ name: "a", optional: true, type: unknown, doc: { text: "An a.", tags: [] } }],
    rest: null,
  });
});

it("the definitions of $defs and definitions are read in the order of the text", () => {
  const { protocol } = read(
    '{"definitions": {"B": true, "A": {"$ref": "#/$defs/C"}}, "$defs": {"C": {"type": "string"}}}',
  );
  expect(protocol?.declarations.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    "alias B",
    "alias A",
    "alias C",
  ]);
});

it.each([
  ["a plain name", "A", "#/$defs/A"],
  ["a name with angle brackets, as is", "Record<string,string>", "#/$defs/Record<string,string>"],
  [
    "a name with angle brackets, percent-encoded",
    "Record<string,string>",
    "#/$defs/Record%3Cstring%2Cstring%3E",
  ],
  ["a slash and a tilde", "a/b~c", "#/$defs/a~1b~0c"],
  ["a space", "a b", "#/$defs/a%20b"],
  ["a magic name", "constructor", "#/$defs/constructor"],
])("a reference to %s is followed", (_, name, $ref) => {
  const { protocol, reports } = read(file({ [name]: { type: "string" }, X: { $ref } }));
  expect(reports).toEqual([]);
  expect(declarationOf(protocol, "X")).toMatchObject({ type: reference(name) });
});
