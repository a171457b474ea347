import { describe, expect, it } from "vitest";
import { tokensOf } from "../../src/common/tokens.js";

describe("the tokens of a long module", () => {
  const long = "x".repeat(10_000_000);
  it.each([
    ["a text in double quotes", `"${long}"`],
    ["a text in single quotes", `'${long}'`],
    ["a template", `\`${long}\``],
    ["a comment", `/* ${long} */`],
    ["a comment of one line", `// ${long}`],
    ["a word", long],
    ["a text of escapes", `"${'\\"'.repeat(1_000_000)}"`],
  ])("are read whole: %s", (_, text) => {
    expect(tokensOf(text)).toHaveLength(1);
  });
});
