import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { project, type Project, snapshotOf } from "./project.js";

const object = (
  properties: Readonly<Record<string, object>>,
  required = Object.keys(properties),
): object => ({
  type: "object",
  properties,
  required,
});
const circle = object({
  kind: { const: "circle" },
  radius: { type: "number" },
});
const square = object({
  kind: { enum: ["square", "box"] },
  side: { type: "number" },
});
const line = object({ from: { type: "number" } });
const text = object({ text: object({ content: { type: "string" } }) });

const shapes: Readonly<Record<string, object>> = {
  tagged: { anyOf: [circle, square] },
  oneTagged: { oneOf: [circle, square] },
  nullable: { anyOf: [circle, { type: "null" }, square] },
  named: { anyOf: [{ $ref: "#/$defs/circle" }, { $ref: "#/$defs/square" }] },
  recursive: {
    anyOf: [
      circle,
      object({
        kind: { const: "group" },
        inner: { $ref: "#/properties/shape" },
      }),
    ],
  },
  listed: { type: "array", items: { anyOf: [circle, square] } },
  typed: { type: "object", anyOf: [circle, square] },
  bare: {
    type: "object",
    oneOf: [circle, square].map((shape) => ({ ...shape, type: undefined })),
  },
  untagged: { anyOf: [line, text] },
  mixed: { anyOf: [{ type: "string" }, line] },
  counted: {
    anyOf: [{ type: "string" }, { type: "object", minProperties: 1 }],
  },
  doubly: {
    anyOf: ["a", "b"].map((name) =>
      object({ kind: { const: name }, type: { const: name } }),
    ),
  },
  overlapping: {
    oneOf: [["a", "b"], ["b", "c"], ["d"]].map((names) =>
      object({ kind: { enum: names } }),
    ),
  },
  composed: {
    anyOf: [
      object({ kind: { enum: ["a", [1]] } }),
      object({ kind: { const: "b" } }),
    ],
  },
};

const tools = Object.entries(shapes).map(([name, shape]) => ({
  name,
  inputSchema: { ...object({ shape }), $defs: { circle, square } },
}));

interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    error?: { issues: readonly { message: string }[] };
  };
}

let generated: Project;
let loaded: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  generated = await project(snapshotOf({ tools }));
  loaded = (await load(generated.files, "validators.ts")) as typeof loaded;
});

const kinds = '"circle", "square" or "box"';
const upper = (name: string): string =>
  name.slice(0, 1).toUpperCase() + name.slice(1);
const group = (inner: unknown): object => ({ kind: "group", inner });

describe("a validator of a schema with alternatives", () => {
  it.each([
    [
      "tagged",
      { kind: "circle", radius: "x" },
      'shape.radius: expected a number, got "x"',
    ],
    ["tagged", { kind: "box" }, "shape.side: expected a number, got nothing"],
    ["tagged", { kind: "line" }, `shape.kind: expected ${kinds}, got "line"`],
    ["tagged", 5, "shape: expected an object, got 5"],
    [
      "oneTagged",
      { kind: "circle", radius: "x" },
      'shape.radius: expected a number, got "x"',
    ],
    [
      "nullable",
      { kind: "square", side: "x" },
      'shape.side: expected a number, got "x"',
    ],
    ["nullable", 5, "shape: expected an object or null, got 5"],
    [
      "named",
      { kind: "circle", radius: "x" },
      'shape.radius: expected a number, got "x"',
    ],
    [
      "recursive",
      group(group({ kind: "circle" })),
      "shape.inner.inner.radius: expected a number, got nothing",
    ],
    [
      "listed",
      [{ kind: "circle", radius: "x" }],
      'shape[0].radius: expected a number, got "x"',
    ],
    [
      "typed",
      { kind: "circle", radius: "x" },
      'shape.radius: expected a number, got "x"',
    ],
    [
      "bare",
      { kind: "box", side: "x" },
      'shape.side: expected a number, got "x"',
    ],
    ["bare", 5, "shape: expected an object, got 5"],
    [
      "untagged",
      { text: { content: 5 } },
      "shape.text.content: expected a string, got 5",
    ],
    ["untagged", { text: 5 }, "shape.text: expected an object, got 5"],
    ["mixed", { from: "x" }, 'shape.from: expected a number, got "x"'],
    ["mixed", 5, "shape: expected a string or an object, got 5"],
    ["counted", {}, "shape: expected at least 1 member, got an object"],
    [
      "doubly",
      { kind: "c", type: "c" },
      'shape.kind: expected "a" or "b", got "c"',
    ],
    [
      "overlapping",
      { kind: "b" },
      "shape: expected exactly one of 3 schemas to match, got an object",
    ],
  ])(
    "reports the member that the closest alternative rejects: %s, %j",
    (name, shape, message) => {
      const guard = loaded[`is${upper(name)}Input`];
      expect((guard as (value: unknown) => boolean)({ shape })).toBe(false);
      const schema = loaded[`${upper(name)}InputSchema`] as Schema;
      expect(
        schema.safeParse({ shape }).error?.issues.map((issue) => issue.message),
      ).toEqual([message]);
    },
  );

  it.each([
    ["tagged", { kind: "box", side: 1 }],
    ["oneTagged", { kind: "circle", radius: 1 }],
    ["bare", { kind: "box", side: 1 }],
    ["nullable", null],
    ["nullable", { kind: "circle", radius: 1 }],
    ["recursive", group(group({ kind: "circle", radius: 1 }))],
    [
      "listed",
      [
        { kind: "circle", radius: 1 },
        { kind: "box", side: 1 },
      ],
    ],
    ["untagged", { text: { content: "x" } }],
    ["mixed", "x"],
    ["counted", { a: 1 }],
    ["doubly", { kind: "a", type: "a" }],
    ["overlapping", { kind: "a" }],
    ["overlapping", { kind: "c" }],
    ["overlapping", { kind: "d" }],
    ["composed", { kind: [1] }],
    ["composed", { kind: "b" }],
  ])("accepts a value that one alternative accepts: %s, %j", (name, shape) => {
    const guard = loaded[`is${upper(name)}Input`];
    expect((guard as (value: unknown) => boolean)({ shape })).toBe(true);
  });

  it("compiles", () => {
    expect(compile(generated.all)).toEqual([]);
  });
});
