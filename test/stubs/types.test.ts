import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { project, snapshotOf } from "./project.js";
import { rows } from "./type-rows.js";

const nameOf = (i: number): string => `s${String(i).padStart(3, "0")}`;
const typeOf = (i: number): string => `S${nameOf(i).slice(1)}Input`;

/**
 * Two types are the same if the compiler can assign a generic function of one
 * to a generic function of the other.
 */
const program = `import type * as t from "./types.js";

type Flat<T> = T extends readonly unknown[] ? { [K in keyof T]: Flat<T[K]> } : T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

${rows.map(([, type], i) => `export const ${nameOf(i)}: Same<Flat<t.${typeOf(i)}>, Flat<${type}>> = true;`).join("\n")}
`;

describe("a server that completes values", () => {
  const prompts = [{ name: "ask", arguments: [{ name: "about" }] }];
  const templates = [{ name: "page", uriTemplate: "a:{page}" }];
  const bare = [{ name: "ask" }];
  const resources = [{ name: "home", uri: "a:b" }];

  it.each<[what: string, lists: object]>([
    ["of prompts", { prompts, resources }],
    ["of templates", { prompts: bare, resourceTemplates: templates }],
    ["of both", { prompts, resourceTemplates: templates }],
    ["of neither", { prompts: bare, resources }],
  ])("has types that fit each other: %s", async (_, lists) => {
    const { all } = await project(
      snapshotOf({
        capabilities: { completions: {}, prompts: {}, resources: {} },
        ...lists,
      }),
    );
    expect(compile(all)).toEqual([]);
  });
});

describe("the types of a project", () => {
  it("are exactly the expected types of the schemas", async () => {
    const tools = rows.map(([inputSchema], i) => ({
      name: nameOf(i),
      inputSchema,
    }));
    const { files } = await project(snapshotOf({ tools }), {
      emit: ["client"],
    });
    expect(rows.length).toBeGreaterThanOrEqual(60);
    const faults = compile(new Map([...files, ["same.ts", program]]));
    const wrong = faults.map((fault) => {
      const [, at] = /const s(\d+)/.exec(fault) ?? [];
      const [schema, type] = rows[Number(at)] ?? [];
      return at === undefined
        ? fault
        : `${JSON.stringify(schema)} is not ${type}`;
    });
    expect(wrong).toEqual([]);
  });

  it.each<[object, string]>([
    [{ enum: ["a", "a"] }, '"a"'],
    [{ enum: ["a", "b", "a"] }, '"a" | "b"'],
    [{ type: ["string", "string"] }, "string"],
    [{ anyOf: [{ type: "string" }, { type: "string" }] }, "string"],
    [{ oneOf: [{ type: "null" }, { type: "null" }] }, "null"],
    [{ allOf: [{ type: "null" }, { type: "null" }] }, "null"],
  ])("write what a schema says twice once: %j", async (a, type) => {
    const inputSchema = { type: "object", properties: { a } };
    const { files } = await project(
      snapshotOf({ tools: [{ name: "x", inputSchema }] }),
      { emit: ["client"] },
    );
    expect(files.get("types.ts")).toContain(`a?: ${type};`);
  });

  it("have the variables of a template, each with what all its places allow", async () => {
    const uriTemplate = "a:{a:3}{b*}{a*}{?b,c*}{&d:2}";
    const { files } = await project(
      snapshotOf({ resourceTemplates: [{ name: "page", uriTemplate }] }),
      { emit: ["client"] },
    );
    expect(files.get("types.ts")).toContain(`export interface PageVariables {
  a: string | number | boolean;
  b: Expandable;
  c?: Expandable;
  d?: string | number | boolean;
}`);
  });

  it("are tuples for a list of items without a dialect, which is checked, with a note", async () => {
    const items = {
      type: "array",
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: false,
    };
    const inputSchema = { type: "object", properties: { a: items } };
    const tool = { name: "x", inputSchema };
    const { files, reports } = await project(snapshotOf({ tools: [tool] }), {
      emit: ["client"],
    });
    expect(reports).toMatchObject([
      {
        code: "MG305",
        severity: "note",
        message: expect.stringContaining("prefixItems") as string,
      },
    ]);
    const isInput = (await load(files, "validators.ts"))["isXInput"] as (
      value: unknown,
    ) => boolean;
    expect([["a", 1], ["a"], []].map((a) => isInput({ a }))).toEqual([
      true,
      true,
      true,
    ]);
    expect([[1], ["a", "b"], ["a", 1, 2]].map((a) => isInput({ a }))).toEqual([
      false,
      false,
      false,
    ]);
    // A document that names the newer dialect means something else, which is
    // not checked.
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const newer = await project(
      snapshotOf({
        tools: [{ name: "x", inputSchema: { $schema, ...inputSchema } }],
      }),
    );
    expect(newer.reports).toMatchObject([
      { code: "MG305", severity: "warning" },
    ]);
  });

  it.each([
    [
      "http://json-schema.org/draft-04/schema#",
      { type: "number", minimum: 0, exclusiveMinimum: true },
      [1],
      [0],
    ],
    [
      "http://json-schema.org/draft-04/schema#",
      { type: "number", maximum: 9, exclusiveMaximum: false },
      [9],
      [10],
    ],
    [
      "http://json-schema.org/draft-04/schema#",
      { type: "array", items: [{ type: "string" }], additionalItems: false },
      [["a"]],
      [[1], ["a", 1]],
    ],
    [
      "https://json-schema.org/draft/2019-09/schema",
      { type: "array", items: [{ type: "string" }], additionalItems: false },
      [["a"]],
      [[1], ["a", 1]],
    ],
    [
      "https://json-schema.org/draft/2019-09/schema",
      { type: "object", dependentRequired: { b: ["c"] } },
      [{ b: 1, c: 1 }],
      [{ b: 1 }],
    ],
  ])(
    "are what the author meant in the dialect %s: %j",
    async ($schema, schema, right, wrong) => {
      const inputSchema = {
        $schema,
        type: "object",
        properties: { a: schema },
      };
      const { files, reports } = await project(
        snapshotOf({ tools: [{ name: "x", inputSchema }] }),
        { emit: ["client"] },
      );
      expect(reports).toEqual([]);
      const isInput = (await load(files, "validators.ts"))["isXInput"] as (
        value: unknown,
      ) => boolean;
      expect(right.map((a: unknown) => isInput({ a }))).not.toContain(false);
      expect(wrong.map((a: unknown) => isInput({ a }))).not.toContain(true);
    },
  );

  it("of 2019-09 are not checked at a $recursiveRef, with a warning", async () => {
    const inputSchema = {
      $schema: "https://json-schema.org/draft/2019-09/schema",
      type: "object",
      properties: { a: { $recursiveRef: "#" } },
    };
    const { reports } = await project(
      snapshotOf({ tools: [{ name: "x", inputSchema }] }),
    );
    expect(reports).toMatchObject([
      { code: "MG308", message: '"$recursiveRef" is not checked' },
    ]);
  });

  it("are distinguished from other types by the test above", async () => {
    const { files } = await project(
      snapshotOf({
        tools: [{ name: nameOf(0), inputSchema: { type: "string" } }],
      }),
    );
    const [head = ""] = program.split("export const");
    const wrong = ["number", "string | null", "unknown", "never", '"x"', "any"];
    const lines = wrong.map(
      (type, i) =>
        `export const w${i}: Same<Flat<t.${typeOf(0)}>, Flat<${type}>> = true;`,
    );
    const faults = compile(
      new Map([...files, ["same.ts", `${head}${lines.join("\n")}\n`]]),
    );
    const reported = faults.flatMap(
      (fault) => /const w(\d):/.exec(fault)?.[1] ?? [],
    );
    expect([...new Set(reported)].sort()).toEqual(
      wrong.map((_, i) => String(i)),
    );
  });
});
