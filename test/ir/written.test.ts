import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accepts,
  validationOf,
} from "../../src/generator/ir/constraint/accepts.js";
import { anything, type Check } from "../../src/generator/ir/constraint.js";
import { jsonOf } from "../../src/generator/ir/constraint/json-schema.js";
import { byCodePoint, type Json } from "../../src/generator/ir/json.js";
import { matches } from "../../src/generator/ir/json/value.js";
import { readText, snapshotOf } from "../stubs/project.js";

/** A tool's schema as it is read, and written again. */
async function rewritten(inputSchema: object): Promise<unknown> {
  const { snapshot } = await readText(
    snapshotOf({ tools: [{ name: "t", inputSchema }] }),
  );
  const [definition] = snapshot?.definitions ?? [];
  return definition && jsonOf(definition.schema);
}

describe("a schema that is read and written", () => {
  it.each([
    { type: "string", minLength: 1, maxLength: 2, pattern: "^a" },
    { minimum: 1, maximum: 3 },
    { exclusiveMinimum: 0, exclusiveMaximum: 4, multipleOf: 2 },
    { type: ["null", "number"], enum: [1, null], const: 1 },
    {
      prefixItems: [{ type: "null" }],
      items: false,
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      contains: { const: 1 },
      minContains: 2,
      maxContains: 3,
    },
    {
      required: ["a"],
      properties: { a: {} },
      patternProperties: { "^b": { type: "null" } },
      additionalProperties: false,
      propertyNames: { pattern: "^[ab]" },
      minProperties: 1,
      maxProperties: 2,
    },
    { dependentRequired: { a: ["b"], c: ["d", "e"] } },
    { dependentSchemas: { a: { required: ["b"] }, c: { minProperties: 1 } } },
    {
      dependentRequired: { a: ["b"] },
      dependentSchemas: { a: { required: ["c"] } },
    },
    {
      anyOf: [{ type: "null" }, { type: "string" }],
      oneOf: [{ minLength: 1 }, { type: "null" }],
      not: { const: 1 },
    },
    { if: { const: 1 }, then: { type: "null" }, else: false },
    {
      allOf: [
        { dependentRequired: { a: ["b"] } },
        { dependentRequired: { a: ["c"] } },
      ],
    },
  ])("is the same: %j", async (schema) => {
    expect(await rewritten(schema)).toEqual(schema);
  });

  const dependent = (member: string, name: string): Check => ({
    kind: "dependent",
    member,
    names: [name],
    schema: null,
  });
  const pattern = (source: string): Check => ({
    kind: "pattern",
    source,
    maxLength: null,
  });

  it.each<[checks: readonly Check[], want: object]>([
    [
      [dependent("a", "b"), dependent("c", "d"), dependent("a", "e")],
      {
        dependentRequired: { a: ["b"], c: ["d"] },
        allOf: [{ dependentRequired: { a: ["e"] } }],
      },
    ],
    [
      [pattern("a"), pattern("b"), pattern("c")],
      { pattern: "a", allOf: [{ pattern: "b" }, { pattern: "c" }] },
    ],
  ])("has a second value of a keyword behind the first: %#", (checks, want) => {
    expect(jsonOf({ ...anything, checks })).toEqual(want);
  });
});

describe("a value", () => {
  it("does not match a pattern if it is longer than the limit, or too long for the engine", () => {
    const source = "^(?:a|b)*$";
    const long = "a".repeat(20_000_000);
    expect(
      ["", "ab", "aba", "abc"].map((text) =>
        matches({ source, maxLength: 2 }, text),
      ),
    ).toEqual([true, true, false, false]);
    expect(matches({ source, maxLength: null }, "abab")).toBe(true);
    expect(matches({ source, maxLength: null }, long)).toBe(false);
    expect(matches({ source: "(", maxLength: null }, "(")).toBe(false);
  });

  it("is refused by a schema that costs too much", async () => {
    const inputSchema = { type: "array", items: { $ref: "#" } };
    const { snapshot } = await readText(
      snapshotOf({ tools: [{ name: "t", inputSchema }] }),
    );
    const [definition] = snapshot?.definitions ?? [];
    if (definition === undefined) throw new Error("the schema is not read");
    const definitions = new Map([[definition.key, definition]]);
    const fits = (levels: number, budget: number): boolean => {
      const value = JSON.parse("[".repeat(levels) + "]".repeat(levels)) as Json;
      const validation = validationOf(definitions, budget);
      return accepts(validation, definition.schema, value);
    };
    // Two checks for the list, and one more with its items for each level.
    expect([fits(1, 2), fits(1, 1), fits(2, 5), fits(2, 4)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([fits(101, 1000), fits(102, 1000)]).toEqual([true, false]);
  });
});

describe("the order of texts", () => {
  const texts = [
    "",
    "a",
    "aa",
    "b",
    "\uffee",
    "\u{1f600}",
    "\u{1f600}a",
    "\u{1f601}",
  ];

  it("is that of their code points", () => {
    for (const [i, one] of texts.entries())
      for (const [j, other] of texts.entries())
        expect(Math.sign(byCodePoint(one, other))).toBe(Math.sign(i - j));
  });

  it("is that of UTF-32 for any texts", () => {
    const units = fc.constantFrom("a", "b", "\uffee", "\u{1f600}", "\u{1f601}");
    const text = fc.string({ unit: units, maxLength: 4 });
    const codes = (of: string): string =>
      [...of]
        .map((one) => (one.codePointAt(0) ?? 0).toString(16).padStart(6, "0"))
        .join("");
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [codes(one), codes(other)];
        expect(Math.sign(byCodePoint(one, other))).toBe(
          a === b ? 0 : a < b ? -1 : 1,
        );
      }),
    );
  });
});
