import { expect, it } from "vitest";
import { readText, snapshotOf } from "../../stubs/project.js";

/**
 * A pattern that is not checked, because it takes exponential time, so the
 * schema accepts too much.
 */
const unchecked = { pattern: "^(x+)+$" };

it.each([
  [
    { not: { pattern: "a+" } },
    '"not" is not checked because part of its schema is not checked',
  ],
  [
    { not: unchecked },
    '"not" is not checked because part of its schema is not checked',
  ],
  [
    { oneOf: [unchecked, { type: "number" }] },
    '"oneOf" is checked as "anyOf" because part of its schemas is not checked',
  ],
  [
    { contains: unchecked, maxContains: 1 },
    '"maxContains" is not checked because part of "contains" is not checked',
  ],
  [
    { not: 3 },
    '"not" is not checked because part of its schema is not checked',
  ],
  [
    { oneOf: [[], { type: "number" }] },
    '"oneOf" is checked as "anyOf" because part of its schemas is not checked',
  ],
  [
    { if: unchecked, then: false },
    '"then" is not checked because part of "if" is not checked',
  ],
])(
  "a keyword that would reject valid values because a part of it is not checked is weakened and reported: %j",
  async (schema, message) => {
    const tool = {
      name: "x",
      inputSchema: { type: "object", properties: { a: schema } },
    };
    const { reports } = await readText(snapshotOf({ tools: [tool] }));
    const weakened = reports.filter(({ code }) => code === "MG308");
    expect(weakened.map((report) => report.message)).toEqual([message]);
  },
);

it("a circular reference is not checked, but one in a member, which is about another value, is", async () => {
  const schema = {
    type: "object",
    $defs: {
      a: {
        allOf: [{ $ref: "#/$defs/b" }],
        properties: { next: { $ref: "#/$defs/b" } },
      },
      b: { allOf: [{ $ref: "#/$defs/a" }], required: ["name"] },
    },
    properties: { x: { $ref: "#/$defs/a" } },
  };
  const { reports } = await readText(
    snapshotOf({ tools: [{ name: "x", inputSchema: schema }] }),
  );
  const circular = reports
    .filter(({ code }) => code === "MG308")
    .map(({ message }) => message);
  expect(circular).toEqual([
    'a reference in "#/$defs/a" is circular; it is not checked',
  ]);
});
