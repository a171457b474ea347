import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "../cli/support.js";
import { migrated } from "./migrated.js";

const v1 = `import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "a", version: "1.0.0" });
`;
const made = `const server = createServers({ info: { name: "a", version: "1.0.0" }, handlers: {`;

describe("mcpgen migrate", () => {
  it("turns functions of other files that get the server into functions that return rows", async () => {
    const { of, places } = await migrated({
      "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerAll } from "./all.js";
export function createServer(): McpServer {
  const server = new McpServer({ name: "a", version: "1.0.0" });
  registerAll(server, 3);
  return server;
}
`,
      "all.ts": `import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerEcho } from "./echo.js";
export function registerAll(server: McpServer, max: number): void {
  registerEcho(server);
  server.registerTool("max", {}, () => ({ content: [], max }));
}
`,
      "echo.ts": `export const registerEcho = (server) => {
  const title = "Echo";
  server.registerTool("echo", { title }, async () => ({ content: [] }));
};
`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `export function createServer() { const server = createServers({ info: { name: "a", version: "1.0.0" }, handlers: { ...registerAll(3), }, }); return server; }`,
    );
    expect(of("all.ts")).toContain(
      `export function registerAll(max: number) { return { ...tools([ { name: "max", inputSchema: { type: "object", properties: {} }, handler: () => ({ content: [], max }), }, ]), ...registerEcho(), }; }`,
    );
    expect(of("echo.ts")).toContain(
      `export const registerEcho = () => { const title = "Echo"; return { ...tools([ { name: "echo", title, inputSchema:`,
    );
  });

  it("turns the methods of a class that register handlers into methods that return them", async () => {
    const { of, places } = await migrated({
      "server.js": `import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
class Shop {
  constructor() {
    this.server = new Server({ name: "a", version: "1.0.0" }, { capabilities: { tools: {} } });
    this.prepare();
    this.server.onerror = (error) => console.error(error);
  }
  prepare() {
    this.setUp();
  }
  setUp() {
    this.server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [] }));
    this.server.setRequestHandler(CallToolRequestSchema, async (request, extra) => call(request.params.name, extra.authInfo));
  }
}
`,
    });
    expect(places).toEqual(["this.server.onerror is not converted"]);
    expect(of("server.js")).toContain(
      `constructor() { this.server = createServers({ info: { name: "a", version: "1.0.0" }, handlers: { ...this.prepare(), }, }); this.server.onerror = (error) => console.error(error); } prepare() { return { ...this.setUp(), }; }`,
    );
    expect(of("server.js")).toContain(
      `setUp() { return { "tools/list": async () => ({ tools: [] }), "tools/call": async (params, extra) => call(params.name, extra.auth), }; }`,
    );
  });

  it.each([
    [
      `async (request) => f(request.params, request.method)`,
      `(params, context) => (async (request) => f(request.params, request.method))({ method: "tools/call", params })`,
    ],
    [`async (request) => f(request.params)`, `async (params) => f(params)`],
    [
      `async (request) => f({ params: 1 }, request.method)`,
      `(params, context) => (async (request) => f({ params: 1 }, request.method))({ method: "tools/call", params })`,
    ],
    [
      `({ params: { name } }) => f(name)`,
      `(params, context) => (({ params: { name } }) => f(name))({ method: "tools/call", params })`,
    ],
    [
      `call`,
      `(params, context) => call({ method: "tools/call", params }, context)`,
    ],
  ])(
    "gives the handler of a request its params: %s",
    async (handler, expected) => {
      const { of } = await migrated({
        "server.ts": `${v1}import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
server.server.setRequestHandler(CallToolRequestSchema, ${handler});
`,
      });
      expect(of("server.ts")).toContain(
        `handlers: { "tools/call": ${expected}, }`,
      );
    },
  );

  it("converts resources, templates and prompts", async () => {
    const { of, places } = await migrated({
      "server.ts": `${v1}server.registerResource("terms", "shop://terms", { title: "T" }, async (uri) => ({ contents: [{ uri: uri.href, text: "x" }] }));
server.resource("note", new ResourceTemplate("note://{id}", { list: undefined }), async (uri, { id }) => ({ contents: [{ uri: uri.href, text: id }] }));
server.registerPrompt("plan", { title: "P", argsSchema: { city: z.string().describe("A city"), day: z.string().optional() } }, ({ city }) => ({ messages: say(city) }));
server.registerPrompt("hello", { description: "Says hello." }, () => ({ messages: [] }));
`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `${made} ...resources([ { uri: "shop://terms", name: "terms", title: "T", read: (context) => (async (uri) => ({ contents: [{ uri: uri.href, text: "x" }] }))(new URL("shop://terms")), }, { uriTemplate: "note://{id}", name: "note", read: (args, uri, context) => (async (uri, { id }) => ({ contents: [{ uri: uri.href, text: id }] }))(new URL(uri), args), }, ]),`,
    );
    expect(of("server.ts")).toContain(
      `...prompts([ { name: "plan", title: "P", arguments: [ { name: "city", description: "A city", required: true }, { name: "day", required: false }, ], get: ({ city }) => ({ messages: say(city) }), }, { name: "hello", description: "Says hello.", get: () => ({ messages: [] }), }, ]), }, });`,
    );
  });

  it("takes the rows that a function registers in a loop, and leaves a function that only uses the server", async () => {
    const { of, places } = await migrated({
      "server.ts": `${v1}function addAll(target) {
  for (const name of names) target.registerTool(name, {}, run);
}
function say(target: McpServer) {
  target.sendLoggingMessage({ level: "info", data: 1 });
}
addAll(server);
say(server);
`,
    });
    expect(of("server.ts")).toContain(
      "function addAll() { return { ...tools([ ...names.map((name) => ({ name: name,",
    );
    expect(of("server.ts")).toMatch(
      /\.\.\.addAll\(\), \}, \}\); say\(server\);$/,
    );
    expect(places).toEqual([
      "@modelcontextprotocol/sdk/server/mcp.js is still used",
      "the server is passed on here",
    ]);
  });

  it("makes the server before what uses it, and after what its rows need", async () => {
    const { of } = await migrated({
      "server.ts": `${v1}const first = 1;
server.registerTool("a", {}, async () => first);
report(server);
server.registerTool("b", {}, async () => first);
`,
    });
    expect(of("server.ts")).toMatch(
      /const first = 1; const server = createServers\(\{.* name: "b", .*\}\); report\(server\);$/,
    );
  });

  it("names a function whose rows nothing takes", async () => {
    const { places } = await migrated({
      "server.ts": `${v1}function setUp() {
  server.registerTool("a", {}, run);
}
if (flag) setUp();
`,
    });
    expect(places).toEqual([
      "this function now returns its rows, which nothing takes",
    ]);
  });

  it.each([
    [`zod`, "3.25.76", true],
    [`zod/v3`, "4.1.0", true],
    [`zod`, "4.1.0", false],
    [`zod/v4`, "3.25.76", false],
  ])(
    "adds a JSON Schema for %s of zod %s if that zod cannot make one",
    async (module, version, isOld) => {
      const { of } = await migrated(
        {
          "server.ts": `${v1.replace('"zod"', JSON.stringify(module))}server.registerTool("a", { inputSchema: { x: z.string() } }, run);\n`,
        },
        { zod: version },
      );
      const json = isOld
        ? ` inputJsonSchema: zodToJsonSchema(z.object({ x: z.string() }), { strictUnions: true }),`
        : "";
      expect(of("server.ts")).toContain(
        `inputSchema: z.object({ x: z.string() }),${json} handler: run,`,
      );
      expect(of("server.ts").includes(`from "zod-to-json-schema"`)).toBe(isOld);
    },
  );

  const configurations = () =>
    migrated(
      {
        "server.ts": `${v1}const shape = { x: z.string() };
const whole = z.object(shape);
const config = { title: "C", inputSchema: shape };
server.registerTool("a", { inputSchema: { ...shape, y: z.number() } }, run);
server.registerTool("b", { inputSchema: whole }, run);
server.registerTool("c", config, run);
server.registerTool("d", { inputSchema: whole.shape }, run);
server.registerTool("e", { inputSchema: imported }, run);
`,
      },
      { flags: ["--force"] },
    );

  it("follows constants to their schemas, and keeps a schema of zod", async () => {
    const text = (await configurations()).of("server.ts");
    expect(text).toContain(
      `name: "a", inputSchema: z.object({ ...shape, y: z.number() }), handler: run`,
    );
    expect(text).toContain(`name: "b", inputSchema: whole, handler: run`);
    expect(text).toContain(
      `name: "d", inputSchema: z.object(whole.shape), handler: run`,
    );
  });

  it("keeps a configuration that is a variable or cannot be read, and names it", async () => {
    const { of, places } = await configurations();
    const text = of("server.ts");
    expect(text).toContain(
      `const config = { title: "C", inputSchema: shape };`,
    );
    expect(text).toContain(`server.registerTool("c", config, run);`);
    const words = "server.registerTool has arguments that cannot be read";
    expect(places).toEqual([words, words]);
    expect(text).toContain(
      `server.registerTool("e", { inputSchema: imported }, run);`,
    );
  });

  it("converts the uses of the context that have one meaning here, in a handler of its own too, and names the others", async () => {
    const { of, places, hints } = await migrated({
      "server.ts": `${v1}async function run(args, extra) {
  extra.sendNotification({ method: "notifications/progress", params: { progressToken: 1, progress: 2, total: 3 } });
  return after(extra.signal, extra._meta, extra.requestId, extra.sessionId, extra);
}
server.registerTool("a", { inputSchema: { x: z.string() } }, run);
server.registerTool("b", { inputSchema: { x: z.string() } }, async (args, { authInfo, sendRequest }) => after(authInfo, sendRequest));
`,
    });
    expect(of("server.ts")).toContain(
      `extra.progress(2, 3); return after(extra.signal, extra.meta, extra.requestId, extra.sessionId, extra); }`,
    );
    expect(of("server.ts")).toContain(
      `async (args, context) => after(context.auth, context.sendRequest)`,
    );
    expect(places).toEqual([
      "the context has no sessionId",
      "the context is passed on as a whole",
      "the context has no sendRequest",
    ]);
    const hint =
      "write it with the context of mcpgen: https://github.com/mcpgen/mcpgen/blob/main/test/examples/official-sdk/README.md#move-a-server";
    expect(hints).toEqual([hint, "check what is read from it there", hint]);
  });

  it("converts CommonJS, with a name of its own where a file has the same name", async () => {
    const { of, places } = await migrated({
      "server.js": `"use strict";
const mcp_js_1 = require("@modelcontextprotocol/sdk/server/mcp.js");
const stdio_js_1 = require("@modelcontextprotocol/sdk/server/stdio.js");
const zod_1 = require("zod");
const tools = [];
const server = new mcp_js_1.McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", { inputSchema: { x: zod_1.z.string() } }, async () => ({ content: tools }));
server.connect(new stdio_js_1.StdioServerTransport());
`,
    });
    expect(places).toEqual([]);
    expect(of("server.js")).toBe(
      `"use strict"; const { tools: mcpTools } = require("@mcpgen/runtime/features"); const { serveStdio } = require("@mcpgen/runtime/stdio"); const { createServers } = require("./mcp/index.js"); const zod_1 = require("zod"); const tools = []; ${made} ...mcpTools([ { name: "a", inputSchema: zod_1.z.object({ x: zod_1.z.string() }), handler: async () => ({ content: tools }), }, ]), }, }); serveStdio(server);`,
    );
  });

  const secondVersion = () =>
    migrated({
      "server.ts": `import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod/v4";
const createServer = (): McpServer => {
  const server = new McpServer({ name: "a", version: "1.0.0" });
  server.registerTool("a", { inputSchema: z.object({ x: z.string() }) }, async ({ x }, ctx) => {
    await ctx.mcpReq.log("info", x);
    return after(ctx.mcpReq.signal, ctx.http?.authInfo);
  });
  return server;
};
void serveStdio(() => createServer());
`,
    });

  it("converts the context of version 2 of the SDK", async () => {
    const { of, places } = await secondVersion();
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `async ({ x }, ctx) => { await ctx.log("info", x); return after(ctx.signal, ctx.auth); }`,
    );
  });

  it("converts a start of version 2 of the SDK that takes a function", async () => {
    const { of } = await secondVersion();
    expect(of("server.ts")).toMatch(
      /^import \{ tools \} from "@mcpgen\/runtime\/features"; import \{ serveStdio \} from "@mcpgen\/runtime\/stdio"; /,
    );
    expect(of("server.ts")).toContain(
      `const createServer = () => { const server = createServers({`,
    );
    expect(of("server.ts")).toMatch(/void serveStdio\(createServer\(\)\);$/);
  });

  it("converts FastMCP: tools and the start, and names what has no counterpart", async () => {
    const { of, places } = await migrated({
      "server.ts": `import { FastMCP } from "fastmcp";
import { z } from "zod";
const server = new FastMCP({ name: "a", version: "1.0.0", ping: {} });
server.addTool({
  name: "add", // Adds.
  parameters: z.object({ a: z.number() }),
  execute: async ({ a }, context) => {
    context.reportProgress({ progress: 1, total: 2 });
    return String(a);
  }, // Ends.
});
server.addTool({ name: "now", execute: async () => "1" });
server.addTool({ name: "slow", execute: async () => "", timeoutMs: 5 });
server.addTool({ name: "secret", execute: async () => "", canAccess: () => false });
server.addResource({ uri: "a://b", name: "b", load: async () => ({ text: "hi" }) });
server.start({ transportType: "stdio" });
`,
    });
    expect(places).toEqual([
      "a server has no setting ping",
      "server.addTool has arguments that cannot be read",
      "server.addTool has arguments that cannot be read",
    ]);
    expect(of("server.ts")).toContain(
      `...tools([ { name: "add", // Adds. inputSchema: z.object({ a: z.number() }), handler: async ({ a }, context) => { context.progress(1, 2); return String(a); }, // Ends. }, { name: "now", handler: async () => "1", inputSchema: { type: "object", properties: {} }, }, ]), ...resources([ { uri: "a://b", name: "b", read: async () => "hi", }, ]), }, }); server.addTool({ name: "slow"`,
    );
    expect(of("server.ts")).toMatch(/ serveStdio\(server\);$/);
  });
});

describe("a server that mcpgen migrate does not convert", () => {
  const imports = `import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
`;
  const made = `new Server({ name: "a", version: "1" }, { capabilities: { tools: {} } })`;
  const handler = `setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [] }));`;

  it.each([
    [
      "the initializer of a member of a class",
      `class Shop {
  server = ${made};
  constructor() { this.server.${handler} }
  async run() { await this.server.connect(new StdioServerTransport()); }
}
await new Shop().run();
`,
    ],
    [
      "a member of a class that functions register on",
      `function all(server: Server) { list(server); }
function list(server: Server) { server.${handler} }
class Shop {
  private readonly server = ${made};
  async run() {
    all(this.server);
    const transport = new StdioServerTransport();
    await this.server.connect(transport);
  }
}
`,
    ],
    [
      "what a function returns",
      `const make = () => ${made};
const server = make();
server.${handler}
await server.connect(new StdioServerTransport());
`,
    ],
    [
      "what a function declaration returns",
      `const server = make();
server.${handler}
await server.connect(new StdioServerTransport());
function make() { return ${made}; }
`,
    ],
    [
      "what a function returns that another one returns",
      `const all = { make: () => { return first(); } };
const server = first();
server.${handler}
await server.connect(new StdioServerTransport());
function first() { return second(); }
function second() { return (${made}); }
void all;
`,
    ],
    [
      "what a method returns",
      `class Shop {
  make() { return ${made}; }
  async run() {
    const server = this.make();
    server.${handler}
    await server.connect(new StdioServerTransport());
  }
}
await new Shop().run();
`,
    ],
    [
      "what a function passes to its start",
      `async function start(server: Server) {
  server.${handler}
  await server.connect(new StdioServerTransport());
}
await start(${made});
`,
    ],
    [
      "a static member",
      `class Shop { static server = ${made}; }
Shop.server.${handler}
void Shop.server.connect(new StdioServerTransport());
`,
    ],
  ])("keeps its start and its rows too: %s", async (_, text) => {
    const { of, places, hints } = await migrated({
      "server.ts": imports + text,
    });
    expect(of("server.ts")).toBe(
      (imports + text).replaceAll(/\s+/g, " ").trim(),
    );
    expect(places).toContain("no constant of a block is this server");
    expect(hints[places.indexOf("no constant of a block is this server")]).toBe(
      /(?:\{|readonly|static)\s+server = /.test(text)
        ? "assign it in the constructor, and run again"
        : "assign it, and run again",
    );
  });

  it("keeps the handler of version 2 that gets it", async () => {
    const text = `import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
const handler = createMcpHandler(() => new McpServer({ name: "a", version: "1" }));
export const listener = toNodeHandler(handler);
export const answer = (request: Request) => handler.fetch(request);
`;
    const { of } = await migrated({ "server.ts": text });
    expect(of("server.ts")).toBe(text.replaceAll(/\s+/g, " ").trim());
  });

  it("does not keep another server of the same program", async () => {
    const { of } = await migrated({
      "server.ts": `${imports}class Shop { server = ${made}; }
const server = ${made};
server.${handler}
await server.connect(new StdioServerTransport());
`,
    });
    expect(of("server.ts")).toContain(`class Shop { server = new Server(`);
    expect(of("server.ts")).toMatch(/ void serveStdio\(server\);$/);
  });

  it.each([
    ["authenticate", "authenticate: async () => ({ id: 1 })"],
    ["authenticate", `"authenticate": check`],
    ["authenticate", "authenticate"],
    ["authenticate", "async authenticate() { return {}; }"],
    ["auth", "auth: provider"],
    ["...others", "...others"],
    ["[key]", "[key]: check"],
  ])(
    "stops the run if FastMCP checks its callers: %s in %s",
    async (key, text) => {
      const source = `import { FastMCP } from "fastmcp";
const server = new FastMCP({
  name: "a", version: "1.0.0",
  ${text},
});
server.start({ transportType: "httpStream", httpStream: { port: 8080 } });
`;
      const place = directory({ "server.ts": source });
      const { code, err } = await mcpgen(["migrate", "server.ts"], {
        directory: place,
      });
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(
          `server.ts:4:3 MG954 ${key} of FastMCP may say who is let in, and is not converted`,
        ),
      ]);
      expect(err).toContain("createHttpHandler(server, { authenticate })");
      expect(readFileSync(join(place, "server.ts"), "utf8")).toBe(source);
    },
  );

  it.each([
    [
      `const options = { name: "a", version: "1", authenticate: check };`,
      2,
      "authenticate of FastMCP",
    ],
    [`const options = { name: "a", version: "1" };`, 0, "written"],
    [`import { options } from "./options.js";`, 2, "options of FastMCP"],
    [`const options = read();`, 2, "options of FastMCP"],
  ])(
    "reads the options of FastMCP behind a name: %s",
    async (line, code, words) => {
      const place = directory({
        "server.ts": `import { FastMCP } from "fastmcp";\n${line}\nconst server = new FastMCP(options);\nserver.start({ transportType: "stdio" });\n`,
      });
      const result = await mcpgen(["migrate", "server.ts"], {
        directory: place,
      });
      expect(result.code, result.err).toBe(code);
      expect(result.err + result.out).toContain(words);
    },
  );
});

describe("the page in a hint of mcpgen migrate", () => {
  const left = `server.registerTool("a", config(), async () => ({ content: [] }));`;
  it.each([
    [
      `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";`,
      "official-sdk/README.md#move-a-server",
    ],
    [
      `import { McpServer } from "@modelcontextprotocol/server";`,
      "move/README.md#from-version-2-of-the-official-sdk",
    ],
  ])("is the one of what the file imports: %s", async (line, place) => {
    const { hints } = await migrated({
      "a.ts": `${line}\nconst server = new McpServer({ name: "a", version: "1" });\nconst config = (): object => ({});\n${left}\n`,
    });
    expect(hints.length).toBeGreaterThan(0);
    expect(hints.join()).toContain(`examples/${place}`);
  });

  it("is that of FastMCP for a server of FastMCP", async () => {
    const { hints } = await migrated({
      "a.ts": `import { FastMCP } from "fastmcp";\nconst server = new FastMCP({ name: "a", version: "1.0.0" });\nconst tool = (): never => { throw new Error(); };\nserver.addTool(tool());\n`,
    });
    expect(hints.join()).toContain("examples/move/README.md#from-fastmcp");
  });
});

it("mcpgen migrate does not say to install a runtime that is installed", async () => {
  const place = directory({
    "node_modules/@mcpgen/runtime/package.json":
      '{ "name": "@mcpgen/runtime" }',
    "a.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nexport const server = new McpServer({ name: "a", version: "1" });\n`,
  });
  const { code, err } = await mcpgen(["migrate", "a.ts"], { directory: place });
  expect([code, err]).toEqual([0, expect.not.stringContaining("install the")]);
});

describe("a transport that a server was started with", () => {
  const sdk = "@modelcontextprotocol/sdk/server";
  const stdio = `import { StdioServerTransport } from "${sdk}/stdio.js";\n`;
  const made = "const transport = new StdioServerTransport();";
  const program = (before: string, argument = "transport"): string =>
    `import { McpServer } from "${sdk}/mcp.js";
${stdio}const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", {}, async () => ({ content: [] }));
${before}
await server.connect(${argument});
`;

  it.each([
    ["is the argument", program("", "new StdioServerTransport()")],
    ["has a name that nothing else uses", program(made)],
  ])("goes if it %s", async (_, text) => {
    const { of, places } = await migrated({ "server.ts": text });
    expect(places).toEqual([]);
    expect(of("server.ts")).toMatch(/ \}, \}\); void serveStdio\(server\);$/);
    expect(of("server.ts")).not.toContain("Transport");
  });

  it("stays if another file declares it", async () => {
    const own = 'import { transport } from "./other.js";\n';
    const { of, places } = await migrated({
      "server.ts": program("").replace(stdio, own),
      "other.ts": `${stdio}export ${made}`,
    });
    expect(places).toEqual([`${sdk}/stdio.js is still used`]);
    expect(of("other.ts")).toBe(`${stdio.trim()} export ${made}`);
  });

  it.each([
    ["it is used again", `${made}\ntransport.onclose = () => {};`],
    ["another file may use it", `export ${made}`],
    [
      "it is declared with something else",
      "const transport = new StdioServerTransport(), other = 1;",
    ],
  ])("stays and is named if %s", async (_, before) => {
    const { of, places } = await migrated({ "server.ts": program(before) });
    expect(places).toEqual([`${sdk}/stdio.js is still used`]);
    expect(of("server.ts")).toContain(
      `${before.replaceAll("\n", " ")} void serveStdio(server);`,
    );
  });
});
