import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "../cli/support.js";
import { root } from "../repository.js";
import { lockName, sourceAndProject, update } from "../update/project.js";

const head = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export const server = new McpServer({ name: "a", version: "1.0.0" });
`;
const row = `server.registerTool("t", {}, async () => ({ content: [] }));\n`;
/** The old package is there, so the new one and the protocol have types. */
const installed = {
  "node_modules/@modelcontextprotocol/sdk/package.json":
    '{ "name": "@modelcontextprotocol/sdk", "version": "1.30.0" }',
};

/** Runs the command on server.ts or server.js, and returns what is in it then. */
async function moved(
  files: Readonly<Record<string, string>>,
  ...flags: string[]
) {
  const at = directory({ ...installed, ...files });
  const [name = ""] = Object.keys(files);
  const { code, out, err } = await mcpgen(
    ["migrate", name, "--no-color", ...flags],
    { directory: at },
  );
  return { code, out, err, text: readFileSync(join(at, name), "utf8") };
}

/** Enough of zod for its types. */
const zod = {
  "node_modules/zod/package.json":
    '{ "name": "zod", "version": "4.0.0", "type": "module", "exports": { "types": "./index.d.ts" } }',
  "node_modules/zod/index.d.ts": `interface Of<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): { readonly value: T };
    readonly types?: { readonly input: T; readonly output: T };
  };
}
export declare const z: {
  number(least: number): Of<number>;
  string(): Of<string>;
  object<S>(shape: S): Of<{ [K in keyof S]: S[K] extends Of<infer T> ? T : never }>;
};
`,
};

/** Runs the command on a server of a strict project with the new runtime. */
async function movedLoops(loops: string) {
  const at = directory({
    ...zod,
    "server.ts": `import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const text = (text: string) => ({ type: "text", text }) as const;
export const server = new McpServer({ name: "a", version: "1.0.0" });
${loops}`,
    "package.json": '{ "type": "module" }',
    "tsconfig.json":
      '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true, "skipLibCheck": true } }',
  });
  mkdirSync(join(at, "node_modules/@mcpgen"), { recursive: true });
  const runtime = "node_modules/@mcpgen/runtime";
  symlinkSync(join(root, runtime), join(at, runtime), "junction");
  return await mcpgen(["migrate", "server.ts"], { directory: at });
}

describe("before mcpgen migrate writes", () => {
  it.each([
    ["a method that the new server does not have", "server.close();\n"],
    ["a row that cannot be read", "server.registerTool('u', row(), row);\n"],
  ])(
    "the result is compiled, and nothing is written while it has a new error: %s",
    async (_, line) => {
      const before = head + row + line;
      const { code, err, text } = await moved({ "server.ts": before });
      expect([code, text]).toEqual([1, before]);
      expect(err).toMatch(
        /^server\.ts:\d+:\d+ MG955 the result does not compile: TS\d+ /m,
      );
      expect(err).toMatch(/nothing was written: .* with TypeScript \d/);
    },
  );

  it.each(["server.ts", "server.js"])(
    "--force writes it, and says the same as a warning: %s",
    async (name) => {
      const { code, err, text } = await moved(
        { [name]: `${head}${row}server.close();\n` },
        "--force",
      );
      expect([code, text]).toEqual([
        0,
        expect.stringContaining("createServers({"),
      ]);
      expect(err).toContain("MG955 warning: the result does not compile");
    },
  );

  it("an error that the project had before does not count", async () => {
    const { code, text } = await moved({
      "server.ts": `${head}const count: number = "one";\n${row}`,
    });
    expect([code, text]).toEqual([
      0,
      expect.stringContaining("createServers({"),
    ]);
  });

  it("the other files of its tsconfig.json are compiled too", async () => {
    const { code, err } = await moved({
      "server.ts": head + row,
      "stop.ts": `import { server } from "./server.js";\nserver.close();\n`,
      "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }',
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^stop\.ts:2:8 MG955 .*TS2339/m);
  });

  it("a rootDir of its tsconfig.json does not count, because nothing is emitted", async () => {
    const { code, err } = await moved({
      "server.ts": head + row,
      "tsconfig.json":
        '{ "compilerOptions": { "rootDir": "src" }, "include": ["src"] }',
      "src/other.ts": "export const other = 1;\n",
    });
    expect(code, err).toBe(0);
  });

  it("a handler that asks the user compiles where the new package is installed and the old one is not", async () => {
    const ask = `server.registerTool("ask", {}, async () => {
  const answer = await server.server.elicitInput({ message: "Sure?", requestedSchema: { type: "object", properties: {} } });
  return { content: [{ type: "text", text: answer.action }] };
});
`;
    const at = directory({ "server.ts": head + ask });
    mkdirSync(join(at, "node_modules/@mcpgen"), { recursive: true });
    const runtime = "node_modules/@mcpgen/runtime";
    symlinkSync(join(root, runtime), join(at, runtime), "junction");
    const { code, err } = await mcpgen(["migrate", "server.ts"], {
      directory: at,
    });
    expect(code, err).toBe(0);
    expect(readFileSync(join(at, "server.ts"), "utf8")).toContain(
      'context.elicit("Sure?"',
    );
  });

  it.each([
    ["n / 2", 0],
    ["n.length", 1],
  ])(
    "the rows of a loop have the types of their schemas: %s",
    async (use, expected) => {
      const { code, err } = await movedLoops(`
for (const { name, least } of [{ name: "one", least: 1 }])
  server.registerTool(
    name,
    { inputSchema: { n: z.number(least) } },
    async ({ n }, extra) => {
      const found: number = ${use};
      return { content: [text(String(found) + extra.signal.aborted)] };
    },
  );
for (const id of ["a", "b"])
  server.registerTool(id, {}, async (extra) => ({
    content: [text(id + extra.signal.aborted)],
  }));
for (const id of ["a", "b"])
  server.registerResource(id, "file:///" + id, {}, async (uri) => ({
    contents: [{ uri: uri.href, text: id }],
  }));
for (const id of ["a", "b"])
  server.registerResource(id, new ResourceTemplate("file:///{name}/" + id, { list: undefined }), {}, async (uri, { name }) => ({
    contents: [{ uri: uri.href, text: String(name) }],
  }));
for (const id of ["a", "b"])
  server.registerPrompt(
    id,
    { argsSchema: { word: z.string() } },
    async ({ word }) => ({
      messages: [{ role: "user", content: text(word + id) }],
    }),
  );
`);
      expect(code, err).toBe(expected);
      if (expected === 1)
        expect(err).toMatch(/MG955 .* TS2339 .*'length'.*'number'/);
    },
  );

  it("the rows of a loop keep out of the way of what a file has by the same names", async () => {
    const { code, err } = await movedLoops(`
interface Tool { readonly least: number }
interface Prompt { readonly word: string }
const limit: Tool = { least: 1 };
const question: Prompt = { word: "b" };
for (const { name, inputSchema } of [{ name: "one", inputSchema: { n: z.number(limit.least) } }])
  server.registerTool(
    name,
    { inputSchema: z.object(inputSchema) },
    async ({ n }) => ({ content: [text(String(n / 2))] }),
  );
for (const id of ["a"])
  server.registerPrompt(id, {}, async () => ({
    messages: [{ role: "user", content: text(question.word + id) }],
  }));
`);
    expect(code, err).toBe(0);
  });

  it.each([
    ["server.js", undefined, 0],
    ["server.js", { checkJs: true }, 1],
    ["server.ts", undefined, 1],
  ])(
    "a type that does not fit counts in a file whose types are checked: %s, %j",
    async (name, compilerOptions, expected) => {
      const { code } = await moved({
        [name]: `${head}${row}server.registerTool("u", { title: 5 }, async () => ({ content: [] }));\n`,
        ...(compilerOptions && {
          "tsconfig.json": JSON.stringify({ compilerOptions }),
        }),
      });
      expect(code).toBe(expected);
    },
  );

  it("says with --json which compiler it used, and that nothing is written", async () => {
    const { out } = await moved(
      { "server.ts": `${head}${row}server.close();\n` },
      "--json",
    );
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      mode: "refused",
      compiler: expect.stringMatching(/^TypeScript \d.* of mcpgen$/),
      files: [{ path: "server.ts", state: "outdated" }],
    });
  });
});

describe("a text of a user that mcpgen migrate reads", () => {
  it("ends with an error, not a stack, if only a file that it imports is nested too deeply", async () => {
    const before = `import { deep } from "./deep.js";\n${head}${row}deep;\n`;
    const { code, err, text } = await moved({
      "server.ts": before,
      "deep.ts": `export const deep = ${"[".repeat(40_000)}1${"]".repeat(40_000)};\n`,
    });
    expect([code, err, text]).toEqual([
      2,
      expect.stringMatching(
        /^MG952 a file of the project: .* nested too deeply/,
      ),
      before,
    ]);
  });

  it("is converted beside a pinned schema that has errors", async () => {
    const { source, project } = sourceAndProject();
    const from = ["--from", source];
    expect(await update(project, from)).toMatchObject({ code: 0 });
    const pinned = join(project, "schema/2027-01-15/schema.ts");
    const broken = "export interface A { a: Missing }\n";
    const digest = (content: string): string =>
      createHash("sha256").update(content).digest("hex");
    const lock = readFileSync(join(project, lockName), "utf8");
    const old = digest(readFileSync(pinned, "utf8"));
    expect(lock).toContain(old);
    writeFileSync(join(project, lockName), lock.replace(old, digest(broken)));
    writeFileSync(pinned, broken);
    writeFileSync(join(project, "server.ts"), head + row);
    const { code, err } = await mcpgen(["migrate", "server.ts", "--no-color"], {
      directory: project,
    });
    expect([code, err]).toEqual([0, expect.not.stringContaining("bug")]);
    expect(readFileSync(join(project, "server.ts"), "utf8")).toContain(
      "createServers({",
    );
  });

  it.each([
    ["mcp", "./mcp/index.js"],
    [".mcp", "./.mcp/index.js"],
    ["../mcp", "../mcp/index.js"],
  ])("imports the protocol from the folder %s", async (protocol, path) => {
    const files = { "server.ts": head + row };
    const { text } = await moved(files, "--protocol", protocol);
    expect(text).toContain(`import { createServers } from "${path}";`);
  });

  it("keeps its private characters", async () => {
    const odd = String.fromCodePoint(0xe000, 0xe001, 0xe002, 0x10ffff);
    const line = `export const odd = \`a\n${odd}b /*\uE0000*/\`;\n`;
    const { text } = await moved({ "server.ts": head + line + row });
    expect(text).toContain(line);
  });

  it.each([
    ["parentheses", "(", ")"],
    ["lists", "[", "]"],
    ["negations", "!", ""],
    ["functions", "() => ", ""],
  ])(
    "ends with an error, not a stack, at 40,000 %s",
    async (_, open, close) => {
      const deep = `${open.repeat(40_000)}1${close.repeat(40_000)}`;
      const before = `${head}${row}export const deep = ${deep};\n`;
      const { code, err, text } = await moved({ "server.ts": before });
      expect([code, err, text]).toEqual([
        2,
        expect.stringMatching(/^MG952 server\.ts: .* nested too deeply/),
        before,
      ]);
    },
  );
});
