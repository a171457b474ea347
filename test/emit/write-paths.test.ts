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
import { pathProblem } from "../../src/generator/emit/write/paths.js";
import { files, temporary, tree, write } from "./write-support.js";

const first = {
  "types.ts": "export type A = 1;\n",
  "deep/er/index.ts": 'export * from "../../types.js";\n',
};

describe("the paths of generated files", () => {
  const character =
    "it contains a character that some systems forbid in file names";
  const parts = "it is absolute, or has an empty, '.' or '..' part";
  const end = "a part of it ends with a dot or a space";
  const device = "a part of it is the name of a device on Windows";
  const reserved = '".mcpgen" is reserved for mcpgen';

  for (const [path, problem] of [
    ["", parts],
    ["../out.ts", parts],
    ["a/../../out.ts", parts],
    ["/etc/out.ts", parts],
    ["C:/out.ts", character],
    ["c:out.ts", character],
    ["a\\b.ts", character],
    ["a//b.ts", parts],
    ["./a.ts", parts],
    ["CON", device],
    ["nul.ts", device],
    ["deep/Com1.txt", device],
    ["lpt¹.ts", device],
    ["dot.", end],
    ["space ", end],
    ["a\0b.ts", character],
    ["line\nbreak.ts", character],
    ["star*.ts", character],
    ["lone\ud800.ts", character],
    [".mcpgen/lock", reserved],
    [".MCPGEN/lock", reserved],
    [`${"long".repeat(64)}.ts`, "a part of it is longer than 255 bytes"],
  ] as const) {
    it(`must not be ${JSON.stringify(path.slice(0, 40))}`, async () => {
      const out = join(temporary(), "gen");
      const { outcome, messages } = await write(out, {
        "fine.ts": "",
        [path]: "",
      });
      expect(outcome).toBeNull();
      expect(messages).toEqual([
        `MG801 ${JSON.stringify(path)} cannot be written: ${problem}`,
      ]);
      expect(tree(join(out, ".."))).toEqual({});
    });
  }

  const longest = `${"\u00e9".repeat(126)}.ts`;
  it.each([
    [longest, true],
    [`${longest}/${longest}`, true],
    [`a${longest}`, false],
    [`a${longest}/b.ts`, false],
    [`b/a${longest}`, false],
  ])(
    "may have parts of 255 bytes, and none that is longer",
    (path, isAllowed) => {
      expect(pathProblem(path)).toBe(
        isAllowed ? null : "a part of it is longer than 255 bytes",
      );
    },
  );

  for (const [one, other, ...shown] of [
    ["Tool.ts", "tool.ts"],
    ["stra\u00dfe.ts", "STRASSE.ts"],
    ["caf\u00e9.ts", "cafe\u0301.ts"],
    ["a.ts", "a.ts/b.ts", "a.ts", "a.ts/"],
    ["Tools/a.ts", "tools/b.ts", "Tools/", "tools/"],
  ] as const) {
    it(`must not be both ${one} and ${other}, which are the same on some disks`, async () => {
      const { messages } = await write(temporary(), { [one]: "", [other]: "" });
      expect(messages).toEqual([
        `MG801 ${JSON.stringify(shown[0] ?? one)} and ${JSON.stringify(shown[1] ?? other)} would be the same file on a case-insensitive disk`,
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
        `MG805 ${link} is a symbolic link, and writing through it could leave the directory\n    hint: replace the link with its target, or choose another directory`,
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
      `MG806 the output directory ${join(parent, "file")} is a file\n    hint: choose another --out`,
    ]);
    expect((await write(join(parent, "file", "gen"), first)).messages).toEqual([
      expect.stringContaining("a part of the path is a file, not a directory"),
    ]);
    expect(tree(parent)).toEqual({ file: "precious" });
  });
});
