import { describe, expect, it } from "vitest";
import { index } from "../../src/ir/lookup.js";
import type { Protocol, Type } from "../../src/ir/model.js";
import { project } from "../../src/ir/projection.js";
import { revision, revisions } from "../read/typescript/reading.js";
import { preamble, protocolOf } from "./made.js";

/** The projection of a type as the member `x` of an interface. */
async function projected(type: string, beside = ""): Promise<Type> {
  const protocol = await protocolOf(`${preamble} export interface X { x: ${type} } ${beside}`);
  const match = index(project(protocol).declarations).get("X");
  const [property] = match?.kind === "interface" ? match.properties : [];
  if (property === undefined) throw new Error("X has no member");
  return property.type;
}

const beside = `
  export interface A { a: string }
  export interface B extends A { b?: number }
  export type Name = string;
  export type Either = A | B;
  export type Same = A;
  export type Bag = { [key: string]: A };
  export interface Map { [key: string]: A }
  export const CODE = -1;
`;

describe("two types with the same messages have the same projection", () => {
  it.each([
    ["an alias and its target", "Name", "string"],
    ["a union alias and its members in another order", "Either | null", "null | B | A"],
    ["an alias of an interface and the interface", "Same", "A"],
    ["an alias of a map and the map", "Bag", "{ [key: string]: A }"],
    ["a map as an interface and as an alias", "Map", "Bag"],
    ["a constant and its value", "typeof CODE", "-1"],
    ["an open enumeration and a string", '"a" | "b" | string', "string"],
    ["an enumeration in another order", '"b" | "a"', '"a" | "b"'],
    ["a boolean and both of its values", "true | false", "boolean"],
    ["the type object and a map of unknown", "object", "{ [key: string]: unknown }"],
    ["an object with an index signature and one without", "{ a: A; [key: string]: unknown }", "{ a: A }"],
    ["an object and the same members in another order", "{ b: string; a: A }", "{ a: A; b: string }"],
    ["an intersection and the merged object", "A & { c: Name }", "{ c: string; a: string }"],
    ["a union with unknown and unknown", "A | unknown", "unknown"],
    ["a literal in a union with its type, and the type", "1 | number", "number"],
  ])("such as %s", async (_, given, other) => {
    expect(await projected(given, beside)).toEqual(await projected(other, beside));
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
  ])("such as %s", async (_, given, other) => {
    expect(await projected(given, beside)).not.toEqual(await projected(other, beside));
  });
});

it("a projection flattens inheritance and keeps the name of an object", async () => {
  expect(await projected("B", beside)).toEqual({ kind: "reference", name: "B" });
  const declarations = index(project(await protocolOf(preamble + beside)).declarations);
  expect(declarations.get("B")).toMatchObject({ bases: [], properties: [{ name: "a" }, { name: "b" }] });
});

describe("names that form a cycle in a projection", () => {
  const json = `
    export type Json = string | number | boolean | null | Bag | List;
    export type Bag = { [key: string]: Json };
    export type List = Json[];`;

  it("are kept only where the cycle needs them", async () => {
    const list = { kind: "array", element: { kind: "reference", name: "Json" }, maxItems: null };
    expect(await projected("List", json)).toEqual(list);
    expect(await projected("Json", json)).toEqual({ kind: "reference", name: "Json" });
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
      { kind: "alias", name: "Loop", doc: { text: "", tags: [] }, type: { kind: "reference", name: "Pool" } },
      { kind: "alias", name: "Pool", doc: { text: "", tags: [] }, type: { kind: "reference", name: "Loop" } },
    ] as const;
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
    (_, step) => `export type T${step + 1} = T${step}[] | { [key: string]: T${step} };`,
  );
  const text = JSON.stringify(
    project(await protocolOf(`${preamble} export type T0 = string; ${steps.join("\n")}`)),
  );
  expect(text.length).toBeLessThan(2_000_000);
});

it("a projection of a chain of ten thousand names does not overflow the stack", async () => {
  const protocol = await protocolOf(preamble);
  const chain = Array.from({ length: 10_000 }, (_, step) => ({
    kind: "alias" as const,
    name: `T${step}`,
    doc: { text: "", tags: [] },
    type: {
      kind: "array" as const,
      element: { kind: "reference" as const, name: `T${step + 1}` },
      maxItems: null,
    },
  }));
  const last = {
    kind: "alias" as const,
    name: "T10000",
    doc: { text: "", tags: [] },
    type: { kind: "boolean" as const },
  };
  const result = project({ ...protocol, declarations: [...protocol.declarations, ...chain, last] });
  expect(result.declarations).toHaveLength(protocol.declarations.length + 10_001);
});

it("a projection leaves out docs, tags, bases, constants and known values", async () => {
  for (const protocol of await revisions()) {
    const text = JSON.stringify(project(protocol));
    expect(text).not.toMatch(
      /"text":"[^"]|"tags":\[\{|"bases":\[\{|"known":\["|"constant":"|"kind":"constant"/,
    );
  }
});

it("a projection of a projection is the same", async () => {
  for (const protocol of await revisions()) {
    const once = project(protocol);
    const again: Protocol = { ...once, format: 1, source: protocol.source };
    expect(project(again)).toEqual(once);
  }
});

it("a projection does not depend on the order of declarations", async () => {
  const protocol = await revision("2026-07-28");
  const reversed = {
    ...protocol,
    declarations: [...protocol.declarations].reverse(),
    messages: [...protocol.messages].reverse(),
  };
  expect(project(reversed)).toEqual(project(protocol));
});
