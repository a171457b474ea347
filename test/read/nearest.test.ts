import { describe, expect, it } from "vitest";
import { nearest, suggestion } from "../../src/generator/read/nearest.js";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18"];

describe("the suggestion for a misspelt name", () => {
  it.each([
    ["2025-03-27", revisions, "2025-03-26"],
    ["2025-3-26", revisions, "2025-03-26"],
    ["2025-13-01", ["2024-11-05", "2025-11-25", "2025-03-26"], "2025-11-25"],
    ["draft", revisions, null],
    ["Tol", ["Tool", "Token"], "Tool"],
    ["tools", ["toolx", "tooly"], "toolx"],
    ["abcd", ["xbcd", "abcde"], "abcde"],
    ["abcd", ["abcde", "xbcd"], "abcde"],
    ["toolannotations", ["ToolAnnotations"], "ToolAnnotations"],
    ["a", ["b", "c"], null],
    ["ab", ["cd"], null],
    ["", ["abc"], null],
    ["anything", [], null],
  ])("for %j among %j is %j", (name, names, want) => {
    expect(nearest(name, names)).toBe(want);
  });
});

describe("the hint for a name that is not known", () => {
  it.each([
    ["claude-dir", ["claude", "claude-directory"], "claude-directory"],
    ["latest", ["latest", "later"], "later"],
    ["claude dir", ["claude-directory"], "claude-directory"],
    ["Directory", ["claude-directory"], "claude-directory"],
    ["list_changed", ["tools/list_changed"], "tools/list_changed"],
    ["open", ["openai-strict", "openai"], "openai"],
    ["cla", ["claude-directory"], "claude-directory"],
    ["ori", ["claude-directory"], null],
    ["2025", revisions, null],
    ["rect", ["claude-directory"], null],
    ["cl", ["claude-directory"], null],
    ["--", ["claude-directory"], null],
  ])("takes %j for the short form of one of %j: %j", (name, names, want) => {
    const hint = want === null ? null : `did you mean ${want}?`;
    expect(suggestion(name, names)).toBe(hint);
  });
});
