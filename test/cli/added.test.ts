import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addFile, literalOf } from "../../src/cli/commands/init/files.js";
import { replaceMissing } from "../../src/cli/replace.js";

const folder = mkdtempSync(join(tmpdir(), "mcpgen-added-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a file that a command adds to a project", () => {
  const writers = [
    [
      "init",
      async (file: string, text: string) => await addFile(folder, file, text),
    ],
    [
      "pull",
      async (file: string, text: string) =>
        await replaceMissing(join(folder, file), text),
    ],
  ] as const;

  it.each(writers)(
    "is written by %s with all folders above it, and is not changed afterwards",
    async (command, write) => {
      const file = `${command}/of/a/project/file.txt`;
      await write(file, "first");
      await write(file, "second");
      expect(readFileSync(join(folder, file), "utf8")).toBe("first");
    },
  );
});

describe("a value in a configuration of TypeScript", () => {
  it.each([
    ["an empty object", {}, "{}"],
    ["an empty list", [], "[]"],
    ["one string in a list", { emit: ["types"] }, '{\n  emit: ["types"],\n}'],
    [
      "two lists of one string",
      { from: ["a"], emit: ["b"] },
      '{\n  from: ["a"],\n  emit: ["b"],\n}',
    ],
    [
      "two strings in a list",
      { emit: ["types", "client"] },
      '{\n  emit: [\n    "types",\n    "client",\n  ],\n}',
    ],
    ["a number in a list", { ports: [1] }, "{\n  ports: [\n    1,\n  ],\n}"],
    [
      "a name that is no identifier",
      { "a-b": { c: "d" } },
      '{\n  "a-b": {\n    c: "d",\n  },\n}',
    ],
    [
      "a string that looks like code",
      { out: '"a": [\n"b"\n]' },
      String.raw`{
  out: "\"a\": [\n\"b\"\n]",
}`,
    ],
  ])("is written as a person writes it: %s", (_what, value, text) => {
    expect(literalOf(value)).toBe(text);
  });
});
