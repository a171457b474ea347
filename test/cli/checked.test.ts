import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put } from "../files.js";
import { answering } from "./answering.js";
import { directory, mcpgen } from "./support.js";

const file = "mcpgen.accepted.json";
const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});
const snapshotOf = (...tools: readonly object[]): string =>
  JSON.stringify({
    format: 1,
    revision: "2025-11-25",
    server: { name: "desk", version: "1.0.0" },
    capabilities: { tools: {} },
    tools,
  });
/** The URL of a server with these tools. */
const offering = async (...tools: readonly object[]): Promise<string> =>
  await answering(() => ({ result: { tools } }));
const configured = (config: object) => ({
  "mcpgen.config.json": JSON.stringify(config),
});
const accepting = (servers: object) => ({
  [file]: JSON.stringify({ format: 1, servers }),
});
const difference = (name: string, change: string, path = "") => ({
  change,
  subject: { kind: "tool", name },
  path,
  before: null,
  after: null,
});

describe("the differences that a project accepts", () => {
  it("are named while they no longer exist, and are removed by the next --accept", async () => {
    const url = await offering(tool("look"));
    const snapshot = "a.mcp.json";
    const rows = [
      difference("old", "removed"),
      difference("look", "added"),
      difference("old", "added", "input.x"),
    ];
    const at = directory({
      ...configured({ servers: [{ snapshot, source: { url } }] }),
      [snapshot]: snapshotOf(),
      ...accepting({ [snapshot]: rows }),
    });
    const told = `a.mcp.json: the server is as in its snapshot (1 accepted)
  accepted, but no longer present: removed of tool old
  accepted, but no longer present: added of tool old input.x
`;
    const first = await mcpgen(["check", "--live"], { directory: at });
    expect([first.code, first.err]).toEqual([0, told]);
    const second = await mcpgen(["check", "--live", "--accept"], {
      directory: at,
    });
    expect([second.code, second.err]).toEqual([
      0,
      `${told}${file}: 0 accepted\n`,
    ]);
    expect(JSON.parse(readFileSync(join(at, file), "utf8"))).toEqual({
      format: 1,
      servers: { [snapshot]: [difference("look", "added")] },
    });
  });

  it.each([
    [
      "{",
      "mcpgen.accepted.json:1:2 MG201 expected the name of a member, got the end of the text\n    hint: write valid JSON\n",
    ],
    [
      '{ "format": 1, "servers": { "a.mcp.json": {} } }',
      "mcpgen.accepted.json:1:43 MG743 found {}, expected array\n    in servers.a.mcp.json\n",
    ],
    [
      '{ "format": 2, "servers": {} }',
      "MG743 mcpgen.accepted.json cannot be used: its format is 2, but this version of mcpgen reads format 1\n    hint: update mcpgen\n",
    ],
  ])("are not read from the file %s", async (text, told) => {
    const at = directory({
      ...configured({ servers: [{ snapshot: "a.mcp.json" }] }),
      "a.mcp.json": snapshotOf(),
      [file]: text,
    });
    const { code, err } = await mcpgen(["check"], { directory: at });
    expect([code, err]).toEqual([2, told]);
  });
});

describe("a check of servers", () => {
  it.each<[emit: readonly string[] | undefined, code: number]>([
    [undefined, 0],
    [["client"], 0],
    [["client", "server"], 0],
    [["server"], 1],
  ])(
    "with --fail-on breaking counts what breaks the generated side: for %j, a new tool gives the exit code %i",
    async (emit, code) => {
      const url = await offering(tool("look"));
      const server = { snapshot: "a.mcp.json", source: { url } };
      const at = directory({
        ...configured({ servers: [{ ...server, ...(emit && { emit }) }] }),
        "a.mcp.json": snapshotOf(),
      });
      const args = ["check", "--live", "--fail-on", "breaking"];
      expect((await mcpgen(args, { directory: at })).code).toBe(code);
    },
  );

  it("reports what is wrong with the files of a server and then what is wrong with the server", async () => {
    const url = "http://127.0.0.1:1/mcp";
    const server = { snapshot: "a.mcp.json", source: { url } };
    const at = directory({
      ...configured({
        servers: [{ ...server, out: "gen", templates: "none" }],
      }),
      "a.mcp.json": snapshotOf(),
    });
    const args = ["check", "--live", "--json"];
    const { code, out, err } = await mcpgen(args, { directory: at });
    expect([code, err.match(/^MG\d+/gm)]).toEqual([2, ["MG711", "MG730"]]);
    expect(JSON.parse(out)).toMatchObject({
      jobs: [
        { out: "gen", diagnostics: [{ code: "MG711" }, { code: "MG730" }] },
      ],
    });
  });

  it("also has what lint and then what card find, in Markdown below a line of lint", async () => {
    const files = {
      "a.mcp.json": snapshotOf(tool("look", { description: "Looks." })),
      "b.mcp.json": snapshotOf(tool("look")),
      "package.json": JSON.stringify({ name: "desk", version: "1.0.0" }),
    };
    const servers = [
      { snapshot: "a.mcp.json", card: "." },
      { snapshot: "b.mcp.json" },
    ];
    const check = async (more: object): Promise<string> => {
      const at = directory({ ...files, ...configured({ servers, ...more }) });
      const args = ["check", "--markdown"];
      const { code, out, err } = await mcpgen(args, { directory: at });
      expect([code, err]).toEqual([1, ""]);
      return out.replace(/(?<=^- \*\*\w+ MG\d+\*\*).*/gm, "");
    };
    const card = "- **error MG961**\n".repeat(3);
    const ignore = ["MG919", "MG931", "MG904"];
    expect(await check({ lint: { ignore } })).toBe(
      `Everything is up to date.\n\n## 2 tools, about 30 tokens: 3 errors, 1 warning, 0 notes\n\n- **warning MG921**\n${card}`,
    );
    expect(await check({})).toBe(`Everything is up to date.\n\n${card}`);
  });
});

describe("a long name in a configuration", () => {
  const [name, shown] = ["x".repeat(81), "x".repeat(80)];
  it.each([
    [
      { exclude: { tools: [name] } },
      0,
      `MG744 warning: the server offers nothing named "${shown}"\n`,
    ],
    [
      { names: { tools: { [name]: "abc" } } },
      0,
      `MG744 warning: the configuration has a name for "${shown}", which is none of the tools of the server\n`,
    ],
    [
      { scopes: { [name]: ["a"] }, emit: ["server"] },
      2,
      `MG744 the configuration has scopes for the tool "${shown}", but the server has no such tool\n    in job gen\n`,
    ],
  ])(
    "is cut where the server has no such tool: %j",
    async (more, code, told) => {
      const server = { snapshot: "a.mcp.json", out: "gen", ...more };
      const at = directory({
        ...configured({ servers: [server] }),
        "a.mcp.json": snapshotOf(tool("look")),
      });
      const ended = await mcpgen(["--dry-run"], { directory: at });
      expect([ended.code, ended.err.includes(told)], ended.err).toEqual([
        code,
        true,
      ]);
    },
  );
});

it("a server is not written if it would not check its patterns, which are named in the order of its schema", async () => {
  const pattern = (source: string, more: object = {}) => ({
    type: "string",
    pattern: source,
    ...more,
  });
  const properties = {
    a: pattern("^(a|a)*$"),
    b: pattern(`^(b|b)*${"c".repeat(60)}$`),
    c: pattern("[c]+:", { maxLength: 1581 }),
    d: pattern("[d]+:", { maxLength: 1582 }),
    e: { type: "array", minItems: 1, maxItems: 9, items: pattern("^(e|e)*$") },
    f: { patternProperties: { "[f]+:": {}, "^(f|f)*$": {} } },
    g: { allOf: [{ minLength: 1, maxLength: 5 }, pattern("[g]+:")] },
  };
  const [name, shown] = ["x".repeat(81), "x".repeat(80)];
  const inputSchema = { type: "object", properties };
  const at = directory({
    "a.mcp.json": snapshotOf(
      tool("accepted", { inputSchema }),
      tool(name, { inputSchema }),
    ),
  });
  const args = ["--out", "gen", "--emit", "server", "--unchecked", "accepted"];
  const { code, err } = await mcpgen(["stubs", "a.mcp.json", ...args], {
    directory: at,
  });
  expect(code).toBe(2);
  expect(err.match(/(?<=^MG316 the server would not check ).*\n.*/gm)).toEqual(
    [
      '"^(a|a)*$"',
      `"^(b|b)*${"c".repeat(53)}…"`,
      '"[d]+:" for more than 3162 characters',
      '"^(f|f)*$"',
      '"[f]+:" for more than 3162 characters',
      '"^(e|e)*$"',
      '"[g]+:" for more than 3162 characters',
    ].map((text) => `the pattern ${text}\n    in tool "${shown}"`),
  );
});

describe("a configuration in code", () => {
  it.each([
    [
      "export default {\n  a: [\n};\n",
      "mcpgen.config.mjs:3:1 MG741 mcpgen.config.mjs cannot be run: Unexpected token\n    hint: fix the syntax\n",
    ],
    [
      'throw new Error("ParseError: own\\n a.ts:x:1");\n',
      "MG741 mcpgen.config.mjs cannot be run: ParseError: own\n a.ts:x:1\n    hint: check that it runs on its own\n",
    ],
    [
      'throw new Error("ParseError: own\\n a.ts:1:x");\n',
      "MG741 mcpgen.config.mjs cannot be run: ParseError: own\n a.ts:1:x\n    hint: check that it runs on its own\n",
    ],
  ])(
    "that cannot run is reported with its place, if it has one: %j",
    async (text, told) => {
      // On Windows, no name of a file has a colon.
      const folder = process.platform === "win32" ? "a" : "a:b";
      const at = directory({ [`${folder}/mcpgen.config.mjs`]: text });
      const { code, err } = await mcpgen([], { directory: join(at, folder) });
      expect([code, err]).toEqual([2, told]);
    },
  );
});

describe("a dry run", () => {
  it("names the files that nobody edited and the run would not write any more", async () => {
    const at = directory();
    const args = ["--version", "2025-11-25", "--out", "gen", "--emit"];
    const all = [...args, "types,validators,dispatch"];
    expect((await mcpgen(all, { directory: at })).code).toBe(0);
    put(join(at, "gen/validators.ts"), "// edited\n");
    const { code, err } = await mcpgen([...args, "types", "--dry-run"], {
      directory: at,
    });
    expect([code, err.match(/^ {2}(?:leftover|edited).*$/gm)]).toEqual([
      0,
      ["dispatch", "tables", "validate"].map(
        (name) => `  leftover   ${name}.ts`,
      ),
    ]);
  });

  it("with --force says nothing of a page that somebody edited, because no program needs it", async () => {
    const at = directory({ "a.mcp.json": snapshotOf(tool("look")) });
    const docs = ["docs", "a.mcp.json", "--out", "docs"];
    expect((await mcpgen(docs, { directory: at })).code).toBe(0);
    const [page = ""] = readdirSync(join(at, "docs")).filter((name) =>
      name.endsWith(".md"),
    );
    put(join(at, "docs", page), "edited\n");
    const { code, err } = await mcpgen([...docs, "--force"], { directory: at });
    expect([code, err]).toEqual([0, expect.not.stringContaining("MG813")]);
    expect(readFileSync(join(at, "docs", page), "utf8")).not.toBe("edited\n");
  });
});

it.each(["none", "mixed", "empty", "text", "nothing"])(
  "an export of a module that is not a server is not called: %s",
  async (name) => {
    const at = directory({
      "a.mjs": `export const empty = {};
export const mixed = [{ core: {} }, {}];
export const none = [];
export const nothing = null;
export const text = "core";
`,
    });
    const { code, err } = await mcpgen(["call", `./a.mjs#${name}`], {
      directory: at,
    });
    expect([code, err]).toEqual([
      2,
      `MG706 the export "${name}" of ./a.mjs is not an mcpgen server\n    hint: it exports empty, mixed, none, nothing, text; write ./a.mjs#name\n`,
    ]);
  },
);
