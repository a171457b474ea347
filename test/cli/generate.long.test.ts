import {
  existsSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { filesIn, put } from "../files.js";
import { revisions, root } from "../repository.js";
import { directory, mcpgen, smallSchema } from "./support.js";

const latest = revisions.at(-1) ?? "";
const [oldest = "", second = ""] = revisions;

const whole = [
  ".mcpgen.json",
  "client.ts",
  "dispatch.ts",
  "index.ts",
  "server.ts",
  "tables.ts",
  "types.ts",
  "validate.ts",
  "validators.ts",
];

describe("mcpgen --version <revision> --out <dir>", () => {
  for (const revision of revisions) {
    it(`writes all files of ${revision}, lists them, and prints nothing on the standard output`, async () => {
      const at = directory();
      const { code, out, err } = await mcpgen(
        ["--version", revision, "--out", "./gen"],
        { directory: at },
      );
      expect({ code, out }).toEqual({ code: 0, out: "" });
      expect(err).toMatch(/^ {2}written {4}client\.ts +\d+\.\d kB$/m);
      expect(err).toContain(`./gen: 9 written from ${revision}\n`);
      expect(Object.keys(filesIn(join(at, "gen")))).toEqual(whole);
    });
  }

  it("writes the same bytes for every spelling of the revision's flag", async () => {
    const at = directory();
    const spellings = [
      ["--version", latest],
      [`--version=${latest}`],
      ["--version=latest"],
      ["-r", "latest"],
      ["--revision", latest],
      ["generate", "--version", "latest"],
    ];
    const results = await Promise.all(
      spellings.map(async (args, index) => {
        const { code } = await mcpgen(
          [...args, "--out", `gen-${index}`, "--emit", "types"],
          {
            directory: at,
          },
        );
        expect(code, args.join(" ")).toBe(0);
        return filesIn(join(at, `gen-${index}`));
      }),
    );
    for (const files of results) expect(files).toEqual(results[0]);
  });

  it("writes a folder for each of several revisions, and for every revision with `all`", async () => {
    const at = directory();
    const two = [
      "--version",
      `${oldest},${second}`,
      "--out",
      "two",
      "--emit",
      "validators",
    ];
    await mcpgen(two, { directory: at });
    const { err } = await mcpgen(
      ["--version", "all", "--out", "all", "--emit", "types"],
      { directory: at },
    );
    expect(err).toContain(`from ${revisions.join(", ")}`);
    const folders = (name: string) => {
      const tops = Object.keys(filesIn(join(at, name))).filter((path) =>
        path.includes("/"),
      );
      return [...new Set(tops.map((path) => path.split("/")[0]))];
    };
    expect(folders("two")).toEqual([oldest, second]);
    expect(folders("all")).toEqual(revisions);
    expect(existsSync(join(at, "two/validate.ts"))).toBe(true);
  });

  it("writes only the parts in --emit and the files that they import", async () => {
    const at = directory();
    await mcpgen(
      ["--version", oldest, "--out", "gen", "--emit", "validators"],
      { directory: at },
    );
    expect(Object.keys(filesIn(join(at, "gen")))).toEqual([
      ".mcpgen.json",
      "index.ts",
      "types.ts",
      "validate.ts",
      "validators.ts",
    ]);
  });

  it("copies the runtime into the output with --runtime vendored, and imports no package", async () => {
    const at = directory();
    await mcpgen(
      ["--version", oldest, "--out", "gen", "--runtime", "vendored"],
      { directory: at },
    );
    const files = filesIn(join(at, "gen"));
    expect(files["runtime/index.ts"]).toBeDefined();
    for (const [path, text] of Object.entries(files)) {
      expect(text, path).not.toMatch(/^(import|export) .* from "(?!\.|node:)/m);
    }
  });
});

describe("a second run of mcpgen", () => {
  it("touches no file if nothing changed, and reports that in one line", async () => {
    const at = directory();
    await mcpgen(["--version", oldest, "--out", "gen"], { directory: at });
    const old = new Date(2001, 1, 1);
    for (const name of whole) utimesSync(join(at, "gen", name), old, old);
    const again = await mcpgen(["--version", oldest, "--out", "gen"], {
      directory: at,
    });
    expect(again).toMatchObject({
      code: 0,
      out: "",
      err: `gen is up to date: 9 files from ${oldest}\n`,
    });
    await mcpgen(["--version", oldest, "--out", "gen", "--force"], {
      directory: at,
    });
    for (const name of whole)
      expect(statSync(join(at, "gen", name)).mtime).toEqual(old);
  });

  it("loads neither the compiler nor the templates nor the formatter if nothing changed", async () => {
    const at = directory();
    const run = ["--version", oldest, "--out", "gen", "--emit", "types"];
    await mcpgen(run, { directory: at });
    const environment = { NODE_V8_COVERAGE: join(at, "loaded") };
    expect(await mcpgen(run, { directory: at, environment })).toMatchObject({
      code: 0,
    });
    const scripts = Object.values(filesIn(join(at, "loaded"))).join("\n");
    expect(scripts).toContain("dist/cli.js");
    expect(scripts).not.toMatch(
      /node_modules\/(ts-morph|@ts-morph|typescript|prettier|handlebars)\//,
    );
    expect(scripts).not.toContain("/produce-");
  });

  it("lists the files of revisions that are no longer generated, and removes them with --clean", async () => {
    const at = directory();
    await mcpgen(["--version", "all", "--out", "gen", "--emit", "types"], {
      directory: at,
    });
    const run = [
      "--version",
      `${oldest},${second}`,
      "--out",
      "gen",
      "--emit",
      "types",
    ];
    const { err } = await mcpgen(run, { directory: at });
    expect(err).toMatch(
      new RegExp(`^ {2}leftover {3}${latest}/types\\.ts$`, "m"),
    );
    expect(existsSync(join(at, "gen", latest))).toBe(true);
    const cleaned = await mcpgen([...run, "--clean"], { directory: at });
    expect(cleaned.err).toMatch(
      new RegExp(`^ {2}removed {4}${latest}/types\\.ts$`, "m"),
    );
    expect(existsSync(join(at, "gen", latest))).toBe(false);
  });

  const edited = async () => {
    const at = directory();
    const run = ["--version", oldest, "--out", "gen"];
    await mcpgen(run, { directory: at });
    put(join(at, "gen/types.ts"), "export type Mine = 1;\n");
    unlinkSync(join(at, "gen/server.ts"));
    return { at, run };
  };

  it("names an edited file and exits with 2 without writing", async () => {
    const { at, run } = await edited();
    const refused = await mcpgen(run, { directory: at });
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain(
      "MG804 types.ts was edited after it was generated; nothing was written\n    hint:",
    );
    expect(existsSync(join(at, "gen/server.ts"))).toBe(false);
  });

  it("overwrites an edited file with --force", async () => {
    const { at, run } = await edited();
    expect((await mcpgen([...run, "--force"], { directory: at })).code).toBe(0);
    expect(Object.keys(filesIn(join(at, "gen")))).toEqual(whole);
    expect(readFileSync(join(at, "gen/types.ts"), "utf8")).not.toContain(
      "Mine",
    );
  });
});

describe("--check and --dry-run", () => {
  it("--check exits with 0 for current output", async () => {
    const at = directory();
    const run = ["--version", oldest, "--out", "gen"];
    await mcpgen(run, { directory: at });
    expect(await mcpgen([...run, "--check"], { directory: at })).toMatchObject({
      code: 0,
      out: "",
    });
  });

  it("--check exits with 1 and a unified diff for stale output, and writes nothing", async () => {
    const at = directory();
    const run = ["--version", oldest, "--out", "gen"];
    await mcpgen(run, { directory: at });
    const types = join(at, "gen/types.ts");
    put(
      types,
      readFileSync(types, "utf8").replace(
        "export interface Tool ",
        "export interface Hammer ",
      ),
    );
    unlinkSync(join(at, "gen/server.ts"));
    const before = filesIn(join(at, "gen"));
    const { code, out, err } = await mcpgen([...run, "--check"], {
      directory: at,
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(
      "--- types.ts (on disk, edited)\n+++ types.ts (as generated)\n@@ ",
    );
    expect(err).toMatch(
      /^-export interface Hammer .*\n\+export interface Tool /m,
    );
    expect(err).toContain("missing  server.ts\n");
    expect(filesIn(join(at, "gen"))).toEqual(before);
  });

  it("--check prints only the numbers of lines of a file with little in common", async () => {
    const at = directory();
    const run = ["--version", oldest, "--out", "gen", "--emit", "types"];
    await mcpgen(run, { directory: at });
    const lines = Array.from(
      { length: 3000 },
      (_, i) => `export const a${i} = ${i};\n`,
    );
    put(join(at, "gen/types.ts"), lines.join(""));
    const { code, err } = await mcpgen([...run, "--check"], { directory: at });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^@@ more than 1000 lines differ: the file has 3000, the new one \d+ @@$/m,
    );
    expect(err).not.toContain("export const a0");
  });

  it("--check reports no file as stale if only its formatting differs", async () => {
    const at = directory();
    const run = ["--version", oldest, "--out", "gen", "--emit", "types"];
    await mcpgen(run, { directory: at });
    const types = join(at, "gen/types.ts");
    const mine = await format(readFileSync(types, "utf8"), {
      parser: "typescript",
      useTabs: true,
      semi: false,
    });
    put(types, mine);
    expect((await mcpgen([...run, "--check"], { directory: at })).code).toBe(0);
  });

  it("--dry-run lists the files that a run would write, and writes none", async () => {
    const at = directory();
    const { code, err } = await mcpgen(
      ["--version", oldest, "--out", "gen", "--dry-run"],
      { directory: at },
    );
    expect(code).toBe(0);
    expect(err).toMatch(/^ {2}new {8}types\.ts +\d/m);
    expect(err).toContain("nothing was written: this was a dry run");
    expect(existsSync(join(at, "gen"))).toBe(false);
  });
});

describe("--json and --quiet", () => {
  const typesAsJson = [
    "--version",
    oldest,
    "--out",
    "gen",
    "--emit",
    "types",
    "--json",
  ];
  it("--json prints one object on the standard output for a run", async () => {
    const at = directory();
    const run = typesAsJson;
    const report = JSON.parse(
      (await mcpgen(run, { directory: at })).out,
    ) as Record<string, unknown>;
    expect(report).toMatchObject({
      ok: true,
      generator: (
        JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
          version: string;
        }
      ).version,
      out: "gen",
      revisions: [oldest],
      mode: "write",
      diagnostics: [],
    });
    expect(report["files"]).toContainEqual({
      path: "types.ts",
      state: "written",
      bytes: statSync(join(at, "gen/types.ts")).size,
    });
  });

  it("--json prints one object on the standard output for a check and for an error", async () => {
    const at = directory();
    const run = typesAsJson;
    await mcpgen(run, { directory: at });
    put(join(at, "gen/types.ts"), "mine\n");
    const stale = await mcpgen([...run, "--check"], { directory: at });
    expect(stale.code).toBe(1);
    expect(JSON.parse(stale.out)).toMatchObject({ ok: false, mode: "check" });
    const fault = await mcpgen(run, { directory: at });
    expect(fault.code).toBe(2);
    expect(JSON.parse(fault.out)).toMatchObject({
      ok: false,
      diagnostics: [{ code: "MG804", severity: "error" }],
    });
  });

  it("--quiet prints only errors", async () => {
    const at = directory({ "small.ts": smallSchema });
    const loud = await mcpgen(["--schema", "small.ts", "--out", "gen"], {
      directory: at,
    });
    expect(loud.err).toContain("note:");
    const quiet = await mcpgen(
      ["--schema", "small.ts", "--out", "gen", "--force", "--quiet"],
      {
        directory: at,
      },
    );
    expect(quiet).toMatchObject({ code: 0, out: "", err: "" });
    const fault = await mcpgen(
      ["--schema", "none.ts", "--out", "gen", "--quiet"],
      { directory: at },
    );
    expect(fault.err).toMatch(/^MG001 /);
  });
});

describe("mcpgen --schema", () => {
  it("generates an unknown revision from a file and from a folder", async () => {
    const at = directory({ "small/schema.ts": smallSchema });
    const { code, err } = await mcpgen(
      ["--schema", "small/schema.ts", "--out", "one", "--version", "x-1"],
      {
        directory: at,
      },
    );
    expect(err).toContain("one: 9 written from x-1");
    expect(code).toBe(0);
    await mcpgen(["--schema", "small", "--out", "two", "--version", "x-1"], {
      directory: at,
    });
    expect(filesIn(join(at, "two"))).toEqual(filesIn(join(at, "one")));
    expect(filesIn(join(at, "one"))["dispatch.ts"]).toContain('"greet/ask"');
  });

  it("writes files again if the schema or an option changed", async () => {
    const at = directory({ "small.ts": smallSchema });
    const run = ["--schema", "small.ts", "--out", "gen"];
    await mcpgen(run, { directory: at });
    expect((await mcpgen(run, { directory: at })).err).toContain(
      "gen is up to date",
    );
    put(
      join(at, "small.ts"),
      smallSchema.replace("name: string", "name: number"),
    );
    expect((await mcpgen(run, { directory: at })).err).toMatch(
      /^ {2}written {4}types\.ts/m,
    );
    expect(
      (await mcpgen([...run, "--import-ext", "ts"], { directory: at })).err,
    ).toMatch(/written {4}index\.ts/);
  });

  it("writes files again if a template changed", async () => {
    const at = directory({ "small.ts": smallSchema });
    const run = ["--schema", "small.ts", "--out", "gen"];
    await mcpgen([...run, "--import-ext", "ts"], { directory: at });
    const template = readFileSync(join(root, "templates/types.ts.hbs"), "utf8");
    put(
      join(at, "mine/types.ts.hbs"),
      `${template}\nexport const mine   = 1\n`,
    );
    const own = [...run, "--import-ext", "ts", "--templates", "mine"];
    expect((await mcpgen(own, { directory: at })).err).toMatch(
      /written {4}types\.ts/,
    );
    expect(filesIn(join(at, "gen"))["types.ts"]).toContain(
      "export const mine = 1;\n",
    );
    expect((await mcpgen(own, { directory: at })).err).toContain(
      "gen is up to date",
    );
  });
});
