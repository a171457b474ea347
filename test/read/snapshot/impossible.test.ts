import { describe, expect, it } from "vitest";
import { readText, snapshotOf } from "../../stubs/project.js";

const closed = (name: string): object => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
  additionalProperties: false,
});
const types =
  "no value matches the schema: its types and values exclude each other";
const member = (name: string): string =>
  `no value matches the schema: it requires the member "${name}", which it does not allow`;

const reportsOf = async (
  schema: object | boolean,
): Promise<readonly (readonly [within: string, message: string])[]> => {
  const tool = {
    name: "odd",
    inputSchema: { type: "object", properties: { a: schema } },
  };
  const { reports } = await readText(snapshotOf({ tools: [tool] }));
  return reports
    .filter(
      ({ code, severity, location }) =>
        code === "MG315" && severity === "warning" && location !== null,
    )
    .map(({ within, message }) => [within.join(), message] as const);
};

describe("a schema that accepts nothing", () => {
  it.each([
    [{ type: "integer", enum: ["1"] }, types],
    [{ enum: ["x"], const: "y" }, types],
    [{ type: "string", anyOf: [{ type: "number" }, { type: "null" }] }, types],
    [{ allOf: [{ type: "string" }, { type: "number" }] }, types],
    [{ ...closed("b"), required: ["c"] }, member("c")],
    [{ allOf: [closed("b"), closed("c")] }, member("b")],
    [{ ...closed("b"), required: ["c".repeat(81)] }, member("c".repeat(80))],
    [
      { type: "object", properties: { b: false }, required: ["b"] },
      member("b"),
    ],
  ])(
    "is reported once with a warning and the name of the tool: %j",
    async (schema, message) => {
      expect(await reportsOf(schema)).toEqual([
        ['tool "odd",inputSchema,member a', message],
      ]);
    },
  );

  it("is reported where it is, and not at references to it", async () => {
    const $defs = { no: { type: "integer", enum: ["1"] } };
    const properties = { a: { $ref: "#/$defs/no" }, b: { $ref: "#/$defs/no" } };
    const tool = {
      name: "odd",
      inputSchema: { type: "object", $defs, properties },
    };
    const { reports } = await readText(snapshotOf({ tools: [tool] }));
    expect(reports.map(({ code, message }) => [code, message])).toEqual([
      ["MG315", types],
    ]);
  });
});

describe("a schema that forbids a value on purpose", () => {
  it.each([
    false,
    { allOf: [false] },
    { allOf: [false, { type: "string" }] },
    { allOf: [{ type: "string" }, { type: "number" }, false] },
  ])("is not reported as one that accepts nothing: %j", async (schema) => {
    expect(await reportsOf(schema)).toEqual([]);
  });
});

describe("a schema that accepts a value", () => {
  it.each([
    { type: "number", enum: [1, "1"] },
    { properties: { b: false } },
    { ...closed("b"), patternProperties: { "^x": {} }, required: ["x1"] },
    {
      allOf: [
        { ...closed("b"), required: [] },
        { ...closed("c"), required: [] },
      ],
    },
    { ...closed("b"), type: ["object", "null"], required: ["c"] },
    { additionalProperties: false, required: ["c"] },
    { items: false },
  ])("is not reported as one that accepts nothing: %j", async (schema) => {
    expect(await reportsOf(schema)).toEqual([]);
  });
});
