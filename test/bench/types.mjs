// What a hello-world client and server cost the type checker: instantiations, and types in all.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { here, inScratch, revision, root, table } from "./shared.mjs";
import { instantiations, project } from "./tsc.mjs";

const ours = {
  "client.ts": `
import { stdio } from "@mcpgen/runtime/stdio";
import { Client } from "./gen/client.js";
const client = await Client.connect(stdio("node", ["server.js"]), { info: { name: "hello", version: "1" } });
const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
for (const block of result.content) if (block.type === "text") console.log(block.text);
await client.close();
`,
  "server.ts": `
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServer } from "./gen/server.js";
const server = createServer({
  info: { name: "hello", version: "1" },
  handlers: {
    "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
    "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }),
  },
});
await serveStdio(server);
`,
};

const sdk = {
  "client.ts": `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const client = new Client({ name: "hello", version: "1" });
await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
const result = await client.callTool({ name: "echo", arguments: { text: "hi" } });
for (const block of result.content as { type: string; text?: string }[]) if (block.type === "text") console.log(block.text);
await client.close();
`,
  "server.ts": `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
const server = new McpServer({ name: "hello", version: "1" });
server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({ content: [{ type: "text", text }] }));
await server.connect(new StdioServerTransport());
`,
};

const empty = { "empty.ts": `console.log("hello");\n` };

function generate(version, folder) {
  const args = [join(root, "dist/cli.js"), "--version", version, "--out", join(folder, "gen"), "--quiet"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

await inScratch(async (scratch) => {
  const node = join(root, "node_modules/@types/node");
  const undici = join(root, "node_modules/undici-types");
  const peers = join(here, "node_modules");
  const own = join(scratch, "ours");
  const theirs = join(scratch, "sdk");
  const modules = {
    "@types/node": node,
    "undici-types": undici,
    "@mcpgen/runtime": join(root, "src/runtime"),
  };
  project(own, { ...ours, ...empty }, modules);
  project(
    theirs,
    { ...sdk, ...empty },
    {
      "@types/node": node,
      "undici-types": undici,
      "@modelcontextprotocol/sdk": join(peers, "@modelcontextprotocol/sdk"),
      zod: join(peers, "zod"),
    },
  );
  generate(revision, own);
  const others = readdirSync(join(root, "schema")).filter(
    (name) => name !== revision && name !== "extensions",
  );
  for (const name of others) {
    project(join(scratch, name), ours, modules);
    generate(name, join(scratch, name));
  }
  const base = instantiations(own, ["empty.ts"]);
  const row = (name, folder, files) => {
    const [found, types, seconds] = instantiations(folder, files);
    return [name, found, found - base[0], types, `${seconds.toFixed(2)} s`];
  };
  console.log(`Hello-world programs of ${revision}, TypeScript ${await version()}\n`);
  table(
    ["program", "instantiations", "beyond an empty one", "types", "check time"],
    [
      ["an empty program", ...base.slice(0, 1), 0, base[1], `${base[2].toFixed(2)} s`],
      row("ours, client", own, ["client.ts"]),
      row("ours, server", own, ["server.ts"]),
      row("ours, both", own, ["client.ts", "server.ts"]),
      ...others.map((name) => row(`ours, both, ${name}`, join(scratch, name), ["client.ts", "server.ts"])),
      row("official SDK, client", theirs, ["client.ts"]),
      row("official SDK, server", theirs, ["server.ts"]),
      row("official SDK, both", theirs, ["client.ts", "server.ts"]),
    ],
  );
});

async function version() {
  const { default: ts } = await import("typescript");
  return ts.version;
}
