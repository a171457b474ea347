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

/** "owner.name?:kind" of each member, then the rest, then the conflicts. */
function told(declarations: Declaration[], name = "X"): string | null {
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
    idea: "own members stand as written",
    given: [iface("X", [], [member("b"), member("a")])],
    want: "X.b:string X.a:string",
  },
  {
    idea: "inherited members come first, through every generation",
    given: [
      iface("A", [], [member("a")]),
      iface("B", ["A"], [member("b")]),
      iface("X", ["B"], [member("x")]),
    ],
    want: "A.a:string B.b:string X.x:string",
  },
  {
    idea: "the derived member wins, its optionality included, in the inherited place",
    given: [
      iface("A", [], [member("a", unknown, true), member("b")]),
      iface("X", ["A"], [member("x"), member("a", number)]),
    ],
    want: "X.a:number A.b:string X.x:string",
  },
  {
    idea: "several bases stand in their order, and the same member in both is one",
    given: [
      iface("A", [], [member("a"), member("both")]),
      iface("B", [], [member("both"), member("b")]),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string A.both:string B.b:string",
  },
  {
    idea: "docs do not make members differ",
    given: [
      iface("A", [], [member("a")]),
      iface("B", [], [{ ...member("a"), doc: { text: "Other words.", tags: [] } }]),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string",
  },
  {
    idea: "unrelated bases that differ are a conflict, and the first stands",
    given: [iface("A", [], [member("a")]), iface("B", [], [member("a", number)]), iface("X", ["A", "B"], [])],
    want: "A.a:string !a A/B",
  },
  {
    idea: "optionality alone is a conflict too",
    given: [
      iface("A", [], [member("a")]),
      iface("B", [], [member("a", text, true)]),
      iface("X", ["A", "B"], []),
    ],
    want: "A.a:string !a A/B",
  },
  {
    idea: "declaring the member anew settles a conflict",
    given: [
      iface("A", [], [member("a")]),
      iface("B", [], [member("a", number)]),
      iface("X", ["A", "B"], [member("a", one)]),
    ],
    want: "X.a:literal",
  },
  {
    idea: "Omit leaves members out, with their conflicts",
    given: [
      iface("A", [], [member("a"), member("c")]),
      iface("B", [], [member("a", number)]),
      iface("C", ["A", "B"], []),
      iface("X", [["C", "a"]], [member("x")]),
    ],
    want: "A.c:string X.x:string",
  },
  {
    idea: "a base may be an alias of a map",
    given: [alias("Open", { kind: "record", member: unknown }), iface("X", ["Open"], [member("x")])],
    want: "X.x:string [unknown]",
  },
  {
    idea: "a base may be an alias of an object, of an alias, of an intersection",
    given: [
      alias("A", object([member("a")])),
      alias("B", ref("A")),
      alias("C", { kind: "intersection", members: [ref("B"), object([member("c")])] }),
      iface("X", ["C"], []),
    ],
    want: "A.a:string C.c:string",
  },
  {
    idea: "the nearest index signature counts",
    given: [iface("A", [], [], unknown), iface("X", ["A"], [member("x")], text)],
    want: "X.x:string [string]",
  },
  {
    idea: "an inherited index signature stays",
    given: [iface("A", [], [], unknown), iface("X", ["A"], [])],
    want: "[unknown]",
  },
  {
    idea: "an intersection takes the narrower member of each side, optional only when both are",
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
    idea: "an intersection of members that cannot be both is a conflict",
    given: [
      iface("A", [], [member("a")]),
      alias("X", { kind: "intersection", members: [ref("A"), object([member("a", number)])] }),
    ],
    want: "A.a:string !a A/X",
  },
  {
    idea: "a union is no object",
    given: [alias("X", { kind: "union", members: [text, number] })],
    want: null,
  },
  { idea: "a string is no object", given: [alias("X", text)], want: null },
  { idea: "an unknown name is no object", given: [], want: null },
  {
    idea: "a circle ends",
    given: [iface("X", ["A"], [member("x")]), iface("A", ["X"], [member("a")])],
    want: "A.a:string X.x:string",
  },
  { idea: "an alias that is itself ends", given: [alias("X", ref("X"))], want: null },
];

describe("flattening", () => {
  it.each(rows)("$idea", ({ given, want }) => {
    expect(told(given)).toBe(want);
  });

  it("takes no longer for bases that double at every step", () => {
    const steps = Array.from({ length: 500 }, (_, step) => [
      iface(`L${step}`, [`M${step}`], []),
      iface(`R${step}`, [`M${step}`], []),
      iface(`M${step + 1}`, [`L${step}`, `R${step}`], []),
    ]);
    expect(told([iface("M0", [], [member("a")]), ...steps.flat()], "M500")).toBe("M0.a:string");
  });
});
