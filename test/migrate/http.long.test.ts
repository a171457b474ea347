import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mcpgen } from "../cli/support.js";
import { freePort } from "../free-port.js";
import { root } from "../repository.js";
import { programForNode } from "../sources.js";
import { faultsOf, makeProject, type Project } from "../types/project.js";

const tool = {
  name: "now",
  description: "Says the time.",
  inputSchema: { type: "object", properties: {} },
};

const programs: readonly (readonly [
  name: string,
  text: string,
  tool: typeof tool,
])[] = [
  [
    "handler.ts",
    `import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createServer } from "node:http";

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  server.registerTool("now", { description: "Says the time." }, async () => ({ content: [] }));
  return server;
});
createServer(toNodeHandler(handler)).listen(Number(process.env["PORT"]), "127.0.0.1", () => console.log("ready"));
`,
    tool,
  ],
  [
    "fast.ts",
    `import { FastMCP } from "fastmcp";

const server = new FastMCP({ name: "shop", version: "1.0.0" });
server.addTool({ name: "now", description: "Says the time.", execute: async () => "noon" });
await server.start({ transportType: "httpStream", httpStream: { port: Number(process.env["PORT"]), endpoint: "/mcp" } });
console.log("ready");
`,
    tool,
  ],
];

let project: Project;
const running: ChildProcess[] = [];
beforeAll(async () => {
  project = await makeProject();
  await project.generate("mcp", "--version", "all", "--emit", "server");
  for (const [name, text] of programs) {
    project.write(name, text);
    const { code, err } = await mcpgen(["migrate", name, "--no-color"], {
      directory: project.folder,
    });
    if (code !== 0 || !err.includes(" 0 places left\n")) throw new Error(err);
  }
}, 300_000);
afterAll(() => {
  for (const child of running) child.kill();
  project.remove();
});

describe("a server over HTTP after mcpgen migrate", () => {
  it("compiles without an error of a type", async () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "ES2022",
      module: "NodeNext",
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    const files = programs.map(([name]) => name);
    expect(
      await faultsOf(project, "typescript", { compilerOptions, files }),
    ).toEqual([]);
  });

  it.each(programs)(
    "starts, lists the same tools, and answers a call: %s",
    async (name, _, expected) => {
      const directory = project.folder;
      const program = join(directory, `${name}.mjs`);
      await build({
        ...programForNode,
        entryPoints: [join(directory, name)],
        outfile: program,
      });
      const port = await freePort();
      const child = spawn(process.execPath, [program], {
        env: { ...process.env, PORT: String(port) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      running.push(child);
      await once(createInterface({ input: child.stdout }), "line");
      const url = `http://127.0.0.1:${port}/mcp`;
      const pulled = await mcpgen(
        ["pull", "--url", url, "-o", "after.mcp.json"],
        { directory },
      );
      expect([pulled.code, pulled.err]).toEqual([0, expect.anything()]);
      const after = JSON.parse(
        readFileSync(join(directory, "after.mcp.json"), "utf8"),
      ) as object;
      writeFileSync(
        join(directory, "before.mcp.json"),
        JSON.stringify({ ...after, tools: [expected] }),
      );
      const diff = await mcpgen(["diff", "before.mcp.json", "after.mcp.json"], {
        directory,
      });
      expect([diff.code, diff.out]).toEqual([0, expect.anything()]);
      const args = Object.keys(expected.inputSchema.properties).map(
        (key) => `${key}=1`,
      );
      const called = await mcpgen(["call", url, expected.name, ...args], {
        directory,
      });
      expect([called.code, called.err]).toEqual([0, expect.anything()]);
    },
  );
});
