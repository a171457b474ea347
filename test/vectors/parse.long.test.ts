import { describe, expect, it } from "vitest";
import { reference } from "../../src/generator/ir/constraint/form.js";
import { index } from "../../src/generator/ir/lookup.js";
import { revisions } from "../oracle/index.js";
import { revision } from "../read/typescript/reading.js";
import { validators } from "../view/generated.js";
import { arbitraryOf } from "./arbitrary.js";
import { mutant } from "./mutate.js";
import { Random } from "./random.js";

describe.each(revisions)("parsing a message of %s", async (name) => {
  const protocol = await revision(name);
  const ours = await validators(protocol);
  const declarations = index(protocol);

  it("returns the same object without a change", () => {
    const random = new Random(21);
    let seen = 0;
    for (const [type, { schema }] of ours) {
      if (!declarations.has(type)) continue;
      for (let i = 0; i < 20; i++) {
        const value = arbitraryOf(declarations, reference(type), random);
        freeze(value);
        const before = JSON.stringify(value);
        expect(schema.parse(value)).toBe(value);
        const parsed = schema.safeParse(value);
        expect(parsed.success && parsed.data).toBe(value);
        const checked = schema["~standard"].validate(value);
        expect("value" in checked && checked.value).toBe(value);
        expect(JSON.stringify(value)).toBe(before);
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(1500);
  });

  it("throws a ValidationError with one issue whose path exists in the value", () => {
    const random = new Random(22);
    let refused = 0;
    for (const [type, { schema }] of ours) {
      if (!declarations.has(type)) continue;
      for (let i = 0; i < 40; i++) {
        const value = mutant(
          arbitraryOf(declarations, reference(type), random),
          random,
          ["type", "text", "2.0"],
        );
        freeze(value);
        if (schema.is(value)) continue;
        refused += 1;
        const error = thrown(() => schema.parse(value));
        expect(error).toBeInstanceOf(Error);
        expect(error).toMatchObject({ name: "ValidationError" });
        const result = schema.safeParse(value);
        if (result.success) throw new Error("parse and safeParse disagree");
        const [issue, ...others] = result.error.issues;
        expect(others).toEqual([]);
        if (issue === undefined) throw new Error("a refusal without an issue");
        expect(schema["~standard"].validate(value)).toEqual({
          issues: [issue],
        });
        expect(issue.message).toMatch(/^(?:\S.*: )?expected .+, got .+$/s);
        // Every step except the last one exists.
        let at: unknown = value;
        for (const step of issue.path) {
          expect(
            typeof at === "object" && at !== null,
            `${issue.message} of ${JSON.stringify(value)}`,
          ).toBe(true);
          at = (at as Record<PropertyKey, unknown>)[step];
        }
      }
    }
    expect(refused).toBeGreaterThan(500);
  });
});

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** Makes every change of the value throw. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}
