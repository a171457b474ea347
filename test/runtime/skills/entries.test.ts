import type { SkillEntry } from "@mcpgen/runtime/skills";
import { describe, expect, it } from "vitest";
import { checkEntry, excessOf } from "../../../src/runtime/skills/entry.js";
import { SkillError } from "../../../src/runtime/skills/error.js";
import {
  childrenOf,
  folderOf,
  isInside,
  isSkillName,
  mimeTypeOf,
} from "../../../src/runtime/skills/uri.js";

const folder = "skill://acme/a";
const digest = `sha256:${"0".repeat(64)}`;
const fileAt = (path: string, members: object = {}): object => ({
  uri: `${folder}/${path}`,
  digest,
  size: 1,
  ...members,
});
const entryWith = (...files: readonly object[]): SkillEntry =>
  ({
    uri: `${folder}/SKILL.md`,
    frontmatter: { name: "a", description: "A." },
    resources: [fileAt("SKILL.md"), ...files],
  }) as unknown as SkillEntry;

describe("the entry of a skill", () => {
  it.each([
    [[fileAt("b", { size: 0 })]],
    [[fileAt("b"), fileAt("c/b")]],
    [[fileAt("b", { size: 16_777_215 })]],
  ])("is valid with the files %j", (files) => {
    const entry = entryWith(...files);
    expect(checkEntry(entry)).toBe(entry);
  });

  const of = 'The entry of the skill "skill://acme/a/SKILL.md"';
  it.each([
    [
      fileAt("b", { size: -1 }),
      "entry",
      `${of}: resources[1].size: expected a number of bytes, got -1.`,
    ],
    [
      fileAt("b", { size: 0.5 }),
      "entry",
      `${of}: resources[1].size: expected a number of bytes, got 0.5.`,
    ],
    [
      fileAt("b", { size: "1" }),
      "entry",
      `${of}: resources[1].size: expected a number of bytes, got "1".`,
    ],
    [
      fileAt("b", { digest: `${digest}0` }),
      "entry",
      `${of}: resources[1].digest: expected sha256: and 64 hex digits in lower case, got "${digest}0".`,
    ],
    [
      fileAt("../b"),
      "entry",
      `${of}: resources[1].uri: expected a URI in the folder of the skill, got "${folder}/../b".`,
    ],
    [fileAt("SKILL.md"), "entry", `${of}: resources: a file is listed twice.`],
    [
      fileAt("b", { size: 16_777_216 }),
      "limit",
      'The skill "skill://acme/a/SKILL.md" has 16777217 bytes; a skill has at most 16777216.',
    ],
  ] as const)("is refused with the file %j", (file, reason, message) => {
    const check = (): unknown => checkEntry(entryWith(file));
    expect(check).toThrow(SkillError);
    expect(check).toThrow(expect.objectContaining({ reason, message }));
  });

  it.each([
    [512, undefined],
    [513, "has 513 files; a skill has at most 512"],
  ])("has at most 512 files: %i", (count, excess) => {
    expect(excessOf(Array.from({ length: count }, () => 0))).toBe(excess);
  });
});

describe("a name in a skill", () => {
  it.each([
    ["a".repeat(64), true],
    ["a".repeat(65), false],
    ["a-1-b", true],
    ["a--b", false],
    ["-a", false],
    ["a-", false],
    ["A", false],
    ["", false],
    [7, false],
  ])("of a skill may be %j: %s", (name, isAllowed) => {
    expect(isSkillName(name)).toBe(isAllowed);
  });

  it.each([
    [`${folder}/SKILL.md`, folder],
    ["skill://a/SKILL.md", "skill://a"],
    ["skill://SKILL.md", undefined],
    [`${folder}/skill.md`, undefined],
    [`${folder}/../SKILL.md`, undefined],
    [`${folder}/%2E%2e/SKILL.md`, undefined],
    [`${folder}/.../SKILL.md`, `${folder}/...`],
    [`${folder}//SKILL.md`, undefined],
    [`${folder}?b/SKILL.md`, undefined],
    ["acme/a/SKILL.md", undefined],
  ])("of a folder with a SKILL.md is found: %s", (uri, found) => {
    expect(folderOf(uri)).toBe(found);
  });

  it.each([
    [`${folder}/b`, true],
    [`${folder}/b/c.md`, true],
    [folder, false],
    [`${folder}b/c`, false],
    [`${folder}/`, false],
    [`${folder}/../b`, false],
    [`${folder}/.%2e/b`, false],
    [`${folder}/b%2Fc`, false],
    [`${folder}/b%5cc`, false],
    [`${folder}/b c`, false],
    [`${folder}/b#c`, false],
  ])("leads to a file in its folder, or nowhere: %s", (uri, isIn) => {
    expect(isInside(uri, folder)).toBe(isIn);
  });

  it("is listed once in its folder, as a folder if it has files", () => {
    const uris = ["SKILL.md", "b%20c/d", "b%20c/e/f", "g%zz"].map(
      (path) => `${folder}/${path}`,
    );
    const others = [`${folder}b/c`, "skill://acme/SKILL.md"];
    expect(childrenOf([...uris, ...others], folder)).toEqual([
      { uri: `${folder}/SKILL.md`, name: "SKILL.md", isDirectory: false },
      { uri: `${folder}/b%20c`, name: "b c", isDirectory: true },
      { uri: `${folder}/g%zz`, name: "g%zz", isDirectory: false },
    ]);
    expect(childrenOf(uris, `${folder}/none`)).toEqual([]);
  });

  it.each([
    ["a.b.MD", "", "text/markdown"],
    ["a.jpeg", Uint8Array.of(), "image/jpeg"],
    ["a.jpg", Uint8Array.of(), "image/jpeg"],
    ["a.png", Uint8Array.of(), "image/png"],
    ["a.gif", Uint8Array.of(), "image/gif"],
    ["a.webp", Uint8Array.of(), "image/webp"],
    ["a.svg", "", "image/svg+xml"],
    ["a.pdf", Uint8Array.of(), "application/pdf"],
    ["a.txt", Uint8Array.of(), "text/plain"],
    ["a.html", "", "text/html"],
    ["a.css", "", "text/css"],
    ["a.csv", "", "text/csv"],
    ["a.js", "", "text/javascript"],
    ["a.mjs", "", "text/javascript"],
    ["a.py", "", "text/x-python"],
    ["a.json", "", "application/json"],
    ["a.yaml", "", "application/yaml"],
    ["a.yml", "", "application/yaml"],
    ["a.xml", "", "application/xml"],
    ["a.sh", "", "application/x-sh"],
    ["a.md.x", "", "text/plain"],
    ["md", "", "text/plain"],
    ["a.constructor", "", "text/plain"],
    ["a", Uint8Array.of(), "application/octet-stream"],
  ])(
    "says by its end of which type its content is: %s",
    (path, content, type) => {
      expect(mimeTypeOf(path, content)).toBe(type);
    },
  );
});
