import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen, runHere } from "./support.js";

/**
 * A server that says where it runs, and notes each start. Its name is the first
 * word.
 */
const server = `
const [name] = process.argv.slice(2);
require("node:fs").appendFileSync(__dirname + "/started.txt", name + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === "initialize"
      ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name, version: "1" } }
      : { tools: [{ name: process.cwd().split("/").at(-1), inputSchema: { type: "object" } }] };
  console.log(JSON.stringify(method === "server/discover" ? { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } } : { jsonrpc: "2.0", id, result }));
});
`;

const entry = (name: string) => ({
  command: "node",
  args: ["../server.cjs", name],
});
const entries = {
  weather: entry("same"),
  notes: entry("same"),
  "a#b": entry("sharp"),
  "c.json#d": entry("sharp"),
  broken: { command: "/no/such/server" },
  unset: { command: "node", args: ["${NOWHERE}"] },
};
const configuration = {
  servers: [
    {
      snapshot: "snapshots/first.mcp.json",
      name: "one",
      source: { stdio: "node ../server.cjs first" },
    },
    {
      snapshot: "snapshots/second.mcp.json",
      source: { config: "notes" },
      out: "gen",
    },
    { snapshot: "snapshots/third.mcp.json" },
  ],
};

/** A project in the folder `project`, beside the server. */
const project = (more: Readonly<Record<string, string>> = {}): string =>
  join(
    directory({
      "server.cjs": server,
      "project/.mcp.json": JSON.stringify({ mcpServers: entries }),
      ...Object.fromEntries(
        Object.entries(more).map(([path, text]) => [`project/${path}`, text]),
      ),
    }),
    "project",
  );
const withConfig = (): string =>
  project({ "mcpgen.config.json": JSON.stringify(configuration) });
const pull = (at: string, ...words: readonly string[]) =>
  mcpgen(["pull", "--no-color", ...words], { directory: at });
const snapshotsIn = (at: string): string[] =>
  existsSync(at)
    ? readdirSync(at).filter(
        (name) => name.endsWith(".mcp.json") && name !== ".mcp.json",
      )
    : [];
const starts = (at: string): string =>
  readFileSync(join(at, "../started.txt"), "utf8");

describe("mcpgen pull <name>", () => {
  it.each([
    ["weather", "weather.mcp.json"],
    ["a#b", "a-b.mcp.json"],
    ["c.json#d", "c-json-d.mcp.json"],
    [".mcp.json#notes", "notes.mcp.json"],
  ])(
    "writes the snapshot of the entry %s of .mcp.json to a file of that name",
    async (name, file) => {
      const at = project();
      const { code, err } = await pull(at, name);
      expect(code, err).toBe(0);
      expect(snapshotsIn(at)).toEqual([file]);
      expect(err).toContain(`${file}: written, `);
      expect(JSON.parse(readFileSync(join(at, file), "utf8"))).toMatchObject({
        tools: [{ name: "project" }],
      });
    },
  );

  it.each(["one", "first", "snapshots/first.mcp.json"])(
    "writes the snapshot of a server of the configuration, which is named by %s",
    async (name) => {
      const at = withConfig();
      const { code, err } = await pull(at, name);
      expect(code, err).toBe(0);
      expect(snapshotsIn(join(at, "snapshots"))).toEqual(["first.mcp.json"]);
      expect(starts(at)).toBe("first\n");
    },
  );

  it("prefers a server of the configuration to the entry that its source names, and says what to do next", async () => {
    const at = withConfig();
    const { code, err } = await pull(at, "notes");
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("next, generate the files: npx mcpgen\n"),
    ]);
    expect(snapshotsIn(join(at, "snapshots"))).toEqual(["second.mcp.json"]);
    expect(snapshotsIn(at)).toEqual([]);
  });

  it.each([
    ["/no/such/server", "broken", 3],
    ["an unset variable", "unset", 2],
  ] as const)(
    "writes those that work, and its exit code says that one failed because of %s",
    async (_, failing, expected) => {
      const at = withConfig();
      const { code, err } = await pull(at, "weather", failing, "one");
      expect(code, err).toBe(expected);
      expect(snapshotsIn(at)).toEqual(["weather.mcp.json"]);
      expect(snapshotsIn(join(at, "snapshots"))).toEqual(["first.mcp.json"]);
      expect(err).toContain(`job ${failing}`);
      const again = await pull(at, "one", "--check");
      expect(again.code, again.err).toBe(0);
      expect(starts(at)).toBe("same\nfirst\nfirst\n");
    },
  );

  it("writes several into the folder of -o, each under its own name", async () => {
    const at = withConfig();
    const { code, err } = await pull(at, "weather", "one", "a#b", "-o", "all/");
    expect(code, err).toBe(0);
    expect(snapshotsIn(join(at, "all"))).toEqual([
      "a-b.mcp.json",
      "first.mcp.json",
      "weather.mcp.json",
    ]);
    const single = await pull(at, "one", "-o", "mine.json");
    expect(single.code, single.err).toBe(0);
    expect(existsSync(join(at, "mine.json"))).toBe(true);
  });

  it("tells with --json what became of each", async () => {
    const { code, out } = await runHere(
      ["pull", "a#b", "broken", "--json"],
      project(),
    );
    expect([code, JSON.parse(out)]).toEqual([
      3,
      {
        ok: false,
        config: null,
        servers: [
          { ok: true, out: "a-b.mcp.json", state: "written" },
          {
            ok: false,
            out: "broken",
            diagnostics: [expect.objectContaining({ code: "MG730" })],
          },
        ],
      },
    ]);
  });

  it.each([
    [
      ["wether"],
      /MG705 no server is named "wether" .*\n {4}hint: did you mean weather\?/,
    ],
    [
      ["weather", "frst"],
      /MG705 no server is named "frst" .*\n {4}hint: did you mean first\?/,
    ],
    [
      ["weather", "--url", "http://127.0.0.1:1"],
      /MG705 "weather" and --url name two servers/,
    ],
    [
      ["weather", "notes", "-o", "x.json"],
      /MG705 -o names one file, and 2 snapshots are taken/,
    ],
    [
      ["weather", "notes", "--header", "a: b"],
      /MG705 --header is for one server/,
    ],
    [["weather", "notes", "--env", "HOME"], /MG705 --env is for one server/],
  ])(
    "starts nothing if the command line is wrong: %j",
    async (words, sentence) => {
      const at = withConfig();
      const { code, err } = await runHere(["pull", ...words], at);
      expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
      expect(existsSync(join(at, "../started.txt"))).toBe(false);
    },
  );
});

describe("an entry of .mcp.json whose name has a number sign", () => {
  it.each([
    ["call", ["call", "a#b"]],
    ["call --config", ["call", "--config", "c.json#d"]],
    ["pull --config", ["pull", "--config", "a#b"]],
    ["stubs --config", ["stubs", "--config", "a#b", "--out", "gen"]],
  ])("is found by it in %s", async (_, words) => {
    const { code, err } = await mcpgen(words, { directory: project() });
    expect(code, err).toBe(0);
  });
});
