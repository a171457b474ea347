import { describe, expect, it } from "vitest";
import { exampleOf } from "../../src/generator/ir/example/example.js";
import { parseSnapshot } from "../docs/making.js";
import { snapshotOf } from "../stubs/project.js";

const integer = { type: "integer" };
const boolean = { type: "boolean" };
const text = { type: "string" };
const choice = { enum: ["a", "b"] };

type Row = readonly [schema: unknown, example: unknown];

/** The example of a member `some_value` with each schema. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  numbers: [
    [integer, 1],
    [{ type: "number" }, 1],
    [{ ...integer, minimum: 2 }, 2],
    [{ ...integer, maximum: 0 }, 0],
    [{ ...integer, maximum: -3 }, -3],
    [{ ...integer, exclusiveMinimum: 1 }, 2],
    [{ ...integer, exclusiveMaximum: 1 }, 0],
    [{ ...integer, minimum: 3, maximum: 3 }, 3],
    [{ ...integer, exclusiveMinimum: 3, exclusiveMaximum: 4 }, undefined],
    [{ type: "number", exclusiveMinimum: 1, maximum: 1.5 }, 1.5],
    [{ type: "number", exclusiveMinimum: 1, exclusiveMaximum: 1.25 }, 1.125],
    [{ type: "number", minimum: 3.2, maximum: 3.3 }, 3.25],
    [{ ...integer, multipleOf: 10 }, 0],
    [{ ...integer, minimum: 11, multipleOf: 10 }, 20],
    [{ type: "number", maximum: -0.5, multipleOf: 0.25 }, -0.5],
    [{ ...integer, minimum: 5, allOf: [{ minimum: 7 }] }, 7],
    [{ ...integer, minimum: 7, allOf: [{ minimum: 5, maximum: 9 }] }, 7],
    [{ ...integer, maximum: 0, allOf: [{ maximum: -7 }] }, -7],
  ],
  texts: [
    [text, "some value"],
    [{ ...text, format: "uri" }, "file:///notes/today.md"],
    [{ ...text, format: "unknown" }, "some value"],
    [{ ...text, minLength: 11 }, "some valuee"],
    [{ ...text, maxLength: 9 }, "some valu"],
    [{ ...text, maxLength: 0 }, ""],
    [{ ...text, minLength: 200 }, `some valu${"e".repeat(191)}`],
    [{ ...text, minLength: 201 }, undefined],
    [{ ...text, minLength: 11, allOf: [{ minLength: 12 }] }, "some valueee"],
    [{ ...text, minLength: 12, allOf: [{ minLength: 11 }] }, "some valueee"],
    [{ ...text, maxLength: 3, allOf: [{ maxLength: 2 }] }, "so"],
    [{ ...text, maxLength: 2, allOf: [{ maxLength: 3 }] }, "so"],
    [{ ...text, pattern: "^\\d+$" }, "1"],
    [{ ...text, pattern: "^v", minLength: 3 }, "vvv"],
    [{ ...text, pattern: "^s", allOf: [{ pattern: "e$" }] }, "some value"],
    [{ ...text, pattern: "^a", allOf: [{ pattern: "b$" }] }, undefined],
    [{ ...text, pattern: "^(a{2000}|a+)$" }, "a".repeat(200)],
    [{ ...text, pattern: "^(a{2001}|a+)$" }, undefined],
    [{ ...text, pattern: "^(a{1999}b|a+)$" }, "a".repeat(200)],
    [{ ...text, pattern: "^(a{2000}b|a+)$" }, undefined],
    [{ ...text, pattern: "^[一二]{2}$" }, undefined],
  ],
  choices: [
    [{ type: "null" }, null],
    [boolean, false],
    [{ type: ["null", "string"] }, "some value"],
    [{ type: ["null", "integer"], minimum: 3 }, 3],
    [{ enum: ["b", "a"] }, "b"],
    [{ enum: ["b", 3], type: "integer" }, 3],
    [{ anyOf: [{ type: "null" }, integer] }, 1],
    [{ oneOf: [{ const: null }, text] }, "some value"],
    [{ oneOf: [integer, { ...integer, minimum: 5 }] }, 1],
    [{ anyOf: [text, integer], allOf: [{ not: text }] }, 1],
  ],
  "schemas without a type": [
    [{}, "some value"],
    [{ minLength: 11 }, "some valuee"],
    [{ minimum: 4 }, 4],
    [{ minItems: 2 }, ["some value", "some value"]],
    [{ required: ["a"] }, { a: "a" }],
    [{ minimum: 3, minItems: 1 }, ["some value"]],
    [{ minItems: 1, required: ["a"] }, { a: "a" }],
  ],
  arrays: [
    [{ type: "array" }, ["some value"]],
    [{ type: "array", items: integer }, [1]],
    [{ type: "array", items: false }, []],
    [{ type: "array", items: integer, maxItems: 0 }, []],
    [{ type: "array", items: integer, minItems: 2 }, [1, 1]],
    [
      { type: "array", minItems: 1, allOf: [{ minItems: 2 }] },
      twice("some value"),
    ],
    [{ type: "array", items: boolean, minItems: 20 }, Array(20).fill(false)],
    [{ type: "array", items: boolean, minItems: 21 }, undefined],
    [
      { type: "array", items: integer, minItems: 3, uniqueItems: true },
      [1, 2, 3],
    ],
    [
      { type: "array", items: text, minItems: 3, uniqueItems: true },
      ["some value", "some value 2", "some value 3"],
    ],
    [{ type: "array", items: choice, minItems: 2 }, ["a", "a"]],
    [
      { type: "array", items: choice, minItems: 2, uniqueItems: true },
      ["a", "b"],
    ],
    [
      { type: "array", items: choice, minItems: 3, uniqueItems: true },
      undefined,
    ],
    [{ type: "array", prefixItems: [integer, boolean] }, [1, false]],
    [{ type: "array", prefixItems: [integer, boolean], maxItems: 1 }, [1]],
    [
      { type: "array", prefixItems: [integer, boolean], minItems: 3 },
      [1, false, "some value"],
    ],
    [
      { type: "array", prefixItems: [integer], items: false, minItems: 2 },
      undefined,
    ],
    [{ type: "array", contains: integer }, [1]],
    [{ type: "array", contains: integer, minContains: 2 }, [1, 1]],
    [{ type: "array", contains: integer, minContains: 0 }, [1]],
  ],
  objects: [
    [{ type: "object" }, {}],
    [object({ a: integer, b: boolean }), {}],
    [object({ a: integer, b: boolean }, "b"), { b: false }],
    [object({ tags: { type: "array" } }, "tags"), { tags: ["tag"] }],
    [nested(11), valueOf(11)],
    [nested(12), undefined],
    [object({ a: object({ b: text, c: text }, "c") }, "a"), { a: { c: "c" } }],
    [
      { ...object({ a: integer }, "a", "c"), additionalProperties: boolean },
      { a: 1, c: false },
    ],
    [{ ...object({}, "a"), additionalProperties: false }, undefined],
    [object({ a: false, b: boolean }), {}],
    [object({ a: false }, "a"), undefined],
    [
      {
        ...object({ a: integer }),
        allOf: [object({ a: { minimum: 5 } }, "a")],
      },
      { a: 5 },
    ],
    [
      { ...object({ a: integer, b: integer }, "b"), maxProperties: 1 },
      { b: 1 },
    ],
    [
      { ...object({ a: integer, b: integer }, "a", "b"), maxProperties: 1 },
      undefined,
    ],
    [
      { type: "object", minProperties: 2 },
      { member1: "member 1", member2: "member 2" },
    ],
    [
      { ...object({ a: integer }, "a"), minProperties: 2 },
      { a: 1, member1: "member 1" },
    ],
    [
      { type: "object", minProperties: 20, additionalProperties: integer },
      Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`member${i + 1}`, 1]),
      ),
    ],
    [{ type: "object", minProperties: 21 }, undefined],
    [
      { type: "object", minProperties: 1, additionalProperties: false },
      undefined,
    ],
  ],
};

function object(
  properties: Readonly<Record<string, unknown>>,
  ...required: string[]
): object {
  return { type: "object", properties, required };
}

/** Objects in objects. */
function nested(levels: number): object {
  return levels === 0 ? integer : object({ a: nested(levels - 1) }, "a");
}

function valueOf(levels: number): unknown {
  return levels === 0 ? 1 : { a: valueOf(levels - 1) };
}

function twice(item: unknown): unknown[] {
  return [item, item];
}

describe("the example of a schema", () => {
  it.each(Object.entries(rows))("keeps all its limits: %s", async (_, list) => {
    const tools = list.map(([schema], i) => ({
      name: `t${i}`,
      inputSchema: object({ some_value: schema }, "some_value"),
    }));
    const { definitions } = await parseSnapshot(snapshotOf({ tools }));
    const byKey = new Map(definitions.map((one) => [one.key, one]));
    const examples = list.map(([schema], i) => {
      const definition = byKey.get(`tool t${i} input`);
      const whole =
        definition &&
        exampleOf(definition.schema, { definitions: byKey, name: "" });
      return [schema, (whole as Record<string, unknown>)?.["some_value"]];
    });
    expect(examples).toEqual(list);
  });
});
