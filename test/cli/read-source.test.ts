import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asSnapshot } from "../../src/cli/source/read.js";
import { modulesOf } from "../../src/cli/user-module.js";
import { directory, mcpgen } from "./support.js";

const tool = { name: "look", inputSchema: { type: "object" } };

describe("a file with a result of tools/list", () => {
  it.each([
    ["the result", { tools: [1, tool, null] }],
    ["its message", { jsonrpc: "2.0", id: 1, result: { tools: [tool] } }],
  ])("is a snapshot of the tools: %s", async (_, value) => {
    const text = JSON.stringify(value);
    const read = await asSnapshot({ text, file: "a/desk.json", name: "n" });
    expect(read).toMatchObject({ file: "a/desk.json", says: "kinds" });
    expect(JSON.parse(read.text)).toMatchObject({
      server: { name: "desk" },
      capabilities: { tools: {} },
      tools: [tool],
    });
  });

  it.each(["[", "[]", '{ "format": 1, "tools": [] }'])(
    "is not a file with %s",
    async (text) => {
      const whole = { text, file: "a.json", name: "n" };
      expect(await asSnapshot(whole)).toBe(whole);
    },
  );
});

it("the modules of a configuration are its files, also those that are missing, and none of a package or of Node.js", async () => {
  const at = directory({
    "a.config.ts": `import "node:fs";
import "path";
import "pkg";
import "none";
import "./b.js";
export * from "./missing.js";
const late = () => import("./sub/c.mjs");
`,
    "b.js": 'import "./a.config.ts";\nimport "./sub/c.mjs";\n',
    "sub/c.mjs": "export default 1;\n",
    "node_modules/pkg/package.json": '{ "main": "index.js" }',
    "node_modules/pkg/index.js": 'import "./other.js";\n',
  });
  expect(await modulesOf(join(at, "a.config.ts"))).toEqual(
    ["a.config.ts", "b.js", "missing.js", "sub/c.mjs"].map((name) =>
      join(at, name),
    ),
  );
});

it("init --yes records the snapshots of a folder in the order of their names", async () => {
  const names = ["d", "b", "e", "a", "c"];
  const text = JSON.stringify({
    format: 1,
    revision: "2025-11-25",
    server: { name: "s", version: "1" },
    tools: [],
  });
  const at = directory({
    ...Object.fromEntries(names.map((name) => [`${name}.mcp.json`, text])),
    "f.mcp.json": "{}",
    "g.mcp.json": "[",
  });
  const args = ["init", "--yes", "--config", "mcpgen.config.json"];
  const { code, err } = await mcpgen(args, { directory: at });
  expect(code, err).toBe(0);
  expect(err.match(/\b[a-g](?=\.mcp\.json)/g)).toEqual(names.sort());
});
