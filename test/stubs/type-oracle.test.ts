import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { compile as printTheirs } from "json-schema-to-typescript";
import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { project, snapshotOf } from "./project.js";
import { runs } from "../whole.js";

/* json-schema-to-typescript is the oracle of the types that a project gets. */

const seed = Number(process.env["MCPGEN_SEED"] ?? 1);
const count = Math.min(Number(process.env["MCPGEN_TOOLS"] ?? runs(30)), 500);
const printing = {
  additionalProperties: false,
  bannerComment: "",
  format: false,
  ignoreMinAndMaxItems: true,
};

const text = { type: "string" };
const number = { type: "number" };

/** What the oracle prints wrongly, and a schema for each. */
const faults: readonly (readonly [fault: string, schema: object])[] = [
  [
    "a schema that does not name a type accepts only objects",
    { properties: { a: { minLength: 1 } } },
  ],
  [
    "a type excludes no value of an enumeration",
    { properties: { a: { ...text, enum: ["x", 1] } } },
  ],
  [
    "a required member without a schema is missing",
    { type: "object", required: ["a"] },
  ],
  [
    "an object without members accepts every value",
    { type: "object", properties: {} },
  ],
  [
    "an empty closed object accepts any object",
    { type: "object", additionalProperties: false },
  ],
  [
    "prefixItems says nothing",
    {
      properties: { a: { type: "array", prefixItems: [text], items: number } },
    },
  ],
  [
    "the positions of a tuple are never omitted",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: {
        a: {
          type: "array",
          items: [text, number],
          minItems: 1,
          additionalItems: text,
        },
      },
    },
  ],
  [
    "additional members are of the type of each named member, or undefined",
    { type: "object", properties: { a: text }, additionalProperties: number },
  ],
  [
    "members that a pattern does not match have the type of those that it matches",
    { type: "object", patternProperties: { "^x": text } },
  ],
  [
    "a subschema that no value matches stands for any value",
    { properties: { a: { not: {} } } },
  ],
];

/**
 * The schemas for which the compiler does not accept the oracle's type as ours,
 * or ours as the oracle's, by their indices.
 */
async function disagreements(schemas: readonly object[]): Promise<number[]> {
  const tools = schemas.map((inputSchema, i) => ({
    name: `n${i}`,
    inputSchema,
  }));
  const { files } = await project(snapshotOf({ tools }), { emit: ["client"] });
  const all = new Map([["types.ts", files.get("types.ts") ?? ""]]);
  const lines = ['import type * as ours from "./types.js";'];
  for (const [i, schema] of schemas.entries()) {
    all.set(
      `n${i}.ts`,
      await printTheirs(
        { ...structuredClone(schema), title: "Theirs" },
        "Theirs",
        printing,
      ),
    );
    lines.push(
      `import type { Theirs as T${i} } from "./n${i}.js";`,
      `export const a${i} = (value: ours.N${i}Input): T${i} => value;`,
      `export const b${i} = (value: T${i}): ours.N${i}Input => value;`,
    );
  }
  const found = compile(all.set("same.ts", lines.join("\n"))).map((fault) => {
    const [, index] = /^same\.ts.* const [ab](\d+) = /.exec(fault) ?? [];
    if (index === undefined) throw new Error(fault);
    return Number(index);
  });
  return [...new Set(found)];
}

/**
 * Schemas without the constructs of the table. References are to definitions of
 * the same tool.
 */
const { part } = fc.letrec<{ part: object }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<object>(
      text,
      number,
      { type: "integer" },
      { type: "boolean" },
      { type: "null" },
    ),
    fc.constantFrom<object>(
      { type: ["string", "null"] },
      { enum: ["x", 1, null, true] },
      { const: "y" },
      {},
    ),
    fc.constantFrom<object>(
      { $ref: "#/$defs/A" },
      { $ref: "#/$defs/B" },
      { type: "array" },
      { type: "object" },
    ),
    tie("part").map((items) => ({ type: "array", items })),
    tie("part").map((additionalProperties) => ({
      type: "object",
      additionalProperties,
    })),
    objectOf(tie("part")),
    fc
      .array(tie("part"), { minLength: 1, maxLength: 3 })
      .map((anyOf) => ({ anyOf })),
    fc
      .array(tie("part"), { minLength: 1, maxLength: 3 })
      .map((oneOf) => ({ oneOf })),
    // Parts with the same members could contradict each other, and the compiler
    // then reports what depends on their order.
    fc
      .tuple(objectOf(tie("part")), objectOf(tie("part"), ["d"]))
      .map((allOf) => ({ allOf })),
  ),
}));

function objectOf(
  member: fc.Arbitrary<object>,
  names = ["a", "b", "c-d"],
): fc.Arbitrary<object> {
  const members = fc.dictionary(fc.constantFrom(...names), member, {
    minKeys: 1,
    noNullPrototype: true,
  });
  return fc
    .record(
      {
        properties: members,
        required: fc.subarray(names),
        additionalProperties: fc.boolean(),
      },
      { requiredKeys: ["properties", "required"] },
    )
    .map(({ required, ...object }) => {
      return {
        type: "object",
        ...object,
        required: required.filter((name) => name in object.properties),
      };
    });
}

const schema = fc
  .tuple(objectOf(part), objectOf(part), objectOf(part))
  .map(([root, A, B]) => ({ ...root, $defs: { A, B } }));

const committed = [
  "examples/servers/everything",
  "examples/servers/filesystem",
  "fixtures/snapshots/weather",
  "golden/stubs/notes",
].map((name): [string, string] => [
  name,
  readFileSync(
    fileURLToPath(new URL(`../${name}.mcp.json`, import.meta.url)),
    "utf8",
  ),
]);

describe("the types of a project and those of json-schema-to-typescript", () => {
  it.each(committed)(
    "accept each other's values for each tool of %s",
    async (_, snapshot) => {
      const { tools } = JSON.parse(snapshot) as {
        tools: { inputSchema: object; outputSchema?: object }[];
      };
      const schemas = tools.flatMap(({ inputSchema, outputSchema }) =>
        [inputSchema, outputSchema ?? []].flat(),
      );
      expect(schemas.length).toBeGreaterThan(0);
      const different = await disagreements(schemas);
      const withoutMembers = schemas.filter((each) =>
        JSON.stringify(each).includes('"properties":{}'),
      );
      expect(different.map((i) => schemas[i])).toEqual(withoutMembers);
    },
  );

  it(`accept each other's values for random schemas (seed ${seed})`, async () => {
    const schemas = fc.sample(schema, { numRuns: count, seed });
    const different = await disagreements(schemas);
    expect(
      different
        .map((i) => JSON.stringify(schemas[i]))
        .sort((a, b) => a.length - b.length),
    ).toEqual([]);
  });

  it("differ for each known fault of the library", async () => {
    const different = await disagreements(faults.map(([, wrong]) => wrong));
    expect(
      faults.filter((_, i) => !different.includes(i)).map(([fault]) => fault),
    ).toEqual([]);
  });
});
