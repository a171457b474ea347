import { beforeAll, describe, expect, it } from "vitest";
import { formatDiagnostic } from "../../src/generator/diagnostics.js";
import {
  exampleOf,
  exampleOfType,
} from "../../src/generator/ir/example/example.js";
import { index } from "../../src/generator/ir/lookup.js";
import type { Json, Snapshot } from "../../src/generator/ir/snapshot/model.js";
import { notes, protocolOf } from "../ir/made.js";
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

const none = { not: {} };
const text2 = { type: "string", minLength: 2 };
/** A list or an object whose items or members accept nothing. */
const shut = { type: "array", items: none };

/** What a reader sees: as simple and as full as the schema allows. */
const shown: readonly (readonly [
  name: string,
  value: unknown,
  schema: unknown,
])[] = [
  // Types, null last.
  ["null", null, { type: "null" }],
  ["a boolean", false, { type: "boolean" }],
  ["an integer", 1, { type: "integer" }],
  ["a number", 1, { type: "number" }],
  ["a string", "x", { type: "string" }],
  ["an object", {}, { type: "object" }],
  ["an array of anything", ["x"], { type: "array" }],
  ["null or a string", "x", { type: ["null", "string"] }],
  [
    "null or else a string",
    "x",
    { anyOf: [{ type: "null" }, { type: "string" }] },
  ],
  [
    "the value null or a string",
    "x",
    { oneOf: [{ const: null }, { type: "string" }] },
  ],
  ["without a type, but a length", ["x"], { minItems: 1 }],
  ["without a type, but a range", 3, { minimum: 3 }],
  ["without a type, but a member", { a: "a" }, { required: ["a"] }],
  [
    "of a type that two checks allow",
    1,
    { type: ["string", "integer"], allOf: [{ type: ["integer", "null"] }] },
  ],
  // Numbers, near one.
  ["at least 5", 5, { type: "integer", minimum: 5 }],
  ["greater than 5", 6, { type: "integer", exclusiveMinimum: 5 }],
  ["at least 2.5", 3, { type: "integer", minimum: 2.5 }],
  ["at least 1", 1, { type: "integer", minimum: 1 }],
  ["greater than 1", 2, { type: "integer", exclusiveMinimum: 1 }],
  ["at most 0", 0, { type: "integer", maximum: 0 }],
  ["less than 0", -1, { type: "integer", exclusiveMaximum: 0 }],
  ["less than 1", 0, { type: "integer", exclusiveMaximum: 1 }],
  ["from -3 to -2", -2, { type: "integer", minimum: -3, maximum: -2 }],
  [
    "the strictest of two ranges",
    7,
    { type: "integer", minimum: 4, allOf: [{ minimum: 7 }] },
  ],
  [
    "between 0 and 1",
    0.5,
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
  ],
  [
    "between narrow bounds",
    0.1875,
    { type: "number", minimum: 0.125, maximum: 0.25 },
  ],
  [
    "a number too large for a step",
    undefined,
    { type: "number", exclusiveMinimum: 1e300 },
  ],
  ["at least 1.5", 2, { type: "number", minimum: 1.5, multipleOf: 2 }],
  ["at least 0.5", 0.5, { type: "number", minimum: 0.5, maximum: 0.7 }],
  [
    "a multiple of 7 above 10",
    14,
    { type: "integer", minimum: 10, multipleOf: 7 },
  ],
  [
    "a multiple of 7 up to 3",
    0,
    { type: "integer", maximum: 3, multipleOf: 7 },
  ],
  [
    "a multiple of 7 above 0",
    7,
    { type: "integer", exclusiveMinimum: 0, multipleOf: 7 },
  ],
  // Strings.
  ["a text of three", "xxx", { type: "string", minLength: 3 }],
  ["a text of none", "", { type: "string", maxLength: 0 }],
  ["a text of 200", "x".repeat(200), { type: "string", minLength: 200 }],
  ["a text of 201", undefined, { type: "string", minLength: 201 }],
  [
    "a text of a pattern that its name matches",
    "x",
    { type: "string", pattern: "x|yy" },
  ],
  ["a text of a pattern", "b", { type: "string", pattern: "^b$" }],
  [
    "a text of a pattern and a length",
    "bbb",
    { type: "string", pattern: "^b+$", minLength: 3 },
  ],
  [
    "a text of two patterns",
    "b1",
    { type: "string", pattern: "^b", allOf: [{ pattern: "^b1$" }] },
  ],
  [
    "a text of a pattern that matches nothing",
    undefined,
    { type: "string", pattern: "[^\\s\\S]" },
  ],
  ["a value of a list", "b", { type: "string", enum: ["b", "c"] }],
  [
    "a value of a list that a length allows",
    "cc",
    { enum: ["b", "cc"], minLength: 2 },
  ],
  // Arrays.
  [
    "an array of two",
    ["x", "x"],
    { type: "array", items: { type: "string" }, minItems: 2 },
  ],
  ["an array of at most none", [], { type: "array", maxItems: 0 }],
  [
    "an array of texts that differ",
    ["x", "x 2", "x 3"],
    {
      type: "array",
      items: { type: "string" },
      minItems: 3,
      uniqueItems: true,
    },
  ],
  [
    "an array of numbers that differ",
    [1, 2],
    {
      type: "array",
      items: { type: "integer" },
      minItems: 2,
      uniqueItems: true,
    },
  ],
  [
    "an array of values that differ",
    ["b", "c"],
    {
      type: "array",
      items: { enum: ["b", "c"] },
      minItems: 2,
      uniqueItems: true,
    },
  ],
  [
    "an array of long values that differ",
    ["bb", "cc"],
    {
      type: "array",
      items: { enum: ["b", "bb", "cc"], minLength: 2 },
      minItems: 2,
      uniqueItems: true,
    },
  ],
  [
    "a tuple with a rest",
    [1, "x", true],
    {
      type: "array",
      prefixItems: [{ const: 1 }, { type: "string" }],
      items: { const: true },
      minItems: 3,
    },
  ],
  [
    "a tuple without a length",
    [1, "x"],
    { type: "array", prefixItems: [{ const: 1 }, { type: "string" }] },
  ],
  [
    "an array that contains two",
    ["b", "b"],
    { type: "array", contains: { const: "b" }, minContains: 2 },
  ],
  [
    "an array of 20",
    Array.from({ length: 20 }, () => "x"),
    { type: "array", minItems: 20 },
  ],
  ["an array of 21", undefined, { type: "array", minItems: 21 }],
  ["an array of nothing", [], shut],
  ["an array of one of nothing", undefined, { ...shut, minItems: 1 }],
  // Objects.
  [
    "an object with optional members",
    { a: "a", b: {} },
    {
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: "object", properties: { c: { type: "string" } } },
      },
    },
  ],
  [
    "an object with a member that must be",
    { b: { c: "c" } },
    {
      type: "object",
      required: ["b"],
      properties: {
        b: {
          type: "object",
          required: ["c"],
          properties: { c: { type: "string" } },
        },
      },
    },
  ],
  [
    "an object with a member of which nothing is known",
    { fooBar: "foo bar" },
    { type: "object", required: ["fooBar"] },
  ],
  [
    "an object whose optional member accepts nothing",
    {},
    { type: "object", properties: { a: none } },
  ],
  [
    "an object whose required member accepts nothing",
    undefined,
    { type: "object", required: ["a"], properties: { a: none } },
  ],
  [
    "an object whose unnamed required member accepts nothing",
    undefined,
    { type: "object", required: ["a"], additionalProperties: none },
  ],
  [
    "an object with a member of two checks",
    { a: "ab" },
    {
      type: "object",
      properties: { a: text2 },
      allOf: [{ properties: { a: { pattern: "^ab" } } }],
    },
  ],
  [
    "an object of two members",
    { member1: 1, member2: 1 },
    {
      type: "object",
      minProperties: 2,
      additionalProperties: { type: "integer" },
    },
  ],
  [
    "an object of a named and another member",
    { a: "a", member1: "member 1" },
    {
      type: "object",
      properties: { a: { type: "string" } },
      minProperties: 2,
      additionalProperties: { type: "string" },
    },
  ],
  [
    "an object of 20 members",
    Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`member${i + 1}`, 1]),
    ),
    { type: "object", minProperties: 20, additionalProperties: { const: 1 } },
  ],
  [
    "an object of 21 members",
    undefined,
    { type: "object", minProperties: 21, additionalProperties: { const: 1 } },
  ],
  [
    "an object of one member that accepts nothing",
    undefined,
    { type: "object", minProperties: 1, additionalProperties: none },
  ],
  [
    "an object of at most one member",
    { a: 1 },
    {
      type: "object",
      maxProperties: 1,
      properties: { a: { const: 1 }, b: { const: 2 } },
    },
  ],
  [
    "an object of at most one member, the required one",
    { b: 2 },
    {
      type: "object",
      maxProperties: 1,
      required: ["b"],
      properties: { a: { const: 1 }, b: { const: 2 } },
    },
  ],
  // Choices.
  ["the first that can be", 2, { anyOf: [none, { const: 2 }, { const: 3 }] }],
  [
    "of each of two choices",
    { a: 1, b: 2 },
    {
      allOf: [
        { anyOf: [{ required: ["a"], properties: { a: { const: 1 } } }, none] },
        { anyOf: [{ required: ["b"], properties: { b: { const: 2 } } }, none] },
      ],
    },
  ],
  [
    "itself inside an array",
    [["x"]],
    {
      $defs: {
        t: {
          type: "array",
          items: { anyOf: [{ type: "string" }, { $ref: "#/$defs/t" }] },
        },
      },
      type: "array",
      items: { $ref: "#/$defs/t" },
    },
  ],
  [
    "with two formats, the first",
    "file:///notes/today.md",
    { type: "string", allOf: [{ format: "uri" }, { format: "byte" }] },
  ],
  [
    "with named members",
    {
      "$a-bC1": "a b c1",
      items: ["item"],
      s: ["s"],
      URLOf: "urlof",
      "!": "text",
      [`a${"b".repeat(40)}`]: `a${"b".repeat(39)}`,
    },
    {
      properties: {
        "$a-bC1": { type: "string" },
        items: { type: "array" },
        s: { type: "array" },
        URLOf: { type: "string" },
        "!": { type: "string" },
        [`a${"b".repeat(40)}`]: { type: "string" },
      },
    },
  ],
  [
    "with formats",
    {
      a: "file:///notes/today.md",
      b: "file:///notes/{name}",
      c: "aGVsbG8=",
      d: "d",
    },
    {
      properties: {
        a: { type: "string", format: "uri" },
        b: { type: "string", format: "uri-template" },
        c: { type: "string", format: "byte" },
        d: { type: "string", format: "date" },
      },
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

  it.each(shown)("of a value named x that is %s is %j", async (_, ...row) => {
    const [value, inputSchema] = row;
    const { snapshot } = await readText(
      snapshotOf({ tools: [{ name: "x", inputSchema }] }),
    );
    // As text, because the order of members counts.
    expect(JSON.stringify(snapshot && sampled(snapshot, "tool x input"))).toBe(
      JSON.stringify(value),
    );
  });

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
    [
      "the search would try a billion combinations",
      {
        $defs: Object.fromEntries(
          Array.from({ length: 30 }, (_, i) => {
            const next = i < 29 ? { $ref: `#/$defs/t${i + 1}` } : { not: {} };
            return [`t${i}`, { anyOf: [next, next] }];
          }),
        ),
        $ref: "#/$defs/t0",
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

describe("a mock without an example of some results", () => {
  it("is reported with a note for each of these tools, in their order", async () => {
    const inputSchema = { type: "object" };
    const outputSchema = {
      type: "object",
      properties: { a: false },
      required: ["a"],
    };
    const long = "c".repeat(81);
    const tools = ["a", "b", long].map((name) => ({
      name,
      inputSchema,
      ...(name !== "b" && { outputSchema }),
    }));
    const { reports } = await project(snapshotOf({ tools }), {
      emit: ["server", "mock"],
    });
    expect(
      reports.filter(({ code }) => code === "MG313").map(formatDiagnostic),
    ).toEqual(
      ["a", "c".repeat(80)].map(
        (name) =>
          `MG313 note: found no example that its output schema accepts, so the mock returns an error\n    in tool "${name}"\n    hint: give the mock a result of your own`,
      ),
    );
  });
});

describe("the example of a type of a protocol", () => {
  it("has the required and the instructive members, down to the params or the result", async () => {
    const protocol = await protocolOf(
      notes({
        sent: `id: string; title?: string; _meta?: { a: string }; anything?: unknown;
          byName?: { [key: string]: string }; inner?: { deep: string; deeper?: string };
          /** @deprecated Use the title. */ name?: string`,
        shared: "flag?: boolean",
      }),
    );
    const example = exampleOfType(index(protocol), "GetNoteRequest", "x");
    expect(example).toEqual({
      method: "notes/get",
      params: {
        id: "id",
        title: "title",
        inner: { deep: "deep" },
        shared: {},
      },
    });
  });
});
