import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { files, temporary, tree, write } from "./write-support.js";

const first = {
  "types.ts": "export type A = 1;\n",
  "deep/er/index.ts": 'export * from "../../types.js";\n',
};

describe("the paths of generated files", () => {
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
    it(`must not be ${JSON.stringify(path.slice(0, 40))}`, async () => {
      const out = join(temporary(), "gen");
      const { outcome, messages } = await write(out, {
        "fine.ts": "",
        [path]: "",
      });
      expect(outcome).toBeNull();
      expect(messages).toEqual([
        expect.stringMatching(/^MG801 .* cannot be written: /),
      ]);
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
    it(`must not be both ${one} and ${other}, which are the same on some disks`, async () => {
      const { messages } = await write(temporary(), { [one]: "", [other]: "" });
      expect(messages).toEqual([
        expect.stringContaining(
          "would be the same file on a case-insensitive disk",
        ),
      ]);
    });
  }

  it("may be __proto__", async () => {
    const out = temporary();
    const texts = Object.fromEntries([
      ["__proto__", "a\n"],
      ["constructor", "b\n"],
    ]);
    expect((await write(out, texts)).messages).toEqual([]);
    expect(
      (await write(out, texts)).outcome?.files.every(
        ({ state }) => state === "unchanged",
      ),
    ).toBe(true);
    expect(readFileSync(join(out, "__proto__"), "utf8")).toBe("a\n");
  });

  it.each([
    ["a file", "types.ts", "types.ts"],
    ["a folder", "deep", ""],
    ["the manifest", ".mcpgen.json", "types.ts"],
    ["the folder .mcpgen", ".mcpgen", ""],
  ])(
    "must not have a symbolic link in place of %s",
    async (_, link, target) => {
      const elsewhere = temporary();
      writeFileSync(join(elsewhere, "types.ts"), "precious");
      const out = temporary();
      symlinkSync(join(elsewhere, target), join(out, link));
      expect((await write(out, first, { force: true })).messages).toEqual([
        expect.stringMatching(/^MG805 .* is a symbolic link/),
      ]);
      expect(tree(elsewhere)).toEqual({ "types.ts": "precious" });
    },
  );

  it.each<[what: string, make: (out: string) => void, message: string]>([
    [
      "a folder in place of a file",
      (out) => mkdirSync(join(out, "types.ts")),
      "MG806 types.ts is not a file, but mcpgen writes a file of that name",
    ],
    [
      "a pipe in place of a file",
      (out) => {
        // Windows has no pipe in a folder.
        if (process.platform === "win32") mkdirSync(join(out, "types.ts"));
        else execFileSync("mkfifo", [join(out, "types.ts")]);
      },
      "MG806 types.ts is not a file, but mcpgen writes a file of that name",
    ],
    [
      "a file in place of a folder",
      (out) => writeFileSync(join(out, "deep"), "precious"),
      "MG806 deep is not a directory, but deep/b.ts belongs in it",
    ],
  ])("must not have %s", async (_, make, message) => {
    const out = temporary();
    make(out);
    const texts = { "types.ts": "a\n", "deep/b.ts": "b\n" };
    expect((await write(out, texts, { force: true })).messages).toEqual([
      `${message}\n    hint: move it away`,
    ]);
    expect(readdirSync(out)).toHaveLength(1);
  });

  it("may be below an output directory that is a symbolic link", async () => {
    const parent = temporary();
    mkdirSync(join(parent, "real"));
    symlinkSync(join(parent, "real"), join(parent, "link"));
    expect((await write(join(parent, "link"), first)).messages).toEqual([]);
    expect(files(join(parent, "real"))).toMatchObject(first);
  });

  it.each(["link", "link/gen"])(
    "must not be at %s if the link points to no folder, and the message names the link",
    async (path) => {
      const parent = temporary();
      symlinkSync("gone", join(parent, "link"));
      const out = join(parent, path);
      expect((await write(out, first)).messages).toEqual([
        expect.stringMatching(
          /^MG805 .*link is a symbolic link to a folder that does not exist\n {4}hint: create the folder, or remove the link/,
        ),
      ]);
    },
  );

  it("must not be below an output directory that is a file or below a file", async () => {
    const parent = temporary();
    writeFileSync(join(parent, "file"), "precious");
    expect((await write(join(parent, "file"), first)).messages).toEqual([
      expect.stringMatching(/^MG806 the output directory .*file is a file/),
    ]);
    expect((await write(join(parent, "file", "gen"), first)).messages).toEqual([
      expect.stringContaining("a part of the path is a file, not a directory"),
    ]);
    expect(tree(parent)).toEqual({ file: "precious" });
  });
});
