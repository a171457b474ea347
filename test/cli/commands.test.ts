import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpHandler, serveHttp } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it } from "vitest";
import { createServers, serverQuestions } from "../../generated/index.js";
import { commands } from "../../src/cli/commands.js";
import { root } from "../repository.js";
import { directory, runHere } from "./support.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/**
 * A server over HTTP, of the revisions that the condition is true for, with a
 * tool that asks its client.
 */
async function serverAt(
  isServed: (revision: string) => boolean,
): Promise<string> {
  const servers = createServers({
    info: { name: "asker", version: "1.0.0" },
    questions: serverQuestions,
    handlers: {
      "tools/list": () => ({
        tools: [{ name: "ask", inputSchema: { type: "object" } }],
      }),
      "tools/call": async (_, context) => {
        const requestedSchema = {
          type: "object",
          properties: { name: { type: "string" } },
        } as const;
        const { action } = await context.request("elicitation/create", {
          message: "Your name?",
          requestedSchema,
        });
        return {
          content: [{ type: "text", text: `The answer is ${action}.` }],
        };
      },
    },
  });
  const handler = createHttpHandler(
    servers.filter(({ revision }) => isServed(revision)),
  );
  const up = await serveHttp(handler, { port: 0 });
  closing.push(() => up.close());
  return up.url;
}

/**
 * A line for each command, in the order in which they run in one folder: the
 * exit code, and a part of what it prints.
 */
const lines: readonly (readonly [line: string, code: number, text: string])[] =
  [
    ["pull --url URL -o asker.mcp.json", 0, "asker.mcp.json: written"],
    ["call --url URL ask", 0, "The answer is decline."],
    ["generate", 0, "gen: "],
    ["check --live", 0, "up to date"],
    ["stubs asker.mcp.json --out stubs", 0, "stubs: "],
    ["add asker.mcp.json", 0, "server.tools.ask()"],
    ["lint asker.mcp.json", 1, "MG921"],
    ["card asker.mcp.json", 0, "server.json"],
    ["code asker.mcp.json --out agent", 0, "agent: "],
    ["migrate server.js", 0, "server.js"],
    [`update --from ${root}`, 0, "2025-11-25"],
    ["login --list", 0, "token"],
    ["logout --url http://127.0.0.1:9/none", 0, "there was no token"],
    ["init --yes --config other.config.json", 0, "other.config.json: written"],
    ["docs asker.mcp.json --out docs", 0, "docs: "],
    ["ir 2025-11-25", 0, '"$schema"'],
    ["diff 2025-06-18 2025-11-25", 1, "10 breaking"],
    ["validate 2025-11-25 ping.jsonl", 0, "all valid"],
    ["list", 0, "2026-07-28"],
    ["completion bash", 0, "_mcpgen()"],
    ["explain MG307", 0, "MG307"],
  ];

const manifest = {
  name: "asker",
  version: "1.0.0",
  mcpName: "io.github.example/asker",
  description: "Asks.",
};
const server = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
const server = new McpServer({ name: "asker", version: "1.0.0" });
server.registerTool("ask", { description: "Asks." }, async () => ({ content: [] }));
await server.connect(new StdioServerTransport());
`;

describe("each command of the command line", () => {
  it("is in the list of these tests", () => {
    expect(lines.map(([line]) => line.split(" ", 1)[0]).sort()).toEqual(
      commands.map(({ name }) => name).sort(),
    );
  });

  it("does its work, one after another in a project", async () => {
    const url = await serverAt(() => true);
    const source = { url };
    const place = directory({
      "mcpgen.config.json": JSON.stringify({
        servers: [{ snapshot: "asker.mcp.json", source, out: "gen" }],
      }),
      "package.json": JSON.stringify({ ...manifest, bin: "server.js" }),
      "server.js": server,
      "ping.jsonl": '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    });
    for (const [line, code, text] of lines) {
      const words = line.replace("URL", url).split(" ");
      const run = await runHere(words, place);
      expect([line, run.code, run.out + run.err]).toEqual([
        line,
        code,
        expect.stringContaining(text),
      ]);
    }
    expect(readFileSync(join(place, "server.js"), "utf8")).toContain(
      "createServers",
    );
  });
});

describe.each([
  ["before 2026-07-28", (revision: string) => revision === "2025-11-25"],
  ["since 2026-07-28", (revision: string) => revision === "2026-07-28"],
])("a server %s", (_, isServed) => {
  it("is written into a snapshot by pull, and gets an answer that declines its question during a call", async () => {
    const place = directory();
    const url = await serverAt(isServed);
    const { code, err } = await runHere(
      ["pull", "--url", url, "-o", "asker.mcp.json"],
      place,
    );
    expect(code, err).toBe(0);
    const snapshot: unknown = JSON.parse(
      readFileSync(join(place, "asker.mcp.json"), "utf8"),
    );
    expect(snapshot).toMatchObject({
      server: { name: "asker" },
      tools: [{ name: "ask" }],
    });
    const call = await runHere(["call", "--url", url, "ask"]);
    expect([call.code, call.out], call.err).toEqual([
      0,
      "The answer is decline.\n",
    ]);
    expect(call.err).toContain("elicitation/create");
  });
});
