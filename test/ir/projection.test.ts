import { describe, expect, it } from "vitest";
import { index } from "../../src/generator/ir/lookup.js";
import type { Check, Schema } from "../../src/generator/ir/constraint.js";
import { propertiesIn } from "../../src/generator/ir/constraint/form.js";
import type { Declaration, Protocol } from "../../src/generator/ir/model.js";
import { project } from "../../src/generator/ir/projection.js";
import { revision, revisions } from "../read/typescript/reading.js";
import { preamble, protocolOf } from "./made.js";
import {
  alias,
  array,
  boolean,
  both,
  bounded,
  formatted,
  iface,
  member,
  number,
  object,
  reference,
  schema,
  text,
} from "./schemas.js";
import { isWhole } from "../whole.js";

/**
 * The projection of a type, which is written as the member `x` of an interface.
 */
async function projected(type: string, beside = ""): Promise<Schema> {
  const protocol = await protocolOf(
    `${preamble} export interface X { x: ${type} } ${beside}`,
  );
  const match = index(project(protocol).declarations).get("X");
  const [property] = match === undefined ? [] : propertiesIn(match.schema);
  if (property === undefined) throw new Error("X has no member");
  return property.schema;
}

const beside = `
  export interface A { a: string }
  export interface B extends A { b?: number }
  export type Name = string;
  export type Either = A | B;
  export type Same = A;
  export type Bag = { [key: string]: A };
  export interface Map { [key: string]: A }
  export type Anything = unknown;
  export const CODE = -1;
`;

describe("two types with the same messages have the same projection", () => {
  it.each([
    ["an alias and its target", "Name", "string"],
    [
      "a union alias and its members in another order",
      "Either | null",
      "null | B | A",
    ],
    ["an alias of an interface and the interface", "Same", "A"],
    ["an alias of a map and the map", "Bag", "{ [key: string]: A }"],
    ["a map as an interface and as an alias", "Map", "Bag"],
    ["a constant and its value", "typeof CODE", "-1"],
    ["an open enumeration and a string", '"a" | "b" | string', "string"],
    ["an enumeration in another order", '"b" | "a"', '"a" | "b"'],
    ["a boolean and both of its values", "true | false", "boolean"],
    [
      "the type object and a map of unknown",
      "object",
      "{ [key: string]: unknown }",
    ],
    [
      "an object with an index signature and one without",
      "{ a: A; [key: string]: unknown }",
      "{ a: A }",
    ],
    [
      "an object and the same members in another order",
      "{ b: string; a: A }",
      "{ a: A; b: string }",
    ],
    [
      "an intersection and the merged object",
      "A & { c: Name }",
      "{ c: string; a: string }",
    ],
    ["a union with unknown and unknown", "A | unknown", "unknown"],
    ["a union with a name of unknown and unknown", "A | Anything", "unknown"],
    [
      "a literal in a union with its type, and the type",
      "1 | number",
      "number",
    ],
  ])("such as %s", async (_, given, other) => {
    expect(await projected(given, beside)).toEqual(
      await projected(other, beside),
    );
  });
});

describe("two types with different messages have different projections", () => {
  it.each([
    ["an optional and a required member", "{ a?: string }", "{ a: string }"],
    ["two literals", '"a"', '"b"'],
    ["an array and its items", "A[]", "A"],
    ["two objects", "A", "B"],
    ["a map of a type and a map of anything", "{ [key: string]: A }", "object"],
    ["a type with and without null", "string | null", "string"],
    [
      "a boolean and one of its values beside a text",
      'true | "a"',
      'boolean | "a"',
    ],
  ])("such as %s", async (_, given, other) => {
    expect(await projected(given, beside)).not.toEqual(
      await projected(other, beside),
    );
  });
});

it("a projection flattens inheritance and keeps the name of an object", async () => {
  expect(await projected("B", beside)).toEqual(reference("B"));
  const declarations = index(
    project(await protocolOf(preamble + beside)).declarations,
  );
  expect(declarations.get("B")).toEqual(
    iface("B", [], [member("a"), member("b", number, true)]),
  );
});

describe("a projection of a schema that no type expresses", () => {
  const of = async (
    given: Schema,
    ...more: Declaration[]
  ): Promise<Schema | undefined> => {
    const protocol = await protocolOf(preamble);
    const declarations = [...protocol.declarations, ...more, alias("X", given)];
    return index(project({ ...protocol, declarations }).declarations).get("X")
      ?.schema;
  };

  it("does not depend on the order of what applies together", async () => {
    const [low, high] = [bounded(number, 1), bounded(number, null, 5)];
    const projection = await of(both(low, high));
    expect(projection).toEqual(await of(both(high, low)));
    expect(projection?.checks).toMatchObject([
      { kind: "all", schemas: [{}, {}] },
    ]);
  });

  const twoMembers: Check = { kind: "size", of: "object", min: 2, max: null };
  const [plain, low] = [
    object([member("a", number)]),
    object([member("a", bounded(number, 2))]),
  ];
  const own = object([member("b")]);
  it.each<[idea: string, given: Schema, kinds: readonly string[]]>([
    [
      "a size beside a name",
      schema(...reference("A").checks, twoMembers),
      ["reference", "size"],
    ],
    [
      "a minimum of a member that has none beside it",
      both(low, plain),
      ["all"],
    ],
    [
      "a minimum of a member that has none before it",
      both(plain, low),
      ["all"],
    ],
    ["a size in the base of a name", both(reference("B"), own), ["all"]],
    ["a size in a name", both(reference("C"), own), ["all"]],
    [
      "nothing else",
      both(reference("A"), own),
      ["type", "required", "members"],
    ],
  ])("keeps what its members do not say: %s", async (_, given, kinds) => {
    const projection = await of(
      given,
      alias("A", plain),
      alias("Two", schema(...plain.checks, twoMembers)),
      iface("B", ["Two"]),
      { ...iface("C", []), schema: schema(...plain.checks, twoMembers) },
    );
    expect(projection?.checks.map(({ kind }) => kind)).toEqual(kinds);
  });

  it("keeps the format of a text, and no other note", async () => {
    const [format] = formatted("uri").notes ?? [];
    if (format === undefined) throw new Error("no format");
    const other = { keyword: "x-order", value: 1, isCondition: false };
    const notes = [other, format];
    expect(await of({ ...text, notes })).toEqual({ ...text, notes: [format] });
    expect(await of({ ...number, notes })).toEqual(number);
  });
});

describe("names that form a cycle in a projection", () => {
  const json = `
    export type Json = string | number | boolean | null | Bag | List;
    export type Bag = { [key: string]: Json };
    export type List = Json[];`;

  it("are kept only where the cycle needs them", async () => {
    expect(await projected("List", json)).toEqual(array(reference("Json")));
    expect(await projected("Json", json)).toEqual(reference("Json"));
  });

  it("give the same projection if one name of the cycle is inlined", async () => {
    const shorter = json.replace("Bag | List", "Bag | Json[]");
    const one = project(await protocolOf(preamble + json));
    const other = project(await protocolOf(preamble + shorter));
    expect(one).toEqual(other);
  });

  it("terminate if a name only refers to itself", async () => {
    const protocol = await protocolOf(preamble);
    const loop = [
      alias("Loop", reference("Pool")),
      alias("Pool", reference("Loop")),
    ];
    const names = project({
      ...protocol,
      declarations: [...protocol.declarations, ...loop],
    }).declarations.map(({ name }) => name);
    expect(names).toContain("Loop");
  });
});

it("a projection stays small if each name refers twice to the previous one", async () => {
  const steps = Array.from(
    { length: 60 },
    (_, step) =>
      `export type T${step + 1} = T${step}[] | { [key: string]: T${step} };`,
  );
  const text = JSON.stringify(
    project(
      await protocolOf(
        `${preamble} export type T0 = string; ${steps.join("\n")}`,
      ),
    ),
  );
  expect(text.length).toBeLessThan(2_000_000);
});

it("a projection of a chain of thousands of names does not overflow the stack", async () => {
  const protocol = await protocolOf(preamble);
  const length = isWhole ? 10_000 : 4_000;
  const chain = Array.from({ length }, (_, step) =>
    alias(`T${step}`, array(reference(`T${step + 1}`))),
  );
  const last = alias(`T${length}`, boolean);
  const result = project({
    ...protocol,
    declarations: [...protocol.declarations, ...chain, last],
  });
  expect(result.declarations).toHaveLength(
    protocol.declarations.length + length + 1,
  );
});

it("a projection leaves out docs, tags, bases and constants", async () => {
  for (const protocol of await revisions()) {
    const { declarations } = project(protocol);
    expect(JSON.stringify(declarations)).not.toMatch(
      /"text":"[^"]|"tags":\[\{|"bases":\[\{|"mcpgen:constant"/,
    );
    expect(declarations.filter(({ kind }) => kind === "constant")).toEqual([]);
  }
});

it("a projection of a projection is the same", async () => {
  for (const protocol of await revisions()) {
    const once = project(protocol);
    const again: Protocol = { ...once, format: 2, source: protocol.source };
    expect(project(again)).toEqual(once);
  }
});

it("a projection does not depend on the order of declarations, also of a cycle whose names are used equally", async () => {
  const cycle = `
    export type Ping = Pong[] | string;
    export type Pong = Ping[] | number;`;
  for (const protocol of [
    await revision("2026-07-28"),
    await protocolOf(preamble + cycle),
  ]) {
    const reversed = {
      ...protocol,
      declarations: [...protocol.declarations].reverse(),
      messages: [...protocol.messages].reverse(),
    };
    expect(project(reversed)).toEqual(project(protocol));
  }
});
