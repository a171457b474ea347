import { describe, expect, it } from "vitest";
import { project, readText, revision } from "../stubs/project.js";
import { compile } from "../view/compile.js";
import { laughs } from "./laughs.js";
import { isWhole, runs, sampled } from "../whole.js";

/** The smallest revision. */
const protocol = await revision("2024-11-05");

describe("a project from a snapshot with an excessive schema", () => {
  const tool = (inputSchema: unknown): string =>
    JSON.stringify({
      format: 1,
      revision: "2024-11-05",
      server: { name: "much" },
      capabilities: {},
      tools: [{ name: "greedy", inputSchema }],
    });
  const nested = (depth: number): unknown => {
    let schema: unknown = { type: "string" };
    for (let i = 0; i < depth; i++) schema = { properties: { a: schema } };
    return schema;
  };
  const wide = {
    anyOf: Array.from({ length: 50_000 }, () => ({ type: "string" })),
  };

  const schemas: readonly (readonly [
    name: string,
    schema: unknown,
    code: string,
  ])[] = [
    ["50,000 alternatives", wide, "MG304"],
    ["150 levels", nested(150), "MG308"],
    [
      "a reference to another host",
      { properties: { a: { $ref: "http://127.0.0.1:9/x.json" } } },
      "MG306",
    ],
    [
      "a reference to a file",
      { properties: { a: { $ref: "file:///etc/passwd" } } },
      "MG306",
    ],
    ["a reference to itself", { $ref: "#" }, "MG308"],
    [
      "two references to each other",
      {
        $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
        $ref: "#/$defs/a",
      },
      "MG308",
    ],
    [
      "a pattern that never ends",
      { properties: { a: { pattern: "^(a|a)*$" } } },
      "MG307",
    ],
  ];
  const short = new Set([
    "150 levels",
    "a reference to a file",
    "a reference to itself",
    "a pattern that never ends",
  ]);
  it.each(sampled(schemas, ([name]) => short.has(name)))(
    "has types and guards, and a diagnostic that names the tool: %s",
    async (_, schema, code) => {
      const { files, reports } = await project(tool(schema), {
        protocol,
        emit: ["client"],
      });
      const report = reports.find((entry) => entry.code === code);
      expect([report?.code, report?.within[0]]).toEqual([
        code,
        'tool "greedy"',
      ]);
      expect(compile(files)).toEqual([]);
    },
  );

  it("is generated from schemas that refer to each other twice on each of 40 levels", async () => {
    const { files } = await project(tool(laughs), {
      protocol,
      emit: ["client"],
    });
    expect(files.get("validators.ts")).toContain("attempt(");
  });

  it.each(sampled([3000, 100_000], (depth) => depth === 3000))(
    "leaves out only the schema that is nested too deep: %i levels",
    async (depth) => {
      const deep = `{"not":`.repeat(depth) + "{}" + "}".repeat(depth);
      const tools = [
        `{"name":"greedy","inputSchema":${deep},"outputSchema":${deep}}`,
        '{"name":"modest","inputSchema":{"type":"object","required":["a"]}}',
      ];
      const text = tool({}).replace(
        /"tools":\[.*\]/,
        `"tools":[${tools.join()}]`,
      );
      const { files, reports } = await project(text, {
        protocol,
        emit: ["client"],
      });
      expect(
        reports.map(({ code, within, location }) => [
          code,
          within,
          location?.line,
        ]),
      ).toEqual([
        ["MG304", ['tool "greedy"', "inputSchema"], 1],
        ["MG304", ['tool "greedy"', "outputSchema"], 1],
      ]);
      expect(compile(files)).toEqual([]);
      expect(files.get("types.ts")).toContain(
        "type GreedyInput = { [key: string]: unknown };",
      );
      expect(files.get("validators.ts")).toContain('"a"');
    },
  );

  it.runIf(isWhole)(
    "has the complete schema if it is nested as deep as the limit allows",
    async () => {
      const { files, reports } = await project(tool(nested(199)), {
        protocol,
        emit: ["client"],
      });
      expect(reports.map(({ code }) => code)).not.toContain("MG304");
      expect(compile(files)).toEqual([]);
    },
  );

  it.each<[of: string, schemaWith: (values: number) => object]>([
    [
      "items",
      (values) => ({ "x-own": Array.from({ length: values }, () => 0) }),
    ],
    [
      "members",
      (values) => ({
        "x-own": Object.fromEntries(
          Array.from({ length: values }, (_, i) => [`m${i}`, 0]),
        ),
      }),
    ],
  ])(
    "is checked with 10,000 values and not with one more: %s",
    async (_, of) => {
      // The schema and what it has of its own are two.
      const codes = async (values: number): Promise<readonly string[]> => {
        const { reports } = await readText(tool(of(values - 2)));
        return reports.map(({ code }) => code);
      };
      expect(await codes(10_000)).not.toContain("MG304");
      expect(await codes(10_001)).toContain("MG304");
    },
  );

  const deepText = "[".repeat(3000) + "]".repeat(3000);
  it.each([
    [
      "a member of a tool",
      tool({}).replace('"greedy"', `"greedy","_meta":{"a":${deepText}}`),
    ],
    ["the snapshot itself", deepText],
  ])(
    "is not generated if another part is nested too deep: %s",
    async (_, text) => {
      const { snapshot, reports } = await readText(text);
      expect([snapshot, reports.map(({ code }) => code)]).toEqual([
        null,
        ["MG201"],
      ]);
    },
  );

  it("can have thousands of tools", async () => {
    const tools = Array.from({ length: runs(10_000) }, (_, i) => ({
      name: `tool${i}`,
      inputSchema: { type: "object" },
    }));
    const { snapshot } = await readText(
      JSON.stringify({
        format: 1,
        revision: "x",
        server: {},
        capabilities: {},
        tools,
      }),
    );
    expect(snapshot?.tools.length).toBe(runs(10_000));
  });
});
