// What a program weighs when it is bundled for production: minified and gzipped.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { here, inScratch, revision, root, table } from "./shared.mjs";

const programs = {
  "by hand, a JSON loop over stdio": `
import { createInterface } from "node:readline";
const answers = { "tools/call": ({ arguments: given }) => ({ content: [{ type: "text", text: given.text }] }) };
createInterface(process.stdin).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "Method not found" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
});`,
  "ours, stdio client of one revision": `
import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./gen/client.js";
const client = await Client.connect(stdio("node", ["server.js"]), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
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
  "ours, HTTP client of a modern revision": `
import { http } from "@mcpgen/runtime/http";
import { Client } from "./both/2026-07-28/client.js";
const client = await Client.connect(http("http://localhost:3000/mcp"), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  "ours, WebSocket client of one revision": `
import { webSocket } from "@mcpgen/runtime/websocket";
import { Client } from "./gen/client.js";
const client = await Client.connect(webSocket("ws://localhost:3000/mcp"), { info: { name: "hello", version: "1" } });
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  "official SDK, stdio client": `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const client = new Client({ name: "hello", version: "1" });
await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
console.log(await client.callTool({ name: "echo", arguments: { text: "hi" } }));`,
  "official SDK, stdio server": `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
const server = new McpServer({ name: "hello", version: "1" });
server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({ content: [{ type: "text", text }] }));
await server.connect(new StdioServerTransport());`,
};

function generate(version, out) {
  const args = [join(root, "dist/cli.js"), "--version", version, "--out", out, "--quiet"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

await inScratch(async (scratch) => {
  generate(revision, join(scratch, "gen"));
  generate(`${revision},2026-07-28`, join(scratch, "both"));
  mkdirSync(join(scratch, "src"));
  const rows = [];
  for (const [name, text] of Object.entries(programs)) {
    const file = join(scratch, "program.ts");
    writeFileSync(file, text);
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "error",
      nodePaths: [join(here, "node_modules")],
      alias: {
        "@mcpgen/runtime": join(root, "src/runtime/dist/index.js"),
        "@mcpgen/runtime/legacy": join(root, "src/runtime/dist/legacy.js"),
        "@mcpgen/runtime/modern": join(root, "src/runtime/dist/modern.js"),
        "@mcpgen/runtime/stdio": join(root, "src/runtime/dist/stdio.js"),
        "@mcpgen/runtime/http": join(root, "src/runtime/dist/http.js"),
        "@mcpgen/runtime/websocket": join(root, "src/runtime/dist/websocket.js"),
      },
      external: ["ws"],
    });
    const [{ contents }] = outputFiles;
    const kilobytes = (bytes) => (bytes / 1024).toFixed(1);
    rows.push([name, kilobytes(contents.length), kilobytes(gzipSync(contents, { level: 9 }).length)]);
  }
  console.log(`Bundles, esbuild: kilobytes\n`);
  table(["program", "minified", "and gzipped"], rows);
});
