import { describe, expect, it } from "vitest";
import type { Json } from "../../src/generator/ir/snapshot/model.js";
import { differences } from "./differences.js";

const text = { type: "string" };
const object = (
  properties: Json,
  required: readonly string[],
  rest?: Json,
): Json => ({
  type: "object",
  properties,
  required,
  ...(rest !== undefined && { additionalProperties: rest }),
});
const ab = { a: text, b: text };
const nothing = { type: "null" };
const number = { type: "number" };
/** Objects that their kind tells apart, if every object has one. */
const kinds = (type: Json, required: readonly string[]): readonly Json[] =>
  ["x", "y"].map((kind) => ({
    type,
    properties: { kind: { const: kind } },
    required,
  }));
/** A union of objects whose members have these names and a number. */
const objects = (count: number, ...names: readonly string[]): Json => ({
  anyOf: Array.from({ length: count }, (_, i) =>
    object(Object.fromEntries(names.map((name) => [`${name}${i}`, text])), []),
  ),
});
const overlap = "a value may match only one alternative";

/** What is told of a change to the side that sends the value. */
function told(was: Json, is: Json, sender: "client" | "server"): string[] {
  return differences(was, is, sender).map(
    ({ change, path, before, after, shift = "" }) =>
      `${change} ${path}: ${before} → ${after} ${shift}`.trim(),
  );
}

/** Both schemas, and what each side is told; the server the same without more. */
type Row = [
  was: Json,
  is: Json,
  client: readonly string[],
  server?: readonly string[],
];
const rows: Row[] = [
  // Members that go.
  [
    object(ab, ["a", "b"]),
    object({ b: text }, ["b"]),
    ["required-member-removed .a: string → null other"],
    ["required-member-removed .a: string → null"],
  ],
  [
    object(ab, ["b"]),
    object({ b: text }, ["b"]),
    ["optional-member-removed .a: string → null narrower"],
    ["optional-member-removed .a: string → null wider"],
  ],
  [
    object(ab, ["a"], false),
    object({ b: text }, [], false),
    ["required-member-removed .a: string → null other"],
  ],
  [
    object(ab, [], false),
    object({ b: text }, [], false),
    ["optional-member-removed .a: string → null narrower"],
  ],
  [
    object(ab, []),
    object({ b: text }, [], { type: "number" }),
    [
      "optional-member-removed .a: string → null narrower",
      "type-replaced .a: string → number",
      "type-narrowed {}: any → number",
    ],
    [
      "optional-member-removed .a: string → null wider",
      "type-replaced .a: string → number",
      "type-narrowed {}: any → number",
    ],
  ],
  // Members that come.
  [
    object({ b: text }, []),
    object(ab, []),
    ["optional-member-added .a: null → string"],
  ],
  [
    object({ b: text }, []),
    object(ab, ["a"]),
    ["required-member-added .a: null → string"],
  ],
  [
    object({ b: text }, [], false),
    object(ab, [], false),
    ["optional-member-added .a: null → string wider"],
  ],
  [
    object({ b: text }, [], false),
    object(ab, ["a"], false),
    ["required-member-added .a: null → string other"],
  ],
  // Annotations.
  [text, { ...text, deprecated: true }, ["deprecation-changed : null → true"]],
  [{ ...text, deprecated: true }, text, ["deprecation-changed : true → null"]],
  [
    { ...text, default: "a" },
    { type: ["string", "null"], default: "b" },
    ["type-widened : string → null | string", "default-changed : a → b"],
  ],
  [
    { ...text, title: "A", examples: ["a", "b"] },
    {
      anyOf: [{ ...text, title: "B", examples: ["b", "a"] }, { type: "null" }],
    },
    ["alternative-added : null → null", "words-changed : title A → title B"],
  ],
  [
    {
      anyOf: [{ ...text, title: "A" }, { type: "null" }],
    },
    { ...text, title: "A" },
    ["alternative-removed : null → null"],
  ],
  [
    { title: "A", anyOf: [text, { type: "null" }] },
    { ...text, title: "B" },
    ["alternative-removed : null → null", "words-changed : title A → title B"],
  ],
  [
    { allOf: [{ title: "A" }, { title: "B" }] },
    { title: "C" },
    [
      'words-changed : title ["A","B"] → title C',
      "restated : null → null harmless",
    ],
  ],
  [
    { ...text, description: "x" },
    { ...text, description: "y" },
    ["description-changed : x → y"],
  ],
  // What no type shows.
  [
    { ...text, $defs: { a: { description: "x" }, b: { description: "y" } } },
    { ...text, $defs: { a: { description: "z" }, b: { description: "y" } } },
    ["description-changed : x → z"],
  ],
  [
    text,
    { ...text, $defs: { a: { description: "x" } } },
    ["description-changed : null → x"],
  ],
  [{ allOf: [text] }, text, ["restated : null → null harmless"]],
  [{ ...text, examples: [1, 2] }, { examples: [2, 1], ...text }, []],
  [
    { $defs: { a: { description: "a" }, b: { description: "b" } } },
    { $defs: { a: { description: "c" }, b: { description: "d" } } },
    ["description-changed : a; b → c; d"],
  ],
  [
    { allOf: [text], $defs: { a: { description: "x" } } },
    { ...text, $defs: { a: { description: "y" } } },
    ["description-changed : x → y", "restated : null → null harmless"],
  ],
  [
    {
      title: "A",
      allOf: [{ title: "B", allOf: [{ title: "D" }] }, { title: "C" }],
    },
    { title: "A" },
    [
      'words-changed : title ["A","B","C","D"] → title A',
      "restated : null → null harmless",
    ],
  ],
  // Values and conditions.
  [text, { ...text, enum: ["b", "a"] }, ['values-listed : null → "a" | "b"']],
  [
    { minLength: 2, allOf: [{ minLength: 3 }] },
    { minLength: 3 },
    ["restated : null → null harmless"],
  ],
  [
    { pattern: "^a", multipleOf: 2 },
    { pattern: "^b", multipleOf: 3 },
    [
      "condition-changed : multipleOf 2 → multipleOf 3",
      "condition-changed : pattern ^a → pattern ^b",
    ],
  ],
  [
    {},
    { patternProperties: { "^a": text } },
    ['condition-added : null → patternProperties {"^a":{"type":"string"}}'],
  ],
  // Unions.
  [
    {
      anyOf: [{ minimum: 1 }, { maxLength: 1 }],
      allOf: [{ anyOf: [{ minimum: 2 }, { maxLength: 2 }] }],
    },
    {
      anyOf: [{ minimum: 1 }, { maxLength: 1 }],
      allOf: [{ anyOf: [{ minimum: 3 }, { maxLength: 2 }] }],
    },
    [
      'condition-removed : {"anyOf":[{"maxLength":2},{"minimum":2}]} → null',
      'condition-added : null → {"anyOf":[{"maxLength":2},{"minimum":3}]}',
    ],
  ],
  [
    {
      ...number,
      anyOf: [{ type: ["number", "string"] }, { type: ["string"] }],
    },
    {
      ...number,
      oneOf: [{ type: ["number", "string"] }, { type: ["string"] }],
    },
    ["restated : null → null harmless"],
  ],
  // Of two alternatives with the same members, the one is meant that has more of
  // the same types.
  [
    {
      anyOf: [
        object({ a: text, b: text }, ["a", "b"]),
        object({ a: number, b: number }, ["a", "b"]),
      ],
    },
    {
      anyOf: [
        object({ a: number, b: number, c: number }, ["a", "b", "c"]),
        object({ a: text, b: text, c: text }, ["a", "b", "c"]),
      ],
    },
    [
      "required-member-added <object>.c: null → string",
      "required-member-added <object>.c: null → number",
    ],
  ],
  [
    { anyOf: kinds("object", ["kind"]) },
    { oneOf: kinds("object", ["kind"]) },
    ["restated : null → null harmless"],
  ],
  [
    { anyOf: kinds("object", []) },
    { oneOf: kinds("object", []) },
    [`condition-added : null → ${overlap}`],
  ],
  [
    { anyOf: kinds(["object", "null"], ["kind"]) },
    { oneOf: kinds(["object", "null"], ["kind"]) },
    [`condition-added : null → ${overlap}`],
  ],
  [
    { oneOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] },
    { anyOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] },
    [`condition-removed : ${overlap} → null`],
  ],
  [
    { oneOf: [number, { type: "integer" }] },
    { oneOf: [number, number] },
    [
      'condition-changed : {"oneOf":[{"type":"integer"},{"type":"number"}]} → {"oneOf":[{"type":"number"},{"type":"number"}]}',
      "type-widened <number>: integer → number",
    ],
  ],
  [
    { enum: ["a"] },
    { anyOf: [text, number] },
    ["alternative-added : null → string", "alternative-added : null → number"],
  ],
  [
    { anyOf: [text, number] },
    { enum: ["a"] },
    [
      "alternative-removed : string → null",
      "alternative-removed : number → null",
    ],
  ],
  [
    {
      title: "X",
      anyOf: [
        { ...text, title: "A" },
        { ...text, title: "B" },
      ],
    },
    {
      title: "Y",
      anyOf: [
        { ...text, title: "A" },
        { ...text, title: "B" },
      ],
    },
    ["words-changed : title X → title Y"],
  ],
  [
    { anyOf: [{ const: "a" }, number] },
    { anyOf: [{ const: "a", pattern: "b" }, number] },
    ['value-removed : "a" → null', 'value-added : null → "a"'],
  ],
  [
    { anyOf: [text, nothing] },
    { anyOf: [text, nothing, { title: "A", enum: ["a", 1] }] },
    ["alternative-added : null → number | string"],
  ],
  [
    { anyOf: [{ const: "a" }, nothing] },
    { anyOf: [{ title: "A", enum: ["a", "b"] }, nothing] },
    [
      'value-added <string>: null → "b"',
      "words-changed <string>: null → title A",
    ],
  ],
  [
    { anyOf: [text, nothing] },
    {
      anyOf: [text, nothing, object({ z: { const: 1 }, a: { const: 2 } }, [])],
    },
    ["alternative-added : null → object with a: 2, z: 1"],
  ],
  [
    { ...text, anyOf: [{ const: "a" }, { minLength: 3 }] },
    { ...text, anyOf: [{ const: "a" }, { minLength: 4 }] },
    ["bound-tightened <any>: minLength 3 → minLength 4"],
  ],
  [
    { ...text, anyOf: [{ const: "a", pattern: "^a" }, { const: "b" }] },
    { enum: ["a", "b"] },
    ['value-removed : "a" → null', 'value-added : null → "a"'],
  ],
  [
    {
      anyOf: [
        { ...text, oneOf: ["a", "a", "b"].map((value) => ({ const: value })) },
        nothing,
      ],
    },
    { anyOf: [{ const: "a" }, { const: "b" }, nothing] },
    [
      "alternative-removed : string → null",
      'value-added : null → "a"',
      'value-added : null → "b"',
    ],
  ],
  [
    {},
    {
      anyOf: [
        { type: ["null", "boolean", "number", "string", "object"] },
        { type: "array", items: { $ref: "#", type: "string" } },
      ],
    },
    ["type-replaced : any → any"],
  ],
  // The alternatives of larger unions are not compared with each other.
  [
    objects(20, "a", "b"),
    objects(20, "a", "b", "c"),
    Array.from(
      { length: 20 },
      (_, i) => `optional-member-added <object>.c${i}: null → string`,
    ),
  ],
  [
    objects(20, "a", "b"),
    objects(21, "a", "b", "c"),
    ["type-replaced : object → object"],
  ],
];

describe("a change of a schema", () => {
  it.each<Row>(rows)(
    "is reported to the side that sends the value: from %j to %j",
    (was, is, client, server = client) => {
      expect(told(was, is, "client")).toEqual(client);
      expect(told(was, is, "server")).toEqual(server);
    },
  );
});
