import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshotText } from "../../src/generator/ir/snapshot/text.js";
import { put } from "../files.js";
import { directory, mcpgen } from "./support.js";

/** Two tools with each fault, and two whose names collide with them. */
const tools = ["a", "b"].flatMap((name) => [
  {
    name: `${name}.c`,
    inputSchema: {
      type: "object",
      properties: {
        malformed: { type: "string", minLength: "x" },
        referred: { $ref: "#/$defs/none" },
        endless: { type: "string", pattern: "(a+)+$" },
      },
    },
  },
  { name: `${name}_c`, inputSchema: { type: "object" } },
]);
const program = `
  const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") answer(id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "their", version: "1" } });
    if (method === "tools/list") answer(id, { tools: ${JSON.stringify(tools)} });
  });`;

const codes = ["MG305", "MG306", "MG307", "MG452", "MG931"];

/** How often a text has each of the codes. */
const counts = (text: string): readonly number[] =>
  codes.map((code) => text.split(`${code} `).length - 1);

async function run(place: string, line: string) {
  return await mcpgen([...line.split(" "), "--no-color"], { directory: place });
}

const files = {
  "server.cjs": program,
  "mcpgen.config.json": JSON.stringify({
    servers: [
      {
        source: { stdio: "node server.cjs" },
        snapshot: "their.mcp.json",
        out: "their",
      },
    ],
  }),
};
/** A snapshot of the server of another person. */
const snapshot = {
  "their.mcp.json": snapshotText({
    revision: "2025-11-25",
    server: { name: "their", version: "1" },
    capabilities: { tools: {} },
    instructions: null,
    tools,
    prompts: [],
    resources: [],
    resourceTemplates: [],
  }),
};

describe("the faults in the schemas of another person's server, its changed names, and its tools without hints", () => {
  it("are one row each, with a count, when its snapshot is taken", async () => {
    const place = directory(files);
    const { code, err } = await run(place, "pull");
    expect([code, counts(err)]).toEqual([0, [1, 1, 1, 1, 1]]);
    expect(err).toMatch(
      /MG307 warning: the pattern .*; and 1 more\n.*"a\.c"\n {4}hint: mcpgen lint lists all of them\n/,
    );
    expect(err).toMatch(
      /MG452 warning: the method "a_c" is named aC_ in TypeScript: .*; and 1 more\n {4}hint: "names"/,
    );
    expect(err).toMatch(
      /MG931 note: 4 of 4 tools have no readOnlyHint or destructiveHint, so hosts ask before each call\n {4}hint: see mcpgen lint\n/,
    );
  });

  it.each(["stubs --stdio", "add --stdio"])(
    "are so too for a command that reads the server: %s",
    async (command) => {
      const place = directory({ "server.cjs": program });
      const { code, err } = await mcpgen(
        [...command.split(" "), "node server.cjs", "--out", "gen"],
        { directory: place },
      );
      expect([code, counts(err)]).toEqual([0, [1, 1, 1, 1, 1]]);
    },
  );

  it.each([
    "stubs their.mcp.json --out gen",
    "generate",
    "check",
    "check --live",
    "docs their.mcp.json --out page",
    "code their.mcp.json --out agent",
    "diff their.mcp.json their.mcp.json",
  ])("are not said again by %s", async (line) => {
    const place = directory({ ...files, ...snapshot });
    const { code, err, out } = await run(place, line);
    expect([line.startsWith("check") || code, counts(err + out)]).toEqual([
      line.startsWith("check") || 0,
      [0, 0, 0, 0, 0],
    ]);
  });

  it("are each said by mcpgen lint", async () => {
    const place = directory({ ...files, ...snapshot });
    const { err } = await run(place, "lint their.mcp.json");
    expect(counts(err)).toEqual([2, 2, 2, 0, 1]);
  });

  it("leave out the names that a configuration chooses, and entries that it excludes", async () => {
    const place = directory({ ...files, ...snapshot });
    const path = join(place, "mcpgen.config.json");
    const { servers } = JSON.parse(readFileSync(path, "utf8")) as {
      servers: readonly object[];
    };
    const chosen = {
      ...servers[0],
      names: { tools: { a_c: "other" } },
      exclude: { tools: ["b_c"] },
    };
    put(path, JSON.stringify({ servers: [chosen] }));
    const { err } = await run(place, "pull");
    expect(counts(err)).toEqual([1, 1, 1, 0, 1]);
    expect(err).toMatch(/MG931 note: 3 of 3 tools /);
  });
});

it("the faults in the file of a person who designs a server are each said by each command", async () => {
  const server = { name: "own", version: "1.0.0" };
  const place = directory({
    "own.mcp.json": JSON.stringify({ server, tools }),
  });
  for (const command of ["stubs", "docs"]) {
    const line = `${command} own.mcp.json --out ${command}${command === "stubs" ? " --emit client" : ""}`;
    const { err } = await run(place, line);
    expect(counts(err)).toEqual([2, 2, 2, command === "stubs" ? 2 : 0, 0]);
  }
});
