import { describe, expect, it } from "vitest";
import type { Check, Schema } from "../../src/ir/constraint.js";
import { lowerType } from "../../src/ir/lower.js";
import type { Type } from "../../src/ir/model.js";
import { docOf, typeOf } from "../../src/ir/type-of.js";

const text: Type = { kind: "string", format: null, known: [] };
const number: Type = { kind: "number", integer: false, minimum: 0, maximum: 1 };
const doc = { text: "", tags: [] };
const unknown: Type = { kind: "unknown" };

function schemaOf(...checks: Check[]): Schema {
  return { doc, checks };
}

function read(schema: Schema): { type: Type; conflicts: number } {
  let conflicts = 0;
  const targets = new Map<string, string | Schema>([
    ["A", "A"],
    ["#/unnamed", schemaOf({ kind: "type", types: ["boolean"] })],
  ]);
  return { type: typeOf(schema, { targets, onConflict: () => (conflicts += 1) }), conflicts };
}

const types: readonly Type[] = [
  unknown,
  text,
  { ...text, format: "uri" },
  { ...text, known: ["a", "b"] },
  number,
  { kind: "number", integer: true, minimum: null, maximum: null },
  { kind: "boolean" },
  { kind: "literal", value: null, constant: null },
  { kind: "literal", value: "a", constant: null },
  { kind: "array", element: text, maxItems: 3 },
  { kind: "record", member: number },
  { kind: "object", properties: [], rest: null },
  {
    kind: "object",
    properties: [
      { name: "a", optional: false, type: { ...text, format: "uri" }, doc: { text: "An a.", tags: [] } },
      {
        name: "b",
        optional: true,
        type: unknown,
        doc: { text: "", tags: [{ name: "deprecated", text: "" }] },
      },
    ],
    rest: text,
  },
  { kind: "union", members: [text, { kind: "literal", value: null, constant: null }] },
  { kind: "reference", name: "A" },
  { kind: "never" },
];

describe("typeOf", () => {
  it.each(types)("returns the type that was lowered to constraints: %j", (type) => {
    expect(read(lowerType(new Map(), type))).toEqual({ type, conflicts: 0 });
  });
});

const inner = schemaOf({ kind: "type", types: ["string"] });
const wider: readonly (readonly [string, Schema, Type])[] = [
  ["a bound without a type", schemaOf({ kind: "bound", side: "low", value: 1, open: false }), unknown],
  ["a negation", schemaOf({ kind: "not", schema: inner }), unknown],
  ["a value that is an object", schemaOf({ kind: "values", values: ["a", { b: 1 }] }), unknown],
  [
    "items with types of their own",
    schemaOf({ kind: "type", types: ["array"] }, { kind: "items", first: [inner], rest: null }),
    { kind: "array", element: unknown, maxItems: null },
  ],
  [
    "members whose names match a pattern",
    schemaOf(
      { kind: "type", types: ["object"] },
      {
        kind: "members",
        properties: [],
        patterns: [{ pattern: "^x", maxLength: null, schema: inner }],
        rest: inner,
      },
    ),
    { kind: "object", properties: [], rest: null },
  ],
  ["a reference without a target", schemaOf({ kind: "reference", key: "nowhere" }), unknown],
  [
    "a reference to a schema without a name",
    schemaOf({ kind: "reference", key: "#/unnamed" }),
    { kind: "boolean" },
  ],
];

describe("typeOf for a schema that no type expresses exactly", () => {
  it.each(wider)("returns a wider type: %s", (_, schema, type) => {
    expect(read(schema)).toEqual({ type, conflicts: 0 });
  });
});

it("typeOf reports conditions that exclude each other, and keeps the first", () => {
  const schema = schemaOf({ kind: "all", schemas: [inner, schemaOf({ kind: "type", types: ["number"] })] });
  expect(read(schema)).toEqual({ type: text, conflicts: 1 });
});

it("docOf keeps the prose and the tags of a schema except the format, which is part of the type", () => {
  const tags = [
    { name: "deprecated", text: "" },
    { name: "format", text: "uri" },
  ];
  expect(docOf({ doc: { text: "Prose.", tags }, checks: [] })).toEqual({
    text: "Prose.",
    tags: tags.slice(0, 1),
  });
});
