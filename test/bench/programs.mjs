// The programs whose size is measured: hello-world clients and servers, as in
// their documentation.
import { modern } from "./shared.mjs";

/** The programs with budgets of their own, besides the stdio clients. */
export const oneOverHttp = "ours, HTTP server of one revision";
export const twoOverHttp = "ours, HTTP server of two revisions";

/**
 * Another one: all that a server and a host of MCP Apps need beside their
 * client and server.
 */
export const allOfApps = "ours, all functions of MCP Apps";
export const allOfSkills = "ours, all functions of Skills, without yaml";

/**
 * What a program adds for spans and metrics, without the package that it needs.
 */
export const allOfTelemetry = "ours, telemetry, without @opentelemetry/api";

/**
 * Servers that require tokens, without the library that verifies signatures.
 */
export const protection =
  "ours, protection of a server with JWTs, without jose";

export const byHand = `
import { createInterface } from "node:readline";
const answers = { "tools/call": ({ arguments: given }) => ({ content: [{ type: "text", text: given.text }] }) };
createInterface(process.stdin).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
});`;

/** A stdio client of one revision, whose code is in `gen/`. */
export const stdioClient = `
import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./gen/client.js";
const client = await Client.connect(stdio("node", ["server.js"]), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`;

/**
 * An HTTP server of one revision: plain, or with what `cluster` names, and the
 * store of that.
 */
const httpServer = (imports = "", store = "", option = "") => `${imports}
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServer } from "./gen/server.js";
${store}
await serveHttp(createHttpHandler(createServer({
  info: { name: "hello", version: "1" },
  handlers: { "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }) },${option}
})), { port: 3000 });`;
const importCluster = `import { cluster } from "@mcpgen/runtime/cluster";`;
const clustered = (imports, store) =>
  httpServer(
    imports,
    `const shared = cluster({ store: ${store}, secrets: [process.env.MCP_SECRET] });`,
    " cluster: shared,",
  );
const withOwnStore = clustered(importCluster, "globalThis.store");
const withValkey = clustered(
  `${importCluster}\nimport { valkey } from "@mcpgen/runtime/cluster/valkey";`,
  "valkey(globalThis.client)",
);

export const clusterAddition = "ours, what a cluster adds to that HTTP server";
export const valkeyAddition = "ours, what the store in Valkey adds to that";

/**
 * What an entry adds to a program: the program with it, and that without it.
 */
export const additions = {
  [clusterAddition]: [withOwnStore, httpServer()],
  [valkeyAddition]: [withValkey, withOwnStore],
};

/**
 * Programs in TypeScript. `gen/` has the code of the measured revision, and
 * `both/` that of this and the newest revision.
 */
export const ours = {
  "ours, stdio server of one revision": `
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./gen/server.js";
await serveStdio(createServer({
  info: { name: "hello", version: "1" },
  handlers: { "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }) },
}));`,
  "ours, stdio server of two revisions": `
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./both/index.js";
await serveStdio(createServers({
  info: { name: "hello", version: "1" },
  handlers: { "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }) },
}));`,
  "ours, stdio client of two revisions": `
import { stdio } from "@mcpgen/runtime/stdio";
import { connect } from "./both/index.js";
const client = await connect(stdio("node", ["server.js"]), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  [oneOverHttp]: httpServer(),
  [twoOverHttp]: `
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { createServers } from "./both/index.js";
await serveHttp(createHttpHandler(createServers({
  info: { name: "hello", version: "1" },
  handlers: { "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }) },
})), { port: 3000 });`,
  "ours, HTTP server of two revisions, with zod": `
import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { z } from "zod";
import { createServers } from "./both/index.js";
await serveHttp(createHttpHandler(createServers({
  info: { name: "hello", version: "1" },
  handlers: tools([{ name: "echo", inputSchema: z.object({ text: z.string() }), handler: ({ text }) => text }]),
})), { port: 3000 });`,
  [allOfApps]: `
import * as apps from "@mcpgen/runtime/apps";
console.log(apps);`,
  [allOfSkills]: `
import * as skills from "@mcpgen/runtime/skills";
console.log(skills);`,
  [allOfTelemetry]: `
import { telemetry } from "@mcpgen/runtime/telemetry";
console.log(telemetry);`,
  [protection]: `
import { protect } from "@mcpgen/auth/protect";
console.log(protect);`,
  "ours, the same with proofs of possession": `
import { dpop, protect } from "@mcpgen/auth/protect";
console.log(dpop, protect);`,
  "ours, all functions of protect, without jose": `
import * as all from "@mcpgen/auth/protect";
console.log(all);`,
  "ours, one guard": `
import { isCallToolRequest } from "./gen/validators.js";
console.log(isCallToolRequest(JSON.parse("{}")));`,
  "ours, all guards of one revision": `
import * as validators from "./gen/validators.js";
console.log(validators);`,
  "ours, HTTP client of one revision": `
import { http } from "@mcpgen/runtime/http";
import { Client } from "./gen/client.js";
const client = await Client.connect(http("http://localhost:3000/mcp"), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  [`ours, HTTP client of ${modern}`]: `
import { http } from "@mcpgen/runtime/http";
import { Client } from "./both/${modern}/client.js";
const client = await Client.connect(http("http://localhost:3000/mcp"), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  "ours, WebSocket client of one revision": `
import { webSocket } from "@mcpgen/runtime/websocket";
import { Client } from "./gen/client.js";
const client = await Client.connect(webSocket("ws://localhost:3000/mcp"), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
};

/**
 * The programs of the peers, including the schema libraries and adapters of
 * their packages.
 */
export const theirs = {
  "SDK v1, stdio client": `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const client = new Client({ name: "hello", version: "1" });
await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  "SDK v1, stdio server": `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
const server = new McpServer({ name: "hello", version: "1" });
server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({ content: [{ type: "text", text }] }));
await server.connect(new StdioServerTransport());`,
  "SDK v1, HTTP server": `
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
createServer(async (request, response) => {
  const server = new McpServer({ name: "hello", version: "1" });
  server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({ content: [{ type: "text", text }] }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(3000, "127.0.0.1");`,
  "SDK v1, HTTP server by handlers": `
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
createServer(async (request, response) => {
  const server = new Server({ name: "hello", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(3000, "127.0.0.1");`,
  "SDK v2, stdio client": `
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
const client = new Client({ name: "hello", version: "1" });
await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  "SDK v2, stdio server": `
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
serveStdio(() => {
  const server = new McpServer({ name: "hello", version: "1" });
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({ content: [{ type: "text", text }] }));
  return server;
});`,
  "SDK v2, HTTP server": `
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "hello", version: "1" });
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({ content: [{ type: "text", text }] }));
  return server;
});
createServer(toNodeHandler(handler)).listen(3000, "127.0.0.1");`,
  "SDK v2, HTTP server by handlers": `
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
const handler = createMcpHandler(() => {
  const server = new Server({ name: "hello", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/call", ({ params }) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }));
  return server;
});
createServer(toNodeHandler(handler)).listen(3000, "127.0.0.1");`,
  "fastmcp, stdio server": `
import { FastMCP } from "fastmcp";
import { z } from "zod";
const server = new FastMCP({ name: "hello", version: "1.0.0" });
server.addTool({ name: "echo", description: "Says it again.", parameters: z.object({ text: z.string() }), execute: async ({ text }) => text });
await server.start({ transportType: "stdio" });`,
  "fastmcp, HTTP server": `
import { FastMCP } from "fastmcp";
import { z } from "zod";
const server = new FastMCP({ name: "hello", version: "1.0.0" });
server.addTool({ name: "echo", description: "Says it again.", parameters: z.object({ text: z.string() }), execute: async ({ text }) => text });
await server.start({ transportType: "httpStream", httpStream: { port: 3000 } });`,
};
