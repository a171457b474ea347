import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changes } from "../../src/generator/ir/change/kinds.js";
import type { Json } from "../../src/generator/ir/snapshot/model.js";
import { differences } from "./differences.js";

const ajv = new Ajv2020({ strict: false, validateFormats: false });

const scalars: readonly Json[] = [
  null,
  true,
  false,
  -1,
  0,
  0.5,
  1,
  2,
  3,
  "",
  "a",
  "b",
  "ab",
  "abc",
];
const values: readonly Json[] = [
  ...scalars,
  [],
  ...scalars.map((value) => [value]),
  [1, 1],
  ["a", 2, null],
  {},
  ...scalars.flatMap((value) => [
    { a: value },
    { b: value },
    { a: "a", b: value },
    { a: value, c: 1 },
  ]),
];

/**
 * Schemas with the keywords that the comparison distinguishes: types, values,
 * limits, members and unions.
 */
const { schema } = fc.letrec<{ schema: object }>((tie) => {
  const depth = { depthIdentifier: fc.createDepthIdentifier(), maxDepth: 2 };
  const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(arbitrary, { nil: undefined, freq: 1 });
  const inner = fc.option(tie("schema"), { ...depth, nil: undefined, freq: 1 });
  const union = fc
    .array(
      fc.oneof(
        { maxDepth: 1 },
        fc.constantFrom<object>(
          { const: "a" },
          { const: 1 },
          { type: "string" },
        ),
        inner,
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((list) => list.map((alternative) => alternative ?? {}));
  const bound = some(fc.integer({ min: 0, max: 2 }));
  return {
    schema: fc
      .record(
        {
          type: some(
            fc.uniqueArray(
              fc.constantFrom(
                "string",
                "number",
                "integer",
                "object",
                "array",
                "null",
              ),
              {
                minLength: 1,
              },
            ),
          ),
          enum: some(
            fc.uniqueArray(fc.constantFrom<Json>("a", "b", 1, null), {
              minLength: 1,
            }),
          ),
          const: fc.option(fc.constantFrom<Json>("a", 1, null), {
            nil: undefined,
            freq: 5,
          }),
          minimum: bound,
          exclusiveMinimum: bound,
          maximum: bound,
          exclusiveMaximum: bound,
          minLength: bound,
          maxItems: bound,
          pattern: some(fc.constantFrom("^a", "b$")),
          required: some(fc.uniqueArray(fc.constantFrom("a", "b"))),
          properties: some(fc.record({ a: inner })),
          items: inner,
          anyOf: fc.option(union, { nil: undefined, freq: 2 }),
          oneOf: fc.option(union, { nil: undefined, freq: 2 }),
          not: inner,
          additionalProperties: some(fc.constant(false)),
          prefixItems: some(
            fc.array(
              inner.map((item) => item ?? {}),
              { minLength: 1, maxLength: 2 },
            ),
          ),
          unevaluatedItems: fc.option(fc.constant(false), {
            nil: undefined,
            freq: 5,
          }),
          allOf: fc.option(
            fc.array(
              inner.map((part) => part ?? {}),
              { minLength: 1, maxLength: 2 },
            ),
            {
              nil: undefined,
              freq: 3,
            },
          ),
        },
        { requiredKeys: [] },
      )
      .map((record) => JSON.parse(JSON.stringify(record)) as object),
  };
});

describe("the comparison of two random schemas", () => {
  it("reports a narrowing if a value is no longer accepted, and a widening if a value is newly accepted", () => {
    fc.assert(
      fc.property(
        fc.tuple(schema, schema, fc.boolean()),
        ([was, other, isClose]) => {
          // Half of the pairs differ in one keyword only, as a schema does
          // between two versions of a server.
          const [name] = Object.keys(other);
          const is =
            isClose && name !== undefined
              ? { ...was, [name]: other[name as keyof object] }
              : other;
          const [before, after] = [ajv.compile(was), ajv.compile(is)];
          const shifts = new Set(
            differences(was as Json, is as Json, "server").map(
              // A new or missing member counts as neither: servers may always
              // send members that a schema does not name.
              ({ change, shift }) =>
                /member-(added|removed)/.test(change)
                  ? "other"
                  : (shift ?? changes[change][0]),
            ),
          );
          if (shifts.has("other")) return;
          for (const value of values) {
            const [fitted, fits] = [before(value), after(value)];
            if (fitted && !fits)
              expect([value, ...shifts]).toContain("narrower");
            if (!fitted && fits) expect([value, ...shifts]).toContain("wider");
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
