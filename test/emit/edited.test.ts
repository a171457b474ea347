import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { withoutLayout } from "../../src/common/tokens.js";
import {
  digestOf,
  hasDigest,
  planFiles,
  sha256,
} from "../../src/generator/emit/write.js";
import { files, provenance, temporary, tree, write } from "./write-support.js";

/**
 * The state of a file that was written as `old` and then changed to `now`, if a
 * run generates `fresh`.
 */
async function stateAfter(
  path: string,
  old: string,
  now: string,
  fresh = old,
): Promise<string | undefined> {
  const out = temporary();
  await write(out, { [path]: old });
  writeFileSync(join(out, path), now);
  const plan = await planFiles({
    out,
    files: [{ path, text: fresh }],
    provenance,
  });
  return plan.files[0]?.state;
}

describe("the tokens of a module", () => {
  it.each([
    ["brackets of an expression", "x = (a + b) * c;", "x = a + b * c;"],
    ["brackets of a name", "x = (a);", "x = a;"],
    ["brackets of a list", "x = [a];", "x = a;"],
    ["braces of an object", "x = { a };", "x = a;"],
    ["brackets of a list that is returned", "f(() => [a]);", "f(() => a);"],
    ["a bracket of another kind", "return (a);", "return [a);"],
    ["an object and a block", "f(() => ({}));", "f(() => {});"],
    ["a list in brackets", "f(() => (a, b));", "f(() => a, b);"],
    ["brackets of a type", "type X = (A | B)[];", "type X = A | B[];"],
    ["a text and a name", 'x = y ? "a" : b;', "x = y ? a : b;"],
    [
      "a text and a name in a case",
      'switch (x) { case "a": }',
      "switch (x) { case a: }",
    ],
    ["white space in a text", 'x = "a b";', 'x = "ab";'],
    ["white space in a template", "x = `a b`;", "x = `ab`;"],
    ["white space after code in a template", "x = `${a} b`;", "x = `${a}b`;"],
    [
      "a line end in a template in a template",
      "x = `${`a b`}`;",
      "x = `${`a\nb`}`;",
    ],
    ["a quote that is gone", 'x = "ab";', 'x = "abc'],
    ["a text in a template", 'x = `${a.join(".")}`;', 'x = `${a.join(",")}`;'],
    ["white space in a pattern", "x = /a b/;", "x = /ab/;"],
    ["quotes in a pattern", `x = /["']/; y = "a b";`, `x = /["']/; y = "ab";`],
    ["letter case", "x = a;", "x = A;"],
    ["a logical operator", "x = a || b;", "x = a | b;"],
    ["two words", "return x;", "returnx;"],
    ["a comment", "x = 1;", "x = 1; // Mine."],
    ["a word in a comment", "/** A word. */ x = 1;", "/** A world. */ x = 1;"],
    ["code in a comment", "x = 1; y = 2;", "x = 1; // y = 2;"],
    ["a removed member", "type X = { a: 1; b: 2 };", "type X = { a: 1 };"],
    [
      "the order of members",
      "type X = { a: 1; b: 2 };",
      "type X = { b: 2; a: 1 };",
    ],
  ])("differ after an edit: %s", (_, before, after) => {
    expect(withoutLayout(after)).not.toBe(withoutLayout(before));
  });

  it.each([
    ['x = `${a.join(".")} b`;', "x = `${ a.join('.') } b`"],
    [
      'x = `a ${b ? `c ${d("e")}` : "f"}`;',
      "x = `a ${b ? `c ${d('e')}` : 'f'}`",
    ],
    ['x = `${f({ a: "b" })}`;', "x = `${f({ a: 'b' })}`"],
    [
      'x = `${f({ a: `${"b"}` }, "c")}`; y = {};',
      "x = `${f({a: `${'b'}`}, 'c',)}`\ny = {}",
    ],
  ])(
    "are the same with other quotes in the code of a template: %s",
    (before, after) => {
      expect(withoutLayout(after)).toBe(withoutLayout(before));
    },
  );
});

it("a division and its layout make no regular expression of the tokens of a module", () => {
  expect(withoutLayout("x = a[0]  /  b / f(c)")).toBe(
    withoutLayout("x = a[0] / b / f(c);"),
  );
});

describe("a generated file", () => {
  const old =
    'export const long = { alpha: "one", beta: ["two", "three"], gamma: (x: number) => x * (x + 1) };\n';
  const fresh = old.replace("two", "four");
  const formatted = async (text: string): Promise<string> =>
    await format(text, {
      parser: "typescript",
      printWidth: 40,
      semi: false,
      useTabs: true,
    });

  it("that was only formatted is up to date", async () => {
    expect(await stateAfter("a.ts", old, await formatted(old))).toBe(
      "reformatted",
    );
  });

  it("that was only formatted since the last run is outdated, not edited, if this run writes another text", async () => {
    expect(await stateAfter("a.ts", old, await formatted(old), fresh)).toBe(
      "outdated",
    );
  });

  it("that was formatted and edited is edited", async () => {
    expect(
      await stateAfter("a.ts", old, await formatted(old.replace("two", "2"))),
    ).toBe("edited");
    expect(
      await stateAfter("a.ts", old, old.replace("x * (x + 1)", "(x * x) + 1")),
    ).toBe("edited");
  });

  it("that nobody touched is written again if only the layout of mcpgen has changed", async () => {
    expect(await stateAfter("a.ts", old, old, await formatted(old))).toBe(
      "outdated",
    );
  });

  it.each(["page.md", "page.html"])(
    "is edited after a change of its white space if that is part of it: %s",
    async (path) => {
      expect(await stateAfter(path, "# A\n\nb\n", "# A\nb\n")).toBe("edited");
      expect(await stateAfter(path, "# A\n\nb\n", "# A\r\n\r\nb\r\n")).toBe(
        "reformatted",
      );
    },
  );

  it("is known from a manifest of an earlier version, which has digests of bytes, and the next run writes both", async () => {
    const out = temporary();
    await write(out, { "a.ts": old });
    const path = join(out, ".mcpgen.json");
    const earlier = readFileSync(path, "utf8").replace(
      digestOf("a.ts", old),
      sha256(old),
    );
    expect(earlier).not.toBe(readFileSync(path, "utf8"));
    writeFileSync(path, earlier);
    expect((await write(out, { "a.ts": fresh })).messages).toEqual([]);
    expect(files(out)).toEqual({ "a.ts": fresh });
    expect(tree(out)[".mcpgen.json"]).toContain(digestOf("a.ts", fresh));
    expect(
      hasDigest(Buffer.from(await formatted(fresh)), digestOf("a.ts", fresh)),
    ).toBe(true);
  });
});
