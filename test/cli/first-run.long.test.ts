import { appendFileSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "./support.js";

/**
 * A server that reads its tools from a file, so that a test can change them.
 */
const server = `
  const tools = JSON.parse(require("node:fs").readFileSync("tools.json", "utf8"));
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
    if (method === "initialize") send({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "desk", version: "1" } } });
    else if (method === "tools/list") send({ result: { tools } });
    else if (id !== undefined) send({ error: { code: -32601, message: "no" } });
  });`;

const toolsWith = (schema: object): string =>
  JSON.stringify([
    {
      name: "find_book",
      inputSchema: { type: "object", properties: { words: schema } },
      annotations: { readOnlyHint: true },
    },
  ]);

/** One step: a command line, its exit code, and its output. */
type Step = readonly [line: string, code: number, output: string | RegExp];

async function walk(place: string, steps: readonly Step[]): Promise<void> {
  for (const [line, code, output] of steps) {
    const ended = await mcpgen(
      [...line.split(" ").filter((word) => word !== ""), "--no-color"],
      {
        directory: place,
      },
    );
    expect([line, ended.code, ended.out + ended.err]).toEqual([
      line,
      code,
      typeof output === "string" ? output : expect.stringMatching(output),
    ]);
  }
}

describe("a user who follows the messages of mcpgen", () => {
  it("gets from an empty folder to current output, and to current output again after an edit", async () => {
    const place = directory();
    await walk(place, [
      [
        "",
        2,
        /^MG740 no configuration was found, .*\n {4}hint: run mcpgen add <server> to \w+ a server, mcpgen init to create one, or mcpgen --version /,
      ],
      [
        "pull",
        2,
        /^MG705 no server is given\n {4}hint: name a URL, a command in quotes such as "node server\.js", .*\n$/,
      ],
      [
        "check",
        2,
        /^MG740 no configuration was found, .*\n {4}hint: run mcpgen add <server> to \w+ a server, mcpgen init to create one, or mcpgen --version /,
      ],
      [
        "init",
        2,
        /^MG748 questions need a terminal\n {4}hint: use --yes to include .*, or the protocol /,
      ],
      [
        "init --yes",
        0,
        /^install what is missing: [^\n]*\nmcpgen\.config\.ts: written\nno server was found in [^\n]*, so [^\n]*\n {2}revision all into src\/mcp\ngenerate it: npx mcpgen\n$/,
      ],
      [
        "pull",
        2,
        /^MG745 mcpgen\.config\.ts has no server with a source\n {4}hint: run mcpgen add <server>, /,
      ],
      [
        "check",
        1,
        /^src\/mcp: stale\n {2}nothing has been generated there yet\n[^]*\nrun mcpgen to update the stale files\n$/,
      ],
      ["", 0, /\nsrc\/mcp: \d+ written from 2024-11-05, .*, 2026-07-28\n$/],
      [
        "",
        0,
        /^src\/mcp is up to date: \d+ files from 2024-11-05, .*, 2026-07-28\n$/,
      ],
      ["check", 0, "src/mcp: up to date\n"],
    ]);
    appendFileSync(
      join(place, "src/mcp/2026-07-28/types.ts"),
      "export type Mine = 1;\n",
    );
    await walk(place, [
      [
        "check",
        1,
        /\n {2}edited {4}2026-07-28\/types\.ts\nrun mcpgen --force to overwrite src\/mcp\/2026-07-28\/types\.ts, or undo the edit\n$/,
      ],
      [
        "",
        2,
        /^MG804 2026-07-28\/types\.ts was edited after it was generated; nothing was written\n[^]*hint: move your change out of the generated file, or overwrite it with --force\n$/,
      ],
      ["--force", 0, /written {4}2026-07-28\/types\.ts/],
      ["check", 0, "src/mcp: up to date\n"],
      [
        "init --yes",
        2,
        /^MG747 mcpgen\.config\.ts already exists\n {4}hint: edit it, or overwrite it with --force\n$/,
      ],
    ]);
  });

  it("gets from .mcp.json to a typed client, and from a changed server to a new snapshot", async () => {
    const place = directory({
      "server.cjs": server,
      "tools.json": toolsWith({ type: "string" }),
      ".mcp.json": JSON.stringify({
        mcpServers: { desk: { command: "node", args: ["server.cjs"] } },
      }),
    });
    await walk(place, [
      [
        "init --yes",
        0,
        "install what is missing:   npm install @mcpgen/runtime && npm install --save-dev mcpgen\nmcpgen.config.ts: written\n  desk.mcp.json into src/mcp/desk\nfirst pull the snapshots:  npx mcpgen pull\nthen generate:             npx mcpgen\n",
      ],
      [
        "",
        2,
        "MG001 the snapshot is missing: desk.mcp.json\n    hint: run mcpgen pull first\n",
      ],
      [
        "check",
        2,
        "MG001 the snapshot is missing: desk.mcp.json\n    hint: run mcpgen pull first\n",
      ],
      [
        "pull",
        0,
        /^starting "node" "server\.cjs"\ndesk\.mcp\.json: written, \d+ B, revision 2025-11-25, 1 tool\nnext, generate the files: npx mcpgen\n$/,
      ],
      [
        "pull",
        0,
        /^starting "node" "server\.cjs"\ndesk\.mcp\.json: unchanged, \d+ B, revision 2025-11-25, 1 tool\n$/,
      ],
      ["", 0, /\nsrc\/mcp\/desk: \d+ written from 2025-11-25\n$/],
      [
        "check --live",
        0,
        /^starting .*\nsrc\/mcp\/desk: up to date\ndesk\.mcp\.json: the server is as in its snapshot\n$/,
      ],
    ]);
    copyFileSync(join(place, "desk.mcp.json"), join(place, "old.mcp.json"));
    writeFileSync(
      join(place, "tools.json"),
      toolsWith({ type: "array", items: { type: "string" } }),
    );
    await walk(place, [
      [
        "check --live",
        1,
        /input\.words: another type: string became array\n[^]*\nrun mcpgen pull to update the snapshots, or mcpgen check --live --accept to accept the differences\n$/,
      ],
      [
        "pull --check",
        1,
        /desk\.mcp\.json: stale, .*\nrun the same command without --check to write it\n$/,
      ],
      [
        "pull",
        0,
        /desk\.mcp\.json: written, .*\nnext, generate the files: npx mcpgen\n$/,
      ],
      [
        "diff old.mcp.json desk.mcp.json",
        1,
        /^old\.mcp\.json -> desk\.mcp\.json\n[^]*tool find_book\n {2}! input\.words: another type: string became array\n/,
      ],
      ["diff old.mcp.json old.mcp.json", 0, ""],
      [
        "diff old.mcp.json nope.mcp.json",
        2,
        /^MG001 no such file or folder: nope\.mcp\.json\n {4}hint: did you mean old\.mcp\.json\? /,
      ],
      [
        "check",
        1,
        /^src\/mcp\/desk: stale\n {2}desk\.mcp\.json has changed since [^]*\nrun mcpgen to update the stale files\n$/,
      ],
      ["", 0, /written {4}types\.ts/],
      ["check", 0, "src/mcp/desk: up to date\n"],
    ]);
  });
});
