// The time from an empty folder to the first answer, with the commands of the
// main page and with those of the official SDK. The programs do the same: a
// server with one tool, and a client that starts it and calls the tool.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { follow, mainPage, wordsFor } from "./quickstart.mjs";

const installed = fileURLToPath(
  new URL("../installed/package.json", import.meta.url),
);
const { dependencies } = JSON.parse(readFileSync(installed, "utf8"));
const version = dependencies["@modelcontextprotocol/sdk"];

const server = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "greeter", version: "1.0.0" });
server.registerTool(
  "greet",
  { description: "Greets a person.", inputSchema: { name: z.string() } },
  ({ name }) => ({ content: [{ type: "text", text: \`Hello, \${name}!\` }] }),
);
await server.connect(new StdioServerTransport());
`;
const client = `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "caller", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "npx", args: ["tsx", "server.ts"] }));
const { content } = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
console.log(content);
await client.close();
`;
const official = {
  commands: [
    "npm init --yes && npm pkg set type=module",
    `npm install @modelcontextprotocol/sdk@${version} zod`,
    "npm install --save-dev tsx",
    "npx tsx client.ts",
  ],
  programs: new Map([
    ["server.ts", server],
    ["client.ts", client],
  ]),
};

/**
 * Prints both times. Each side begins with an empty cache of npm; ours installs
 * the packed packages.
 */
export async function compareTimes(node, sources) {
  const { sequences, programs } = mainPage;
  const { asSaid, more } = wordsFor(node);
  const commands = [...sequences[0], ...more, ...sequences.at(-1)].map(asSaid);
  const ours = {
    commands,
    programs: new Map(
      [...programs].map(([name, text]) => [name, asSaid(text)]),
    ),
  };
  for (const [name, project] of Object.entries({
    mcpgen: ours,
    [`the official SDK ${version}`]: official,
  })) {
    const cache = mkdtempSync(join(tmpdir(), "mcpgen-times-"));
    const start = performance.now();
    const parts = [];
    let before = start;
    let answer = "";
    try {
      await follow({ node, ...sources, cache, ...project }, (line, printed) => {
        parts.push(`${line}: ${seconds(performance.now() - before)}`);
        before = performance.now();
        answer = printed;
      });
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
    if (!answer.includes("Hello, Ada!"))
      throw new Error(`The client of ${name} printed:\n${answer}`);
    console.log(
      `${name}: ${seconds(before - start)} from an empty folder to the first answer\n  ${parts.join("\n  ")}`,
    );
  }
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
