import { beforeAll, describe, expect, it } from "vitest";
import { load, type Validator } from "../view/generated.js";
import { project, snapshotOf } from "./project.js";

/** A schema, a value that it rejects, and what it expects in the message. */
const rows: readonly (readonly [
  schema: object,
  wrong: unknown,
  words: string,
])[] = [
  [{ type: "string" }, 1, "a string"],
  [{ type: "boolean" }, 1, "a boolean"],
  [{ type: "null" }, 1, "null"],
  [{ type: "number" }, "1", "a number"],
  [{ type: "integer" }, 0.5, "an integer"],
  [{ type: "array" }, 1, "an array"],
  [{ type: ["string", "null"] }, 1, "a string or null"],
  [{ type: ["string", "null", "boolean"] }, 1, "a string, null or a boolean"],
  [{ type: "integer", minimum: 2 }, 1, "an integer of at least 2"],
  [{ type: "integer", maximum: 2 }, 3, "an integer of at most 2"],
  [{ type: "number", minimum: 2, maximum: 3 }, 1, "a number from 2 to 3"],
  [{ type: ["object", "null"] }, 1, "an object or null"],
  [{ anyOf: [{ type: "integer" }, { type: "number" }] }, "1", "a number"],
  [{ const: "a" }, 1, '"a"'],
  [{ enum: ["a", 1, null] }, 2, '"a", 1 or null'],
  [{ enum: ["a", { b: 1 }, [2]] }, 2, '"a" or a listed value'],
  [
    { not: { type: "string" } },
    "a",
    "a value that does not match a certain schema",
  ],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, "a string or null"],
  [{ oneOf: [{ type: "string" }, { type: "null" }] }, 1, "a string or null"],
  [
    { anyOf: [{ anyOf: [{ const: 1 }, { const: 2 }] }, { const: 2 }] },
    3,
    "1 or 2",
  ],
];

describe("what a message says was expected", () => {
  let inputs: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    const tools = rows.map(([schema], i) => ({
      name: `tool${i}`,
      inputSchema: {
        type: "object",
        properties: {
          inline: schema,
          reference: { $ref: "#/$defs/Named" },
          nested: { $ref: "#/$defs/Outer" },
          alternative: { anyOf: [{ $ref: "#/$defs/Named" }, { const: "z" }] },
        },
        $defs: { Named: schema, Outer: { $ref: "#/$defs/Named" } },
      },
    }));
    const { files } = await project(snapshotOf({ tools }), {
      emit: ["client"],
    });
    inputs = await load(files, "validators.ts");
  });

  it.each(rows.map((row, i) => [JSON.stringify(row[0]), i, ...row] as const))(
    "is the same for a schema and a reference to it, alone and as an alternative: %s",
    (_, i, _schema, wrong, words) => {
      const schema = inputs[`Tool${i}InputSchema`] as Validator["schema"];
      const expected = (value: object): unknown => {
        const parsed = schema.safeParse(value);
        return parsed.success ? "anything" : parsed.error.message;
      };
      for (const member of ["inline", "reference", "nested"])
        expect(expected({ [member]: wrong })).toMatch(
          `${member}: expected ${words}, got `,
        );
      expect(expected({ alternative: wrong })).toMatch(
        new RegExp(`^alternative: expected .*"z"`),
      );
    },
  );
});

it("what a message says of a long pattern is its beginning", async () => {
  const properties = {
    a: { type: "string", pattern: "a".repeat(60) },
    b: { type: "string", pattern: "b".repeat(61) },
  };
  const inputSchema = { type: "object", properties };
  const { files } = await project(
    snapshotOf({ tools: [{ name: "x", inputSchema }] }),
    { emit: ["client"] },
  );
  const { XInputSchema } = await load(files, "validators.ts");
  const said = (value: object): unknown =>
    (XInputSchema as Validator["schema"]).safeParse(value);
  expect(said({ a: "x" })).toMatchObject({
    error: {
      message: `a: expected a string that matches ${"a".repeat(60)}, got "x"`,
    },
  });
  expect(said({ b: "x" })).toMatchObject({
    error: {
      message: `b: expected a string that matches ${"b".repeat(60)}…, got "x"`,
    },
  });
});

describe("a member that a schema requires", () => {
  /** A schema for each kind of check, of which most say nothing of a type. */
  const schemas: readonly object[] = [
    {},
    { type: "string" },
    { type: ["string", "null"] },
    { enum: ["a", { b: 1 }] },
    { const: null },
    { not: { type: "string" } },
    { not: { not: {} } },
    { if: { type: "string" }, then: { maxLength: 1 } },
    { minLength: 1 },
    { pattern: "^a" },
    { minimum: 1 },
    { multipleOf: 2 },
    { minItems: 1 },
    { uniqueItems: true },
    { contains: { type: "string" } },
    { items: { type: "string" } },
    { properties: { b: { type: "string" } } },
    { required: ["b"] },
    { minProperties: 1 },
    { propertyNames: { maxLength: 1 } },
    { anyOf: [{ minimum: 1 }, { type: "string" }] },
    { oneOf: [{ minimum: 1 }, { type: "string" }] },
    { allOf: [{ minimum: 1 }, { maximum: 2 }] },
    { allOf: [{}, { type: "string" }] },
  ];
  const forms = ["inline", "reference", "alternative"] as const;
  let guards: Readonly<Record<string, (value: unknown) => boolean>>;
  beforeAll(async () => {
    const tools = schemas.flatMap((schema, i) =>
      forms.map((form) => ({
        name: `${form}${i}`,
        inputSchema: {
          type: "object",
          properties: {
            a: {
              inline: schema,
              reference: { $ref: "#/$defs/Named" },
              alternative: { anyOf: [{ $ref: "#/$defs/Named" }, schema] },
            }[form],
          },
          required: ["a"],
          $defs: { Named: schema },
        },
      })),
    );
    const { files } = await project(snapshotOf({ tools }), {
      emit: ["client"],
    });
    guards = (await load(files, "validators.ts")) as typeof guards;
  });

  it.each(schemas.map((schema, i) => [JSON.stringify(schema), i] as const))(
    "is missed, whatever its schema checks: %s",
    (_, i) => {
      const missing = [{}, { a: undefined }];
      for (const form of ["Inline", "Reference", "Alternative"])
        expect(
          missing.map((value) => guards[`is${form}${i}Input`]?.(value)),
        ).toEqual([false, false]);
    },
  );
});
