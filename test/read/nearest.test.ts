import { describe, expect, it } from "vitest";
import { nearest } from "../../src/generator/read/nearest.js";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18"];

describe("the suggestion for a misspelt name", () => {
  it.each([
    ["2025-03-27", revisions, "2025-03-26"],
    ["2025-3-26", revisions, "2025-03-26"],
    ["2025-13-01", ["2024-11-05", "2025-11-25", "2025-03-26"], "2025-11-25"],
    ["draft", revisions, null],
    ["Tol", ["Tool", "Token"], "Tool"],
    ["toolannotations", ["ToolAnnotations"], "ToolAnnotations"],
    ["a", ["b", "c"], null],
    ["ab", ["cd"], null],
    ["", ["abc"], null],
    ["anything", [], null],
  ])("for %j among %j is %j", (name, names, want) => {
    expect(nearest(name, names)).toBe(want);
  });
});
