import { describe, expect, it } from "vitest";
import { distribute } from "../../src/generator/ir/distribute.js";
import type { Schema } from "../../src/generator/ir/constraint.js";
import {
  alias,
  both,
  iface,
  literal,
  object,
  member,
  reference,
  text,
  union,
} from "./schemas.js";

const [a, b, c, d] = [
  reference("A"),
  reference("B"),
  reference("C"),
  reference("D"),
];
const objects = ["A", "B", "C", "D"].map((name) =>
  iface(name, [], [member(name)]),
);
/** A union of different objects. */
const some = (count: number, name: string): Schema =>
  union(
    ...Array.from({ length: count }, (_, i) =>
      object([member(name, literal(i))]),
    ),
  );

/** The alias X without unions in intersections, and the names of what fails. */
function distributed(schema: Schema): {
  readonly schema: Schema | undefined;
  readonly tooLarge: readonly string[];
} {
  const tooLarge: string[] = [];
  const result = distribute([...objects, alias("X", schema)], (name) =>
    tooLarge.push(name),
  );
  return { schema: result?.at(-1)?.schema, tooLarge };
}

describe("an intersection with unions", () => {
  it.each<[idea: string, given: Schema, want: Schema]>([
    [
      "becomes the union of all combinations",
      both(union(a, b), union(c, d)),
      union(both(a, c), both(a, d), both(b, c), both(b, d)),
    ],
    [
      "adds its combinations to the union that it is in, also beside other types",
      union(both(a, union(b, c)), d),
      union(both(a, b), both(a, c), d),
    ],
    [
      "stays as it is if one of the unions has a value that is not an object",
      both(union(a, b), union(text, c)),
      both(union(a, b), union(text, c)),
    ],
    [
      "stays as it is if no union has an object",
      both(a, union(text, literal(1))),
      both(a, union(text, literal(1))),
    ],
  ])("%s", (_, given, want) => {
    expect(distributed(given)).toEqual({ schema: want, tooLarge: [] });
  });

  it("keeps its description", () => {
    const doc = { text: "One of them.", tags: [] };
    for (const given of [both(a, union(b, c)), union(both(a, union(b, c)), d)])
      expect(distributed({ ...given, doc }).schema?.doc).toEqual(doc);
  });

  it.each([
    [16, 16, 254],
    [16, 17, 0],
    [16, 16, 255],
  ])(
    "may have 256 alternatives and 65,536 parts: unions of %i and %i, and %i others",
    (one, other, others) => {
      const { schema, tooLarge } = distributed(
        both(
          ...Array.from({ length: others }, () => a),
          some(one, "one"),
          some(other, "other"),
        ),
      );
      const isTooLarge = other > 16 || others > 254;
      expect(tooLarge).toEqual(isTooLarge ? ["X"] : []);
      expect(schema?.checks).toEqual(
        isTooLarge
          ? undefined
          : [
              {
                kind: "any",
                schemas: expect.toSatisfy(
                  (list: unknown[]) => list.length === 256,
                ),
              },
            ],
      );
    },
  );
});
