// The packed packages in projects of other package managers: Yarn with
// Plug'n'Play, which is its default and reads packages from archives, and pnpm,
// whose projects see only the packages that they name.
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstSchemas } from "../update/project.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const folder = mkdtempSync(join(tmpdir(), "mcpgen-managers-"));
let tarballs = [];
let registry = "";

beforeAll(() => {
  const args = [
    "run",
    "--silent",
    "pack",
    "--",
    "--json",
    "--pack-destination",
    folder,
  ];
  const packages = JSON.parse(
    execFileSync("npm", args, { cwd: root, encoding: "utf8" }),
  );
  tarballs = packages.map(
    ({ name, filename }) => `${name}@file:${join(folder, filename)}`,
  );
  registry = execFileSync("npm", ["config", "get", "registry"], {
    encoding: "utf8",
  }).trim();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that keeps a token as `mcpgen login` does. */
const storing = `import { fileStore } from "@mcpgen/auth/login";
const store = fileStore({ folder: "tokens" });
await store.set("key", { kind: "registration", clientId: "client" });
console.log((await store.get("key")).clientId);
`;

const managers = {
  "Yarn Plug'n'Play": {
    program: join(here, "node_modules/@yarnpkg/cli-dist/bin/yarn.js"),
    prepare: (project) => {
      const plain = registry.startsWith("http:")
        ? `unsafeHttpWhitelist: ["*"]\n`
        : "";
      const lines = `npmRegistryServer: "${registry}"\nenableGlobalCache: false\nenableTelemetry: false\n${plain}`;
      writeFileSync(join(project, ".yarnrc.yml"), lines);
      writeFileSync(join(project, "yarn.lock"), "");
    },
    layout: ".pnp.cjs",
  },
  pnpm: {
    program: join(here, "node_modules/pnpm/bin/pnpm.cjs"),
    prepare: (project) =>
      writeFileSync(
        join(project, ".npmrc"),
        `registry=${registry}\nstore-dir=.store\n`,
      ),
    layout: "node_modules/.pnpm",
  },
};

describe.each(Object.entries(managers))(
  "in a project of %s",
  (name, { program, prepare, layout }) => {
    const project = join(folder, name.replace(/\W/g, ""));
    const run = async (...args) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program, ...args],
        { cwd: project },
      );
      return stdout;
    };

    beforeAll(async () => {
      mkdirSync(project);
      writeFileSync(
        join(project, "package.json"),
        '{ "name": "project", "type": "module", "private": true }',
      );
      prepare(project);
      await run("add", ...tarballs);
      for (const [path, text] of Object.entries(firstSchemas)) {
        mkdirSync(join(project, "source", path, ".."), { recursive: true });
        writeFileSync(join(project, "source", path), text);
      }
      cpSync(
        join(root, "test/fixtures/snapshots/weather.mcp.json"),
        join(project, "weather.mcp.json"),
      );
    });

    it("the packages are installed in its own way", () => {
      expect(existsSync(join(project, layout))).toBe(true);
    });

    it.each([
      [
        "a revision",
        ["--version", "2025-03-26", "--out", "gen"],
        "gen/index.ts",
      ],
      [
        "a copied runtime",
        ["--version", "latest", "--out", "own", "--runtime", "vendored"],
        "own/runtime/stdio.ts",
      ],
      [
        "stubs",
        ["stubs", "weather.mcp.json", "--out", "weather"],
        "weather/client.ts",
      ],
      ["pages", ["docs", "2025-06-18", "--out", "pages"], "pages/README.md"],
      ["pinned schemas", ["update", "--from", "source"], "mcpgen.lock.json"],
    ])("mcpgen writes %s", async (_, args, file) => {
      await run("mcpgen", ...args);
      expect(readFileSync(join(project, file), "utf8")).not.toBe("");
    });

    it("a token is kept", async () => {
      writeFileSync(join(project, "store.mjs"), storing);
      const command =
        name === "pnpm" ? ["exec", "node", "store.mjs"] : ["node", "store.mjs"];
      expect(await run(...command)).toBe("client\n");
    });
  },
);
