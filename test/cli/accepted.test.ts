import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answering } from "./answering.js";
import { directory, mcpgen } from "./support.js";

const file = "mcpgen.accepted.json";
const tool = { name: "look", inputSchema: { type: "object" } };
const snapshot = JSON.stringify({
  format: 1,
  revision: "2025-11-25",
  server: { name: "desk", version: "1.0.0" },
  capabilities: { tools: {} },
  tools: [],
});
const [row, earlier] = ["look", "old"].map((name) => ({
  subject: { kind: "tool", name },
  path: "",
  change: "added",
  before: null,
  after: null,
}));

/** A project whose servers have a tool more than their snapshots. */
async function project(files: Readonly<Record<string, string>>) {
  const url = await answering(() => ({ result: { tools: [tool] } }));
  const servers = [
    { snapshot: "c.mcp.json", source: { url } },
    { snapshot: "alone.mcp.json" },
    { snapshot: "b.mcp.json", source: { url } },
  ];
  const snapshots = servers.map((one) => [one.snapshot, snapshot] as const);
  return directory({
    "mcpgen.config.json": JSON.stringify({ servers }),
    ...Object.fromEntries(snapshots),
    ...files,
  });
}

it("accepts the differences of each server that was checked, in the order of their names, and warns of those that it does not know", async () => {
  const long = "y".repeat(80);
  const at = await project({
    [file]: JSON.stringify({
      format: 1,
      servers: { "z.mcp.json": [earlier], [`${long}y`]: [], [long]: [earlier] },
    }),
  });
  const unknown = (...names: readonly string[]): string =>
    names
      .map(
        (name, i) =>
          `MG746 warning: ${file} accepts differences of "${name}", which is not a server of the configuration\n${i === 0 ? "    hint: remove its entries\n" : ""}`,
      )
      .join("");
  const difference = (
    name: string,
  ) => `${name}: the server differs from its snapshot
  ${name} -> live
  For callers: 1 compatible. For implementers: 1 breaking.
  Marks: + compatible.

  tool look
    + added
        breaks implementers
`;
  const alone = `alone.mcp.json: no files are generated from it
alone.mcp.json: has no source and was not checked
`;
  const first = await mcpgen(["check", "--live", "--accept"], {
    directory: at,
  });
  expect([first.code, first.err]).toEqual([
    0,
    [
      difference("c.mcp.json"),
      alone,
      difference("b.mcp.json"),
      unknown("z.mcp.json", long, long),
      `${file}: 2 accepted\n`,
    ].join(""),
  ]);
  const text = readFileSync(join(at, file), "utf8");
  expect(JSON.parse(text)).toEqual({
    format: 1,
    servers: {
      "b.mcp.json": [row],
      "c.mcp.json": [row],
      [long]: [earlier],
      "z.mcp.json": [earlier],
    },
  });
  expect(text.match(/(?<=")\w+\.mcp\.json/g)).toEqual([
    "b.mcp.json",
    "c.mcp.json",
    "z.mcp.json",
  ]);
  const second = await mcpgen(["check", "--live"], { directory: at });
  const same = (name: string): string =>
    `${name}: the server is as in its snapshot (1 accepted)\n`;
  expect([second.code, second.err]).toEqual([
    0,
    [
      same("c.mcp.json"),
      alone,
      same("b.mcp.json"),
      unknown(long, "z.mcp.json"),
    ].join(""),
  ]);
});
