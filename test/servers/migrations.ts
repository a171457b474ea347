/** A server of other people that `mcpgen migrate` converts. */
export interface Migration {
  readonly package: string;
  readonly version: string;
  /** What it is written with, for the table. */
  readonly uses: string;
  /** The file that is started. */
  readonly entry: string;
  /** What is converted: files, and folders that end with a slash. */
  readonly files: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The arguments that start it at this port over Streamable HTTP, if it can be
   * started so, too.
   */
  readonly http?: (port: number) => readonly string[];
  /**
   * What a person changes afterwards: the file, the text, and what replaces it.
   */
  readonly byHand: readonly (readonly [
    path: string,
    from: string,
    to: string,
  ])[];
}

/** None of them needs the network to list its tools; the keys are made up. */
export const migrations: readonly Migration[] = [
  {
    package: "@modelcontextprotocol/server-sequential-thinking",
    version: "2026.8.31",
    uses: "McpServer, zod 4",
    entry: "dist/index.js",
    files: ["dist/"],
    byHand: [],
  },
  {
    package: "@eslint/mcp",
    version: "0.3.13",
    uses: "McpServer, zod 3",
    entry: "src/mcp-cli.js",
    files: ["src/"],
    byHand: [["src/mcp-cli.js", "\tmcpServer.close();\n", ""]],
  },
  {
    package: "@antv/mcp-server-chart",
    version: "0.9.10",
    uses: "Server",
    entry: "build/index.js",
    files: ["build/", "build/utils/", "build/services/"],
    http: (port) => [
      "--transport",
      "streamable",
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
    ],
    byHand: [
      ["build/server.js", "        yield server.close();\n", ""],
      [
        "build/server.js",
        '    server.onerror = (e) => {\n        logger_1.logger.error("Server encountered an error, shutting down", e);\n    };\n',
        "",
      ],
      [
        "build/server.js",
        "        handlers: {\n",
        '        onError: (e) => logger_1.logger.error("Server encountered an error, shutting down", e),\n        handlers: {\n',
      ],
    ],
  },
  {
    package: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    uses: "McpServer, zod 4",
    entry: "dist/index.js",
    files: ["dist/"],
    args: ["."],
    byHand: [
      [
        "dist/index.js",
        '        "notifications/roots/list_changed":',
        '        "notifications/initialized": initialized,\n        "notifications/roots/list_changed":',
      ],
      [
        "dist/index.js",
        "server.server.oninitialized = async () => {",
        "async function initialized(_params, context) {",
      ],
      [
        "dist/index.js",
        "server.server.getClientCapabilities()",
        "context.client.capabilities",
      ],
      [
        "dist/index.js",
        "server.server.listRoots()",
        'context.request("roots/list")',
      ],
    ],
  },
  {
    package: "@modelcontextprotocol/server-memory",
    version: "2026.8.31",
    uses: "McpServer, zod 4",
    entry: "dist/index.js",
    files: ["dist/"],
    byHand: [
      [
        "dist/index.js",
        "    handlers: {\n        ...tools([\n",
        "    handlers: {\n        ...registerKnowledgeGraphResource({ readGraph: () => knowledgeGraphManager.readGraph() }),\n        ...registerKnowledgeGraphSubscriptions(),\n        ...tools([\n",
      ],
      [
        "dist/index.js",
        "    registerKnowledgeGraphResource(server, knowledgeGraphManager);\n    registerKnowledgeGraphSubscriptions(server);\n",
        "",
      ],
      [
        "dist/index.js",
        "    server.server.registerCapabilities({ resources: { subscribe: true } });\n",
        "",
      ],
    ],
  },
  {
    package: "@angiejones/mcp-selenium",
    version: "0.2.3",
    uses: "McpServer",
    entry: "src/lib/server.js",
    files: ["src/lib/"],
    byHand: [],
  },
  {
    package: "@h1deya/mcp-server-weather",
    version: "0.1.3",
    uses: "McpServer, zod 3",
    entry: "dist/index.js",
    files: ["dist/"],
    byHand: [],
  },
  {
    package: "@modelcontextprotocol/server-brave-search",
    version: "0.6.2",
    uses: "Server",
    entry: "dist/index.js",
    files: ["dist/"],
    env: { BRAVE_API_KEY: "none" },
    byHand: [],
  },
  {
    package: "@modelcontextprotocol/server-google-maps",
    version: "0.6.2",
    uses: "Server",
    entry: "dist/index.js",
    files: ["dist/"],
    env: { GOOGLE_MAPS_API_KEY: "none" },
    byHand: [],
  },
  {
    package: "@modelcontextprotocol/server-slack",
    version: "2025.4.25",
    uses: "Server",
    entry: "dist/index.js",
    files: ["dist/"],
    env: { SLACK_BOT_TOKEN: "none", SLACK_TEAM_ID: "none" },
    byHand: [],
  },
  {
    package: "tavily-mcp",
    version: "0.2.22",
    uses: "a class with Server",
    entry: "build/index.js",
    files: ["build/"],
    env: { TAVILY_API_KEY: "none" },
    byHand: [
      [
        "build/index.js",
        '        this.server.onerror = (error) => {\n            console.error("[MCP Error]", error);\n        };\n',
        "",
      ],
      ["build/index.js", "            await this.server.close();\n", ""],
    ],
  },
  {
    package: "@kazuph/mcp-taskmanager",
    version: "1.1.1",
    uses: "Server",
    entry: "dist/index.js",
    files: ["dist/"],
    byHand: [],
  },
  {
    package: "@kimtaeyoon83/mcp-server-youtube-transcript",
    version: "0.1.1",
    uses: "a class with Server",
    entry: "dist/index.js",
    files: ["dist/"],
    byHand: [
      [
        "dist/index.js",
        '        this.server.onerror = (error) => {\n            console.error("[MCP Error]", error);\n        };\n',
        "",
      ],
      ["dist/index.js", "            await this.server.close();\n", ""],
    ],
  },
];

/**
 * A program as the documents of its library show it, with two tools; it listens
 * at `PORT`.
 */
export interface HttpProgram {
  readonly name: string;
  readonly text: string;
  /** What is different in its tools after the command. */
  readonly changes: readonly string[];
}

export const httpPrograms: readonly HttpProgram[] = [
  {
    name: "fast.mjs",
    // FastMCP adds `additionalProperties: false` to what zod says.
    changes: ["other-members-allowed"],
    text: `import { FastMCP } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "shop", version: "1.0.0" });
server.addTool({
  name: "add",
  description: "Adds.",
  parameters: z.object({ a: z.number() }),
  execute: async ({ a }) => String(a),
});
await server.start({
  transportType: "httpStream",
  httpStream: { port: Number(process.env.PORT), host: "127.0.0.1", endpoint: "/mcp" },
});
console.log("ready");
`,
  },
];
