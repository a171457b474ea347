import { describe, expect, it } from "vitest";
import { ofValue as valueSchema } from "../../src/generator/ir/constraint/form.js";
import type { Definition } from "../../src/generator/ir/constraint.js";
import type { Tool } from "../../src/generator/ir/snapshot/model.js";
import { definitionOf } from "../../src/generator/read/snapshot/definitions.js";
import {
  firstSentence,
  linePrinter,
} from "../../src/generator/view/project/model-tools.js";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { fixture, project, snapshotOf } from "./project.js";

interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  execute(args: object): Promise<unknown>;
}
interface Module {
  createModelTools(client: object): Readonly<Record<string, ModelTool>>;
  readonly signatures: readonly string[];
}

/** The generated `tools.ts`, and the tools over a mock of the server. */
async function toolsOf(
  text: string,
): Promise<{ module: Module; tools: Readonly<Record<string, ModelTool>> }> {
  const { files } = await project(text);
  const module = (await load(files, "tools.ts")) as unknown as Module;
  const { connectWeatherMock } = (await load(files, "mock.ts")) as Record<
    string,
    () => Promise<object>
  >;
  return {
    module,
    tools: module.createModelTools((await connectWeatherMock?.()) ?? {}),
  };
}

describe("the line of a tool for a model", () => {
  const x = "x".repeat(160);

  it.each<[description: string | null, words: string]>([
    [null, " — A title."],
    ["", ""],
    ["One\n  line. Two.", " — One line."],
    ["Is it 1.5? Yes.", " — Is it 1.5?"],
    [x, ` — ${x}`],
    [`${x}y`, ` — ${x}`],
    [`${x}. Two.`, ` — ${x}.`],
    [`${x}y. Two.`, ` — ${x}`],
  ])("has the first sentence of its description: %j", (description, words) => {
    const [tool] = [{ description, title: "A title." }] as unknown as Tool[];
    expect(tool && firstSentence(tool)).toBe(words);
  });

  it("has a type of up to 400 characters", () => {
    const definition = (key: string, length: number): Definition =>
      definitionOf(key, valueSchema("x".repeat(length - 2)));
    const print = linePrinter(
      new Map(
        [definition("a", 400), definition("b", 401)].map((one) => [
          one.key,
          one,
        ]),
      ),
    );
    expect(["a", "b", "c"].map(print)).toEqual([
      `"${"x".repeat(398)}"`,
      "object",
      "unknown",
    ]);
  });
});

const tools = (...list: object[]): string => snapshotOf({ tools: list });

describe("the tools for a model", () => {
  it("have the name, description and schema of the snapshot, and call the tool", async () => {
    const { tools } = await toolsOf(fixture("weather"));
    const [listed] = (
      JSON.parse(fixture("weather")) as { tools: [Record<string, unknown>] }
    ).tools;
    const { execute, ...words } = tools["getWeather"] as ModelTool;
    const { name, description, inputSchema } = listed;
    expect(words).toEqual({ name, description, inputSchema });
    expect(await execute({ location: "Lisbon" })).toMatchObject({
      structuredContent: { temperature: 1 },
    });
    await expect(execute({ location: 7 })).rejects.toThrow(
      "location: expected a string, got 7",
    );
  });

  it("have typed arguments and results", async () => {
    const { files } = await project(fixture("weather"), { emit: ["tools"] });
    const use = `import type { ModelTools } from "./tools.js";
export const wrong = (tools: ModelTools): unknown => tools.getWeather.execute({ location: 7 });
`;
    const errors = compile(new Map([...files, ["use.ts", use]]));
    expect(errors).toEqual([
      expect.stringContaining(
        "use.ts:2 Type 'number' is not assignable to type 'string'",
      ),
    ]);
  });

  it("are an index of lines with the types as TypeScript writes them", async () => {
    const text = { type: "string" };
    const nullable = { type: ["string", "null"] };
    const list = (...prefixItems: object[]): object => ({
      type: "array",
      prefixItems,
    });
    const members = {
      a: { ...list(text, nullable), minItems: 1, items: { type: "boolean" } },
      b: { ...list(nullable), items: false },
      c: { allOf: [{ $ref: "#/$defs/n" }, { required: ["x"] }] },
      d: { type: "array", items: { allOf: [text, { $ref: "#/$defs/n" }] } },
      e: { type: "object", additionalProperties: nullable },
      f: { $ref: "#/$defs/n" },
    };
    const { files } = await project(
      tools({
        name: "x",
        inputSchema: {
          type: "object",
          properties: members,
          $defs: {
            n: { type: "object", properties: { n: { $ref: "#/$defs/n" } } },
          },
        },
      }),
      { emit: ["tools"] },
    );
    const module = (await load(files, "tools.ts")) as unknown as Module;
    expect(module.signatures).toEqual([
      "x({ a?: [string, (string | null)?, ...boolean[]]; b?: [(string | null)?]; c?: { n?: unknown } & { x?: unknown }; d?: (string & { n?: unknown })[]; e?: { [key: string]: string | null }; f?: { n?: unknown } }): Content[]",
    ]);
  });

  it("are an index of one line for each tool, with types that refer to nothing", async () => {
    const node = {
      type: "object",
      properties: { next: { $ref: "#/$defs/Node" } },
    };
    const list = {
      type: "object",
      properties: {
        nodes: { type: "array", items: { $ref: "#/$defs/Node" } },
        "odd key": { anyOf: [{ const: "a" }, { type: "null" }] },
        pair: {
          type: "array",
          prefixItems: [{ type: "string" }, { type: "number" }],
          items: false,
          minItems: 2,
        },
        letters: { type: "array", items: { enum: ["a", "b"] } },
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { letter: { enum: ["a", "b"] } },
          },
        },
      },
      required: ["nodes"],
      $defs: { Node: node },
    };
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`member${i}`, { type: "string" }]),
    );
    const { files } = await project(
      tools(
        {
          name: "list_all",
          description: "Lists\n all. And more.",
          inputSchema: list,
          outputSchema: { type: "object" },
        },
        {
          name: "long",
          description: "x".repeat(500),
          inputSchema: { type: "object", properties: many },
        },
        { name: "bare", inputSchema: { type: "object" } },
        {
          name: "closed",
          inputSchema: { type: "object", additionalProperties: false },
        },
        {
          name: "map",
          inputSchema: {
            type: "object",
            additionalProperties: { type: "string" },
          },
        },
      ),
    );
    const { signatures } = (await load(files, "tools.ts")) as unknown as Module;
    expect(signatures).toEqual([
      "bare(): Content[]",
      "closed(): Content[]",
      'listAll({ nodes: { next?: unknown }[]; "odd key"?: "a" | null; pair?: [string, number]; letters?: ("a" | "b")[]; rows?: { letter?: "a" | "b" }[] }): { [key: string]: unknown } — Lists all.',
      `long(object): Content[] — ${"x".repeat(160)}`,
      "map({ [key: string]: string }): Content[]",
    ]);
  });
});
