import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statusLine } from "../../src/cli/status.js";
import { fixture } from "../stubs/project.js";
import { keyboards } from "./keyboard.js";
import { directory, runHere, smallSchema } from "./support.js";

/** A status line on an output whose time the test sets. */
function recorded(isTerminal: boolean) {
  const output = { text: "", time: 0 };
  const line = statusLine({
    write: (text) => void (output.text += text),
    isTerminal,
    columns: 12,
    now: () => output.time,
  });
  return { output, line };
}

describe("the status of a run", () => {
  it("is one line on a terminal, never longer than the screen, and removed before other text", () => {
    const { output, line } = recorded(true);
    line.show("one");
    line.show("a longer text than fits");
    line.clear();
    line.clear();
    line.show(null);
    expect(output.text).toBe("\r\u001b[Kone\r\u001b[Ka longer te\r\u001b[K");
  });

  it("is a plain line every five seconds without a terminal, so that a short run prints none", () => {
    const { output, line } = recorded(false);
    for (const [time, text] of [
      [4999, "a"],
      [5000, "b"],
      [9999, "c"],
      [10_000, null],
      [10_001, "d"],
    ] as const) {
      output.time = time;
      line.show(text);
      line.clear();
    }
    expect(output.text).toBe("b\nd\n");
  });

  it("is not shown with --quiet", async () => {
    const place = directory({ "weather.mcp.json": fixture("weather") });
    const args = [
      "stubs",
      "weather.mcp.json",
      "--out",
      "gen",
      "--emit",
      "client",
      "--quiet",
    ];
    expect(await runHere(args, place)).toEqual({
      code: 0,
      out: "",
      err: "",
      statuses: [],
    });
  });

  it.each(keyboards)(
    "is replaced by the report of the run on $name",
    async ({ open }) => {
      const place = directory({ "weather.mcp.json": fixture("weather") });
      const { code, screen } = await open(
        place,
        "stubs",
        "weather.mcp.json",
        "--out",
        "gen",
        "--no-color",
      ).end();
      expect(code).toBe(0);
      expect(screen).toContain(
        "\r\u001b[Kreading the snapshot\r\u001b[Kgenerating files for 2 tools\r\u001b[K",
      );
      expect(screen).toMatch(
        /\r\u001b\[Kwriting \d+ files\r\u001b\[K(?!writing)/,
      );
    },
  );
});

describe("a command that may take long", () => {
  const files = {
    "schema.ts": smallSchema,
    "weather.mcp.json": fixture("weather"),
    "new/schema/2027-01-15/schema.ts": smallSchema,
    "server.mjs": `
      import { createInterface } from "node:readline";
      createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
        const serverInfo = { name: "s", version: "1" };
        if (method === "initialize") answer({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo });
        else if (method === "tools/list") answer({ tools: [{ name: "a", inputSchema: { type: "object" } }] });
        else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
      });`,
    "mcpgen.config.json": JSON.stringify({
      servers: [
        { snapshot: "s.mcp.json", source: { stdio: "node server.mjs" } },
        { snapshot: "t.mcp.json", source: { stdio: "node server.mjs" } },
      ],
    }),
  };

  it.each([
    [
      "generate",
      ["--schema", "schema.ts", "--out", "a"],
      ["reading the schemas", "generating schema", "writing 8 files"],
    ],
    [
      "stubs",
      ["weather.mcp.json", "--out", "b"],
      ["reading the snapshot", "generating files for 2 tools"],
    ],
    [
      "docs",
      ["weather.mcp.json", "--out", "c"],
      ["reading the source", "generating the page"],
    ],
    [
      "pull",
      [],
      [
        "s.mcp.json (1 of 2)",
        "s.mcp.json (1 of 2): tools: 1",
        "t.mcp.json (2 of 2): tools: 1",
      ],
    ],
    [
      "check",
      ["--live"],
      ["s.mcp.json (1 of 2)", "t.mcp.json (2 of 2): tools: 1"],
    ],
    ["update", ["--from", "new"], ["reading 2027-01-15"]],
  ])(
    "says what it does, and removes the status at its end: %s",
    async (command, args, expected) => {
      const place = directory(files);
      if (command === "check") await runHere(["pull"], place);
      const { code, err, statuses } = await runHere([command, ...args], place);
      expect(code, err).toBe(0);
      for (const text of expected) expect(statuses).toContain(text);
      expect(statuses.at(-1)).toBeNull();
    },
  );

  it("says how many lines of a large file it has checked, and which part of the file that is", async () => {
    const line = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
    const place = directory({ "large.jsonl": line.repeat(25_000) });
    const { code, statuses } = await runHere(
      ["validate", "2025-11-25", join(place, "large.jsonl")],
      place,
    );
    expect(code).toBe(0);
    expect(statuses).toEqual([
      expect.stringMatching(/^10000 lines \(\d\d %\)$/),
      expect.stringMatching(/^20000 lines \(\d\d %\)$/),
      null,
    ]);
  });
});
