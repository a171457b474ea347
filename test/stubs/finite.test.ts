import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { project, type Project, snapshotOf } from "./project.js";

/** Schemas that accept numbers by their type. */
const schemas = {
  plain: { type: "number" },
  whole: { type: "integer" },
  bounded: { type: "number", minimum: 1 },
  below: { type: "number", exclusiveMaximum: 3 },
  wholeBelow: { type: "integer", maximum: 3 },
  doubled: { type: "number", multipleOf: 0.5 },
  orText: { type: ["number", "string"] },
  orTextAbove: { type: ["string", "integer"], minimum: 1 },
  either: { anyOf: [{ type: "number" }, { type: "null" }] },
  member: { type: "object", properties: { a: { type: "number" } } },
  item: { type: "array", items: { type: "number", minimum: 0 } },
  others: { type: "object", additionalProperties: { type: "number" } },
};

const inside = (name: string, number: number): unknown =>
  name === "item"
    ? [number]
    : name === "member" || name === "others"
      ? { a: number }
      : number;

describe("the guards of a project whose schemas accept numbers", () => {
  let generated: Project;
  let guards: Readonly<Record<string, (value: unknown) => boolean>>;
  beforeAll(async () => {
    const tools = Object.entries(schemas).map(([name, inputSchema]) => ({
      name,
      inputSchema,
    }));
    generated = await project(snapshotOf({ tools }), { emit: ["client"] });
    guards = (await load(generated.files, "validators.ts")) as typeof guards;
  });

  it("compile", () => {
    expect(compile(generated.files)).toEqual([]);
  });

  it.each(Object.keys(schemas))(
    "accept a finite number, and reject NaN and infinite numbers: %s",
    (name) => {
      const guard =
        guards[`is${name.slice(0, 1).toUpperCase()}${name.slice(1)}Input`];
      expect(guard?.(inside(name, 1))).toBe(true);
      for (const number of [Infinity, -Infinity, NaN])
        expect(guard?.(inside(name, number))).toBe(false);
    },
  );

  it("reject a number that is not finite, without throwing, if the schema has no type", async () => {
    const inputSchema = { properties: { a: { multipleOf: 0.1 } } };
    const { files } = await project(
      snapshotOf({ tools: [{ name: "free", inputSchema }] }),
    );
    const { isFreeInput } = (await load(
      files,
      "validators.ts",
    )) as typeof guards;
    for (const a of [Infinity, -Infinity, NaN])
      expect(isFreeInput?.({ a })).toBe(false);
  });
});
