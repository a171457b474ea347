import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  code,
  codeSpan,
  inline,
  printable,
  prose,
  startOfLine,
} from "../../src/generator/ir/report/text.js";

describe("text of a schema for printing", () => {
  const text = fc
    .array(fc.constantFrom("a", "é", "😀", " "))
    .map((all) => all.join(""));

  it("stays as it is if it is short enough, and else has as many characters as allowed, the last an ellipsis", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 12 }), (given, max) => {
        const [all, shown] = [[...given], [...printable(given, max)]];
        expect(shown).toEqual(
          all.length <= max ? all : [...all.slice(0, max - 1), "…"],
        );
      }),
    );
  });

  it.each(["\n", "\u0000", "\u001b[31m", "\u202e", "\u2028"])(
    "has no character that changes what is around it: %j",
    (hidden) => {
      expect(printable(`a${hidden}b`)).toMatch(/^a[\x20-\x7e]+b$/);
    },
  );
});

describe("text of a schema in Markdown", () => {
  it.each([
    ["12. x", "12&#46; x"],
    ["123456789) x", "123456789&#41; x"],
    ["1234567890. x", "1234567890. x"],
    ["- x", "&#45; x"],
    ["import x", "impor&#116; x"],
    ["exported", "exported"],
    ["a - b", "a - b"],
  ])("starts no list and no statement: %j", (text, line) => {
    expect(startOfLine(text)).toBe(line);
  });

  it.each([
    ["", ""],
    ["a", "`a`"],
    ["a`b", "`` a`b ``"],
    ["a``b`", "``` a``b` ```"],
    ["{{a}} {%b", "`{`&#123;`a}} {`&#37;`b`"],
    ["<!a", "`<`&#33;`a`"],
  ])("is code that nothing in it ends: %j", (text, span) => {
    expect(codeSpan(text)).toBe(span);
  });

  it.each([
    ["a `b` c", "a `b` c"],
    ["`a` `b`", "`a` `b`"],
    ["`a``b`", "`a`b"],
    ["`a``b{%`", "`a`b&#123;%"],
    ["a {{`b`", "a &#123;`{`b"],
    ["{{ `b`", "&#123;`{` `b`"],
  ])("has no two spans of code beside each other: %j", (text, markdown) => {
    expect(inline(text, prose, code)).toBe(markdown);
  });
});
