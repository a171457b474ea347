import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen, type Ended } from "../cli/support.js";

/**
 * Runs the command on files, and returns what it printed and the files after
 * it.
 */
async function migrated(
  files: Readonly<Record<string, string>>,
  ...flags: string[]
): Promise<Ended & { readonly at: string; file(name: string): string }> {
  const at = directory(files);
  mkdirSync(join(at, "mcp"));
  const ended = await mcpgen(
    ["migrate", ...Object.keys(files), "--no-color", ...flags],
    { directory: at },
  );
  return { ...ended, at, file: (name) => readFileSync(join(at, name), "utf8") };
}

/**
 * The same without line breaks and indentation, which are for the formatter of
 * a project.
 */
const flat = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const head = `import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
`;
const server = `const server = new McpServer({ name: "shop", version: "1.0.0" });\n`;
const converted = (
  body: string,
): string => `import { tools } from "@mcpgen/runtime/features";
import { createServers } from "./mcp/index.js";
import { z } from "zod";
const server = createServers({
  info: { name: "shop", version: "1.0.0" },
  handlers: {
    ...tools([
${body}
    ]),
  },
});
`;

const indented = `import express from "express";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

class Shop {
  open(isOpen: boolean) {
    if (isOpen) {
      const server = new McpServer({ name: "shop", version: "1.0.0" });
      // Counts.
      server.registerTool(
        "count",
        {
          description: "Counts.",
          annotations: {
            readOnlyHint: true,
          },
        },
        async () => {
          const text = \`a
!b\`;
          if (text) {
            return { content: [] };
          }
          return { content: [{ type: "text", text }] };
        },
      );
      server.registerPrompt("plan", {}, () => ({
        messages: [],
      }));
      return server;
    }
    return null;
  }

  serve() {
    const app = express();
    app.post("/mcp", async (req, res) => {
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      res.on("close", () => transport.close());
      await this.open(true).connect(transport);
      await transport.handleRequest(req, res, req.body);
    });
    app.get("/mcp", (req, res) => res.status(405).end());
    app.listen(3000);
  }
}
`;
const indentedAfter = `import express from "express";
import { prompts, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, nodeListener } from "@mcpgen/runtime/http";
import { createServers } from "./mcp/index.js";

class Shop {
  open(isOpen: boolean) {
    if (isOpen) {
      const server = createServers({
        info: { name: "shop", version: "1.0.0" },
        handlers: {
          ...tools([
            // Counts.
            {
              name: "count",
              description: "Counts.",
              annotations: {
                readOnlyHint: true,
              },
              inputSchema: { type: "object", properties: {} },
              handler: async () => {
                const text = \`a
!b\`;
                if (text) {
                  return { content: [] };
                }
                return { content: [{ type: "text", text }] };
              },
            },
          ]),
          ...prompts([
            {
              name: "plan",
              get: () => ({
                messages: [],
              }),
            },
          ]),
        },
      });
      return server;
    }
    return null;
  }

  serve() {
    const app = express();
    const listener = nodeListener(createHttpHandler(this.open(true), { sessions: false }));
    app.all("/mcp", listener);
    app.listen(3000);
  }
}
`;

describe("a server of version 1 of the official SDK", () => {
  it("becomes rows, a set of servers and serveStdio, with its comments, its names and its other lines", async () => {
    const { code, err, file } = await migrated({
      "shop.ts": `#!/usr/bin/env node
// Sells apples.
${head}
const NAME = "count";
${server}
// Reads the stock.
server.registerTool(
  NAME,
  {
    description: "Counts.",
    // What is counted.
    inputSchema: { product: z.string() },
  },
  async ({ product }, extra) => {
    // Each call.
    const text = \`a
  \${product}\`;
    return { content: [{ type: "text", text }] };
  },
);

const open = true;
server.registerTool("close", { inputSchema: z.object({ now: z.boolean() }) }, async () => ({ content: [] }));

async function main(): Promise<void> {
  const transport = new StdioServerTransport();
  await server.connect(transport);
  console.error("running");
}
void main();
`,
    });
    expect([code, err]).toEqual([
      0,
      "shop.ts: written, 2 rows converted, 0 places left\n" +
        "install what they import:    npm install @mcpgen/runtime\n" +
        "format the files as your project does, and run your tests\n",
    ]);
    expect(file("shop.ts")).toBe(`#!/usr/bin/env node
// Sells apples.
import { tools } from "@mcpgen/runtime/features";
import { serveStdio } from "@mcpgen/runtime/stdio";
import { createServers } from "./mcp/index.js";
import { z } from "zod";

const NAME = "count";

const open = true;
const server = createServers({
  info: { name: "shop", version: "1.0.0" },
  handlers: {
    ...tools([
      // Reads the stock.
      {
        name: NAME,
        description: "Counts.",
        // What is counted.
        inputSchema: z.object({ product: z.string() }),
        handler: async ({ product }, extra) => {
          // Each call.
          const text = \`a
  \${product}\`;
          return { content: [{ type: "text", text }] };
        },
      },
      {
        name: "close",
        inputSchema: z.object({ now: z.boolean() }),
        handler: async () => ({ content: [] }),
      },
    ]),
  },
});

async function main(): Promise<void> {
  void serveStdio(server);
  console.error("running");
}
void main();
`);
  });

  it.each(["  ", "    ", "\t"])(
    "keeps the margin of its lines and their step in functions: %j",
    async (step) => {
      // A line of a text begins with "!", and has no margin.
      const stepped = (text: string): string =>
        text.replaceAll(/^(?: {2})+/gm, (margin) =>
          step.repeat(margin.length / 2),
        );
      const { file } = await migrated({ "shop.ts": stepped(indented) });
      expect(file("shop.ts")).toBe(stepped(indentedAfter));
    },
  );

  it("keeps each form of arguments that tool() takes", async () => {
    const { file } = await migrated({
      "shop.ts": `${head}${server}server.tool("a", async () => ({ content: [] }));
server.tool("b", "Says b.", async (extra) => ({ content: [], _meta: extra._meta }));
server.tool("c", { x: z.number() }, async ({ x }) => ({ content: [], x }));
server.tool("d", "Says d.", { x: z.number() }, { readOnlyHint: true }, async ({ x }) => ({ content: [], x }));
`,
    });
    expect(file("shop.ts")).toBe(
      converted(`      {
        name: "a",
        inputSchema: { type: "object", properties: {} },
        handler: async () => ({ content: [] }),
      },
      {
        name: "b",
        description: "Says b.",
        inputSchema: { type: "object", properties: {} },
        handler: (_args, context) => (async (extra) => ({ content: [], _meta: extra.meta }))(context),
      },
      {
        name: "c",
        inputSchema: z.object({ x: z.number() }),
        handler: async ({ x }) => ({ content: [], x }),
      },
      {
        name: "d",
        description: "Says d.",
        inputSchema: z.object({ x: z.number() }),
        annotations: { readOnlyHint: true },
        handler: async ({ x }) => ({ content: [], x }),
      },`),
    );
  });

  it("leaves a row that cannot be known, and says where it is, what it is and what to do", async () => {
    const { code, err, file, at } = await migrated(
      {
        "shop.ts": `${head}${server}server.registerTool("a", {}, async () => ({ content: [] }));
for (const name in { b: 1 }) server.registerTool(name, {}, async () => ({ content: [] }));
server.registerTool("d", options(), async () => ({ content: [] }));
`,
      },
      "--force",
    );
    expect(code).toBe(0);
    const text = file("shop.ts");
    expect(text).toContain(
      `for (const name in { b: 1 }) server.registerTool(name, {}, async`,
    );
    expect(text).toContain(`server.registerTool("d", options(), async`);
    for (const [place, , line = "", column = ""] of err.matchAll(
      /^(shop\.ts:(\d+):(\d+)) MG953 warning: .+\n {4}hint: .+https:.+#/gm,
    )) {
      expect(place).not.toBe("");
      expect(
        text.split("\n")[Number(line) - 1]?.slice(Number(column) - 1),
      ).toMatch(/^server\.registerTool\(/);
    }
    expect(err.match(/MG953/g)).toHaveLength(2);
    expect(err).toContain("shop.ts: written, 1 row converted, 2 places left\n");
    expect(at).not.toBe("");
  });

  const text = `${head}${server}server.registerTool("a", {}, async () => ({ content: [] }));\nserver.close();\n`;
  it("is not written with --dry-run, which shows the difference", async () => {
    const dry = await migrated({ "shop.ts": text }, "--dry-run");
    expect([dry.code, dry.file("shop.ts")]).toEqual([1, text]);
    expect(dry.err).toContain(`\n-${server}`);
    expect(dry.err).toContain("\n+const server = createServers({\n");
    expect(dry.err).toContain(
      "shop.ts: would change, 1 row converted, 1 place left\n",
    );
  });

  it("is not written while a place is left that the command does not know", async () => {
    const whole = await migrated({ "shop.ts": text });
    expect([whole.code, whole.file("shop.ts")]).toEqual([1, text]);
    expect(whole.err).toContain("MG953 warning: server.close is not converted");
    expect(whole.err).toMatch(
      /^nothing was written: the command does not know 1 place\. .* --force$/m,
    );
    const forced = await migrated({ "shop.ts": text }, "--force");
    expect(forced.code).toBe(0);
    expect(forced.file("shop.ts")).toContain("createServers({");
  });

  it("is written in no file while another one has a place left", async () => {
    const other = `${head}${server}server.registerTool("b", {}, async () => ({ content: [] }));\n`;
    const both = await migrated({ "shop.ts": text, "other.ts": other });
    expect([both.code, both.file("other.ts")]).toEqual([1, other]);
  });

  it("is reported with --json by its files, rows and places", async () => {
    const json = await migrated(
      { "shop.ts": text, "b.ts": "export const b = 1;\n" },
      "--json",
      "--force",
    );
    expect(JSON.parse(json.out)).toEqual({
      ok: true,
      mode: "write",
      compiler: expect.stringMatching(/^TypeScript \d.* of mcpgen$/),
      files: [
        { path: "shop.ts", state: "written", rows: 1, places: 1 },
        { path: "b.ts", state: "unchanged", rows: 0, places: 0 },
      ],
      diagnostics: [
        {
          code: "MG953",
          severity: "warning",
          message: "server.close is not converted",
          hint: expect.stringContaining("https://"),
          location: { file: "shop.ts", line: 16, column: 1 },
          within: [],
        },
      ],
    });
    expect(json.file("b.ts")).toBe("export const b = 1;\n");
  });

  it.each([
    [
      "a file without a server",
      { "a.ts": "export const a = 1;\n" },
      /^MG951 .*a\.ts\n {4}hint: /,
    ],
    [
      "a file with a syntax error",
      { "a.ts": `${head}const = ;\n` },
      /^a\.ts:4:7 MG952 syntax error: /,
    ],
  ])(
    "is an error for %s, and nothing is written",
    async (_, files, message) => {
      const { code, err, file } = await migrated({
        "shop.ts": `${head}${server}`,
        ...files,
        ...("a.ts" in files && !/const =/.test(files["a.ts"])
          ? { "shop.ts": "" }
          : {}),
      });
      expect(code).toBe(2);
      expect(err).toMatch(message);
      expect(file("a.ts")).toBe(files["a.ts"]);
    },
  );

  it.each([
    ["CRLF", "\r\n", "\r\n"],
    ["LF", "\n", "\n"],
  ])(
    "keeps %s at the end of each line, in what is new and in what stays",
    async (_, end, expected) => {
      const text = `${head}${server}server.registerTool("a", {}, async () => ({\n  content: [{ type: "text", text: \`a\n  b\` }],\n}));\n`;
      const { code, file } = await migrated({
        "shop.ts": text.replaceAll("\n", end),
      });
      expect(code).toBe(0);
      expect(file("shop.ts")).toContain("createServers({");
      expect([...new Set(file("shop.ts").match(/\r?\n/g))]).toEqual([expected]);
    },
  );

  it("keeps the permissions of a program", async () => {
    const at = directory({
      "shop.js": `${head}${server}server.registerTool("a", {}, async () => ({ content: [] }));\n`,
    });
    chmodSync(join(at, "shop.js"), 0o755);
    const before = statSync(join(at, "shop.js")).mode;
    expect(
      (await mcpgen(["migrate", "shop.js", "--quiet"], { directory: at })).code,
    ).toBe(0);
    expect(statSync(join(at, "shop.js")).mode).toBe(before);
    expect(flat(readFileSync(join(at, "shop.js"), "utf8"))).toContain(
      "createServers({",
    );
  });
});
