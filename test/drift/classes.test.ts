import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  acknowledge,
  compareSnapshots,
  renderDriftsMarkdown,
  renderDriftsText,
  rowOf,
  type Drift,
  type SnapshotComparison,
} from "../../src/ir/snapshot/diff/index.js";
import { compareSchemas } from "../../src/ir/snapshot/diff/schema/index.js";
import { keyOf } from "../../src/ir/snapshot/diff/schema/parts.js";
import type { Json } from "../../src/ir/snapshot/model.js";
import { readText } from "../stubs/project.js";
import { base, planted, reordered, withDrift } from "./planted.js";

async function compared(a: string, b: string): Promise<SnapshotComparison> {
  const [before, after] = [await readText(a), await readText(b)];
  if (before.snapshot === null || after.snapshot === null) throw new Error("A snapshot cannot be read.");
  return compareSnapshots(before.snapshot, after.snapshot);
}

function place({ subject, path }: Drift): string {
  return [subject.kind, subject.name, path].filter((part) => part !== "").join(" ");
}

describe("a drift", () => {
  it.each(planted)("is found and judged: $title", async (row) => {
    const { drifts } = await compared(base, withDrift(row));
    const told = drifts.map((drift) => [drift.change, place(drift), drift.callers, drift.implementers]);
    expect(told).toEqual([[row.change, row.at, row.callers, row.implementers]]);
    expect(drifts.every(({ review }) => review === (row.callers === "safety"))).toBe(true);
  });

  it("is not found if a server only reorders its lists", async () => {
    expect((await compared(base, reordered())).drifts).toEqual([]);
    expect((await compared(base, base)).drifts).toEqual([]);
  });

  it("breaks the other side when it is undone", async () => {
    for (const row of planted) {
      if ((row.callers === "breaking") === (row.implementers === "breaking")) continue;
      // An argument that is gone breaks its callers even where it is ignored; a later revision breaks nobody.
      if (/^(optional|required)-member-(added|removed)$|^revision-/.test(row.change)) continue;
      const [drift] = (await compared(withDrift(row), base)).drifts;
      expect([row.title, drift?.callers === "breaking"]).toEqual([
        row.title,
        row.implementers === "breaking",
      ]);
    }
  });

  it("is accepted by a row that says exactly what changed, and by no other", async () => {
    const { drifts } = await compared(base, withDrift(planted[9] ?? never()));
    const rows = drifts.map(rowOf);
    expect(acknowledge(drifts, rows)).toEqual({ open: [], accepted: drifts, idle: [] });
    const others = rows.map((row) => ({ ...row, is: '"charts"' }));
    expect(acknowledge(drifts, others)).toEqual({ open: drifts, accepted: [], idle: others });
  });

  it("cannot break out of the Markdown that reports it", async () => {
    const hostile = "`` \\\\| <img src=x> \u202e\n# title";
    const changed = base.replace("Finds books by their words.", JSON.stringify(hostile).slice(1, -1));
    const comparison = await compared(base, changed);
    const text = renderDriftsMarkdown(comparison);
    expect(text.split("\n").filter((line) => line.includes("img"))).toHaveLength(1);
    // A backslash before the bar would make the bar the end of the cell, had it been escaped with another one.
    expect(text).toContain("&#96;&#96; &#92;&#92;&#124; &#60;img src=x&#62;");
    expect(text.split("\n").filter((line) => line.startsWith("|") && line.split("|").length !== 6)).toEqual(
      [],
    );
    expect(text).not.toContain("\u202e");
    expect(renderDriftsText(comparison)).not.toContain("\u202e");
  });
});

function tagged(kind: string): Json {
  return { type: "object", properties: { kind: { const: kind } }, required: ["kind"] };
}

function never(): never {
  throw new Error("There are not that many.");
}

describe("comparing schemas", () => {
  const said = (was: Json, is: Json): (readonly string[])[] =>
    compareSchemas(was, is, "input", "words").map(({ change, path }) => [change, path]);
  const rows: readonly (readonly [
    title: string,
    was: Json,
    is: Json,
    told: readonly (readonly string[])[],
  ])[] = [
    [
      "follows a reference that was written out",
      { $ref: "#/$defs/A", $defs: { A: { type: "string" } } },
      { type: "string" },
      [["restated", ""]],
    ],
    [
      "tells two spellings of null as one",
      { type: ["string", "null"] },
      { anyOf: [{ type: "null" }, { type: "string" }] },
      [["restated", ""]],
    ],
    [
      "takes a choice of one and more for a choice",
      { type: "string" },
      { anyOf: [{ type: "string" }, { type: "number" }] },
      [["alternative-added", ""]],
    ],
    [
      "finds that only one of several overlapping alternatives may fit",
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
      "finds that several overlapping alternatives may fit",
      { oneOf: [{ type: "number" }, { type: "integer" }] },
      { anyOf: [{ type: "number" }, { type: "integer" }] },
      [["condition-removed", ""]],
    ],
    [
      "reports no break where types and required constants keep alternatives apart",
      { type: ["object", "null"], anyOf: [tagged("x"), tagged("y"), { type: "null" }] },
      { type: ["object", "null"], oneOf: [tagged("x"), tagged("y"), { type: "null" }] },
      [["restated", ""]],
    ],
    [
      "reports nothing added where an alternative already accepts the constant",
      { anyOf: [{ const: "a" }, { type: "string" }] },
      { anyOf: [{ const: "a" }, { const: "b" }, { type: "string" }] },
      [["restated", ""]],
    ],
    [
      "reports a constant that no alternative accepted before",
      { anyOf: [{ const: "a" }, { type: "number" }] },
      { anyOf: [{ const: "a" }, { const: "b" }, { type: "number" }] },
      [["alternative-added", ""]],
    ],
    [
      "reports only the titles of constants that replace an enumeration",
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
      "reports the value that constants add to an enumeration",
      { enum: ["a", "b"] },
      { anyOf: [{ const: "a" }, { const: "b" }, { const: "c" }] },
      [["alternative-added", ""]],
    ],
    [
      "reports only a narrower range where a limit becomes exclusive",
      { type: "number", minimum: 5 },
      { type: "number", exclusiveMinimum: 5 },
      [["bound-tightened", ""]],
    ],
    [
      "reports no change of range where an exclusive limit is the next integer",
      { type: "integer", minimum: 5, exclusiveMaximum: 9 },
      { type: "integer", exclusiveMinimum: 4, maximum: 8 },
      [["restated", ""]],
    ],
    ["reports no change of range for a size of zero", { minLength: 0 }, {}, [["restated", ""]]],
    ["takes constants for types", { const: 1 }, { const: "1" }, [["type-replaced", ""]]],
    [
      "finds a change behind a condition",
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
      "refuses what is false",
      { properties: { a: {} } },
      { properties: { a: false } },
      [["condition-added", ".a"]],
    ],
    [
      "puts parts together",
      { allOf: [{ properties: { a: { minimum: 1 } } }, { properties: { a: { maximum: 9 } } }] },
      { properties: { a: { minimum: 1, maximum: 5 } } },
      [["bound-tightened", ".a"]],
    ],
    [
      "compares tuples place by place",
      { prefixItems: [{ type: "string" }] },
      { prefixItems: [{ type: "number" }] },
      [["type-replaced", "[0]"]],
    ],
    [
      "reads the tuples of the older drafts",
      old([{ type: "string" }]),
      old([{ type: "number" }]),
      [["type-replaced", "[0]"]],
    ],
    [
      "follows a reference to an anchor",
      { properties: { a: { $ref: "#id" } }, $defs: { A: { $anchor: "id", type: "string" } } },
      { properties: { a: { $ref: "#id" } }, $defs: { A: { $anchor: "id", type: "number" } } },
      [["type-replaced", ".a"]],
    ],
    [
      "follows a reference to an anchor of draft-07",
      { properties: { a: { $ref: "#id" } }, definitions: { A: { $id: "#id", type: "string" } } },
      { properties: { a: { $ref: "#id" } }, definitions: { A: { $id: "#id", type: "number" } } },
      [["type-replaced", ".a"]],
    ],
    [
      "leaves an anchor inside a schema with an identifier of its own to that schema",
      {
        $ref: "#id",
        $defs: { A: { $id: "https://example.com/a", $defs: { B: { $anchor: "id", type: "string" } } } },
      },
      {
        $ref: "#id",
        $defs: { A: { $id: "https://example.com/a", $defs: { B: { $anchor: "id", type: "number" } } } },
      },
      [],
    ],
    ["sees other members refused", {}, { additionalProperties: false }, [["other-members-refused", ""]]],
    [
      "tells words apart from conditions",
      { title: "a", examples: [1, 2] },
      { title: "b", examples: [2, 1] },
      [["words-changed", ""]],
    ],
    ["knows what a format is for", {}, { format: "email" }, [["condition-added", ""]]],
  ];

  it.each(rows)("%s", (_, was, is, told) => {
    expect(said(was, is)).toEqual(told);
    expect(said(was, was)).toEqual([]);
    expect(said(is, is)).toEqual([]);
  });

  it("finds nothing between a schema and itself, however it is ordered", () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(said(schema, JSON.parse(JSON.stringify(schema)) as Json)).toEqual([]);
        expect(said(schema, turned(schema))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("reports every change of a condition", () => {
    fc.assert(
      fc.property(schemas, schemas, (was, is) => {
        if (keyOf(was, was) !== keyOf(is, is)) expect(said(was, is)).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("terminates on schemas that are deep, wide or circular", () => {
    const deep = (leaf: Json): Json => {
      let schema = leaf;
      for (let i = 0; i < 400; i++) schema = { properties: { next: schema } };
      return schema;
    };
    expect(said(deep({ type: "string" }), deep({ type: "number" }))).toHaveLength(1);
    const chain = (leaf: string): Json => {
      const names = Array.from({ length: 3000 }, (_, i) => [
        `D${i}`,
        { properties: { next: { $ref: `#/$defs/D${i + 1}` } } },
      ]);
      return { $ref: "#/$defs/D0", $defs: { ...Object.fromEntries(names), D3000: { type: leaf } } };
    };
    expect(said(chain("string"), chain("number"))).toHaveLength(1);
    const bush = (leaf: string): Json => ({
      allOf: [branch("a"), branch("b")],
      $defs: { leaf: { type: leaf } },
    });
    expect(said(bush("string"), bush("number")).length).toBeGreaterThan(0);
  });
});

function branch(name: string): Json {
  return { properties: { [name]: { $ref: "#" }, both: { $ref: "#" }, leaf: { $ref: "#/$defs/leaf" } } };
}

function circle(type: string): Json {
  return { type: "object", properties: { value: { type }, next: { $ref: "#" } } };
}

function old(items: Json): Json {
  return { $schema: "http://json-schema.org/draft-07/schema#", items };
}

const { schemas } = fc.letrec<{ schemas: Json }>((tie) => {
  const depth = { depthIdentifier: fc.createDepthIdentifier(), maxDepth: 3 };
  const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(arbitrary, { nil: undefined, freq: 1 });
  const inner = fc.option(tie("schemas"), { ...depth, nil: undefined, freq: 1 });
  const types = fc.constantFrom("string", "number", "object", "array", "null");
  const names = fc.constantFrom("a", "b", "c");
  return {
    schemas: fc
      .record({
        type: some(fc.uniqueArray(types, { minLength: 1 })),
        enum: some(fc.uniqueArray(fc.constantFrom("x", "y", 1, null), { minLength: 1 })),
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

/** Without what is undefined; a choice that lost all its members is none. */
function plain(record: object): Json {
  const { anyOf, ...others } = record as { readonly anyOf?: readonly unknown[] };
  const choices = (anyOf ?? []).filter((choice) => choice !== undefined);
  const whole = choices.length === 0 ? others : { ...others, anyOf: choices };
  return JSON.parse(JSON.stringify(whole)) as Json;
}

/** The same schema with its members and its lists turned round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(turned).reverse();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, turned(member as Json)] as const)
      .reverse(),
  );
}
