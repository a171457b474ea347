import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begin, printed, shellIn, stepAfter } from "./kit.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
/** The version of a package that the suites have, or else the repository. */
const versionOf = (name) => {
  const [path] = [here, join(here, "../..")]
    .map((folder) => join(folder, "node_modules", name, "package.json"))
    .filter(existsSync);
  return JSON.parse(readFileSync(path, "utf8")).version;
};
const pages = {
  migrate: "src/commands/migrate/README.md",
  move: "test/examples/move/README.md",
};

/** A server of version 1 of the SDK, as somebody has it. */
const server = `import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "shop", version: "1.0.0" });

server.registerTool(
  "count",
  {
    description: "Counts a product.",
    inputSchema: { product: z.string().describe("What to count") },
    annotations: { readOnlyHint: true },
  },
  async ({ product }) => ({ content: [{ type: "text", text: \`3 of \${product}\` }] }),
);

server.registerResource("stock", new ResourceTemplate("shop://{product}", { list: undefined }), {}, async (uri, { product }) => ({
  contents: [{ uri: uri.href, text: \`\${product}: 3\` }],
}));

server.registerPrompt("offer", { description: "Writes an offer.", argsSchema: { product: z.string() } }, ({ product }) => ({
  messages: [{ role: "user", content: { type: "text", text: \`Offer \${product}.\` } }],
}));

await server.connect(new StdioServerTransport());
`;
const start = "npx tsx src/server.ts";
const call = `npx mcpgen call --stdio "${start}" count product=apples`;

let all;
let shell;
beforeAll(async () => {
  all = await begin();
  shell = shellIn(join(all.folder, "shop"), all.tarballs);
  mkdirSync(join(shell.folder, "src"));
  writeFileSync(join(shell.folder, "src/server.ts"), server);
  const own = ["@modelcontextprotocol/sdk", "zod", "typescript"].map(
    (name) => `${name}@${versionOf(name)}`,
  );
  await shell.pass(
    "npm init --yes && npm pkg set type=module",
    `npm install ${own.join(" ")} tsx @types/node`,
    "npm install -D mcpgen",
  );
});
afterAll(() => all.end());

describe("the way from a server of the official SDK to one of mcpgen", () => {
  const snapshot = (name) =>
    printed(pages.move, "npx mcpgen pull --stdio")
      .replace("node server.js", start)
      .replace("new.mcp.json", name);
  // The page names one file more.
  const dryRun = printed(pages.migrate, "npx mcpgen migrate .* --dry-run");
  const migrate = dryRun.replace(" src/tools.ts", "");

  it("takes a snapshot, and shows what would change without a change", async () => {
    await shell.pass(snapshot("shop.mcp.json"));
    const { err } = await shell.pass(migrate);
    expect(err).toContain("+import { serveStdio }");
    const path = join(shell.folder, "src/server.ts");
    expect(readFileSync(path, "utf8")).toBe(server);
  });

  it("moves the server with what it prints, and the compiler and the calls of its clients find no difference", async () => {
    const before = await shell.pass(call);
    const { err } = await shell.pass(migrate.replace(" --dry-run", ""));
    expect(err).toContain("src/server.ts: written, 3 rows converted, 0 places");
    for (const what of [
      "generate what they import",
      "install what they import",
    ])
      await shell.pass(stepAfter(what, err));
    await shell.pass(
      "npx tsc --noEmit --strict --module nodenext --types node src/server.ts",
    );
    expect((await shell.pass(call)).out).toBe(before.out);
  });

  it("differs for its clients in what the page names only", async () => {
    await shell.pass(snapshot("new.mcp.json"));
    const { code, out } = await shell.run(
      printed(pages.move, "npx mcpgen diff shop.mcp.json"),
    );
    expect(code).toBe(1);
    const rows = out.split("\n").filter((line) => /^ {2}[!+] /.test(line));
    const named =
      /: uses a later revision|\.listChanged: capability|: same meaning in another notation/;
    expect(rows.filter((row) => !named.test(row))).toEqual([]);
  });

  it("runs on Node.js 24, too", async () => {
    const program = join(here, "node_modules/node/bin/node");
    const newer = shellIn(shell.folder, all.tarballs, program);
    expect((await newer.pass(call)).out).toBe("3 of apples\n");
  });
});
