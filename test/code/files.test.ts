import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeFiles } from "../../src/commands/code/files.js";
import { builtInTemplates } from "../../src/generator/inputs/templates.js";
import { importPath } from "../../src/generator/view/typescript/code.js";
import { readText } from "../stubs/project.js";
import { compile } from "../view/compile.js";

const templates = await builtInTemplates();

const recorded = (path: string): object =>
  JSON.parse(readFileSync(path, "utf8")) as object;

/** The servers that are recorded; `npm run test:servers` pulls others. */
const snapshots = [
  "test/examples/servers",
  "test/fixtures/snapshots",
  "test/golden/stubs",
  "templates/init",
].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".mcp.json"))
    .map((name) => `${folder}/${name}`),
);

async function filesOf(servers: Readonly<Record<string, object>>) {
  const read = await Promise.all(
    Object.entries(servers).map(async ([name, value]) => {
      const { snapshot } = await readText(JSON.stringify(value));
      if (snapshot === null) throw new Error(`${name} is no snapshot`);
      return { name, snapshot };
    }),
  );
  const files = codeFiles(read, templates, importPath(".js"));
  return new Map(files.map(({ path, text }) => [path, text]));
}

type Json = Record<string, unknown>;

const tool = (name: string, members: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...members,
});

const server = (tools: readonly object[], members: object = {}) => ({
  format: 1,
  revision: "2025-11-25",
  server: { name: "x", version: "1" },
  capabilities: { tools: {} },
  tools,
  ...members,
});

describe("the files of mcpgen code", () => {
  it.each(snapshots)("compile for the recorded server %s", async (path) => {
    expect(compile(await filesOf({ x: recorded(path) }))).toEqual([]);
  });

  it("compile for twenty servers in one file, whose types have the same names", async () => {
    const servers = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `server-${i}`,
        recorded(snapshots[i % snapshots.length] ?? ""),
      ]),
    );
    const files = await filesOf(servers);
    expect(compile(files)).toEqual([]);
    expect(
      (files.get("api.d.ts") ?? "").match(/^declare const /gm),
    ).toHaveLength(20);
  });

  it("are the same bytes for the same servers", async () => {
    const servers = {
      everything: recorded("test/examples/servers/everything.mcp.json"),
    };
    expect([...(await filesOf(servers))]).toEqual([
      ...(await filesOf(servers)),
    ]);
  });

  it("give servers and tools names that a program can use, whatever they are called", async () => {
    const tools = ["delete", "then", "get-all", "get all", "__proto__"].map(
      (name) => tool(name),
    );
    const files = await filesOf({
      console: server(tools),
      class: server(tools),
      "my files": server(tools),
      "my-files": server(tools),
    });
    expect(compile(files)).toEqual([]);
    const names = [
      ...(files.get("api.d.ts") ?? "").matchAll(/^declare const (\S+):/gm),
    ];
    expect(names.map(([, name]) => name)).toEqual([
      "console_",
      "class_",
      "myFiles",
      "myFiles2",
    ]);
  });

  it("keep text of a server inside comments and strings", async () => {
    const text =
      '*/ declare const evil: any; /* `${evil}` "\n\u2028\u202e</script>';
    const description = { description: text, title: text };
    const schema = {
      type: "object",
      properties: {
        [text]: { type: "string", description: text, enum: [text] },
      },
    };
    const files = await filesOf({
      x: server([tool("a", { ...description, inputSchema: schema })], {
        instructions: text,
      }),
    });
    expect(compile(files)).toEqual([]);
    expect(files.get("api.d.ts")).not.toMatch(/^\s*declare const evil/m);
  });

  it.each([
    ["a space without width", "\u200b", "\\u{200b}"],
    ["a mark that turns text around", "\u202e", "\\u{202e}"],
    ["a character of a tag", "\u{e0041}", "\\u{e0041}"],
    ["a control character", "\u0007", "\\u{7}"],
  ])(
    "show %s in the text of a server, in both files that a model reads",
    async (_, hidden, shown) => {
      const description = `Reads${hidden}\r\n\tand writes.`;
      const files = await filesOf({
        x: server([tool("a", { description })], {
          instructions: `Does${hidden}`,
        }),
      });
      const api = files.get("api.d.ts") ?? "";
      expect(api).toContain(`Reads${shown}`);
      expect(api).toContain(`Does${shown}`);
      expect(api).not.toContain(hidden);
      const catalog = files.get("catalog.ts") ?? "";
      expect(catalog).toContain(JSON.stringify(`Reads${shown}`).slice(1, -1));
      expect(catalog).toContain(JSON.stringify("\n\tand writes.").slice(1, -1));
      expect(catalog).not.toContain(hidden);
    },
  );

  it.each([
    [3999, ""],
    [4000, ""],
    [4001, "… (and 1 character)"],
    [1_000_000, "… (and 996000 characters)"],
  ])(
    "say how much they leave out of a description of %i characters",
    async (length, note) => {
      const description = `${"a".repeat(length - 1)}b`;
      const files = await filesOf({ x: server([tool("a", { description })]) });
      const catalog = files.get("catalog.ts") ?? "";
      expect(catalog).toContain(`${description.slice(0, 4000)}${note}"`);
      expect(compile(files)).toEqual([]);
    },
  );

  it.each([
    ["of a member", { properties: { a: {} } }, ["properties", "a"]],
    [
      "of a member of an item",
      {
        properties: { a: { type: "array", items: { properties: { b: {} } } } },
      },
      ["properties", "a", "items", "properties", "b"],
    ],
    ["of all arguments", {}, []],
    ["of a result", null, []],
  ] as const)(
    "say how much they leave out of the description %s, and show what is hidden in it",
    async (_, schema, path) => {
      const described = structuredClone({ type: "object", ...schema }) as Json;
      const end = path.reduce<Json>(
        (part, key) => part[key] as Json,
        described,
      );
      end["description"] = `Reads\u200b${"a".repeat(1_000_000)}`;
      const members =
        schema === null
          ? { outputSchema: described }
          : { inputSchema: described };
      const files = await filesOf({ x: server([tool("a", members)]) });
      const api = files.get("api.d.ts") ?? "";
      expect(api).toContain("Reads\\u{200b}aaa");
      expect(api).toMatch(/aaa…\s*\* \(and 996013 characters\)/);
      expect(api.length).toBeLessThan(10_000);
      expect(compile(files)).toEqual([]);
    },
  );

  it("say in one line what a server is", async () => {
    const files = await filesOf({
      x: server([], { server: { name: "x", title: "  A\n\n b\t" } }),
    });
    expect(files.get("api.d.ts")).toContain("/** A b */");
  });

  it("say of a tool that it is read-only only if its server does", async () => {
    const files = await filesOf({
      x: server([
        tool("a", { annotations: { readOnlyHint: true } }),
        tool("b", { annotations: { readOnlyHint: "yes" } }),
        tool("c"),
      ]),
    });
    const hints = [
      ...(files.get("catalog.ts") ?? "").matchAll(/isReadOnly: (\w+)/g),
    ];
    expect(hints.map(([, hint]) => hint)).toEqual(["true", "false", "false"]);
  });
});
