import { describe, expect, it } from "vitest";
import { exampleOfType } from "../../src/ir/example/example.js";
import { index } from "../../src/ir/lookup.js";
import { lower, lowerType } from "../../src/ir/lower.js";
import type { Type } from "../../src/ir/model.js";
import { accepts, validationOf } from "../../src/ir/constraint/accepts.js";
import type { Json } from "../../src/ir/snapshot/model.js";
import { isRecord } from "../../src/ir/json/value.js";
import { revisions } from "../oracle/index.js";
import { revision } from "../stubs/project.js";
import { validators } from "../view/generated.js";

const text: Type = { kind: "string", format: null, known: [] };

/** The value, and copies with each member in turn left out or replaced, down to the third level. */
function* variants(value: Json, depth = 0): Generator<Json> {
  yield value;
  if (!isRecord(value) || depth > 2) return;
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    yield rest;
    for (const other of [null, 1.5, "other", [1]]) yield { ...rest, [name]: other };
    for (const inner of variants(member, depth + 1)) yield { ...rest, [name]: inner };
  }
}

describe("lower", () => {
  it.each(revisions)("gives schemas that accept the same values as the guards of %s", async (name) => {
    const protocol = await revision(name);
    const declarations = index(protocol);
    const lowered = lower(declarations);
    const guards = await validators(protocol);
    const disagreements: string[] = [];
    let tested = 0;
    for (const [type, { schema }] of lowered) {
      const guard = guards.get(type)?.guard;
      const example = exampleOfType(declarations, type, type);
      if (guard === undefined || example === undefined) continue;
      for (const value of variants(example)) {
        tested += 1;
        const isAccepted = accepts(validationOf(lowered, 100_000), schema, value);
        if (isAccepted !== guard(value)) disagreements.push(`${type}: ${JSON.stringify(value)}`);
      }
    }
    expect(tested).toBeGreaterThan(1000);
    expect(disagreements).toEqual([]);
  });

  it.each<[string, Type, Json[], Json[]]>([
    ["bounds", { kind: "number", integer: true, minimum: 0, maximum: 2 }, [0, 2], [-1, 3, 1.5, "1"]],
    ["a limit of items", { kind: "array", element: text, maxItems: 1 }, [[], ["a"]], [["a", "b"], [1], "a"]],
    ["an open enumeration", { ...text, known: ["a"] }, ["a", "b"], [1, null]],
    ["a map", { kind: "record", member: text }, [{}, { a: "b" }], [{ a: 1 }, []]],
  ])("keeps the meaning of %s", (_, type, accepted, refused) => {
    const fits = (value: Json): boolean =>
      accepts(validationOf(new Map(), 100), lowerType(new Map(), type), value);
    expect(accepted.filter((value) => !fits(value))).toEqual([]);
    expect(refused.filter(fits)).toEqual([]);
  });

  it("keeps a format as a tag, because it rejects no value", () => {
    const { doc, checks } = lowerType(new Map(), { ...text, format: "uri" });
    expect(doc.tags).toEqual([{ name: "format", text: "uri" }]);
    expect(checks).toEqual([{ kind: "type", types: ["string"] }]);
  });
});
