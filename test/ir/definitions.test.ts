import { describe, expect, it } from "vitest";
import {
  accepts,
  validationOf,
} from "../../src/generator/ir/constraint/accepts.js";
import type { Schema } from "../../src/generator/ir/constraint.js";
import { definitionsOf } from "../../src/generator/ir/definitions.js";
import { exampleOfType } from "../../src/generator/ir/example/example.js";
import type { Json } from "../../src/generator/ir/json.js";
import { isRecord } from "../../src/generator/ir/json/value.js";
import { index } from "../../src/generator/ir/lookup.js";
import type { Declaration } from "../../src/generator/ir/model.js";
import { revisions } from "../oracle/index.js";
import { revision } from "../stubs/project.js";
import { validators } from "../view/generated.js";
import {
  alias,
  array,
  both,
  iface,
  literal,
  map,
  member,
  number,
  object,
  reference,
  schema,
  text,
  union,
  unknown,
} from "./schemas.js";
import { sampled } from "../whole.js";

/**
 * The value, and copies with each member in turn left out or replaced, down to
 * the third level.
 */
function* variants(value: Json, depth = 0): Generator<Json> {
  yield value;
  if (!isRecord(value) || depth > 2) return;
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    yield rest;
    for (const other of [null, 1.5, "other", [1]])
      yield { ...rest, [name]: other };
    for (const inner of variants(member, depth + 1))
      yield { ...rest, [name]: inner };
  }
}

const [oldest] = revisions;
const some = sampled(
  revisions,
  (name) => name === oldest || name === revisions.at(-1),
);

it.each(some)(
  "the schemas of %s accept the same values as its guards",
  async (name) => {
    const protocol = await revision(name);
    const declarations = index(protocol);
    const definitions = definitionsOf(declarations);
    const guards = await validators(protocol);
    const disagreements: string[] = [];
    let tested = 0;
    for (const [type, { schema }] of definitions) {
      const guard = guards.get(type)?.guard;
      const example = exampleOfType(declarations, type, type);
      if (guard === undefined || example === undefined) continue;
      for (const value of variants(example)) {
        tested += 1;
        const isAccepted = accepts(
          validationOf(definitions, 100_000),
          schema,
          value,
        );
        if (isAccepted !== guard(value))
          disagreements.push(`${type}: ${JSON.stringify(value)}`);
      }
    }
    expect(tested).toBeGreaterThan(1000);
    expect(disagreements).toEqual([]);
  },
);

/** The schema of `X` with these other declarations. */
function definitionOf(
  ...declarations: readonly Declaration[]
): Schema | undefined {
  return definitionsOf(index(declarations)).get("X")?.schema;
}

describe("the schema of a declaration, for programs that know no bases", () => {
  const a = iface("A", [], [member("a"), member("b", unknown, true)]);

  it("has the inherited members of an interface, without those that it omits", () => {
    const bases = [a, iface("B", ["A"], [member("c")], unknown)];
    expect(
      definitionOf(...bases, iface("X", [["B", "a"]], [member("b", number)])),
    ).toEqual(object([member("b", number), member("c")], unknown));
  });

  it("keeps the notes of an interface", () => {
    const notes = [{ keyword: "dependencies", value: {}, isCondition: true }];
    const own = iface("X", ["A"], [member("c")]);
    const whole = object([
      member("a"),
      member("b", unknown, true),
      member("c"),
    ]);
    expect(
      definitionOf(a, { ...own, schema: { ...own.schema, notes } }),
    ).toEqual({ ...whole, notes });
  });

  it("keeps the doc of the declaration and of each member", () => {
    const documented = (given: Schema, words: string): Schema => ({
      ...given,
      doc: { text: words, tags: [] },
    });
    const base = iface("A", [], [member("a", documented(text, "An a."))]);
    const own = iface("X", ["A"], [member("b", documented(number, "A b."))]);
    expect(
      definitionOf(base, { ...own, schema: documented(own.schema, "An X.") }),
    ).toEqual(
      documented(
        object([
          member("a", documented(text, "An a.")),
          member("b", documented(number, "A b.")),
        ]),
        "An X.",
      ),
    );
  });

  const joined = both(reference("A"), object([member("c")]));
  const one = object([member("a"), member("b", unknown, true), member("c")]);
  it.each([
    ["itself", (inner: Schema) => inner],
    ["an array", array],
    ["a map", map],
    ["a member", (inner: Schema) => object([member("x", inner)])],
    ["a union", (inner: Schema) => union(text, inner)],
    ["a negation", (inner: Schema) => schema({ kind: "not", schema: inner })],
  ])("is one object for an intersection of objects in %s", (_, place) => {
    expect(definitionOf(a, alias("X", place(joined)))).toEqual(place(one));
  });

  const size = alias(
    "Size",
    schema({ kind: "size", of: "object", min: 1, max: null }),
  );
  it.each([
    union(reference("A"), literal("a")),
    schema({ kind: "names", schema: text }),
    schema({ kind: "not", schema: reference("A") }),
    schema({
      kind: "members",
      properties: [],
      patterns: [{ pattern: "^x", maxLength: null, schema: text }],
      rest: null,
    }),
    reference("Size"),
  ])(
    "stays an intersection if a part says more of its values than their members: %j",
    (condition) => {
      const joined = both(reference("A"), condition);
      expect(definitionOf(a, size, alias("X", joined))).toEqual(joined);
    },
  );
});
