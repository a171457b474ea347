import { expect, it } from "vitest";
import { compareSchemas } from "../../../src/generator/ir/compare/index.js";
import { pairOf, schemaSets } from "../../../src/generator/ir/compare/model.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import {
  objectSchema,
  schemaOf,
} from "../../../src/generator/ir/constraint/form.js";

const ofType = (type: "string" | "number" | "boolean"): Schema =>
  schemaOf([{ kind: "type", types: [type] }]);

const members = (schemas: readonly Schema[]): Schema =>
  objectSchema(
    schemas.map((schema, i) => ({ name: `m${i}`, schema, optional: true })),
    null,
  );

const nested = (depth: number, inner: Schema): Schema =>
  depth === 0 ? inner : members([nested(depth - 1, inner)]);

const wide = (count: number, last: Schema): Schema =>
  members(
    Array.from({ length: count }, (_, i) =>
      i === count - 1 ? last : ofType("boolean"),
    ),
  );

it.each([
  ["in detail, 140 levels deep", nested, 140, "type-replaced"],
  ["only as a whole, 160 levels deep", nested, 160, "schema-changed"],
  ["in detail, with 19,000 members", wide, 19_000, "type-replaced"],
  ["only as a whole, with 21,000 members", wide, 21_000, "schema-changed"],
])("a schema is compared %s", (_how, make, count, change) => {
  const pair = pairOf(schemaSets(new Map(), new Map()), {
    schema: () => "",
    member: () => "",
    step: () => "",
    annotations: () => [],
  });
  const [before, after] = [
    make(count, ofType("string")),
    make(count, ofType("number")),
  ];
  const deltas = compareSchemas(pair, before, after);
  expect(deltas.map((delta) => delta.change)).toEqual([change]);
});
