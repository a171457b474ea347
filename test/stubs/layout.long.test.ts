import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { fixture, project, snapshotOf } from "./project.js";

const tool = (name: string): object => ({
  name,
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" } },
    required: ["a"],
  },
  outputSchema: { type: "object", properties: { b: { type: "string" } } },
});
const prompt = (name: string): object => ({
  name,
  arguments: [{ name: "a", required: true }],
});
const long = "stations-of-the-coast";
/** A server whose names all have the given number of letters. */
const named = (letters: number): string => {
  const name = "observationsOfTheStationsAlongTheNorthernCoast".slice(
    0,
    letters,
  );
  return snapshotOf({
    server: { name, version: "1.0.0" },
    capabilities: {
      completions: {},
      prompts: {},
      resources: { subscribe: true },
      tools: {},
    },
    tools: [tool(name), { name: `${name}B`, inputSchema: { type: "object" } }],
    prompts: [
      { name, arguments: [{ name, required: true }] },
      { name: `${name}B` },
    ],
    resources: [{ name, uri: "a://b" }],
    resourceTemplates: [{ name: `${name}C`, uriTemplate: `a://{${name}}/{c}` }],
  });
};
const whole = {
  server: { name: "coastal-weather-server", version: "1.0.0" },
  capabilities: {
    completions: {},
    prompts: {},
    resources: { subscribe: true },
    tools: {},
  },
  tools: [tool(long), tool("add_observations"), tool("x")],
  prompts: [prompt(long), { name: "plain" }],
  resources: [{ name: long, uri: "a://b" }],
  resourceTemplates: [{ name: "station", uriTemplate: "a://{b}/{c}" }],
};

const shape = (kind: string): object => ({
  type: "object",
  properties: { kind: { const: kind }, sides: { type: "number" } },
  required: ["kind"],
});
const shapes = { anyOf: [shape("circle"), shape("square")] };
const combined = {
  type: "object",
  properties: {
    a: {
      ...shape("any"),
      anyOf: [shape("circle"), shape("square"), { type: "null" }],
    },
    b: { allOf: [shapes, { enum: ["a", "b"] }, shapes] },
    c: {
      type: "array",
      items: { allOf: [shape("a"), { type: ["object", "null"] }] },
    },
    d: { anyOf: [{ allOf: [shape("a"), shapes] }, { type: "string" }] },
    e: {
      allOf: [
        { allOf: [{ type: ["string", "null"] }, shape("a")] },
        { type: ["object", "number"] },
      ],
    },
  },
};

const snapshots: readonly (readonly [what: string, snapshot: string])[] = [
  ["a server that offers nothing", snapshotOf({})],
  ["a server with only tools", snapshotOf({ tools: [tool("x")] })],
  ["a server with only prompts", snapshotOf({ prompts: [prompt("x")] })],
  [
    "a server of a modern revision with only prompts",
    snapshotOf({ prompts: [prompt("x")], revision: "2026-07-28" }),
  ],
  [
    "a server with only a resource",
    snapshotOf({ resources: [{ name: "x", uri: "a://b" }] }),
  ],
  [
    "a server with only a template",
    snapshotOf({ resourceTemplates: [{ name: "x", uriTemplate: "a://{b}" }] }),
  ],
  ["a server that offers everything", snapshotOf(whole)],
  [
    "a server of a modern revision that offers everything",
    snapshotOf({ ...whole, revision: "2026-07-28" }),
  ],
  ...[20, 25, 28].map(
    (letters) =>
      [`a server whose names have ${letters} letters`, named(letters)] as const,
  ),
  [
    "a server whose types combine alternatives",
    snapshotOf({ tools: [{ name: "x", inputSchema: combined }] }),
  ],
  [
    "a server of the oldest revision",
    fixture("weather").replace("2025-11-25", "2024-11-05"),
  ],
];

describe("a validator", () => {
  it("tests no condition twice if an enumeration or alternatives repeat one", async () => {
    const text = { type: "string" };
    const inputSchema = {
      type: "object",
      properties: {
        a: { enum: ["x", "y", "x"] },
        b: { anyOf: [{ enum: ["x", "y"] }, { enum: ["y", "z"] }] },
        c: {
          anyOf: [
            { type: ["string", "number"] },
            { enum: [true, null] },
            { const: null },
            text,
          ],
        },
        d: { allOf: [{ minLength: 2 }, { minLength: 2 }] },
        e: {
          anyOf: [
            { type: ["integer", "string"] },
            { enum: ["x", true] },
            { ...text, enum: ["y"] },
            text,
          ],
        },
      },
    };
    const { files } = await project(
      snapshotOf({ tools: [{ name: "x", inputSchema }] }),
    );
    const conditions = [
      ...(files.get("validators.ts") ?? "").matchAll(
        /if \(([^;{}]+)\)\s*return|return ([^;{}]+);/g,
      ),
    ]
      .map(([, test = "", result = ""]) =>
        `${test}${result}`.replace(/\s+/g, " ").split(/ && | \|\| /),
      )
      .filter((parts) => parts.length > 1);
    expect(conditions.length).toBeGreaterThan(3);
    expect(
      conditions.filter((parts) => new Set(parts).size < parts.length),
    ).toEqual([]);
  });
});

describe("stubs are formatted as Prettier formats them", () => {
  it.each(snapshots)("for %s", async (_, snapshot) => {
    const { all } = await project(snapshot);
    for (const [path, text] of all) {
      if (!path.startsWith("protocol/"))
        expect(text, path).toBe(await format(text, { parser: "typescript" }));
    }
  });
});
