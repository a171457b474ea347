import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSkill, skills } from "@mcpgen/runtime/skills";
import { folder } from "@mcpgen/runtime/skills/node";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { connect, scratch, skillText } from "./kit.js";

/** Writes files into a new folder, and returns its path. */
function put(files: Readonly<Record<string, string | Uint8Array>>): string {
  const place = mkdtempSync(join(scratch, "folder-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), content);
  }
  return place;
}
const refunds = {
  "refunds/SKILL.md": skillText("refunds"),
  "refunds/a/b c.md": "a\r\n",
};
const files = (place: string): object =>
  Object.fromEntries(
    folder(place).map((skill) => [skill.path, Object.keys(skill.files)]),
  );
const canLink = ((): boolean => {
  const place = put({ a: "" });
  try {
    symlinkSync(join(place, "a"), join(place, "b"));
    return true;
  } catch {
    return false;
  }
})();

describe("folder", () => {
  it("rejects a skill above the limits of a host before it reads the files", () => {
    const place = put(refunds);
    const large = join(place, "refunds/large.bin");
    // No program can read a file of this size at once; it takes no room on the
    // disk.
    writeFileSync(large, "");
    truncateSync(large, 2 ** 33);
    expect(() => folder(place)).toThrow(
      /^The skill refunds has 8\d{9} bytes; a skill has at most 16777216\.$/,
    );
    const many = Object.fromEntries(
      Array.from({ length: 512 }, (_, i) => [`refunds/${i}`, ""]),
    );
    expect(() => folder(put({ ...refunds, ...many }))).toThrow(
      "The skill refunds has 514 files; a skill has at most 512.",
    );
  });

  it("finds each folder with a SKILL.md, at any depth, and leaves what is beside the skills", () => {
    const place = put({
      ...refunds,
      "README.md": "",
      ".git/config": "",
      "acme/forms/SKILL.md": skillText("forms"),
      "acme/forms/tax/SKILL.md": skillText("tax"),
      "acme/notes.txt": "",
    });
    expect(files(place)).toEqual({
      "acme/forms": ["SKILL.md", "tax/SKILL.md"],
      "acme/forms/tax": ["SKILL.md"],
      refunds: ["SKILL.md", "a/b c.md"],
    });
  });

  it("takes a SKILL.md in the folder itself as a skill with the name of the folder", () => {
    const place = put(refunds);
    expect(files(join(place, "refunds"))).toEqual({
      refunds: ["SKILL.md", "a/b c.md"],
    });
  });

  it("serves the bytes of the disk: CRLF, a byte order mark and bytes that are not UTF-8", async () => {
    const bytes = Uint8Array.of(0xff, 0xfe, 0x0a);
    const place = put({
      "x/SKILL.md": `\uFEFF${skillText("x").replaceAll("\n", "\r\n")}`,
      "x/b.bin": bytes,
      "x/c.txt": "a\r\n",
    });
    const { client } = await connect(skills(folder(place)));
    const skill = await loadSkill(client, "skill://x/SKILL.md");
    expect(skill.body).toBe("\r\nHow to x.\r\n");
    expect(await skill.read("b.bin")).toEqual(bytes);
    expect(await skill.read("c.txt")).toBe("a\r\n");
  });

  it("serves what it read at first if a file changes between the list and a read", async () => {
    const place = put(refunds);
    const { client } = await connect(skills(folder(place)));
    const skill = await loadSkill(client, "skill://refunds/SKILL.md");
    writeFileSync(join(place, "refunds/a/b c.md"), "changed");
    expect(await skill.read("a/b c.md")).toBe("a\r\n");
    expect(await skill.refresh()).toBe(false);
  });

  it("reads the files again for each request behind a function, so that a client finds a change", async () => {
    const place = put(refunds);
    const { client } = await connect(skills(() => folder(place)));
    const skill = await loadSkill(client, "skill://refunds/SKILL.md");
    writeFileSync(join(place, "refunds/a/b c.md"), "b\r\n");
    await expect(skill.read("a/b c.md")).rejects.toMatchObject({
      name: "SkillError",
      reason: "digest",
    });
    expect(await skill.refresh()).toBe(true);
    expect(await (await loadSkill(client, skill.uri)).read("a/b c.md")).toBe(
      "b\r\n",
    );
  });

  it.runIf(canLink)(
    "follows links inside the folder, and refuses one that leads out of it",
    () => {
      const place = put({ ...refunds, "shared/terms.md": "terms" });
      const outside = put({ secret: "" });
      symlinkSync(join(place, "shared"), join(place, "refunds/shared"));
      expect(files(place)).toEqual({
        refunds: ["SKILL.md", "a/b c.md", "shared/terms.md"],
      });
      symlinkSync(outside, join(place, "beside"));
      expect(files(place)).toMatchObject({
        refunds: ["SKILL.md", "a/b c.md", "shared/terms.md"],
      });
      for (const target of [
        join(outside, "secret"),
        outside,
        `${place}-other`,
      ]) {
        mkdirSync(`${place}-other`, { recursive: true });
        const own = put(refunds);
        symlinkSync(target, join(own, "refunds/link"));
        expect(() => folder(own)).toThrow(
          `${join(own, "refunds/link")}: the link leads out of the folder of the skills. Delete it, or move it out of the skill.`,
        );
      }
    },
  );

  it.runIf(canLink)("refuses a link to a folder around it", () => {
    const place = put(refunds);
    symlinkSync(join(place, "refunds"), join(place, "refunds/a/loop"));
    expect(() => folder(place)).toThrow(
      "loop: the link leads to a folder around it.",
    );
  });

  it("refuses a file or folder of a skill whose name begins with a dot", () => {
    for (const path of ["refunds/.env", "refunds/a/.git/config"])
      expect(() => folder(put({ ...refunds, [path]: "" }))).toThrow(
        "a file whose name begins with a dot is not served. Delete it, or move it out of the skill.",
      );
  });

  it.runIf(process.platform !== "win32")(
    "refuses what is neither a file nor a folder",
    () => {
      const place = put(refunds);
      execFileSync("mkfifo", [join(place, "refunds/pipe")]);
      expect(() => folder(place)).toThrow("pipe: expected a file or a folder.");
    },
  );

  it("throws for 513 files, for 16 MiB and one byte, and for a folder without a skill", () => {
    const many = Object.fromEntries(
      Array.from({ length: 512 }, (_, i) => [`refunds/${i}.md`, ""]),
    );
    const { "refunds/a/b c.md": _, ...own } = refunds;
    expect(() => skills(folder(put({ ...own, ...many })))).toThrow(
      "The skill refunds has 513 files",
    );
    const large = new Uint8Array(16_777_217 - own["refunds/SKILL.md"].length);
    expect(() =>
      skills(folder(put({ ...own, "refunds/large": large }))),
    ).toThrow("has 16777217 bytes");
    expect(() => folder(put({ "a.md": "" }))).toThrow(
      "expected a folder with SKILL.md in it",
    );
    expect(() => folder(join(scratch, "missing"))).toThrow("missing");
  });
});

describe("a program without the package yaml", () => {
  const runtime = fileURLToPath(
    new URL("../../../src/runtime/", import.meta.url),
  );

  it.each([
    ["skills", "skills([])"],
    ["loadSkill", 'await loadSkill({}, "skill://a/SKILL.md")'],
  ])(
    "fails in %s with a sentence that names it, and not when the bundle contains it",
    async (name, call) => {
      const place = put({});
      const outfile = join(place, "program.mjs");
      const run = async (external: readonly string[]): Promise<string> => {
        await build({
          stdin: {
            contents: `import { ${name} } from "${runtime}skills.ts"; ${call};`,
            resolveDir: runtime,
          },
          outfile,
          bundle: true,
          format: "esm",
          platform: "node",
          logLevel: "error",
          external: [...external],
        });
        return spawnSync(process.execPath, [outfile], {
          encoding: "utf8",
          cwd: place,
        }).stderr;
      };
      const missing = `${name}: skills need the package yaml, which could not be loaded, to read the beginning of SKILL.md. Install yaml@2.`;
      expect(await run(["yaml"])).toContain(missing);
      expect(await run([])).not.toContain("could not be loaded");
    },
  );
});
