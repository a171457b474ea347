import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/generator/ir/snapshot/model.js";
import { differences } from "./differences.js";
import { runs } from "../whole.js";

describe("the comparison of two schemas", () => {
  const changesOf = (was: Json, is: Json): (readonly string[])[] =>
    differences(was, is, "client").map(({ change, path }) => [change, path]);
  const rows: readonly (readonly [
    title: string,
    was: Json,
    is: Json,
    changes: readonly (readonly string[])[],
  ])[] = [
    [
      "treats a reference and its inlined target as the same",
      { $ref: "#/$defs/A", $defs: { A: { type: "string" } } },
      { type: "string" },
      [["restated", ""]],
    ],
    [
      "treats both spellings of null as the same",
      { type: ["string", "null"] },
      { anyOf: [{ type: "null" }, { type: "string" }] },
      [["restated", ""]],
    ],
    [
      "reports a type that becomes nullable as widened",
      { type: "string" },
      { type: "string", nullable: true },
      [["type-widened", ""]],
    ],
    [
      "reads nullable as the type null",
      { type: "string", nullable: true },
      { type: ["string", "null"] },
      [["restated", ""]],
    ],
    [
      "reports an alternative that is added to a single type",
      { type: "string" },
      { anyOf: [{ type: "string" }, { type: "number" }] },
      [["alternative-added", ""]],
    ],
    [
      "reports a condition if overlapping alternatives become exclusive",
      {
        anyOf: [
          { type: "object", required: ["a"] },
          { type: "object", required: ["b"] },
        ],
      },
      {
        oneOf: [
          { type: "object", required: ["a"] },
          { type: "object", required: ["b"] },
        ],
      },
      [["condition-added", ""]],
    ],
    [
      "reports that a condition is removed if exclusive alternatives may overlap",
      { oneOf: [{ type: "number" }, { type: "integer" }] },
      { anyOf: [{ type: "number" }, { type: "integer" }] },
      [["condition-removed", ""]],
    ],
    [
      "reports that exclusive alternatives inside a union may overlap now",
      {
        anyOf: [
          { oneOf: [{ type: "number" }, { type: "integer" }] },
          { type: "string" },
        ],
      },
      { anyOf: [{ type: "number" }, { type: "integer" }, { type: "string" }] },
      [
        ["alternative-removed", ""],
        ["alternative-added", ""],
        ["alternative-added", ""],
      ],
    ],
    [
      "reports a change of any member of an annotation",
      { type: "object", "x-own": { description: "a" } },
      { type: "object", "x-own": { description: "b" } },
      [
        ["words-changed", ""],
        ["description-changed", ""],
      ],
    ],
    [
      "reports no change from anyOf to oneOf if the alternatives exclude each other",
      {
        type: ["object", "null"],
        anyOf: [tagged("x"), tagged("y"), { type: "null" }],
      },
      {
        type: ["object", "null"],
        oneOf: [tagged("x"), tagged("y"), { type: "null" }],
      },
      [["restated", ""]],
    ],
    [
      "reports a constant that an alternative already accepted as a known value",
      { anyOf: [{ const: "a" }, { type: "string" }] },
      { anyOf: [{ const: "a" }, { const: "b" }, { type: "string" }] },
      [["known-value-added", ""]],
    ],
    [
      "reports a constant that no alternative accepted before",
      { anyOf: [{ const: "a" }, { type: "number" }] },
      { anyOf: [{ const: "a" }, { const: "b" }, { type: "number" }] },
      [["value-added", ""]],
    ],
    [
      "reports only new titles if constants with titles replace an enumeration",
      { type: "string", enum: ["a", "b"] },
      {
        type: "string",
        oneOf: [
          { const: "a", title: "A" },
          { const: "b", title: "B" },
        ],
      },
      [
        ["words-changed", '<"a">'],
        ["words-changed", '<"b">'],
        ["restated", ""],
      ],
    ],
    [
      "reports the value that is added if constants replace an enumeration",
      { enum: ["a", "b"] },
      { anyOf: [{ const: "a" }, { const: "b" }, { const: "c" }] },
      [["value-added", ""]],
    ],
    [
      "reports a narrower range if a limit becomes exclusive",
      { type: "number", minimum: 5 },
      { type: "number", exclusiveMinimum: 5 },
      [["bound-tightened", ""]],
    ],
    [
      "reports no change of range if an exclusive limit is the next integer",
      { type: "integer", minimum: 5, exclusiveMaximum: 9 },
      { type: "integer", exclusiveMinimum: 4, maximum: 8 },
      [["restated", ""]],
    ],
    [
      "reports no change of range for a minimum length of zero",
      { minLength: 0 },
      {},
      [["restated", ""]],
    ],
    [
      "reports constants of another type as a replaced type",
      { const: 1 },
      { const: "1" },
      [["type-replaced", ""]],
    ],
    [
      "finds a change in the target of a reference inside not",
      { not: { $ref: "#/$defs/A" }, $defs: { A: { type: "string" } } },
      { not: { $ref: "#/$defs/A" }, $defs: { A: { type: "number" } } },
      [["condition-changed", ""]],
    ],
    [
      "follows schemas that contain themselves",
      circle("string"),
      circle("number"),
      [["type-replaced", ".value"]],
    ],
    [
      "reports a member whose schema becomes false",
      { properties: { a: {} } },
      { properties: { a: false } },
      [["type-narrowed", ".a"]],
    ],
    [
      "merges the parts of allOf",
      {
        allOf: [
          { properties: { a: { minimum: 1 } } },
          { properties: { a: { maximum: 9 } } },
        ],
      },
      { properties: { a: { minimum: 1, maximum: 5 } } },
      [["bound-tightened", ".a"]],
    ],
    [
      "compares the items of a tuple by position",
      { prefixItems: [{ type: "string" }] },
      { prefixItems: [{ type: "number" }] },
      [["type-replaced", "[0]"]],
    ],
    [
      "reads the tuples of draft-07",
      old([{ type: "string" }]),
      old([{ type: "number" }]),
      [["type-replaced", "[0]"]],
    ],
    [
      "follows a reference to an anchor",
      {
        properties: { a: { $ref: "#id" } },
        $defs: { A: { $anchor: "id", type: "string" } },
      },
      {
        properties: { a: { $ref: "#id" } },
        $defs: { A: { $anchor: "id", type: "number" } },
      },
      [["type-replaced", ".a"]],
    ],
    [
      "follows a reference to an anchor of draft-07",
      {
        properties: { a: { $ref: "#id" } },
        definitions: { A: { $id: "#id", type: "string" } },
      },
      {
        properties: { a: { $ref: "#id" } },
        definitions: { A: { $id: "#id", type: "number" } },
      },
      [["type-replaced", ".a"]],
    ],
    [
      "does not resolve an anchor inside a schema with its own $id",
      {
        $ref: "#id",
        $defs: {
          A: {
            $id: "https://example.com/a",
            $defs: { B: { $anchor: "id", type: "string" } },
          },
        },
      },
      {
        $ref: "#id",
        $defs: {
          A: {
            $id: "https://example.com/a",
            $defs: { B: { $anchor: "id", type: "number" } },
          },
        },
      },
      [["restated", ""]],
    ],
    [
      "reports that other members are rejected",
      {},
      { additionalProperties: false },
      [["other-members-refused", ""]],
    ],
    [
      "reports a changed title and examples as words only",
      { title: "a", examples: [1, 2] },
      { title: "b", examples: [2, 1] },
      [["words-changed", ""]],
    ],
    [
      "reports a new format as a condition",
      {},
      { format: "email" },
      [["condition-added", ""]],
    ],
    [
      "ignores a format next to a reference of draft-07, which replaces it",
      {
        ...old([]),
        $ref: "#/definitions/A",
        format: "email",
        definitions: { A: { type: "string" } },
      },
      {
        ...old([]),
        $ref: "#/definitions/A",
        format: "uri",
        definitions: { A: { type: "string" } },
      },
      [["restated", ""]],
    ],
    [
      "reports a change of a pattern that is not checked, because it may take too long",
      { pattern: "^(a+)+$" },
      { pattern: "^(b+)+$" },
      [["condition-changed", ""]],
    ],
    [
      "reports a change of a condition inside a condition that is not checked",
      { not: { type: "string", pattern: "(a+)+" } },
      { not: { type: "number", pattern: "(a+)+" } },
      [["condition-changed", ""]],
    ],
    [
      "reports a change of a keyword whose value is not valid",
      { properties: { a: { minimum: "1" } } },
      { properties: { a: { minimum: "2" } } },
      [["condition-changed", ".a"]],
    ],
    [
      "reports another reference that has no target",
      { properties: { a: { $ref: "https://example.com/a" } } },
      { properties: { a: { $ref: "https://example.com/b" } } },
      [["condition-changed", ".a"]],
    ],
    [
      "reports a change of members that a condition may allow",
      { unevaluatedProperties: false, anyOf: [{ required: ["a"] }] },
      {
        unevaluatedProperties: { type: "string" },
        anyOf: [{ required: ["a"] }],
      },
      [["condition-changed", ""]],
    ],
    [
      "reports a change of a schema at each of its uses",
      {
        properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } },
        $defs: { A: { type: "string" } },
      },
      {
        properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } },
        $defs: { A: { type: "number" } },
      },
      [
        ["type-replaced", ".a"],
        ["type-replaced", ".b"],
      ],
    ],
    [
      "matches a changed object of a union with the one that shares most of its members",
      { anyOf: [shape("a", "b", "c"), shape("x", "y")] },
      { anyOf: [shape("x", "y", "z"), shape("a", "b")] },
      [
        ["optional-member-removed", "<object>.c"],
        ["optional-member-added", "<object>.z"],
      ],
    ],
    [
      "finds a description behind a reference inside a union",
      { title: "A", properties: { a: nullable("one") } },
      { title: "B", properties: { a: nullable("two") } },
      [
        ["description-changed", ".a<number | string>"],
        ["words-changed", ""],
      ],
    ],
    [
      "finds a description in a part that is compared as a whole",
      { title: "A", not: { description: "one", type: "string" } },
      { title: "B", not: { description: "two", type: "string" } },
      [
        ["words-changed", ""],
        ["description-changed", ""],
      ],
    ],
    [
      "reports a changed keyword that JSON Schema does not define as words only",
      { "x-order": 1, type: "string" },
      { "x-order": 2, type: "string" },
      [["words-changed", ""]],
    ],
    [
      "finds a description that no reference leads to",
      { $defs: { A: { description: "one" } } },
      { $defs: { A: { description: "two" } } },
      [["description-changed", ""]],
    ],
    [
      "compares the items of a tuple next to unevaluatedItems",
      {
        allOf: [{ prefixItems: [{ type: "string" }] }],
        unevaluatedItems: false,
      },
      {
        allOf: [{ prefixItems: [{ type: "number" }] }],
        unevaluatedItems: false,
      },
      [["type-replaced", "[0]"]],
    ],
    [
      "reports another pattern of member names that is not checked",
      { title: "A", patternProperties: { "^(a+)+$": { type: "string" } } },
      { title: "B", patternProperties: { "^(b+)+$": { type: "string" } } },
      [
        ["condition-changed", ""],
        ["words-changed", ""],
      ],
    ],
    [
      "reports a change of a keyword that only the other dialect has",
      { dependencies: { a: ["b"] } },
      { dependencies: { a: ["c"] } },
      [["condition-changed", ""]],
    ],
    [
      "reports that arrays inside a recursive union are restricted",
      {},
      {
        anyOf: [
          { type: ["null", "boolean", "number", "string", "object"] },
          {
            type: "array",
            items: { allOf: [{ $ref: "#" }, { type: "string" }] },
          },
        ],
      },
      [["type-replaced", ""]],
    ],
    [
      "reports a value that only its type excluded before",
      { type: "string", enum: ["a", null] },
      { type: ["string", "null"], enum: ["a", null] },
      [["value-added", ""]],
    ],
    [
      "compares a new member with the rule for all other members",
      { additionalProperties: { type: "string" } },
      {
        properties: { a: { type: "number" } },
        additionalProperties: { type: "string" },
      },
      [
        ["optional-member-added", ".a"],
        ["type-replaced", ".a"],
      ],
    ],
    [
      "reports the value that is added to an enumeration inside a union",
      { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
      { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
      [["value-added", ""]],
    ],
    [
      "treats an enumeration and constants of one type as the same",
      { type: "string", enum: ["a", "b"] },
      { anyOf: [{ const: "a" }, { const: "b" }] },
      [["restated", ""]],
    ],
    [
      "reports a change of a schema that is nested too deeply to be read as too large to compare",
      nested(70, { type: "string" }),
      nested(70, { type: "number" }),
      [["schema-changed", ".a".repeat(65)]],
    ],
    [
      "reports a change at the end of 100 references",
      chained(100, { type: "string" }),
      chained(100, { type: "number" }),
      [["type-replaced", ".a".repeat(100)]],
    ],
    [
      "reports a change at the end of 200 references as too deep to compare",
      chained(200, { type: "string" }),
      chained(200, { type: "number" }),
      [["schema-changed", ".a".repeat(151)]],
    ],
    [
      "reports nothing if nothing changes at the end of 200 references",
      chained(200, { enum: ["a", "b"] }),
      chained(200, { enum: ["b", "a"] }),
      [],
    ],
    [
      "reports no change of the description of a schema that becomes nullable",
      {
        properties: { a: { $ref: "#/$defs/A" } },
        $defs: { A: { type: "object", description: "one" } },
      },
      {
        properties: { a: { anyOf: [{ $ref: "#/$defs/A" }, { type: "null" }] } },
        $defs: { A: { type: "object", description: "one" } },
      },
      [["alternative-added", ".a"]],
    ],
    [
      "treats an alternative that is listed twice as one",
      { anyOf: [{ type: "string" }, { type: "null" }, { type: "string" }] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
      [["restated", ""]],
    ],
    [
      "compares a reference to a list of types with a union",
      { $ref: "#/$defs/A", $defs: { A: { type: ["string", "null"] } } },
      { anyOf: [{ type: "string" }, { type: "null" }, { type: "number" }] },
      [["alternative-added", ""]],
    ],
    [
      "reports objects of a union without common members as removed and added",
      { anyOf: [shape("a"), { type: "string" }] },
      { anyOf: [shape("x"), { type: "string" }] },
      [
        ["alternative-removed", ""],
        ["alternative-added", ""],
      ],
    ],
    [
      "reports a type that replaces any value as narrowed, without its members",
      {},
      { type: "object", properties: { a: {} }, required: ["a"] },
      [["type-narrowed", ""]],
    ],
  ];

  it.each(rows)("%s", (_, was, is, changes) => {
    expect(changesOf(was, is)).toEqual(changes);
    expect(changesOf(was, was)).toEqual([]);
    expect(changesOf(is, is)).toEqual([]);
  });

  it("reports nothing between a schema and the same schema in another order", () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(
          changesOf(schema, JSON.parse(JSON.stringify(schema)) as Json),
        ).toEqual([]);
        expect(changesOf(schema, reversed(schema))).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it("reports every change apart from the order of lists", () => {
    fc.assert(
      fc.property(schemas, schemas, (was, is) => {
        if (sortedText(was) !== sortedText(is))
          expect(changesOf(was, is)).not.toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  const deep = (leaf: Json): Json => {
    let schema = leaf;
    for (let i = 0; i < 400; i++) schema = { properties: { next: schema } };
    return schema;
  };
  it("reports a limit as tighter if it rejects what it accepted, and as looser if it accepts what it rejected", () => {
    // Every range has 0, so that none of them is empty.
    const range = fc.record(
      {
        minimum: fc.constantFrom(-2, -1.5, -1, -0.5, 0),
        exclusiveMinimum: fc.constantFrom(-2, -1.5, -1, -0.5),
        maximum: fc.constantFrom(0, 0.5, 1, 1.5, 2),
        exclusiveMaximum: fc.constantFrom(0.5, 1, 1.5, 2),
      },
      { requiredKeys: [] },
    );
    const accepts = (limits: object, type: string, value: number): boolean => {
      const {
        minimum = -9,
        exclusiveMinimum = -9,
        maximum = 9,
        exclusiveMaximum = 9,
      } = limits as Readonly<Record<string, number>>;
      return (
        value >= minimum &&
        value > exclusiveMinimum &&
        value <= maximum &&
        value < exclusiveMaximum &&
        (type === "number" || Number.isInteger(value))
      );
    };
    const numbers = Array.from({ length: 25 }, (_, i) => (i - 12) / 4);
    fc.assert(
      fc.property(
        fc.constantFrom("number", "integer"),
        range,
        range,
        (type, was, is) => {
          const changes = new Set(
            changesOf({ type, ...was }, { type, ...is }).map(
              ([change]) => change,
            ),
          );
          const isLost = numbers.some(
            (one) => accepts(was, type, one) && !accepts(is, type, one),
          );
          const isNew = numbers.some(
            (one) => !accepts(was, type, one) && accepts(is, type, one),
          );
          expect([
            changes.has("bound-tightened"),
            changes.has("bound-loosened"),
          ]).toEqual([isLost, isNew]);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it.each([
    [60, [120, 0]],
    [61, [61, 1]],
  ])(
    "reports the second use of a schema with very many differences as one: with %i, %j",
    (count, want) => {
      const names = Array.from({ length: count }, (_, i) => `m${i}`);
      const used = (type: string): Json => ({
        properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } },
        $defs: {
          A: {
            properties: Object.fromEntries(
              names.map((name) => [name, { type }]),
            ),
          },
        },
      });
      const changes = changesOf(used("string"), used("number"));
      const tooLarge = changes.filter(
        ([change]) => change === "schema-changed",
      );
      expect([changes.length - tooLarge.length, tooLarge.length]).toEqual(want);
    },
  );

  it("terminates on schemas that are deep", () => {
    expect(
      changesOf(deep({ type: "string" }), deep({ type: "number" })),
    ).toHaveLength(1);
  });

  it("terminates on a chain of references", () => {
    const size = runs(3000);
    const chain = (leaf: string): Json => {
      const names = Array.from({ length: size }, (_, i) => [
        `D${i}`,
        { properties: { next: { $ref: `#/$defs/D${i + 1}` } } },
      ]);
      return {
        $ref: "#/$defs/D0",
        $defs: { ...Object.fromEntries(names), [`D${size}`]: { type: leaf } },
      };
    };
    expect(changesOf(chain("string"), chain("number"))).toHaveLength(1);
  });

  it("terminates on references whose paths double with each", () => {
    const doubling = (leaf: string): Json => {
      const either = (name: string): Json => ({
        anyOf: [
          { $ref: name },
          { $ref: name },
          { items: { $ref: name } },
          { additionalProperties: { $ref: name } },
        ],
      });
      const names = Array.from({ length: 40 }, (_, i) => [
        `D${i}`,
        either(`#/$defs/D${i + 1}`),
      ]);
      return {
        $ref: "#/$defs/D0",
        $defs: { ...Object.fromEntries(names), D40: { type: leaf } },
      };
    };
    expect(
      changesOf(doubling("string"), doubling("number")).length,
    ).toBeGreaterThan(0);
  });

  it("terminates on a schema with many parts that refer to itself", () => {
    const parts = (leaf: string): Json => ({
      allOf: [
        ...Array.from({ length: runs(1_600) }, () => ({
          properties: { a: { $ref: "#" } },
        })),
        { properties: { leaf: { type: leaf } } },
      ],
    });
    expect(changesOf(parts("string"), parts("number"))).toEqual([
      ["type-replaced", ".leaf"],
    ]);
  });

  it("terminates on many uses of a union of many constants", () => {
    const constants = (prefix: string): Json => {
      const list = Array.from({ length: runs(1_000) }, (_, i) => ({
        const: `${prefix}${i}`,
      }));
      const uses = Array.from({ length: 300 }, (_, i) => [
        `m${i}`,
        { allOf: [{ $ref: "#/$defs/U" }] },
      ]);
      return {
        properties: Object.fromEntries(uses),
        $defs: { U: { anyOf: list } },
      };
    };
    expect(changesOf(constants("a"), constants("b")).length).toBeGreaterThan(0);
  });

  it("terminates on branches that refer to each other", () => {
    const bush = (leaf: string): Json => ({
      allOf: [branch("a"), branch("b")],
      $defs: { leaf: { type: leaf } },
    });
    expect(changesOf(bush("string"), bush("number")).length).toBeGreaterThan(0);
  });
});

function branch(name: string): Json {
  return {
    properties: {
      [name]: { $ref: "#" },
      both: { $ref: "#" },
      leaf: { $ref: "#/$defs/leaf" },
    },
  };
}

function circle(type: string): Json {
  return {
    type: "object",
    properties: { value: { type }, next: { $ref: "#" } },
  };
}

function old(items: Json): { readonly [name: string]: Json } {
  return { $schema: "http://json-schema.org/draft-07/schema#", items };
}

const { schemas } = fc.letrec<{ schemas: Json }>((tie) => {
  const depth = { depthIdentifier: fc.createDepthIdentifier(), maxDepth: 3 };
  const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(arbitrary, { nil: undefined, freq: 1 });
  const inner = fc.option(tie("schemas"), {
    ...depth,
    nil: undefined,
    freq: 1,
  });
  const types = fc.constantFrom("string", "number", "object", "array", "null");
  const names = fc.constantFrom("a", "b", "c");
  return {
    schemas: fc
      .record({
        type: some(fc.uniqueArray(types, { minLength: 1 })),
        enum: some(
          fc.uniqueArray(fc.constantFrom("x", "y", 1, null), { minLength: 1 }),
        ),
        minimum: some(fc.integer({ min: 0, max: 3 })),
        pattern: some(fc.constantFrom("^a", "b$")),
        required: some(fc.uniqueArray(names)),
        properties: some(fc.record({ a: inner, b: inner })),
        items: inner,
        anyOf: some(fc.tuple(inner, inner)),
        not: inner,
        additionalProperties: some(fc.constant(false)),
        description: some(fc.constantFrom("one", "two")),
      })
      .map((record) => plain(record)),
  };
});

/** The record without undefined members, and without an empty anyOf. */
function plain(record: object): Json {
  const { anyOf, ...others } = record as {
    readonly anyOf?: readonly unknown[];
  };
  const choices = (anyOf ?? []).filter((choice) => choice !== undefined);
  const whole = choices.length === 0 ? others : { ...others, anyOf: choices };
  return JSON.parse(JSON.stringify(whole)) as Json;
}

/** The same schema with its members and lists in reverse order. */
function reversed(value: Json): Json {
  if (Array.isArray(value))
    return (value as readonly Json[]).map(reversed).reverse();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reversed(member as Json)] as const)
      .reverse(),
  );
}

/**
 * A text that is equal for schemas that differ only in the order of their
 * members and lists.
 */
function sortedText(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map(sortedText).sort().join()}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${name}:${sortedText(member as Json)}`,
  );
  return `{${members.sort().join()}}`;
}

function shape(...names: readonly string[]): Json {
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [name, { type: "string" }]),
    ),
  };
}

function nullable(description: string): Json {
  return {
    anyOf: [
      { description, anyOf: [{ type: "string" }, { type: "number" }] },
      { type: "null" },
    ],
  };
}

function nested(levels: number, leaf: Json): Json {
  let schema = leaf;
  for (let i = 0; i < levels; i++) schema = { properties: { a: schema } };
  return schema;
}

/** A member below a member below …, each with a schema of its own name. */
function chained(steps: number, leaf: Json): Json {
  const next = (i: number): Json => ({ $ref: `#/$defs/d${i}` });
  const defs = Array.from({ length: steps }, (_, i) => [
    `d${i}`,
    i === steps - 1 ? leaf : { properties: { a: next(i + 1) } },
  ]);
  const $defs = Object.fromEntries(defs) as Record<string, Json>;
  return { properties: { a: next(0) }, $defs };
}

function tagged(kind: string): Json {
  return {
    type: "object",
    properties: { kind: { const: kind } },
    required: ["kind"],
  };
}
