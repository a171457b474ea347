import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { withServer } from "../../src/cli/commands/add/edit-config.js";
import type { Config } from "../../src/config.js";
import { nameFor } from "../../src/cli/snapshot-file.js";
import { filesIn, put } from "../files.js";
import { root } from "../repository.js";
import { compile } from "../view/compile.js";
import { directory, type Ended, mcpgen } from "./support.js";

/** A server that offers what a file beside it lists. */
const server = `
const offer = () => JSON.parse(require("node:fs").readFileSync(__dirname + "/offer.json", "utf8"));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
  if (method === "initialize") send({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "desk", version: "1" } } });
  else if (method === "tools/list") send({ result: { tools: offer() } });
  else send({ error: { code: -32601, message: "no" } });
});`;
const text = { type: "string" };
const tools = [
  {
    name: "burn_all",
    annotations: { destructiveHint: true },
    inputSchema: { type: "object" },
  },
  { name: "lend", inputSchema: { type: "object" } },
  {
    name: "find_books",
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: {
        title: text,
        shelf: { enum: ["travel", "art"] },
        max: text,
      },
      required: ["title", "shelf"],
    },
  },
];
const project = (files: Readonly<Record<string, string>> = {}): string =>
  directory({
    "desk.cjs": server,
    "offer.json": JSON.stringify(tools),
    ...files,
  });
const add = (at: string, ...args: readonly string[]): Promise<Ended> =>
  mcpgen(["add", ...args, "--no-color"], { directory: at });
const read = (at: string, file: string): string =>
  readFileSync(join(at, file), "utf8");
/** The program that a run prints. */
const programIn = ({ err }: Ended): string =>
  /\n\nsave as call\.m?ts, [^\n]*:\n\n([^]*?)\nrun it: /.exec(err)?.[1] ?? "";
const command = "node desk.cjs";
const entry = {
  name: "desk",
  snapshot: "desk.mcp.json",
  source: { stdio: command },
  out: "src/mcp/desk",
  emit: ["client"],
};

describe("mcpgen add", () => {
  it("writes the client, the snapshot and the configuration, says how to watch it, and is current after that", async () => {
    const at = project();
    const ended = await add(at, command);
    expect([ended.code, ended.err]).toEqual([0, expect.anything()]);
    expect(ended.err).toContain("desk.mcp.json: written, ");
    expect(ended.err).toContain("mcpgen.config.ts: written\n");
    expect(ended.err).toContain(
      "watch the server in CI:    npx mcpgen check --live --fail-on breaking\n",
    );
    expect(read(at, "mcpgen.config.ts")).toContain(
      'source: {\n        stdio: "node desk.cjs",\n      },\n      out: "src/mcp/desk",',
    );
    const check = await mcpgen(["check", "--live"], { directory: at });
    expect([check.code, check.err]).toEqual([0, expect.anything()]);
  });

  it("prints a program that calls the first tool that only reads, with the arguments that it needs", async () => {
    const program = programIn(await add(project(), command));
    expect(program).toBe(`import { stdio } from "@mcpgen/runtime/stdio";
import { connectDesk } from "./src/mcp/desk/connect.ts";

const server = await connectDesk(
  stdio("node", ["desk.cjs"]),
  { info: { name: "caller", version: "1.0.0" } },
);
const result = await server.tools.findBooks({ shelf: "travel", title: "title" });
console.log(result.content);
await server.close();
`);
  });

  it("writes a tsconfig.json with the first client of a project without one, and imports that run as they are", async () => {
    const at = project({ "package.json": '{ "type": "module" }' });
    const { err } = await add(at, command);
    expect(err).toContain("tsconfig.json: written\n");
    expect(err).not.toContain("npm pkg set type=module");
    const { compilerOptions } = JSON.parse(read(at, "tsconfig.json")) as {
      readonly compilerOptions: object;
    };
    expect(compilerOptions).toMatchObject({ allowImportingTsExtensions: true });
    expect(read(at, "src/mcp/desk/connect.ts")).toContain('from "./client.ts"');
    const checked = await mcpgen(["check"], { directory: at });
    expect([checked.code, checked.err]).toEqual([0, expect.anything()]);
  });

  it("keeps the imports of a project with a tsconfig.json, or with a configuration, and runs its program with tsx", async () => {
    for (const [name, text] of [
      ["tsconfig.json", '{ "compilerOptions": { "module": "NodeNext" } }'],
      ["mcpgen.config.json", "{}"],
    ] as const) {
      const at = project({ [name]: text, "package.json": "{}" });
      const { err } = await add(at, command);
      expect(err).not.toContain("tsconfig.json: ");
      expect(err).toContain('from "./src/mcp/desk/connect.js"');
      expect(err).toMatch(/npm install --save-dev .*tsx\n/);
      expect(err).not.toContain("npm pkg set type=module");
      expect(err).toMatch(/\nrun it: npx tsx call\.mts\n$/);
    }
  });

  it("names another file for its program if there is another call.ts", async () => {
    const at = project({
      "call.ts": "export {};\n",
      "package.json": '{ "type": "module" }',
    });
    const { err } = await add(at, command);
    expect(err).toContain("save as call-desk.ts, beside mcpgen.config.ts:\n");
    expect(err).toMatch(/\nrun it: \S+ .*call-desk\.ts\n$/);
    writeFileSync(
      join(at, "call.ts"),
      /:\n\n(import [^]*)\nrun it: /.exec(err)?.[1] ?? "",
    );
    expect((await add(at, command)).err).toContain("save as call.ts, ");
  });

  it("prints a program that never calls a tool which says that it destroys", async () => {
    const at = project({ "offer.json": JSON.stringify(tools.slice(0, 1)) });
    expect(programIn(await add(at, command))).not.toContain("server.tools");
    const both = project({ "offer.json": JSON.stringify(tools.slice(0, 2)) });
    expect(programIn(await add(both, command))).toContain(
      "server.tools.lend()",
    );
  });

  it("a second time changes nothing, or updates the server and says what changed", async () => {
    const at = project();
    await add(at, command);
    const before = filesIn(at);
    const again = await add(at, command);
    expect(again.err).toContain("desk.mcp.json: unchanged, ");
    expect(again.err).not.toContain("mcpgen.config.ts: ");
    expect(filesIn(at)).toEqual(before);
    writeFileSync(join(at, "offer.json"), JSON.stringify(tools.slice(1)));
    const { code, err } = await add(at, command);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /before -> desk\.mcp\.json[^]*tool burn_all\n {2}! removed/,
      ),
    ]);
    expect(read(at, "mcpgen.config.ts")).toBe(before["mcpgen.config.ts"]);
    expect(read(at, "src/mcp/desk/client.ts")).not.toContain("burn");
    const named = await add(at, "desk");
    expect(named.err).toContain("desk.mcp.json: unchanged, ");
  });

  it("writes nothing with --dry-run, and no client with --save-only", async () => {
    const at = project();
    const dry = await add(at, command, "--dry-run");
    expect([dry.code, dry.err]).toEqual([
      0,
      expect.stringContaining(
        "mcpgen.config.ts: would be written\ntsconfig.json: would be written\n",
      ),
    ]);
    expect(readdirSync(at).sort()).toEqual(["desk.cjs", "offer.json"]);
    const saved = await add(at, command, "--save-only");
    expect([saved.code, programIn(saved), saved.err]).toEqual([
      0,
      "",
      expect.anything(),
    ]);
    expect(readdirSync(at).sort()).toEqual([
      "desk.cjs",
      "desk.mcp.json",
      "mcpgen.config.ts",
      "offer.json",
    ]);
  });

  it("takes the name and the folder of flags, and runs where the configuration is", async () => {
    const at = project({ "mcpgen.config.json": "{}", "app/desk.cjs": server });
    const inside = await mcpgen(["add", command], {
      directory: join(at, "app"),
    });
    expect([inside.code, inside.err]).toEqual([
      2,
      expect.stringContaining("hint: run mcpgen add in ..\n"),
    ]);
    const { code, err } = await mcpgen(
      ["add", command, "--name", "My Desk", "--out", "app/gen"],
      { directory: at },
    );
    expect([code, err]).toEqual([0, expect.anything()]);
    expect(JSON.parse(read(at, "mcpgen.config.json"))).toEqual({
      servers: [
        {
          ...entry,
          name: "my-desk",
          snapshot: "my-desk.mcp.json",
          out: "app/gen",
        },
      ],
    });
    expect(err).toContain('from "./app/gen/connect.js"');
  });

  it("says what stands in the way of another name for a server that is recorded, and of its name for another server", async () => {
    const at = project({ "other.cjs": server });
    await add(at, command);
    const renamed = await add(at, command, "--name", "other");
    expect([renamed.code, renamed.err]).toEqual([
      2,
      expect.stringMatching(/MG747 desk\.mcp\.json is in the configuration/),
    ]);
    const taken = await add(at, "node other.cjs", "--name", "desk");
    expect([taken.code, taken.err]).toEqual([
      2,
      expect.stringMatching(/MG747 desk\.mcp\.json is another server in /),
    ]);
  });

  it("leads on from a snapshot that pull wrote and init recorded, which is the server once its entry has the source", async () => {
    const at = project();
    const run = (...args: readonly string[]): Promise<Ended> =>
      mcpgen([...args, "--no-color"], { directory: at });
    const pulled = await run("pull", command, "-o", "desk.mcp.json");
    await run("init", "--yes");
    const [, words = ""] = /npx mcpgen add (.*)\n$/.exec(pulled.err) ?? [];
    const [, text = "", name = ""] = /^"(.*)" --name (\S+)$/.exec(words) ?? [];
    const refused = await add(at, text, "--name", name);
    const [, source = ""] =
      /MG747 .* is a server without a source in [^]*its entry: (.*)\n/.exec(
        refused.err,
      ) ?? [];
    const config = read(at, "mcpgen.config.ts");
    put(
      join(at, "mcpgen.config.ts"),
      config.replace("snapshot:", `${source},\n      snapshot:`),
    );
    expect((await add(at, text, "--name", name)).code).toBe(0);
    expect((await run("check", "--live")).code).toBe(0);
  });

  it("records a snapshot and a result of tools/list without a source, and says what nobody can watch or call so", async () => {
    const at = project({
      "list.json": JSON.stringify({ tools }),
      ".git/HEAD": "",
      ".github/workflows/test.yml": "name: mine\n",
    });
    await mcpgen(["pull", "--stdio", command, "-o", "old/a.mcp.json"], {
      directory: at,
    });
    const ended = await add(at, "old/a.mcp.json");
    expect([ended.code, ended.err]).toEqual([
      0,
      expect.stringContaining(
        "CI cannot watch the server: add its source to mcpgen.config.ts, ",
      ),
    ]);
    expect(Object.keys(filesIn(at))).not.toContain(
      ".github/workflows/mcpgen-live.yml",
    );
    expect(programIn(ended)).toContain(
      "// The snapshot does not say where its server is: ",
    );
    expect((await add(at, "list.json")).code).toBe(0);
    const { servers } = await configOf(at);
    expect(servers).toEqual([
      {
        name: "a",
        snapshot: "old/a.mcp.json",
        out: "src/mcp/a",
        emit: ["client"],
      },
      {
        name: "list",
        snapshot: "list.mcp.json",
        out: "src/mcp/list",
        emit: ["client"],
      },
    ]);
    const check = await mcpgen(["check"], { directory: at });
    expect([check.code, check.err]).toEqual([0, expect.anything()]);
  });

  it("records a snapshot beside a server, and check --live names the one that it cannot ask", async () => {
    const at = project();
    await add(at, command);
    put(join(at, "other.mcp.json"), read(at, "desk.mcp.json"));
    await add(at, "other.mcp.json");
    const check = (...names: readonly string[]): Promise<Ended> =>
      mcpgen(["check", ...names, "--live"], { directory: at });
    const both = await check();
    const desk = await check("desk");
    expect([both.code, desk.code]).toEqual([0, 0]);
    expect(both.err).toContain("other.mcp.json: has no source and was not");
    const { code, err } = await check("other");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("config.ts has no source of other.mcp.json\n"),
    ]);
  });

  it("leaves the files as they are, if the client cannot be written", async () => {
    const at = project({ "src/mcp/desk/mine.ts": "export {};\n" });
    const before = filesIn(at);
    const { code, err } = await add(at, command);
    expect([code, err]).toEqual([2, expect.stringContaining("MG802")]);
    expect(filesIn(at)).toEqual(before);
  });

  it("adds the workflow to a project with workflows, once, and leaves those of others", async () => {
    const at = project({
      ".git/HEAD": "",
      ".github/workflows/test.yml": "name: mine\n",
    });
    const { err } = await add(at, command);
    expect(err).toContain(".github/workflows/mcpgen-live.yml: written\n");
    expect(err).not.toContain("watch the server in CI");
    expect(read(at, ".github/workflows/mcpgen-live.yml")).toContain("--live");
    expect(read(at, ".github/workflows/test.yml")).toBe("name: mine\n");
    expect((await add(at, command)).err).not.toContain("workflows");
  });
});

describe("mcpgen add and secrets", () => {
  it.each([
    ["https://user:hush-hush@127.0.0.1:1/mcp", []],
    ["https://127.0.0.1:1/mcp?api_key=hush-hush", []],
    ["node desk.cjs --api-key hush-hush", []],
    ["https://127.0.0.1:1/mcp", ["--header", "Authorization: hush-hush"]],
  ])(
    "records none, and says what to set instead: %s %j",
    async (word, flags) => {
      const at = project();
      const { code, err } = await add(at, word, ...flags);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(
          /^MG765 [^\n]*\n {4}hint: .*\.mcp\.json, with \$\{NAME\}/,
        ),
      ]);
      expect(err).not.toContain("hush-hush");
      expect(readdirSync(at).sort()).toEqual(["desk.cjs", "offer.json"]);
    },
  );

  it("prints a program that reads the values of an entry from the environment", async () => {
    const at = project({
      ".mcp.json": JSON.stringify({
        mcpServers: {
          desk: {
            command: "node",
            args: ["desk.cjs", "--api-key", "hush-hush", "${REGION}"],
            env: { TOKEN: "hush-hush" },
          },
        },
      }),
    });
    const ended = await mcpgen(["add", "desk"], {
      directory: at,
      environment: { REGION: "north" },
    });
    expect([ended.code, ended.err]).toEqual([0, expect.anything()]);
    const all = Object.entries(filesIn(at)).filter(
      ([path]) => path !== ".mcp.json",
    );
    expect(JSON.stringify(all)).not.toContain("hush-hush");
    expect(ended.err).not.toContain("hush-hush");
    expect(programIn(ended)).toContain('"TOKEN": process.env["TOKEN"]');
    expect((await configOf(at)).servers).toEqual([
      { ...entry, source: { config: "desk" } },
    ]);
  });
});

describe("the program of mcpgen add", () => {
  const snapshots = [
    "test/examples/servers/everything.mcp.json",
    "test/examples/servers/filesystem.mcp.json",
    "test/fixtures/snapshots/weather.mcp.json",
    "test/golden/stubs/notes.mcp.json",
  ];
  it.each(snapshots)(
    "compiles with the client that is generated from %s",
    async (path) => {
      const at = directory({
        "a.mcp.json": readFileSync(join(root, path), "utf8"),
      });
      const ended = await add(at, "a.mcp.json");
      expect([ended.code, ended.err]).toEqual([0, expect.anything()]);
      put(join(at, "call.ts"), programIn(ended));
      const files = Object.entries(filesIn(at)).filter(
        ([name]) => name.endsWith(".ts") && !name.startsWith("mcpgen"),
      );
      expect(programIn(ended)).toMatch(/server\.tools\.\w+\(/);
      expect(compile(new Map(files))).toEqual([]);
    },
  );

  it.each([
    ["a URL", { url: "https://example.com/mcp" }],
    ["a command with variables", { stdio: "node a.js 'b c'", env: ["TOKEN"] }],
    ["a module", { module: "./served.js#served" }],
    ["an entry at a URL", { config: "web" }],
    ["an entry with a command", { config: "tool" }],
  ])("compiles for a server at %s", async (_, source) => {
    const at = directory({
      "a.mcp.json": readFileSync(join(root, snapshots[2] ?? ""), "utf8"),
      "mcpgen.config.json": JSON.stringify({
        servers: [{ snapshot: "a.mcp.json", source, out: "gen" }],
      }),
      ".mcp.json": JSON.stringify({
        mcpServers: {
          web: {
            url: "https://${HOST}/mcp",
            headers: { Authorization: "Bearer ${TOKEN}", "X-Key": "abc" },
          },
          tool: {
            command: "${HOME}/a",
            args: ["x", "${B:-c}"],
            env: { "A-B": "1" },
          },
        },
      }),
    });
    const { programOf } = await import("./add-program.js");
    const program = await programOf(at, source);
    const stubs = await mcpgen(["stubs", "a.mcp.json", "--out", "gen"], {
      directory: at,
    });
    expect([stubs.code, stubs.err]).toEqual([0, expect.anything()]);
    const files = new Map(
      Object.entries(filesIn(at)).filter(([name]) => name.endsWith(".ts")),
    );
    expect(
      compile(
        new Map([
          ...files,
          ["served.ts", served],
          ["call.ts", `${environment}${program}`],
        ]),
      ),
    ).toEqual([]);
  });
});

/** What the types of Node.js declare. */
const environment =
  "declare const process: { env: Record<string, string | undefined> };\n";

/** A module of a user that exports a server. */
const served =
  'import type { ServerDefinition } from "@mcpgen/runtime";\nexport declare const served: ServerDefinition;\n';

const job = { snapshot: "new.mcp.json", source: { stdio: "node new.js" } };
const tsJob = `{
      snapshot: "new.mcp.json",
      source: {
        stdio: "node new.js",
      },
    },`;

describe("a configuration that gets one more server", () => {
  it.each([
    [
      "c.ts",
      `import { defineConfig } from "mcpgen";

// Mine.
export default defineConfig({
  servers: [
    /* the only */
    { snapshot: "a.mcp.json" }, // the first
  ],
  accepted: "x.json",
});
`,
      ["    /* the only */\n", "    " + tsJob, '"a.mcp.json" }, // the first'],
    ],
    [
      "c.ts",
      `export default { generate: [] } satisfies Config;\n`,
      ["generate: []", "servers: [\n"],
    ],
    [
      "c.mjs",
      `const config = {\n\tservers: [],\n};\nexport default config;\n`,
      ["\tservers: [\n\t\t{\n"],
    ],
    ["c.js", `export default {};\n`, ["export default {\n  servers: [\n"]],
    [
      "c.json",
      `{ "servers": [ { "snapshot": "a.mcp.json", "emit": ["client"] } ], "accepted": "x" }\n`,
      ['"emit": ["client"] },\n'],
    ],
    ["c.json", "{}", ['{\n  "servers": [\n']],
    [
      "c.json",
      '{\r\n    "servers": [\r\n        { "snapshot": "a.mcp.json" }\r\n    ]\r\n}\r\n',
      ['{ "snapshot": "a.mcp.json" },\r\n        {\r\n'],
    ],
    [
      "package.json",
      '{\n  "name": "x",\n  "mcpgen": { "servers": [] },\n  "servers": 1\n}\n',
      ['"name": "x"', '"servers": 1\n'],
    ],
  ])("keeps everything else: %s %j", async (path, before, parts) => {
    const after = (await withServer(before, path, job)) ?? "";
    for (const part of parts) expect(after).toContain(part);
    const added = after.replace(/\s+/g, "");
    expect(added).toContain("new.mcp.json");
    // What was there is there in the same order.
    let place = 0;
    for (const word of before.match(/[\w"./*]+/g) ?? []) {
      place = after.indexOf(word, place);
      expect([word, place]).not.toEqual([word, -1]);
    }
    if (!path.endsWith(".json")) return;
    const whole = JSON.parse(after) as Readonly<Record<string, object>>;
    const config = path === "package.json" ? whole["mcpgen"] : whole;
    expect(config).toMatchObject({ servers: expect.arrayContaining([job]) });
  });

  it.each([
    ["no list", "# mine\naccepted: x.json # the file\n"],
    ["nothing", ""],
    ["only a comment, without a line end", "# mine"],
    [
      "a list at the end",
      "servers:\n  # the first\n  - snapshot: a.mcp.json\n    emit: [client] # only\n",
    ],
    ["a list without a line end", "servers:\n- snapshot: 'a.mcp.json'"],
    [
      "a list between others",
      "servers:\n    - {snapshot: a.mcp.json}\n    -   snapshot: |-\n          b.mcp.json\n\n# the rest\naccepted: >-\n  x\n  y\n",
    ],
    ["lines of Windows", "servers:\r\n  - snapshot: a.mcp.json\r\n"],
    [
      "a list of its own indentation",
      "servers:\n   - snapshot: a\n\n\ncode: {}",
    ],
    ["a start and an end", "---\nservers:\n - snapshot: a\n...\n"],
  ])("keeps each character of YAML with %s", async (_what, before) => {
    const after = (await withServer(before, "mcpgen.config.yaml", job)) ?? "";
    const whole = /(?:^|\n)$/.test(before) ? before : `${before}\n`;
    const start = [...after].findIndex((one, i) => one !== whole[i]);
    const end = whole.length - start;
    const rest = end === 0 ? "" : after.slice(-end);
    expect(after.slice(0, start) + rest).toBe(whole);
    expect(after.replaceAll("\r\n", "").includes("\n")).toBe(
      !before.includes("\r\n"),
    );
    const { servers: old = [], ...others } = (parse(before) ?? {}) as Config;
    expect(parse(after)).toEqual({ ...others, servers: [...old, job] });
  });

  it.each([
    ["a list in brackets", "servers: [{ snapshot: a }]\n"],
    ["an empty list in brackets", "servers: []\n"],
    ["a list that is an alias", "x: &all\n  - snapshot: a\nservers: *all\n"],
    ["a configuration in braces", "{ accepted: x.json }\n"],
  ])("of YAML is left alone with %s", async (_what, before) => {
    expect(await withServer(before, "mcpgen.config.yaml", job)).toBeNull();
  });

  it.each([
    "export default defineConfig({ ...shared });\n",
    "export default defineConfig(() => ({ servers: [] }));\n",
    "export default make();\n",
    "export default defineConfig({ servers: servers.concat(more) });\n",
    "export default defineConfig({ servers });\n",
    "export default {\n  servers: [\n    { snapshot: 'a' },\n    // the last\n  ],\n};\n",
    "module.exports = {};\n",
    "const a = b; const b = a; export default a;\n",
  ])(
    "is left alone if it does not plainly list its servers: %j",
    async (before) => {
      expect(await withServer(before, "mcpgen.config.ts", job)).toBeNull();
    },
  );

  it("may be YAML, which the command adds to or which init writes", async () => {
    const at = project({ ".mcp.json": "{}" });
    const directory = { directory: at };
    const init = ["init", "--yes", "--config", "mcpgen.config.yaml"];
    expect((await mcpgen(init, directory)).code).toBe(0);
    const before = read(at, "mcpgen.config.yaml");
    expect(before).toMatch(/^# yaml-language-server: \$schema=[^\n]+\n/);
    const { code, err } = await add(at, command);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("mcpgen.config.yaml: written\n"),
    ]);
    const after = read(at, "mcpgen.config.yaml");
    expect(after.startsWith(before)).toBe(true);
    expect((parse(after) as Config).servers).toEqual([entry]);
    for (const args of [[], ["check", "--live"]])
      expect([args, (await mcpgen(args, directory)).code]).toEqual([args, 0]);
  });

  it("of YAML is left alone by the command too, which prints the lines to add", async () => {
    const before = "servers: []\n";
    const lines = "  - name: desk\n    snapshot: desk.mcp.json\n";
    const at = project({ "mcpgen.config.yaml": before });
    const { code, err } = await add(at, command);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(
        `add to "servers" in mcpgen.config.yaml:\n${lines}`,
      ),
    ]);
    expect(read(at, "mcpgen.config.yaml")).toBe(before);
  });

  it("is left alone by the command too, which prints the lines to add", async () => {
    const before =
      "const servers = [].concat();\nexport default { servers };\n";
    const at = project({ "mcpgen.config.ts": before });
    const { code, err } = await add(at, command);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(
        'add to "servers" in mcpgen.config.ts:\n  {\n    name: "desk",\n',
      ),
    ]);
    expect(read(at, "mcpgen.config.ts")).toBe(before);
  });
});

describe("the name of a server", () => {
  it.each([
    ["npx -y @modelcontextprotocol/server-everything", "everything"],
    [
      "npx -y @modelcontextprotocol/server-everything@2025.1.1 stdio",
      "everything",
    ],
    ["uvx mcp-server-git --repository .", "git"],
    ["docker run -i --rm mcp/fetch", "fetch"],
    ["node src/desk.js", "desk"],
    ["npx tsx server.ts", null],
    ["npx tsx src/desk.ts", "desk"],
    ["node server.js", null],
    ["https://mcp.example.com/mcp", "example"],
    ["http://127.0.0.1:3000/mcp", null],
    ["http://localhost:3000/mcp", null],
  ])("is made from %s", (address, name) => {
    expect(nameFor(address, address.startsWith("http"))).toBe(name);
  });
});

async function configOf(at: string) {
  const { loadConfig } = await import("../../src/cli/config/load.js");
  return (await loadConfig(join(at, "mcpgen.config.ts"))).config;
}
