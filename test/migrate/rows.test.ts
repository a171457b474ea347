import { describe, expect, it } from "vitest";
import { migrated } from "./migrated.js";

describe("an error of an old library", () => {
  const v1 = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n`;
  it.each([
    [
      "McpError of version 1",
      `${v1}import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";`,
      `throw new McpError(ErrorCode.InvalidParams, "No.");`,
      `throw new McpError(-32602, "No.");`,
      "McpError",
    ],
    [
      "ProtocolError of version 2",
      `import { McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";`,
      `if (error instanceof ProtocolError) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "No.");`,
      `if (error instanceof McpError) throw new McpError(-32601, "No.");`,
      "McpError",
    ],
    [
      "UserError of FastMCP",
      `${v1}import { UserError } from "fastmcp";`,
      `throw new UserError("No.");`,
      `throw new ToolError("No.");`,
      "ToolError",
    ],
  ])(
    "becomes an error of the runtime: %s",
    async (_, imports, before, after, name) => {
      const { of, places } = await migrated({
        "server.ts": `${imports}
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", {}, async () => { ${before} });
`,
      });
      expect(places).toEqual([]);
      expect(of("server.ts")).toContain(`async () => { ${after} }`);
      expect(of("server.ts")).toContain(
        `import { ${name} } from "@mcpgen/runtime";`,
      );
    },
  );
});

describe("the type of what a tool returns", () => {
  it.each([
    `import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";`,
    `import { type CallToolResult } from "@modelcontextprotocol/server";`,
    `import { CallToolResult as Result } from "@modelcontextprotocol/sdk/types.js";`,
  ])("becomes that of the runtime: %s", async (imported) => {
    const name = /Result as (\w+)/.exec(imported)?.[1] ?? "CallToolResult";
    const { of, places } = await migrated({
      "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
${imported}
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", {}, async (): Promise<${name}> => ({ content: [] }));
`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `import { tools, type ToolOutput } from "@mcpgen/runtime/features";`,
    );
    expect(of("server.ts")).toContain("async (): Promise<ToolOutput> =>");
  });
});

describe("an argument of a prompt that a server completes", () => {
  const prompt = (completed: string): string =>
    `import { completable, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
const server = new McpServer({ name: "a", version: "1.0.0" });
const byName = (text: string) => [text];
server.registerPrompt("a", { argsSchema: z.object({ city: ${completed}, day: z.string() }) }, ({ city }) => ({ messages: say(city) }));
`;

  it.each([
    [
      `completable(z.string().describe("A city"), (text) => found(text))`,
      `{ name: "city", description: "A city", required: true, complete: (text) => found(text) },`,
    ],
    [
      `completable(z.string().optional(), byName)`,
      `{ name: "city", required: false, complete: byName },`,
    ],
  ])("keeps its completion: %s", async (before, after) => {
    const { of, places } = await migrated({ "server.ts": prompt(before) });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `arguments: [ ${after} { name: "day", required: true }, ],`,
    );
  });

  it.each([
    "completable(z.string(), (text, context) => found(text, context))",
    "completable(z.string(), imported)",
    "completable(z.enum(cities), (text) => found(text))",
    "completable(z.string(), (text) => found(text)).optional()",
  ])(
    "is left if its completion or its schema says more: %s",
    async (before) => {
      const { of, places } = await migrated({ "server.ts": prompt(before) });
      expect(places).toContain(
        "server.registerPrompt has arguments that cannot be read",
      );
      expect(of("server.ts")).toContain(before);
    },
  );
});

describe("a template", () => {
  const template = (
    options: string,
  ): Promise<Awaited<ReturnType<typeof migrated>>> =>
    migrated(
      {
        "server.ts": `import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerResource("t", new ResourceTemplate("a://{id}", ${options}), {}, async (uri, { id }) => f(uri, id));
`,
      },
      { flags: ["--force"] },
    );

  it.each([
    ["list: undefined, complete: { id: (text) => ids(text) }"],
    ["complete: { id: async (text) => ids(text) }, list: undefined"],
  ])("keeps its completion: { %s }", async (options) => {
    const { of, places } = await template(`{ ${options} }`);
    expect(places).toEqual([]);
    expect(of("server.ts")).toMatch(
      /uriTemplate: "a:\/\/\{id\}", name: "t", complete: \{ id: (async )?\(text\) => ids\(text\) \}, read: /,
    );
  });

  it.each([
    ["{ list: async () => ({ resources: [] }) }"],
    ["{ list: undefined, complete: { id: (text, context) => ids(context) } }"],
    ["options"],
  ])(
    "stays, and is named, with another form of its options: %s",
    async (options) => {
      const { places } = await template(options);
      expect(places).toContain(
        "server.registerResource has arguments that cannot be read",
      );
    },
  );
});

describe("a row of FastMCP", () => {
  const row = (text: string): ReturnType<typeof migrated> =>
    migrated({
      "server.ts": `import { FastMCP } from "fastmcp";
const server = new FastMCP({ name: "a", version: "1.0.0" });
${text}
`,
    });

  it.each([
    [
      `server.addResource({ uri: "a://b", name: "b", load: async () => ({ text: "hi" }) });`,
      `...resources([ { uri: "a://b", name: "b", read: async () => "hi", }, ])`,
    ],
    [
      `server.addResource({ uri: "a://b", name: "b", async load() { return { text: f() }; } });`,
      null,
    ],
    [
      `server.addResourceTemplate({ uriTemplate: "a://{id}", name: "t", arguments: [{ name: "id", required: true }], load: async ({ id }) => { if (!id) return { text: "" }; return { text: f(id) }; } });`,
      `...resources([ { uriTemplate: "a://{id}", name: "t", read: async ({ id }) => { if (!id) return ""; return f(id); }, }, ])`,
    ],
    [
      `server.addPrompt({ name: "p", arguments: [{ name: "x", required: true }], load: async ({ x }) => f(x) });`,
      `...prompts([ { name: "p", arguments: [{ name: "x", required: true }], get: async ({ x }) => f(x), }, ])`,
    ],
    [
      `server.addPrompt({ name: "p", arguments: [{ name: "y" }, { name: "x", enum: ["a"] }], load: async ({ x }) => f(x) });`,
      null,
    ],
    [
      `server.addResource({ uri: "a://b", name: "b", load: async () => ({ blob: f() }) });`,
      null,
    ],
  ])("is a row here, or is named: %s", async (before, after) => {
    const { of, places } = await row(before);
    expect(places.length).toBe(after === null ? 1 : 0);
    expect(of("server.ts")).toContain(after ?? before);
  });
});

describe("a loop that registers rows", () => {
  const inLoop = (text: string): ReturnType<typeof migrated> =>
    migrated({
      "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("first", {}, run);
${text}
`,
    });
  const row = `{ name, inputSchema: { type: "object", properties: {} }, handler: (_args, context) => run(context), }`;

  it.each([
    [
      `for (const name of ["a", "b"]) server.registerTool(name, {}, run);`,
      `...["a", "b"].map((name) => (${row} satisfies AnyTool)),`,
    ],
    [
      `for (const [key, one] of Object.entries(all)) { const name = key; server.registerTool(name, {}, run); }`,
      `...Object.entries(all).map(([key, one]) => { const name = key; return ${row} satisfies AnyTool; }),`,
    ],
    [
      `names.forEach((name) => { server.registerTool(name, {}, run); });`,
      `...names.map((name) => (${row} satisfies AnyTool)),`,
    ],
    [
      `for (const name of await list()) server.registerTool(name, {}, run);`,
      `...(await list()).map((name) => (${row} satisfies AnyTool)),`,
    ],
  ])("becomes rows of its list: %s", async (before, after) => {
    const { of, places } = await inLoop(before);
    expect(places).toEqual([]);
    const text = of("server.ts").replaceAll("name: name,", "name,");
    expect(text).toContain(
      `...tools([ ${row.replace("name,", 'name: "first",')}, ${after} ]),`,
    );
  });

  it("becomes rows whose schema of zod 3 is a constant, beside its JSON Schema", async () => {
    const { of } = await migrated(
      {
        "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "a", version: "1.0.0" });
for (const name of names)
  server.registerTool(name, { inputSchema: { n: z.number() } }, ({ n }) => run(n));
`,
      },
      { zod: "3.25.0" },
    );
    expect(of("server.ts")).toContain(
      "names.map((name) => { const inputSchema = z.object({ n: z.number() }); return { name: name, inputSchema: inputSchema, inputJsonSchema: zodToJsonSchema(z.object({ n: z.number() }), { strictUnions: true }), handler: ({ n }) => run(n), } satisfies Tool<typeof inputSchema>; }), ]),",
    );
  });

  it("becomes rows without a type in JavaScript", async () => {
    const { of } = await migrated({
      "server.js": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
for (const name of names) server.registerTool(name, {}, run);
`,
    });
    expect(of("server.js")).toContain("run(context), })), ]),");
  });

  it.each([
    `for (const name of names) { if (!name) continue; server.registerTool(name, {}, run); }`,
    `for (const name of names) { server.registerTool(name, {}, run); count(); }`,
    `for await (const name of names) server.registerTool(name, {}, run);`,
    `for (let at = 0; at < 2; at++) server.registerTool(names[at], {}, run);`,
  ])("stays, and is named, if it does more: %s", async (before) => {
    const { of, places } = await inLoop(before);
    expect(places).toEqual(["server.registerTool is not converted"]);
    expect(of("server.ts")).toContain(before);
  });
});
