import {
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  mkdirSync,
  readdirSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programForNode } from "../sources.js";
import { fixture, project } from "../stubs/project.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const examples = join(here, "../examples/models");
const programs = readdirSync(join(examples, "src"));

// Below the packages of this folder, so that a program finds them.
const folder = mkdtempSync(join(here, "node_modules/.models-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Tools = object;
interface Programs {
  connectWeatherMock(): Promise<object>;
  createModelTools(client: object): Tools;
  toolsForAi(tools: Tools): Record<string, unknown>;
  toolsForOpenAi(tools: Tools): unknown[];
  answerOpenAi(tools: Tools, call: object): Promise<unknown>;
  toolsForAnthropic(tools: Tools): unknown[];
  answerAnthropic(tools: Tools, call: object): Promise<unknown>;
  toolsForLangChain(
    tools: Tools,
  ): { name: string; invoke(args: object): Promise<unknown> }[];
}
/**
 * A function of a package of this folder, which the check of the repository's
 * types does not have.
 */
const functionOf = async (
  name: string,
  what: string,
): Promise<(options: unknown) => unknown> => {
  const functions = (await import(name)) as Record<
    string,
    (options: unknown) => unknown
  >;
  return functions[what] as (options: unknown) => unknown;
};

let all: Programs;
let tools: Tools;

beforeAll(async () => {
  const { files } = await project(fixture("weather"));
  for (const [path, text] of files) {
    const file = join(folder, "weather", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const name of programs)
    writeFileSync(
      join(folder, name),
      readFileSync(join(examples, "src", name), "utf8"),
    );
  const sources = [...programs, "weather/mock.ts", "weather/tools.ts"];
  const entry = sources.map((name) => `export * from "./${name}";`).join("\n");
  writeFileSync(join(folder, "all.ts"), entry);
  await build({
    ...programForNode,
    entryPoints: [join(folder, "all.ts")],
    outfile: join(folder, "all.mjs"),
    external: ["ai", "openai", "@anthropic-ai/*", "@langchain/*"],
  });
  all = (await import(join(folder, "all.mjs"))) as Programs;
  tools = all.createModelTools(await all.connectWeatherMock());
});

const call = { location: "Lisbon" };
const answer = { conditions: ["condition"], humidity: 1, temperature: 1 };
const names = ["get_weather", "warn"];

describe("the programs of the page on tools for models", () => {
  it.each(programs)("%s is on the page as it is in its file", (name) => {
    const page = readFileSync(join(examples, "README.md"), "utf8");
    const text = readFileSync(join(examples, "src", name), "utf8");
    expect(page).toContain(`\`\`\`ts\n// src/${name}\n${text}\`\`\`\n`);
  });

  it("compile against the packages of the AI SDK, OpenAI, Anthropic and LangChain", () => {
    const options: ts.CompilerOptions = {
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
      types: ["node"],
      skipLibCheck: true,
      noEmit: true,
      paths: {
        "@mcpgen/runtime": [join(here, "../../src/runtime/index.ts")],
        "@mcpgen/runtime/*": [join(here, "../../src/runtime/*.ts")],
      },
    };
    const errors = ts.getPreEmitDiagnostics(
      ts.createProgram(
        programs.map((name) => join(folder, name)),
        options,
      ),
    );
    expect(
      errors.map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, "\n"),
      ),
    ).toEqual([]);
  });

  it("let a model of the AI SDK call a tool and read its result", async () => {
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const prompts: string[] = [];
    const Model = (await functionOf(
      "ai/test",
      "MockLanguageModelV3",
    )) as unknown as new (o: object) => object;
    const model = new Model({
      doGenerate: ({ prompt }: { prompt: unknown }) => {
        prompts.push(JSON.stringify(prompt));
        const input = JSON.stringify(call);
        const toolCall = {
          type: "tool-call",
          toolCallId: "1",
          toolName: "get_weather",
          input,
        };
        const content =
          prompts.length === 1
            ? [toolCall]
            : [{ type: "text", text: "It is 1 degree." }];
        const unified = prompts.length === 1 ? "tool-calls" : "stop";
        return Promise.resolve({
          content,
          finishReason: { unified },
          usage,
          warnings: [],
        });
      },
    });
    const generateText = await functionOf("ai", "generateText");
    const stopWhen = (await functionOf("ai", "stepCountIs"))(3);
    const options = {
      model,
      tools: all.toolsForAi(tools),
      prompt: "How cold is it in Lisbon?",
      stopWhen,
    };
    const { text } = (await generateText(options)) as { text: string };
    expect(text).toBe("It is 1 degree.");
    expect(prompts[1]).toContain(JSON.stringify(answer));
    expect(Object.keys(all.toolsForAi(tools))).toEqual(names);
  });

  it("answer the call that a model of OpenAI chose, or say what is wrong with it", async () => {
    expect(all.toolsForOpenAi(tools)).toMatchObject(
      names.map((name) => ({ type: "function", function: { name } })),
    );
    const message = (args: object): object => ({
      id: "1",
      type: "function",
      function: { name: "get_weather", arguments: JSON.stringify(args) },
    });
    const { content } = (await all.answerOpenAi(tools, message(call))) as {
      content: string;
    };
    expect(JSON.parse(content)).toMatchObject({ structuredContent: answer });
    expect(await all.answerOpenAi(tools, message({}))).toMatchObject({
      role: "tool",
      tool_call_id: "1",
      content: expect.stringContaining("location: expected a string") as string,
    });
  });

  it("answer the call that a model of Anthropic chose, or say what is wrong with it", async () => {
    expect(all.toolsForAnthropic(tools)).toMatchObject(
      names.map((name) => ({ name, input_schema: { type: "object" } })),
    );
    const use = (name: string, input: object): object => ({
      type: "tool_use",
      id: "1",
      name,
      input,
    });
    const { content, ...rest } = (await all.answerAnthropic(
      tools,
      use("get_weather", call),
    )) as {
      content: string;
    };
    expect(rest).toEqual({
      type: "tool_result",
      tool_use_id: "1",
      is_error: false,
    });
    expect(JSON.parse(content)).toMatchObject({ structuredContent: answer });
    expect(await all.answerAnthropic(tools, use("none", call))).toMatchObject({
      is_error: true,
    });
  });

  it("are tools of LangChain", async () => {
    const chain = all.toolsForLangChain(tools);
    expect(chain.map(({ name }) => name)).toEqual(names);
    expect(await chain[0]?.invoke(call)).toMatchObject({
      structuredContent: answer,
    });
  });
});
