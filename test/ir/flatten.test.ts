import { describe, expect, it } from "vitest";
import { flatten } from "../../src/generator/ir/flatten.js";
import { index } from "../../src/generator/ir/lookup.js";
import type { Schema } from "../../src/generator/ir/constraint.js";
import type { Property } from "../../src/generator/ir/constraint/form.js";
import type { Declaration } from "../../src/generator/ir/model.js";
import {
  alias,
  anyObject,
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

const one = literal(1);
/** The members of objects, for a schema that accepts all other values. */
const untyped = (...members: Property[]): Schema =>
  schema(...object(members).checks.filter(({ kind }) => kind !== "type"));

/**
 * A word for a schema: its type, "values", or "any" for one without conditions.
 */
function word({ checks }: Schema): string {
  const [first] = checks;
  return first === undefined
    ? "any"
    : first.kind === "type"
      ? first.types.join()
      : first.kind;
}

/**
 * "owner.name?:word" for each member, then the index signature, then the
 * conflicts.
 */
function summary(
  declarations: readonly Declaration[],
  name = "X",
): string | null {
  const flat = flatten(index(declarations), name);
  if (flat === null) return null;
  const members = flat.properties.map(
    ({ declaredBy, name: own, optional, schema: given }) =>
      `${declaredBy}.${own}${optional ? "?" : ""}:${word(given)}`,
  );
  const rest = flat.rest === null ? [] : [`[${word(flat.rest)}]`];
  return [
    ...members,
    ...rest,
    ...flat.conflicts.map(
      ({ member: own, first, second }) => `!${own} ${first}/${second}`,
    ),
  ].join(" ");
}

const rows: {
  idea: string;
  given: readonly Declaration[];
  want: string | null;
}[] = [
  {
    idea: "keeps own members in their order",
    given: [iface("X", [], [member("b"), member("a")])],
    want: "X.b:string X.a:string",
  },
  {
    idea: "puts inherited members first, at every level",
    given: [
      iface("A", [], [member("a")]),
      iface("B", ["A"], [member("b")]),
      iface("X", ["B"], [member("x")]),
    ],
    want: "A.a:string B.b:string X.x:string",
  },
  {
    idea: "replaces an inherited member with the derived one, in the inherited position",
    given: [
      iface("A", [], [member("a", unknown, true), member("b")]),
      iface("X", ["A"], [member("x"), member("a", number)]),
    ],
    want: "X.a:number A.b:string X.x:string",
  },
  {
    idea: "keeps the order of bases, and merges a member that is the same in both",
    given: [
      iface("A", [], [member("a"), member("both")]),
      iface("B", [], [member("both"), member("b")]),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string A.both:string B.b:string",
  },
  {
    idea: "merges members that differ only in their docs",
    given: [
      iface("A", [], [member("a")]),
      iface(
        "B",
        [],
        [member("a", { ...text, doc: { text: "Other words.", tags: [] } })],
      ),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string",
  },
  {
    idea: "reports a conflict if unrelated bases differ, and keeps the first member",
    given: [
      iface("A", [], [member("a")]),
      iface("B", [], [member("a", number)]),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string !a A/B",
  },
  {
    idea: "reports a conflict if bases differ only in optionality",
    given: [
      iface("A", [], [member("a")]),
      iface("B", [], [member("a", text, true)]),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string !a A/B",
  },
  {
    idea: "reports no conflict if the member is declared again",
    given: [
      iface("A", [], [member("a")]),
      iface("B", [], [member("a", number)]),
      iface("X", ["A", "B"], [member("a", one)]),
    ],
    want: "X.a:values",
  },
  {
    idea: "keeps the conflicts of a base, in their order and before others",
    given: [
      iface("A", [], [member("a"), member("b"), member("c")]),
      iface("B", [], [member("a", number), member("b", number)]),
      iface("C", ["A", "B"], []),
      iface("D", [], [member("c", number)]),
      iface("X", ["C", "D"], []),
    ],
    want: "A.a:string A.b:string A.c:string !a A/B !b A/B !c A/D",
  },
  {
    idea: "leaves out the members of Omit with their conflicts",
    given: [
      iface("A", [], [member("a"), member("c")]),
      iface("B", [], [member("a", number)]),
      iface("C", ["A", "B"], []),
      iface("X", [["C", "a"]], [member("x")]),
    ],
    want: "A.c:string X.x:string",
  },
  {
    idea: "accepts an alias of a map as a base",
    given: [alias("Open", map(unknown)), iface("X", ["Open"], [member("x")])],
    want: "X.x:string [any]",
  },
  {
    idea: "accepts an alias of an object, an alias or an intersection as a base",
    given: [
      alias("A", object([member("a")])),
      alias("B", reference("A")),
      alias("C", both(reference("B"), object([member("c")]))),
      iface("X", ["C"], []),
    ],
    want: "A.a:string C.c:string",
  },
  {
    idea: "keeps the own index signature instead of an inherited one",
    given: [
      iface("A", [], [], unknown),
      iface("X", ["A"], [member("x")], text),
    ],
    want: "X.x:string [string]",
  },
  {
    idea: "keeps an inherited index signature",
    given: [iface("A", [], [], unknown), iface("X", ["A"], [])],
    want: "[any]",
  },
  {
    idea: "keeps the narrower member of an intersection, optional only if both are",
    given: [
      iface(
        "A",
        [],
        [member("code", number, true), member("data", unknown, true)],
      ),
      alias(
        "X",
        both(
          reference("A"),
          object([member("code", one), member("data", anyObject, true)]),
        ),
      ),
    ],
    want: "X.code:values X.data?:object",
  },
  {
    idea: "reports a conflict if an intersection has incompatible members",
    given: [
      iface("A", [], [member("a")]),
      alias("X", both(reference("A"), object([member("a", number)]))),
    ],
    want: "A.a:string !a A/X",
  },
  {
    idea: "adds the members of a schema without a type to those of the object beside it",
    given: [
      iface("A", [], [member("a"), member("b", unknown, true)]),
      alias("X", both(reference("A"), untyped(member("b", number)), unknown)),
    ],
    want: "A.a:string X.b:number",
  },
  {
    idea: "adds the members of a schema without a type to those of the object it refers to",
    given: [
      iface("A", [], [member("a")]),
      alias(
        "X",
        schema(...reference("A").checks, ...untyped(member("b")).checks),
      ),
    ],
    want: "A.a:string X.b:string",
  },
  {
    idea: "returns null for members without a type",
    given: [alias("X", untyped(member("a")))],
    want: null,
  },
  {
    idea: "returns null for a union",
    given: [alias("X", union(text, number))],
    want: null,
  },
  { idea: "returns null for a string", given: [alias("X", text)], want: null },
  { idea: "returns null for an unknown name", given: [], want: null },
  {
    idea: "terminates for a cycle of bases",
    given: [iface("X", ["A"], [member("x")]), iface("A", ["X"], [member("a")])],
    want: "A.a:string X.x:string",
  },
  {
    idea: "terminates for an alias of itself",
    given: [alias("X", reference("X"))],
    want: null,
  },
];

describe("flatten", () => {
  it.each(rows)("$idea", ({ given, want }) => {
    expect(summary(given)).toBe(want);
  });

  it("terminates for bases that double at every step", () => {
    const steps = Array.from({ length: 500 }, (_, step) => [
      iface(`L${step}`, [`M${step}`], []),
      iface(`R${step}`, [`M${step}`], []),
      iface(`M${step + 1}`, [`L${step}`, `R${step}`], []),
    ]);
    expect(
      summary([iface("M0", [], [member("a")]), ...steps.flat()], "M500"),
    ).toBe("M0.a:string");
  });
});
