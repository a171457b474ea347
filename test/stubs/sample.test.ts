import { beforeAll, describe, expect, it } from "vitest";
import { exampleOf } from "../../src/generator/ir/example/example.js";
import type { Json, Snapshot } from "../../src/generator/ir/snapshot/model.js";
import { load } from "../view/generated.js";
import { project, readText, snapshotOf } from "./project.js";
import { samples } from "./schemas.js";

const names = samples.map((_, i) => `s${String(i).padStart(3, "0")}`);
const text = snapshotOf({
  tools: samples.map(({ schema }, i) => ({
    name: names[i],
    inputSchema: schema,
  })),
});

/** Schemas that reject the simplest value of their type. */
const demanding: readonly (readonly [name: string, schema: unknown])[] = [
  ["a pattern", { type: "string", pattern: "^[A-Z]{2}-\\d+$" }],
  [
    "a pattern with arms",
    { type: "string", pattern: "^(?:tcp|udp)://[^/]+(/x)?$", minLength: 9 },
  ],
  ["a version", { type: "string", pattern: "^v?(0|[1-9]\\d*)\\.(\\d+)$" }],
  ["a length of three", { type: "string", minLength: 3, maxLength: 3 }],
  [
    "a step",
    { type: "integer", minimum: 10, exclusiveMaximum: 20, multipleOf: 7 },
  ],
  ["a fraction", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  [
    "items that differ",
    {
      type: "array",
      items: { enum: ["a", "b", "c"] },
      minItems: 3,
      uniqueItems: true,
    },
  ],
  [
    "a tuple",
    {
      type: "array",
      prefixItems: [{ const: 1 }, { type: "string" }],
      items: false,
      minItems: 2,
    },
  ],
  [
    "what it contains",
    {
      type: "array",
      contains: { type: "object", required: ["x"] },
      minContains: 2,
    },
  ],
  [
    "a number of members",
    {
      type: "object",
      minProperties: 2,
      additionalProperties: { type: "boolean" },
    },
  ],
  [
    "the other branch",
    { oneOf: [{ const: 1 }, { type: "integer" }], minimum: 2 },
  ],
  [
    "a member that needs another",
    { required: ["a"], dependentRequired: { a: ["b"] } },
  ],
  [
    "a tree",
    {
      $defs: {
        t: { required: ["v"], properties: { v: {}, l: { $ref: "#/$defs/t" } } },
      },
      $ref: "#/$defs/t",
    },
  ],
];

const sampled = (snapshot: Snapshot, key: string): Json | undefined => {
  const definitions = new Map(
    snapshot.definitions.map((one) => [one.key, one]),
  );
  const schema = definitions.get(key)?.schema;
  return schema && exampleOf(schema, { definitions, name: "x" });
};

describe("the example of a schema", () => {
  let snapshot: Snapshot;
  let guards: Readonly<Record<string, (value: unknown) => boolean>>;
  beforeAll(async () => {
    const read = await readText(text);
    if (read.snapshot === null)
      throw new Error("the samples are not a snapshot");
    snapshot = read.snapshot;
    guards = (await load(
      (await project(text, { emit: ["client"] })).files,
      "validators.ts",
    )) as typeof guards;
  });

  it.each(samples.map(({ name }, i) => ({ name, i })))(
    "is accepted by the guard: $name",
    ({ i }) => {
      const value = sampled(snapshot, `tool ${names[i]} input`);
      expect(value).toBeDefined();
      expect(guards[`isS${names[i]?.slice(1)}Input`]?.(value)).toBe(true);
    },
  );

  it.each(demanding)(
    "is accepted by the guard and the same in every run for %s",
    async (_, inputSchema) => {
      const text = snapshotOf({ tools: [{ name: "x", inputSchema }] });
      const { files } = await project(text, { emit: ["client"] });
      const { isXInput } = (await load(
        files,
        "validators.ts",
      )) as typeof guards;
      const values = await Promise.all(
        [1, 2].map(async () => {
          const { snapshot } = await readText(text);
          return snapshot === null
            ? undefined
            : sampled(snapshot, "tool x input");
        }),
      );
      expect(isXInput?.(values[0])).toBe(true);
      expect(JSON.stringify(values[0])).toBe(JSON.stringify(values[1]));
    },
  );

  it.each([
    ["the schema accepts nothing", { not: {} }],
    [
      "every value would be infinite",
      {
        $defs: {
          t: {
            type: "object",
            required: ["t"],
            properties: { t: { $ref: "#/$defs/t" } },
          },
        },
        $ref: "#/$defs/t",
      },
    ],
    ["a value needs a million items", { type: "array", minItems: 1_000_000 }],
  ])("does not exist if %s", async (_, inputSchema) => {
    const { snapshot } = await readText(
      snapshotOf({ tools: [{ name: "x", inputSchema }] }),
    );
    expect(
      snapshot === null ? null : sampled(snapshot, "tool x input"),
    ).toBeUndefined();
  });
});
