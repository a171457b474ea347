import fc from "fast-check";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/generator/ir/json.js";
import { jsonText } from "../../src/generator/ir/json/text.js";
import { runs } from "../whole.js";

/** Values whose text on one line is as wide as a line, a little less, or more. */
const tight: readonly Json[] = [72, 73, 74, 75, 76, 77, 78, 79, 80, 81].flatMap(
  (width): readonly Json[] => {
    const text = "x".repeat(width - 10);
    const digits = Number("1".repeat(10));
    const numbers = [...Array<number>(5).fill(digits), 10 ** (width - 66)];
    return [
      [text, 1],
      [[text, 1], [text]],
      { a: [text, 1], b: [text, 1] },
      { a: { b: [text, 1] } },
      ["\u6f22".repeat((width - 10) / 2), 1],
      numbers,
      { a: numbers, b: [...numbers, ...numbers] },
      [numbers],
      [[], text, {}],
    ];
  },
);

describe("the text of a JSON file", () => {
  it.each(tight)("breaks a line where Prettier does: %j", async (value) => {
    const written = jsonText(value);
    expect(await format(written, { parser: "json" })).toBe(written);
  });

  it("is what Prettier writes by default", async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("x".repeat(40), "漢字", "é", "{}"),
    );
    const number = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5, depthSize: "small" },
        fc.oneof(text, number, fc.boolean(), fc.constant(null)),
        fc.array(number, { maxLength: 60 }),
        fc.array(text, { maxLength: 12 }),
        fc.array(tie("value"), { maxLength: 5 }),
        fc.dictionary(text, tie("value"), { maxKeys: 5 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, async (json) => {
        const written = jsonText(json);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(json)));
        expect(await format(written, { parser: "json" })).toBe(written);
      }),
      { numRuns: runs(200) },
    );
  });
});
