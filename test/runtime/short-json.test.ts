import { describe, expect, it } from "vitest";
import { shortJson } from "../../src/runtime/core/short-json.js";

describe("a value that is passed on", () => {
  it.each([
    ["abc", 5, true],
    ["abc", 4, false],
    // Bytes of UTF-8 count, and not characters.
    ["é", 4, true],
    ["é", 3, false],
    ["😀", 6, true],
    ["😀", 5, false],
    [{ a: [1] }, 9, true],
    [{ a: [1] }, 8, false],
  ])("of %j fits in %i bytes of JSON: %s", (value, max, fits) => {
    expect(shortJson(value, max)).toBe(
      fits ? JSON.stringify(value) : undefined,
    );
  });

  it("has no JSON if it is a function, a large integer, or contains itself", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const value of [undefined, () => 1, 1n, circle])
      expect(shortJson(value, 100)).toBeUndefined();
  });
});
