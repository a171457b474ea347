import { describe, expect, it } from "vitest";
import { withoutLayout } from "../../src/common/tokens.js";
import { runs } from "../whole.js";

describe("the tokens of a long module", () => {
  const long = "x".repeat(runs(10_000_000));
  it.each([
    ["a text in double quotes", `"${long}"`],
    ["a text in single quotes", `'${long}'`],
    ["a template", `\`${long}\``],
    ["a comment", `/* ${long} */`],
    ["a comment of one line", `// ${long}`],
    ["a word", long],
    ["white space", `${" \n".repeat(runs(5_000_000))}x`],
    ["white space in a comment", `/* ${" \n".repeat(runs(5_000_000))} */`],
    ["flags of a regular expression", `/x/${long.slice(0, 9)}`],
    ["a text with quotes in it", String.raw`"a \"b\" \\"`],
    ["a text of line ends", `"${"\\n".repeat(runs(5_000_000))}"`],
    ["a template of line ends", `\`${"\\n".repeat(runs(5_000_000))}\``],
    ["a template of signs", `\`${"$x".repeat(runs(5_000_000))}\``],
  ])("are read whole: %s", (_, text) => {
    expect(withoutLayout(text).split("\n")).toHaveLength(1);
  });
});

describe("the tokens of a module", () => {
  it.each([
    ["'", ["'"]],
    ["'a\"", ["'a\""]],
    ["'a'", ['"a"']],
    ["''", ['""']],
    ['"a\nb', ['"a', "b"]],
    ["[(| B | C)]", ["[", "B", "|", "C", "]"]],
    ["[(| B | C), D]", ["[", "B", "|", "C", "D", "]"]],
    ["[(& B & C)]", ["[", "B", "&", "C", "]"]],
    ["f(| B | C).d", ["f", "(", "B", "|", "C", ")", ".", "d"]],
    ["[(B | C)]", ["[", "(", "B", "|", "C", ")", "]"]],
  ])("are those of the same code in another layout: %j", (text, tokens) => {
    expect(withoutLayout(text).split("\n")).toEqual(tokens);
  });
});

describe("the tokens of a text that is not a module", () => {
  it.each([
    ["quotes of which none ends", "\\'"],
    ["templates in templates", "`${"],
    ["regular expressions of which none ends", "(/[\\/"],
    ["brackets of which none is closed", "({["],
    ["brackets of which none is opened", ")}]"],
    ["ends of comments", "*/"],
    ["starts of comments", "/*"],
    ["starts of comments without an end", "/* "],
    ["starts of comments of one line", "// "],
  ])("are read in one pass: %s", (_, part) => {
    const count = runs(500_000);
    expect(withoutLayout(part.repeat(count)).length).toBeGreaterThanOrEqual(
      count,
    );
  });
});
