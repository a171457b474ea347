import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable } from "../../src/generator/ir/report/text.js";

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
