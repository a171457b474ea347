import fc from "fast-check";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/generator/ir/json.js";
import { jsonText } from "../../src/generator/ir/json/text.js";
import { runs } from "../whole.js";

describe("the text of a JSON file", () => {
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
