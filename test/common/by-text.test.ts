import { describe, expect, it } from "vitest";
import { byText } from "../../src/common/by-text.js";

describe("the order of texts", () => {
  it("is that of UTF-16 code units, whatever the locale", () => {
    const texts = ["ä", "b", "B", "a", "a", "10", "9", "", "\uffff", "😀"];
    expect(texts.sort(byText)).toEqual([
      "",
      "10",
      "9",
      "B",
      "a",
      "a",
      "b",
      "ä",
      "😀",
      "\uffff",
    ]);
    expect([byText("a", "b"), byText("a", "a"), byText("b", "a")]).toEqual([
      -1, 0, 1,
    ]);
  });
});
