import {
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../src/diagnostics.js";
import { planFiles, sha256, upToDate } from "../../src/emit/write.js";
import { files, provenance, temporary, tree, write } from "./write-support.js";

const first = { "types.ts": "export type A = 1;\n", "deep/er/index.ts": 'export * from "../../types.js";\n' };

describe("a run", () => {
  it("makes the directory, the files and the manifest, and leaves nothing else", async () => {
    const out = join(temporary(), "new", "gen");
    const { outcome, told } = await write(out, first);
    expect(told).toEqual([]);
    expect(outcome?.files.map(({ path, state }) => `${state} ${path}`)).toEqual([
      "written types.ts",
      "written deep/er/index.ts",
      "written .mcpgen.json",
    ]);
    expect(Object.keys(tree(out))).toEqual([
      ".mcpgen.json",
      "deep/",
      "deep/er/",
      "deep/er/index.ts",
      "types.ts",
    ]);
    expect(files(out)).toMatchObject(first);
  });

  it("writes a manifest without clock, host or absolute path", async () => {
    const out = temporary();
    await write(out, first);
    expect(JSON.parse(readFileSync(join(out, ".mcpgen.json"), "utf8"))).toEqual({
      format: 1,
      generator: "mcpgen 1.2.3",
      sources: [{ revision: "first", name: "schema.ts", sha256: "0".repeat(64) }],
      options: {
        emit: ["types"],
        runtime: "package",
        importExtension: "js",
        templates: null,
        formatting: null,
      },
      files: {
        "deep/er/index.ts": expect.stringMatching(/^[0-9a-f]{64}$/),
        "types.ts": expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  it("does not touch a file that is already as wanted", async () => {
    const out = temporary();
    await write(out, first);
    const old = new Date(2001, 1, 1);
    for (const path of ["types.ts", ".mcpgen.json"]) utimesSync(join(out, path), old, old);
    const { outcome } = await write(out, { ...first, "deep/er/index.ts": "export {};\n" });
    expect(outcome?.files.map(({ state }) => state)).toEqual(["unchanged", "written", "written"]);
    expect(statSync(join(out, "types.ts")).mtime).toEqual(old);
    await write(out, { ...first, "deep/er/index.ts": "export {};\n" });
    expect(statSync(join(out, "types.ts")).mtime).toEqual(old);
  });

  it("leaves nothing when it is interrupted before it changed anything", async () => {
    const parent = temporary();
    const { outcome } = await write(join(parent, "gen"), first, { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ files: [], interrupted: true });
    expect(tree(parent)).toEqual({});
  });
});

describe("what the user did to the directory", () => {
  it("keeps and names every edited file, and writes none of the others", async () => {
    const out = temporary();
    await write(out, { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n" });
    writeFileSync(join(out, "a.ts"), "export const a = 7; // mine\n");
    const before = tree(out);
    const { outcome, told } = await write(out, {
      "a.ts": "export const a = 2;\n",
      "b.ts": "export const b = 2;\n",
    });
    expect(outcome).toBeNull();
    expect(told).toEqual([
      "MG804 a.ts was edited after it was generated; nothing was written\n" +
        "    hint: move your change out of the generated file, or write over it with --force",
    ]);
    expect(tree(out)).toEqual(before);
  });

  it("writes over an edited file when forced", async () => {
    const out = temporary();
    await write(out, first);
    writeFileSync(join(out, "types.ts"), "mine\n");
    const { told } = await write(out, first, { force: true });
    expect(told).toEqual([]);
    expect(files(out)).toMatchObject(first);
  });

  it("makes a deleted file again", async () => {
    const out = temporary();
    await write(out, first);
    unlinkSync(join(out, "types.ts"));
    expect((await write(out, first)).told).toEqual([]);
    expect(files(out)).toMatchObject(first);
  });

  const long =
    'export const long = { alpha: "one", beta: "two", gamma: ["three", "four"], delta: (x: number) => x };\n';
  for (const [what, change] of [
    ["line ends", (text: string) => text.replaceAll("\n", "\r\n")],
    ["a narrower width", (text: string) => format(text, { parser: "typescript", printWidth: 40 })],
    [
      "quotes, semicolons and commas",
      (text: string) =>
        format(text, {
          parser: "typescript",
          singleQuote: true,
          semi: false,
          trailingComma: "none",
          useTabs: true,
        }),
    ],
  ] as const) {
    it(`takes a difference of formatting alone for no edit: ${what}`, async () => {
      const out = temporary();
      await write(out, { "long.ts": long });
      writeFileSync(join(out, "long.ts"), await change(long));
      const { told } = await write(out, { "long.ts": long });
      expect(told).toEqual([]);
      expect(files(out)).toEqual({ "long.ts": long });
    });
  }

  it("takes a changed word in reformatted text for an edit", async () => {
    const out = temporary();
    await write(out, { "long.ts": long });
    const mine = await format(long.replace("three", "3"), { parser: "typescript", printWidth: 40 });
    writeFileSync(join(out, "long.ts"), mine);
    expect((await write(out, { "long.ts": long })).outcome).toBeNull();
    expect(files(out)).toEqual({ "long.ts": mine });
  });

  it("takes text that no longer parses for an edit", async () => {
    const out = temporary();
    await write(out, { "long.ts": long });
    writeFileSync(join(out, "long.ts"), "export const = ;\n");
    expect((await write(out, { "long.ts": long })).told).toEqual([
      expect.stringContaining("long.ts was edited"),
    ]);
  });

  it("refuses a directory with foreign files and no manifest, and names some of them", async () => {
    const out = temporary();
    for (const name of ["d.ts", "b.ts", "a.ts", "c.ts"]) writeFileSync(join(out, name), "mine");
    const { outcome, told } = await write(out, first);
    expect(outcome).toBeNull();
    expect(told).toEqual([
      "MG802 the output directory holds files that mcpgen did not write (a.ts, b.ts, c.ts and 1 more) and no .mcpgen.json\n" +
        "    hint: choose an empty directory, or write beside these files with --force",
    ]);
    expect(Object.keys(tree(out))).toEqual(["a.ts", "b.ts", "c.ts", "d.ts"]);
    expect((await write(out, first, { force: true })).told).toEqual([]);
    expect(files(out)).toMatchObject({ ...first, "a.ts": "mine" });
  });

  it("does not write over a file of the same name that it never wrote", async () => {
    const out = temporary();
    await write(out, first);
    writeFileSync(join(out, "client.ts"), "mine\n");
    const { told } = await write(out, { ...first, "client.ts": "generated\n" });
    expect(told).toEqual([expect.stringContaining("client.ts was not written by mcpgen")]);
    expect(files(out)["client.ts"]).toBe("mine\n");
  });

  it("refuses a manifest that cannot be read, and says why", async () => {
    const out = temporary();
    writeFileSync(join(out, ".mcpgen.json"), '{"format":2}');
    expect((await write(out, first)).told).toEqual([expect.stringContaining("its format is 2")]);
    writeFileSync(join(out, ".mcpgen.json"), "<<<<<<< HEAD");
    expect((await write(out, first)).told).toEqual([expect.stringContaining("it is not JSON")]);
    expect((await write(out, first, { force: true })).told).toEqual([]);
  });
});

describe("files that are no longer made", () => {
  const two = { "a.ts": "export {};\n", "old/b.ts": "export {};\n" };

  it("stay, are named, and are still known to the manifest", async () => {
    const out = temporary();
    await write(out, two);
    const { outcome } = await write(out, { "a.ts": "export {};\n" });
    expect(outcome?.files.map(({ path, state }) => `${state} ${path}`)).toContain("leftover old/b.ts");
    expect(files(out)).toMatchObject(two);
    const again = await write(out, { "a.ts": "export {};\n" }, { clean: true });
    expect(again.outcome?.files.map(({ path, state }) => `${state} ${path}`)).toContain("removed old/b.ts");
    expect(Object.keys(tree(out))).toEqual([".mcpgen.json", "a.ts"]);
  });

  it("are removed by clean only when nobody edited them", async () => {
    const out = temporary();
    await write(out, two);
    writeFileSync(join(out, "old/b.ts"), "mine\n");
    await write(out, { "a.ts": "export {};\n" }, { clean: true });
    expect(files(out)["old/b.ts"]).toBe("mine\n");
  });

  it("are not removed when clean finds them named by a path that leads outside", async () => {
    const parent = temporary();
    const out = join(parent, "gen");
    writeFileSync(join(parent, "victim.txt"), "precious");
    await write(out, two);
    const manifest = JSON.parse(readFileSync(join(out, ".mcpgen.json"), "utf8")) as {
      files: Record<string, string>;
    };
    manifest.files["../victim.txt"] = sha256("precious");
    writeFileSync(join(out, ".mcpgen.json"), JSON.stringify(manifest));
    await write(out, { "a.ts": "export {};\n" }, { clean: true });
    expect(readFileSync(join(parent, "victim.txt"), "utf8")).toBe("precious");
  });
});

describe("paths", () => {
  for (const path of [
    "",
    "../out.ts",
    "a/../../out.ts",
    "/etc/out.ts",
    "C:/out.ts",
    "c:out.ts",
    "a\\b.ts",
    "a//b.ts",
    "./a.ts",
    "CON",
    "nul.ts",
    "deep/Com1.txt",
    "lpt¹.ts",
    "dot.",
    "space ",
    "a\0b.ts",
    "line\nbreak.ts",
    "star*.ts",
    "lone\ud800.ts",
    ".mcpgen/lock",
    ".MCPGEN/lock",
    `${"long".repeat(64)}.ts`,
  ]) {
    it(`never writes ${JSON.stringify(path.slice(0, 40))}`, async () => {
      const out = join(temporary(), "gen");
      const { outcome, told } = await write(out, { "fine.ts": "", [path]: "" });
      expect(outcome).toBeNull();
      expect(told).toEqual([expect.stringMatching(/^MG801 .* cannot be written: /)]);
      expect(tree(join(out, ".."))).toEqual({});
    });
  }

  for (const [one, other] of [
    ["Tool.ts", "tool.ts"],
    ["stra\u00dfe.ts", "STRASSE.ts"],
    ["caf\u00e9.ts", "cafe\u0301.ts"],
    ["a.ts", "a.ts/b.ts"],
    ["Tools/a.ts", "tools/b.ts"],
  ] as const) {
    it(`refuses ${one} beside ${other}, one place on some disks`, async () => {
      const { told } = await write(temporary(), { [one]: "", [other]: "" });
      expect(told).toEqual([expect.stringContaining("would be the same place on a disk that ignores case")]);
    });
  }

  it("writes a file called __proto__ like any other", async () => {
    const out = temporary();
    const texts = Object.fromEntries([
      ["__proto__", "a\n"],
      ["constructor", "b\n"],
    ]);
    expect((await write(out, texts)).told).toEqual([]);
    expect((await write(out, texts)).outcome?.files.every(({ state }) => state === "unchanged")).toBe(true);
    expect(readFileSync(join(out, "__proto__"), "utf8")).toBe("a\n");
  });

  it("refuses a symbolic link in the place of a file, of a folder, of the manifest and of its own folder", async () => {
    const elsewhere = temporary();
    writeFileSync(join(elsewhere, "types.ts"), "precious");
    for (const [link, target] of [
      ["types.ts", join(elsewhere, "types.ts")],
      ["deep", elsewhere],
      [".mcpgen.json", join(elsewhere, "types.ts")],
      [".mcpgen", elsewhere],
    ] as const) {
      const out = temporary();
      symlinkSync(target, join(out, link));
      expect((await write(out, first, { force: true })).told).toEqual([
        expect.stringMatching(/^MG805 .* is a symbolic link/),
      ]);
    }
    expect(tree(elsewhere)).toEqual({ "types.ts": "precious" });
  });

  it("follows a link that the user gave as the directory itself", async () => {
    const parent = temporary();
    mkdirSync(join(parent, "real"));
    symlinkSync(join(parent, "real"), join(parent, "link"));
    expect((await write(join(parent, "link"), first)).told).toEqual([]);
    expect(files(join(parent, "real"))).toMatchObject(first);
  });

  it("refuses an output directory that is a file, and one below a file", async () => {
    const parent = temporary();
    writeFileSync(join(parent, "file"), "precious");
    expect((await write(join(parent, "file"), first)).told).toEqual([
      expect.stringMatching(/^MG806 the output directory .*file is a file/),
    ]);
    expect((await write(join(parent, "file", "gen"), first)).told).toEqual([
      expect.stringContaining("a part of the path is a file, not a directory"),
    ]);
    expect(tree(parent)).toEqual({ file: "precious" });
  });
});

describe("knowing that nothing is to be done", () => {
  it("says so for the same provenance and the same files, and for nothing else", async () => {
    const out = temporary();
    expect(await upToDate(out, provenance)).toBeNull();
    await write(out, first);
    expect((await upToDate(out, provenance))?.files.map(({ path }) => path)).toEqual([
      "deep/er/index.ts",
      "types.ts",
      ".mcpgen.json",
    ]);
    expect(await upToDate(out, { ...provenance, generator: "1.2.4" })).toBeNull();
    expect(
      await upToDate(out, { ...provenance, options: { ...provenance.options, runtime: "vendored" } }),
    ).toBeNull();
    const other = provenance.sources.map((source) => ({ ...source, sha256: "1".repeat(64) }));
    expect(await upToDate(out, { ...provenance, sources: other })).toBeNull();
    writeFileSync(join(out, "types.ts"), "mine");
    expect(await upToDate(out, provenance)).toBeNull();
  });

  it("does not say so while an earlier run is unfinished", async () => {
    const out = temporary();
    await write(out, first);
    mkdirSync(join(out, ".mcpgen"));
    expect(await upToDate(out, provenance)).toBeNull();
  });
});

describe("a plan", () => {
  it("tells what a run would do, and does nothing", async () => {
    const out = temporary();
    await write(out, { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n", "c.ts": "c\n" });
    writeFileSync(join(out, "b.ts"), "export const b = 'mine';\n");
    const before = tree(out);
    const wanted = [
      { path: "a.ts", text: "export const a = 2;\n" },
      { path: "b.ts", text: "export const b = 1;\n" },
      { path: "d.ts", text: "d\n" },
    ];
    const plan = await planFiles({ out, files: wanted, provenance }, new Diagnostics());
    expect(plan?.files.map(({ path, state }) => `${state} ${path}`)).toEqual([
      "outdated a.ts",
      "edited b.ts",
      "new d.ts",
      "outdated .mcpgen.json",
    ]);
    expect(plan?.leftovers.map(({ path, state }) => `${state} ${path}`)).toEqual(["unmodified c.ts"]);
    expect(tree(out)).toEqual(before);
  });
});
