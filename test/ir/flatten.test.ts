import { describe, expect, it } from "vitest";
import { flatten } from "../../src/ir/flatten.js";
import { index } from "../../src/ir/lookup.js";
import type { Declaration, Property, Type } from "../../src/ir/model.js";

const doc = { text: "", tags: [] };
const text: Type = { kind: "string", format: null, known: [] };
const number: Type = { kind: "number", integer: false, minimum: null, maximum: null };
const unknown: Type = { kind: "unknown" };
const one: Type = { kind: "literal", value: 1, constant: null };

const member = (name: string, type: Type = text, optional = false): Property => ({
  name,
  optional,
  type,
  doc,
});
const ref = (name: string): Type => ({ kind: "reference", name });
const object = (properties: Property[], rest: Type | null = null): Type => ({
  kind: "object",
  properties,
  rest,
});

function iface(
  name: string,
  bases: (string | [string, ...string[]])[],
  properties: Property[],
  rest: Type | null = null,
): Declaration {
  const all = bases.map((base) => {
    const [base_, ...omit] = typeof base === "string" ? [base] : base;
    return { name: base_, omit };
  });
  return { kind: "interface", name, doc, bases: all, properties, rest };
}

const alias = (name: string, type: Type): Declaration => ({ kind: "alias", name, doc, type });

/** "owner.name?:kind" for each member, then the index signature, then the conflicts. */
function summary(declarations: Declaration[], name = "X"): string | null {
  const flat = flatten(index(declarations), name);
  if (flat === null) return null;
  const members = flat.properties.map(
    ({ declaredBy, name: own, optional, type }) => `${declaredBy}.${own}${optional ? "?" : ""}:${type.kind}`,
  );
  const rest = flat.rest === null ? [] : [`[${flat.rest.kind}]`];
  return [
    ...members,
    ...rest,
    ...flat.conflicts.map(({ member: own, first, second }) => `!${own} ${first}/${second}`),
  ].join(" ");
}

const rows: { idea: string; given: Declaration[]; want: string | null }[] = [
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
      iface("B", [], [{ ...member("a"), doc: { text: "Other words.", tags: [] } }]),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string",
  },
  {
    idea: "reports a conflict if unrelated bases differ, and keeps the first member",
    given: [iface("A", [], [member("a")]), iface("B", [], [member("a", number)]), iface("X", ["A", "B"], [])],
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
    want: "X.a:literal",
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
    given: [alias("Open", { kind: "record", member: unknown }), iface("X", ["Open"], [member("x")])],
    want: "X.x:string [unknown]",
  },
  {
    idea: "accepts an alias of an object, an alias or an intersection as a base",
    given: [
      alias("A", object([member("a")])),
      alias("B", ref("A")),
      alias("C", { kind: "intersection", members: [ref("B"), object([member("c")])] }),
      iface("X", ["C"], []),
    ],
    want: "A.a:string C.c:string",
  },
  {
    idea: "keeps the own index signature instead of an inherited one",
    given: [iface("A", [], [], unknown), iface("X", ["A"], [member("x")], text)],
    want: "X.x:string [string]",
  },
  {
    idea: "keeps an inherited index signature",
    given: [iface("A", [], [], unknown), iface("X", ["A"], [])],
    want: "[unknown]",
  },
  {
    idea: "keeps the narrower member of an intersection, optional only if both are",
    given: [
      iface("A", [], [member("code", number, true), member("data", unknown, true)]),
      alias("X", {
        kind: "intersection",
        members: [ref("A"), object([member("code", one), member("data", object([]), true)])],
      }),
    ],
    want: "X.code:literal X.data?:object",
  },
  {
    idea: "reports a conflict if an intersection has incompatible members",
    given: [
      iface("A", [], [member("a")]),
      alias("X", { kind: "intersection", members: [ref("A"), object([member("a", number)])] }),
    ],
    want: "A.a:string !a A/X",
  },
  {
    idea: "returns null for a union",
    given: [alias("X", { kind: "union", members: [text, number] })],
    want: null,
  },
  { idea: "returns null for a string", given: [alias("X", text)], want: null },
  { idea: "returns null for an unknown name", given: [], want: null },
  {
    idea: "terminates for a cycle of bases",
    given: [iface("X", ["A"], [member("x")]), iface("A", ["X"], [member("a")])],
    want: "A.a:string X.x:string",
  },
  { idea: "terminates for an alias of itself", given: [alias("X", ref("X"))], want: null },
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
    expect(summary([iface("M0", [], [member("a")]), ...steps.flat()], "M500")).toBe("M0.a:string");
  });
});
