import { describe, expect, it } from "vitest";
import { directory, mcpgenAlone } from "./support.js";

const snapshot = (description: string, properties: object): object => ({
  format: 1,
  revision: "2025-11-25",
  server: { name: "notes", version: "1.0.0" },
  capabilities: { tools: {} },
  tools: [
    {
      name: "find",
      title: "Find",
      description,
      inputSchema: { type: "object", properties },
    },
    { name: "\u001b[31m\n  ! tool", inputSchema: { type: "object" } },
  ],
  prompts: [],
  resources: [],
  resourceTemplates: [],
});
const before = snapshot("Finds a note.", { kind: { enum: ["a", "b"] } });
const after = snapshot("Finds notes.\n  ! forged", {
  kind: { enum: ["a"] },
  more: { type: "string" },
});

/** A server of the second snapshot, with another title. */
const server = `
const { tools } = ${JSON.stringify(after)};
tools[0].title = "Search";
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1.0.0" } },
    "tools/list": { tools },
  };
  const result = results[method];
  const answer = result === undefined ? { error: { code: -32601, message: "no" } } : { result };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});
`;
const files = {
  "old.mcp.json": JSON.stringify(before),
  "new.mcp.json": JSON.stringify({
    ...after,
    tools: [
      { ...(after as { tools: object[] }).tools[0], title: "Search" },
      (after as { tools: object[] }).tools[1],
    ],
  }),
  "server.cjs": server,
  "mcpgen.config.json": JSON.stringify({
    servers: [
      { snapshot: "old.mcp.json", source: { stdio: "node server.cjs" } },
    ],
  }),
};

/** The texts between the codes of a colour. */
const painted = (text: string, on: number, off: number): string[] =>
  Array.from(
    text.matchAll(new RegExp(`\u001b\\[${on}m([^]*?)\u001b\\[${off}m`, "g")),
    ([, inside = ""]) => inside,
  );

describe.each([
  ["diff", ["diff", "old.mcp.json", "new.mcp.json"], "out"],
  ["check --live", ["check", "--live"], "err"],
] as const)("mcpgen %s", (_, args, stream) => {
  it("shows what breaks in red, what is compatible in green, documentation in grey, and explains the marks", async () => {
    const run = await mcpgenAlone(args, {
      directory: directory(files),
      environment: { FORCE_COLOR: "1" },
    });
    const text = run[stream];
    expect([run.code, text]).toEqual([1, expect.stringContaining("Marks: ")]);
    const red = painted(text, 31, 39);
    expect(red).toEqual([
      "! breaking",
      expect.stringMatching(/^! input\.kind: .*\n {6,8}breaks callers$/),
    ]);
    expect(painted(text, 33, 39)).toEqual([
      "? safety",
      expect.stringMatching(/^\? description: .*forged/),
    ]);
    expect(painted(text, 32, 39)).toEqual([
      "+ compatible",
      expect.stringMatching(/^\+ input\.more: /),
    ]);
    expect(painted(text, 2, 22)).toEqual([
      ". documentation",
      expect.stringMatching(/^\. title: /),
    ]);
  });

  it.each([
    ["NO_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, []],
    ["--no-color", { FORCE_COLOR: "1" }, ["--no-color"]],
    ["a file in place of a terminal", {}, []],
  ] as const)(
    "shows no colours, and explains the marks, with %s",
    async (_, environment, more) => {
      const run = await mcpgenAlone([...args, ...more], {
        directory: directory(files),
        environment,
      });
      expect(run[stream]).toContain(
        "Marks: ! breaking, ? safety, + compatible, . documentation.\n",
      );
      expect(run.out + run.err).not.toContain("\u001b");
    },
  );
});
