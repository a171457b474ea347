import { describe, expect, it } from "vitest";
import { migrated } from "./migrated.js";

const head = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { randomUUID } from "node:crypto";
import express from "express";
`;
const factory = `function createServer(name: string): McpServer {
  const server = new McpServer({ name, version: "1.0.0" });
  server.registerTool("a", {}, run);
  return server;
}
`;
const app = `const app = express();
app.use(express.json());
`;
const stateless = `  const server = createServer("a");
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  res.on("close", () => {
    transport.close();
    server.close();
  });
  try {
    await server.connect(transport);
    await transport.handleRequest(req, res, req.body);
  } catch (error) {
    console.error("failed", error);
    if (!res.headersSent) res.status(500).json({ jsonrpc: "2.0", error: { code: -32603, message: "Failed" }, id: null });
  }
`;
const sessions = `const transports: { [id: string]: StreamableHTTPServerTransport } = {};

const post = async (req: express.Request, res: express.Response) => {
  console.log("POST");
  const id = req.headers["mcp-session-id"] as string | undefined;
  let transport: StreamableHTTPServerTransport;
  if (id && transports[id]) {
    transport = transports[id];
  } else if (!id && isInitializeRequest(req.body)) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => {
        transports[made] = transport;
      },
    });
    transport.onclose = () => {
      if (transport.sessionId) delete transports[transport.sessionId];
    };
    const server = createServer("a");
    await server.connect(transport);
    await transport.handleRequest(req, res, req.body);
    return;
  } else {
    res.status(400).json({ jsonrpc: "2.0", error: { code: -32000, message: "No session" }, id: null });
    return;
  }
  await transport.handleRequest(req, res, req.body);
};
app.post("/mcp", check, post);

// Streams and ends.
const later = async (req: express.Request, res: express.Response) => {
  const id = req.headers["mcp-session-id"] as string | undefined;
  if (!id || !transports[id]) {
    res.status(400).send("No session");
    return;
  }
  await transports[id].handleRequest(req, res);
};
app.get("/mcp", later);
app.delete("/mcp", later);
app.listen(3000, () => console.log("ready"));
`;
const route = (before: string): string => `app.post("/mcp", async (req, res) => {
${before}${stateless}});
`;
const more = "this route does more than pass requests on";

describe("routes of Express with a transport of version 1", () => {
  it("without sessions pass requests on to one handler without sessions, and the app stays", async () => {
    const { of, places } = await migrated({
      "server.ts": `${head}${factory}${app}
// Calls tools.
app.post("/mcp", check, async (req, res) => {
${stateless}});
app.get("/mcp", (req, res) => res.status(405).end());
app.listen(3000);
`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http"; import { createServers } from "./mcp/index.js"; import { randomUUID } from "node:crypto"; import express from "express";`,
    );
    expect(of("server.ts")).toContain(
      `app.use(express.json()); const listener = nodeListener(createHttpHandler(createServer("a"), { sessions: false })); // Calls tools. app.post("/mcp", check, async (req, res) => { listener(req, res); }); app.get("/mcp", (req, res) => res.status(405).end()); app.listen(3000);`,
    );
    expect(of("server.ts")).not.toContain("modelcontextprotocol");
  });

  it("with a transport for each session pass requests on to one handler, and nothing keeps transports", async () => {
    const { of, places } = await migrated({ "server.ts": `${head}${factory}${app}${sessions}` });
    expect(places).toEqual([]);
    const text = of("server.ts");
    expect(text).toContain(
      `app.use(express.json()); const listener = nodeListener(createHttpHandler(createServer("a"))); const post = async (req: express.Request, res: express.Response) => { console.log("POST"); listener(req, res); }; app.post("/mcp", check, post);`,
    );
    expect(text).toContain(
      `// Streams and ends. const later = async (req: express.Request, res: express.Response) => { listener(req, res); }; app.get("/mcp", later);`,
    );
    expect(text).not.toMatch(/transports|modelcontextprotocol|randomUUID/);
  });

  it("keep what comes before, such as a check of the caller", async () => {
    const { of, places } = await migrated({
      "server.ts": `${head}${factory}${app}${route("  if (!isAllowed(req, res)) return;\n")}`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toContain(
      `async (req, res) => { if (!isAllowed(req, res)) return; listener(req, res); });`,
    );
  });

  it("pass requests on to a server that is connected once, also with node:http and beside other paths", async () => {
    const { of, places } = await migrated({
      "server.js": `${head.replace(/import express.*\n/, 'import { createServer } from "node:http";\n')}
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("a", {}, run);
const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
await server.connect(transport);
createServer(async (req, res) => {
  if (req.url === "/mcp") {
    await transport.handleRequest(req, res);
    return;
  }
  res.writeHead(404).end();
}).listen(3000);
`,
    });
    expect(places).toEqual([]);
    expect(of("server.js")).toMatch(
      /\}, \}\); const listener = nodeListener\(createHttpHandler\(server\)\); createServer\(async \(req, res\) => \{ if \(req.url === "\/mcp"\) \{ listener\(req, res\); return; \} res.writeHead\(404\).end\(\); \}\).listen\(3000\);$/,
    );
    expect(of("server.js")).not.toMatch(/modelcontextprotocol|randomUUID/);
  });

  it("are before the rows of a server, and its listener is made after these", async () => {
    const { of, places } = await migrated({
      "server.ts": `${head}${app}const server = new McpServer({ name: "a", version: "1.0.0" });
${route("").replace(/ {2}const server.*\n/, "")}server.registerTool("a", {}, run);
app.listen(3000);
`,
    });
    expect(places).toEqual([]);
    expect(of("server.ts")).toMatch(
      /listener\(req, res\); \}\); const server = createServers\(\{.*\}\); const listener = nodeListener\(createHttpHandler\(server, \{ sessions: false \}\)\); app\.listen\(3000\);$/,
    );
  });

  it("pass requests on in a class", async () => {
    const { of, places } = await migrated({
      "server.js": `${head}class Shop {
  transports = new Map();
  constructor() {
    this.server = new McpServer({ name: "a", version: "1.0.0" });
  }
  start(app) {
    app.post("/mcp", async (req, res) => {
      let transport = this.transports.get(req.header("mcp-session-id"));
      if (!transport) {
        transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => nanoid(), onsessioninitialized: (id) => this.transports.set(id, transport) });
        await this.server.connect(transport);
      }
      await transport.handleRequest(req, res, req.body);
    });
  }
}
`,
    });
    expect(places).toEqual([]);
    expect(of("server.js")).toContain(
      `start(app) { const listener = nodeListener(createHttpHandler(this.server)); app.post("/mcp", async (req, res) => { listener(req, res); }); }`,
    );
    expect(of("server.js")).not.toContain("transports");
  });

  it("pass requests on in the generator functions of a compiler, with a server of another file", async () => {
    const { of, places } = await migrated({
      "server.js": `const http_1 = require("@modelcontextprotocol/sdk/server/streamableHttp.js");
exports.start = (createServer, path) => {
  app.post(path, (req, res) => __awaiter(void 0, void 0, void 0, function* () {
    const server = createServer();
    const transport = new http_1.StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    yield server.connect(transport);
    yield transport.handleRequest(req, res, req.body);
    logger_1.logger.info("done", server);
  }));
};
`,
    });
    expect(places).toEqual([]);
    expect(of("server.js")).toBe(
      `const { createHttpHandler, nodeListener } = require("@mcpgen/runtime/http"); exports.start = (createServer, path) => { const listener = nodeListener(createHttpHandler(createServer(), { sessions: false })); app.post(path, (req, res) => __awaiter(void 0, void 0, void 0, function* () { listener(req, res); })); };`,
    );
  });

  it.each([
    [
      "compares a header in it",
      route("").replace("try {", "if (req.headers.authorization !== KEY) return;\n  try {"),
    ],
    [
      "compares the body in it",
      route("").replace("try {", 'if (req.body.method === "tools/call") return;\n  try {'),
    ],
    ["sets a header in it", route("").replace("try {", 'res.setHeader("x-a", "b");\n  try {')],
    [
      "calls a function behind a log line",
      route("").replace("try {", 'console.log("a") || count(req);\n  try {'),
    ],
    ["calls a function of the program in it", route("").replace("try {", "count();\n  try {")],
    ["makes a server for the caller", route("").replace('createServer("a")', "createServer(req.user)")],
    [
      "makes a server itself",
      route("").replace('createServer("a")', 'new McpServer({ name: "a", version: "1.0.0" })'),
    ],
    ["has an option that says more", route("").replace("undefined });", "undefined, allowedHosts });")],
    [
      "has another server than the other route",
      `${route("")}${route("").replace("/mcp", "/other").replace('"a"', '"b"')}`,
    ],
    ["ends a transport later", route("").replace(/\}\);\n$/, "  later(transport);\n});\n")],
  ])("stay, and are named, if one %s", async (_, routes) => {
    const { of, places } = await migrated({ "server.ts": `${head}${factory}${app}${routes}` });
    const text = of("server.ts");
    // A server inside of a route is converted, and its start stays.
    const made = 'createServers({ info: { name: "a", version: "1.0.0" }, handlers: {}, })';
    const expected = routes.replace('new McpServer({ name: "a", version: "1.0.0" })', made);
    expect(text.slice(text.indexOf("app.post("))).toBe(expected.replaceAll(/\s+/g, " ").trim());
    expect(places).toContain(more);
    expect(of("server.ts")).not.toContain("listener");
  });

  it("are named if other code reads what they filled, or handlers read who calls", async () => {
    const { places } = await migrated({
      "server.ts": `${head}${factory}${app}${sessions}app.get("/health", (_req, res) => res.json(Object.keys(transports)));
const who = (extra) => extra.authInfo;
`,
    });
    expect(places).toEqual([
      "@modelcontextprotocol/sdk/server/streamableHttp.js is still used",
      "nothing fills transports any more",
      "the routes no longer pass req.auth on to the handlers",
    ]);
  });
});

describe("a start over HTTP", () => {
  it.each([
    ["{ port: PORT }", "createHttpHandler(server), { port: PORT }"],
    [
      '{ port, host: "::", endpoint: "/shop" }',
      'createHttpHandler(server), { port, host: "::", path: "/shop" }',
    ],
    [
      "{ port: 1, stateless: true, enableJsonResponse: true }",
      "createHttpHandler(server, { sessions: false }), { port: 1 }",
    ],
    ["{ port: 1, stateless: false }", "createHttpHandler(server), { port: 1 }"],
    ["{ port: 1, sslKey: key }", null],
    ["{ ...options }", null],
    ["options", null],
  ])("of FastMCP with %s becomes serveHttp with the same options, or is named", async (options, expected) => {
    const start = `server.start({ transportType: "httpStream", httpStream: ${options} });`;
    const { of, places } = await migrated({
      "server.ts": `import { FastMCP } from "fastmcp";
const server = new FastMCP({ name: "a", version: "1.0.0" });
await ${start}
`,
    });
    expect(of("server.ts")).toContain(`await ${expected === null ? start : `serveHttp(${expected});`}`);
    expect(places).toEqual(expected === null ? ["server.start is not converted"] : []);
  });

  it("of version 2 becomes one handler, as a listener and as a function", async () => {
    const { of, places } = await migrated({
      "server.ts": `import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
function make() {
  const server = new McpServer({ name: "a", version: "1.0.0" });
  server.registerTool("a", {}, run);
  return server;
}
const handler = createMcpHandler(() => make());
const other = createMcpHandler(make);
const third = createMcpHandler(() => {
  const server = new McpServer({ name: "b", version: "1.0.0" });
  server.registerTool("b", {}, run);
  return server;
});
app.all("/mcp", toNodeHandler(handler));
Bun.serve({ fetch: handler.fetch });
await handler.close();
other.notify.toolsChanged();
`,
    });
    expect(places).toEqual(["this use of other is not converted"]);
    expect(of("server.ts")).toContain(
      `const handler = createHttpHandler(make()); const other = createHttpHandler(make()); const third = createHttpHandler((() => { const server = createServers({ info: { name: "b", version: "1.0.0" }, handlers: { ...tools([ { name: "b", inputSchema: { type: "object", properties: {} }, handler: (_args, context) => run(context), }, ]), }, }); return server; })()); app.all("/mcp", nodeListener(handler)); Bun.serve({ fetch: handler }); await handler.close(); other.notify`,
    );
    expect(of("server.ts")).not.toContain("modelcontextprotocol");
  });
});
