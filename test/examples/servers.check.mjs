import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compile } from "../view/compile.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "test/examples/servers");
const cli = join(root, "dist/cli.js");

/**
 * Each server: how it is started, and what the example's client prints of it.
 */
const servers = [
  { name: "everything", args: "stdio", prints: "The sum of 19 and 23 is 42." },
  { name: "filesystem", args: "notes", prints: "Water the plants." },
];

/**
 * A project of its own, with the packages of the example and the runtime beside
 * it.
 */
let place = "";
const run = (...args) =>
  spawnSync(process.execPath, args, { cwd: place, encoding: "utf8" });

beforeAll(() => {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  place = mkdtempSync(join(root, "node_modules/.cache/servers-"));
  for (const name of readdirSync(example).filter(
    (entry) => entry !== "node_modules",
  ))
    cpSync(join(example, name), join(place, name), { recursive: true });
  symlinkSync(
    join(example, "node_modules"),
    join(place, "node_modules"),
    "junction",
  );
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(servers)(
  "the example of server-$name",
  ({ name, args, prints }) => {
    const snapshot = `${name}.mcp.json`;

    it("still offers what the committed snapshot says", () => {
      const command = `node node_modules/@modelcontextprotocol/server-${name}/dist/index.js ${args}`;
      const pulled = run(
        cli,
        "pull",
        "--stdio",
        command,
        "-o",
        snapshot,
        "--check",
        "--no-color",
      );
      expect(pulled.status, pulled.stderr).toBe(0);
    });

    it("has stubs that the strictest compiler passes, and a client that calls the server through them", async () => {
      const made = run(
        cli,
        "stubs",
        snapshot,
        "--out",
        `src/${name}`,
        "--emit",
        "client",
        "--no-color",
      );
      expect(made.status, made.stderr).toBe(0);
      const paths = readdirSync(join(place, "src", name), {
        recursive: true,
      }).map(String);
      const sources = new Map(
        paths
          .filter((path) => path.endsWith(".ts"))
          .map((path) => [
            `${name}/${path.replaceAll("\\", "/")}`,
            readFileSync(join(place, "src", name, path), "utf8"),
          ]),
      );
      sources.set(
        `${name}.ts`,
        readFileSync(join(place, "src", `${name}.ts`), "utf8"),
      );
      expect(compile(sources)).toEqual([]);
      await build({
        entryPoints: [join(place, "src", `${name}.ts`)],
        outfile: join(place, `${name}.mjs`),
        alias: {
          "@mcpgen/runtime": join(root, "src/runtime/dist/index.js"),
          "@mcpgen/runtime/legacy": join(root, "src/runtime/dist/legacy.js"),
          "@mcpgen/runtime/modern": join(root, "src/runtime/dist/modern.js"),
          "@mcpgen/runtime/stdio": join(root, "src/runtime/dist/stdio.js"),
        },
        bundle: true,
        format: "esm",
        platform: "node",
        logLevel: "silent",
      });
      const client = run(`${name}.mjs`);
      expect(client.stderr).toBe("");
      expect(client.stdout).toContain(prints);
    });

    it("has a page with an entry for each tool", () => {
      const made = run(
        cli,
        "docs",
        snapshot,
        "--out",
        `site/${name}`,
        "--no-color",
      );
      expect(made.status, made.stderr).toBe(0);
      const page = readFileSync(join(place, "site", name, "README.md"), "utf8");
      const { tools } = JSON.parse(readFileSync(join(place, snapshot), "utf8"));
      expect(tools.length).toBeGreaterThan(5);
      for (const tool of tools)
        expect(page).toContain(`### <a id="tool-${tool.name}"></a>`);
    });
  },
);
