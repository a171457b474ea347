import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeOutput } from "../../src/cli/commands/call/output.js";
import type { Context } from "../../src/cli/command.js";
import { findConfig } from "../../src/cli/config/find.js";
import { projectFolders } from "../../src/generator/inputs/project.js";
import { put } from "../files.js";
import { directory, mcpgen, mcpgenAlone } from "./support.js";

const tools = [
  { name: "find", description: "Finds.", inputSchema: { type: "object" } },
];
const snapshot = JSON.stringify({
  server: { name: "library", version: "1" },
  revision: "2025-11-25",
  tools,
});
const manifest = JSON.stringify({
  name: "library",
  version: "1.0.0",
  mcpName: "io.github.example/library",
  description: "Finds books.",
  author: "Ann Lee",
  bin: "main.js",
  mcpRemotes: [{ type: "sse", url: "https://example.com/sse" }],
});
/** A configuration that leaves a mark if it is run. */
const code = `import { writeFileSync } from "node:fs";
writeFileSync(new URL("ran.txt", import.meta.url), "");
export default { servers: [{ snapshot: "a.mcp.json" }] };\n`;

describe("a link in a checkout", () => {
  it.each([
    ["server.json", []],
    ["server-card.json", []],
    ["manifest.json", ["--mcpb"]],
  ])(
    "does not lead mcpgen card to a file outside, as %s",
    async (name, more) => {
      const before = JSON.stringify({ manifest_version: "0.3" });
      const outside = directory({ "package-lock.json": before });
      const at = directory({
        "a.mcp.json": snapshot,
        "package.json": manifest,
      });
      symlinkSync(join(outside, "package-lock.json"), join(at, name));
      const { code, err } = await mcpgen(["card", "a.mcp.json", ...more], {
        directory: at,
      });
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(
          `${name} cannot be written: a link leads out of`,
        ),
      ]);
      const after = readFileSync(join(outside, "package-lock.json"), "utf8");
      expect(after).toBe(before);
    },
  );

  it("does not lead mcpgen card to a new file outside", async () => {
    const outside = directory({});
    const at = directory({ "a.mcp.json": snapshot, "package.json": manifest });
    symlinkSync(join(outside, "new.json"), join(at, "server.json"));
    const { code, err } = await mcpgen(["card", "a.mcp.json"], {
      directory: at,
    });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("a link leads out of"),
    ]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("does not lead a folder that mcpgen card would make outside", async () => {
    const outside = directory({});
    const at = directory({ "a.mcp.json": snapshot, "package.json": manifest });
    symlinkSync(join(outside, "new"), join(at, "cards"));
    const { code, err } = await mcpgen(
      ["card", "a.mcp.json", "--out", "cards"],
      { directory: at },
    );
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("a link leads out of"),
    ]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("may lead mcpgen card to another file of the repository", async () => {
    const at = directory({
      ".git/HEAD": "",
      "docs/server.json": "{}",
      "packages/a/a.mcp.json": snapshot,
      "packages/a/package.json": manifest,
    });
    const place = join(at, "packages/a");
    symlinkSync("../../docs/server.json", join(place, "server.json"));
    expect(
      await mcpgen(["card", "a.mcp.json"], { directory: place }),
    ).toMatchObject({ code: 0 });
    expect(readFileSync(join(at, "docs/server.json"), "utf8")).toContain(
      "Finds books",
    );
  });

  const module = `process.stdin.on("data", (text) => {
    for (const line of String(text).trim().split("\\n")) {
      const { id, method } = JSON.parse(line);
      if (id === undefined) continue;
      const result = method === "initialize"
        ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "a", version: "2" } }
        : method === "tools/list" ? { tools: ${JSON.stringify(tools)} } : undefined;
      const answer = result === undefined ? { error: { code: -32601, message: "no" } } : { result };
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    }
  });`;
  const source = { stdio: "node server.cjs" };
  const pulling = (name: string) =>
    directory({
      "server.cjs": module,
      "mcpgen.config.json": JSON.stringify({
        servers: [{ snapshot: name, source }],
      }),
    });

  it("does not lead mcpgen pull to a snapshot outside, unless -o names the link", async () => {
    const outside = directory({ "a.mcp.json": snapshot });
    const at = pulling("a.mcp.json");
    symlinkSync(join(outside, "a.mcp.json"), join(at, "a.mcp.json"));
    const refused = await mcpgen(["pull"], { directory: at });
    expect(refused.err).toContain("a link leads out of");
    const text = (): string =>
      readFileSync(join(outside, "a.mcp.json"), "utf8");
    expect(text()).toBe(snapshot);
    const args = ["pull", "--stdio", source.stdio, "-o", "a.mcp.json"];
    expect(await mcpgen(args, { directory: at })).toMatchObject({ code: 0 });
    expect(text()).not.toBe(snapshot);
  });

  it("is not needed for a path that leads out", async () => {
    const outside = directory({ "a.mcp.json": snapshot });
    const at = pulling(join(outside, "a.mcp.json"));
    const { err } = await mcpgen(["pull"], { directory: at });
    expect(err).toContain("MG810");
    expect(readFileSync(join(outside, "a.mcp.json"), "utf8")).toBe(snapshot);
  });
});

describe("files of a result whose number the server chooses", () => {
  const image = { type: "image", mimeType: "image/png", data: "AAAA" };
  const write = async (at: string, count: number) =>
    await writeOutput(
      {
        exitCode: 0,
        diagnostics: [],
        json: { content: Array.from({ length: count }, () => image) },
      },
      "photo.png",
      { directory: at } as Context,
    );

  it("replace only the file that a person named", async () => {
    const at = directory({ "photo.png": "old", "photo-2.png": "mine" });
    await expect(write(at, 2)).rejects.toThrow("photo-2.png exists");
    expect(readFileSync(join(at, "photo.png"), "utf8")).toBe("old");
    expect(readFileSync(join(at, "photo-2.png"), "utf8")).toBe("mine");
    await write(at, 1);
    expect(readFileSync(join(at, "photo.png"))).toEqual(Buffer.alloc(3));
  });

  it.each(["a file", "nothing"])(
    "are not written through a link to %s",
    async (what) => {
      const outside = directory(what === "a file" ? { target: "mine" } : {});
      const at = directory();
      symlinkSync(join(outside, "target"), join(at, "photo-3.png"));
      await expect(write(at, 3)).rejects.toThrow("photo-3.png exists");
      expect(readdirSync(at)).toEqual(["photo-3.png"]);
      expect(existsSync(join(outside, "target"))).toBe(what === "a file");
    },
  );

  it("are in a folder of their own if they are many", async () => {
    const at = directory({ "photo-2.png": "mine" });
    await write(at, 500);
    expect(readdirSync(at).sort()).toEqual([
      "photo-2.png",
      "photo-files",
      "photo.png",
    ]);
    expect(readdirSync(join(at, "photo-files"))).toHaveLength(499);
  });
});

describe("a configuration above the folder", () => {
  const isRoot = process.getuid?.() === 0;

  it("is found up to the root of the repository, and no further", async () => {
    const at = directory({
      "mcpgen.config.json": "{}",
      "repository/.git/HEAD": "",
      "repository/a/b/keep.txt": "",
    });
    const below = join(at, "repository/a/b");
    expect(await findConfig(null, below)).toBeNull();
    put(join(at, "repository/mcpgen.config.json"), "{}");
    expect(await findConfig(null, below)).toBe(
      join(at, "repository/mcpgen.config.json"),
    );
  });

  it("is found up to the home folder, and no further", async () => {
    const at = directory({ "mcpgen.config.ts": code, "home/a/a.txt": "" });
    const place = join(at, "home/a");
    const { code: exit } = await mcpgenAlone(["pull"], {
      directory: place,
      environment: { HOME: join(at, "home") },
    });
    expect(exit).toBe(2);
    expect(existsSync(join(at, "ran.txt"))).toBe(false);
  });

  it("is not found in a folder of another user", async () => {
    const at = directory({ "mcpgen.config.ts": code });
    const inside = join(at, "mine");
    mkdirSync(inside);
    // Without the rights of root, the folder for temporary files is another's.
    if (isRoot) chownSync(at, 65_534, 65_534);
    const folders = [...projectFolders(inside)];
    expect(folders[0]).toBe(inside);
    expect(folders).not.toContain("/");
    if (isRoot) expect(await findConfig(null, inside)).toBeNull();
  });

  it("is not run if it is another user's file in a folder for all", async () => {
    const at = directory({ "mcpgen.config.ts": code });
    if (!isRoot) return expect(await findConfig(null, at)).toContain(at);
    chownSync(join(at, "mcpgen.config.ts"), 65_534, 65_534);
    const { err } = await mcpgen(["check"], { directory: at });
    expect(err).toMatch(/^MG740 .* belongs to another user/);
    expect(existsSync(join(at, "ran.txt"))).toBe(false);
  });
});

describe("a package of the checkout", () => {
  it("is not run by mcpgen migrate, which reads its version", async () => {
    const at = directory({
      "server.ts": `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "a", version: "1" });
server.registerTool("t", { inputSchema: { a: z.string() } }, async () => ({ content: [] }));\n`,
      "node_modules/zod/package.json": JSON.stringify({
        name: "zod",
        version: "3.25.0",
        exports: { "./package.json": "./evil.cjs" },
      }),
      "node_modules/zod/evil.cjs": `require("node:fs").writeFileSync(__dirname + "/ran.txt", "");`,
    });
    const { err } = await mcpgen(["migrate", "server.ts"], { directory: at });
    expect(err).toContain("written");
    expect(existsSync(join(at, "node_modules/zod/ran.txt"))).toBe(false);
    expect(readFileSync(join(at, "server.ts"), "utf8")).toContain(
      "zod-to-json-schema",
    );
  });
});

describe("a file as the source of a command", () => {
  it.each([
    ["lint", "a.mcp.json"],
    ["docs", "a.mcp.json", "--out", "docs"],
    ["stubs", "a.mcp.json", "--out", "gen"],
    ["diff", "a.mcp.json", "a.mcp.json"],
    ["card", "a.mcp.json"],
  ])(
    "is read without running the configuration: mcpgen %s",
    async (...args) => {
      const at = directory({
        "a.mcp.json": snapshot,
        "package.json": manifest,
      });
      writeFileSync(join(at, "mcpgen.config.mjs"), code);
      const { code: exit, err } = await mcpgen(args, { directory: at });
      // The tool may have findings.
      expect(exit, err).toBeLessThan(2);
      expect(existsSync(join(at, "ran.txt"))).toBe(false);
      await mcpgen(["check"], { directory: at });
      expect(existsSync(join(at, "ran.txt"))).toBe(true);
    },
  );

  const placing = `import { writeFileSync } from "node:fs";
writeFileSync(new URL("ran.txt", import.meta.url), "");
export default { servers: [{ snapshot: "a.mcp.json", source: { stdio: "node main.cjs" } }] };\n`;

  it.each([
    ["mcpgen.config.ts", "", "a.mcp.json"],
    ["mcpgen.config.mts", "", "./a.mcp.json"],
    ["mcpgen.config.js", "", "a.mcp.json"],
    ["mcpgen.config.mjs", "below", "../a.mcp.json"],
    ["mcpgen.config.ts", "", "gone.mcp.json"],
  ])(
    "does not let mcpgen call run %s, in %j: %s",
    async (name, below, file) => {
      const at = directory({
        "a.mcp.json": snapshot,
        [name]: placing,
        "below/other.txt": "",
        "package.json": `{"type":"module"}`,
      });
      const { code: exit, err } = await mcpgen(["call", file, "find"], {
        directory: join(at, below),
      });
      expect(existsSync(join(at, "ran.txt"))).toBe(false);
      expect([exit, err]).toEqual([
        2,
        expect.stringContaining(
          file === "gone.mcp.json"
            ? "MG001 no such file or folder"
            : `MG705 expected a server, found "${file}", a snapshot`,
        ),
      ]);
      if (file !== "gone.mcp.json")
        expect(err).toContain(
          `${name} is code, which a file does not run: name the server, a, in place of the file, or an entry of a client with --config`,
        );
    },
  );

  it("lets mcpgen call run a configuration that is code if a name stands in place of the file", async () => {
    const at = directory({
      "a.mcp.json": snapshot,
      "mcpgen.config.ts": placing,
    });
    await mcpgen(["call", "a", "find"], { directory: at });
    expect(existsSync(join(at, "ran.txt"))).toBe(true);
  });
});
