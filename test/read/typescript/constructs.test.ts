import { describe, expect, it } from "vitest";
import type { Property, Type } from "../../../src/ir/model.js";
import { declarationOf, read, typeOf } from "./reading.js";

const doc = { text: "", tags: [] };
const text: Type = { kind: "string", format: null, known: [] };
const number: Type = { kind: "number", integer: false, minimum: null, maximum: null };
const anyObject: Type = { kind: "object", properties: [], rest: null };

const literal = (value: string | number | boolean | null, constant: string | null = null): Type => ({
  kind: "literal",
  value,
  constant,
});
const reference = (name: string): Type => ({ kind: "reference", name });
const array = (element: Type): Type => ({ kind: "array", element, maxItems: null });
const union = (...members: Type[]): Type => ({ kind: "union", members });
const both = (...members: Type[]): Type => ({ kind: "intersection", members });
const object = (...properties: Property[]): Type => ({ kind: "object", properties, rest: null });
const member = (name: string, type: Type, optional = false): Property => ({ name, optional, type, doc });

const beside = `
  export interface A { a: string }
  export interface B { b: string }
  export type KEYS = "a" | MORE;
  export type MORE = "b" | MORE_AGAIN;
  export type MORE_AGAIN = "a";
  export const MINUS = -32700;
  export const WORD = "word";
`;

const rows: { given: string; want: Type }[] = [
  { given: "string", want: text },
  { given: "number", want: number },
  { given: "boolean", want: { kind: "boolean" } },
  { given: "unknown", want: { kind: "unknown" } },
  { given: "any", want: { kind: "unknown" } },
  { given: "object", want: anyObject },
  { given: "{}", want: anyObject },
  { given: '"ref/prompt"', want: literal("ref/prompt") },
  { given: "-1", want: literal(-1) },
  { given: "1.5", want: literal(1.5) },
  { given: "-0", want: literal(0) },
  { given: "true", want: literal(true) },
  { given: "null", want: literal(null) },
  { given: "typeof MINUS", want: literal(-32700, "MINUS") },
  { given: "typeof WORD", want: literal("word", "WORD") },
  { given: "A", want: reference("A") },
  { given: "((A))", want: reference("A") },
  { given: "A[]", want: array(reference("A")) },
  { given: "readonly A[]", want: array(reference("A")) },
  { given: "Array<A>", want: array(reference("A")) },
  { given: "ReadonlyArray<A>", want: array(reference("A")) },
  { given: "(A | B)[]", want: array(union(reference("A"), reference("B"))) },
  { given: "string[][]", want: array(array(text)) },
  { given: "| A | B", want: union(reference("A"), reference("B")) },
  { given: "| A", want: reference("A") },
  { given: "A | (B | null)", want: union(reference("A"), reference("B"), literal(null)) },
  { given: "A | A", want: reference("A") },
  { given: "A | unknown", want: { kind: "unknown" } },
  {
    given: "({ a: string } | A) & (B | { b: number })",
    want: union(
      both(object(member("a", text)), reference("B")),
      both(object(member("a", text)), object(member("b", number))),
      both(reference("A"), reference("B")),
      both(reference("A"), object(member("b", number))),
    ),
  },
  { given: "{ a?: never }", want: object(member("a", { kind: "never" }, true)) },
  { given: "{ a?: string | undefined }", want: object(member("a", text, true)) },
  {
    given: 'Record<KEYS | "c", string | undefined>',
    want: object(member("a", text, true), member("b", text, true), member("c", text, true)),
  },
  { given: "string | number", want: union(text, number) },
  { given: '"a" | "b"', want: union(literal("a"), literal("b")) },
  { given: '"a" | "b" | string', want: { kind: "string", format: null, known: ["a", "b"] } },
  { given: 'string | "a"', want: { kind: "string", format: null, known: ["a"] } },
  {
    given: '"a" | string | null',
    want: union({ kind: "string", format: null, known: ["a"] }, literal(null)),
  },
  { given: "{ [key: string]: unknown }", want: { kind: "record", member: { kind: "unknown" } } },
  {
    given: "{ [key: string]: A | B }",
    want: { kind: "record", member: union(reference("A"), reference("B")) },
  },
  { given: "Record<string, A>", want: { kind: "record", member: reference("A") } },
  { given: 'Record<"name" | string, string>', want: { kind: "record", member: text } },
  {
    given: 'Record<"a" | "b", string>',
    want: { kind: "object", properties: [member("a", text), member("b", text)], rest: null },
  },
  {
    given: '{ type: "object"; "quoted-name"?: A; 1: string; [key: string]: unknown }',
    want: {
      kind: "object",
      properties: [
        member("type", literal("object")),
        member("quoted-name", reference("A"), true),
        member("1", text),
      ],
      rest: { kind: "unknown" },
    },
  },
  {
    given: "{ readonly a: string }",
    want: { kind: "object", properties: [member("a", text)], rest: null },
  },
  { given: "A & B", want: { kind: "intersection", members: [reference("A"), reference("B")] } },
  {
    given: "A & (B & { c: string })",
    want: {
      kind: "intersection",
      members: [
        reference("A"),
        reference("B"),
        { kind: "object", properties: [member("c", text)], rest: null },
      ],
    },
  },
  {
    given: "A & Record<string, unknown>",
    want: {
      kind: "intersection",
      members: [reference("A"), { kind: "object", properties: [], rest: { kind: "unknown" } }],
    },
  },
];

describe("a type in schema.ts", () => {
  it.each(rows)("is read as a type of the model: $given", async ({ given, want }) => {
    expect(await typeOf(given, beside)).toEqual(want);
  });

  it("may refer to itself through a map or an array", async () => {
    const type = await typeOf("string | null | Xs | { [key: string]: X }", "export type Xs = X[];");
    expect(type).toEqual(
      union(text, literal(null), reference("Xs"), { kind: "record", member: reference("X") }),
    );
  });

  it("called Array that the file declares is that type, not the built-in one", async () => {
    expect(await typeOf("Array", "export interface Array { a: string }")).toEqual(reference("Array"));
  });
});

describe("an interface in schema.ts", () => {
  it("keeps its bases, omitted members, own members and own index signature", async () => {
    const { protocol } = await read(`
      export type Open = Record<string, unknown>;
      export interface A { a: string; b: string; c: string }
      export interface B extends Open {}
      export interface C extends B, Omit<A, "a" | "b"> { d?: number; [key: string]: unknown }
    `);
    expect(protocol === null ? null : declarationOf(protocol, "C")).toEqual({
      kind: "interface",
      name: "C",
      doc,
      bases: [
        { name: "B", omit: [] },
        { name: "A", omit: ["a", "b"] },
      ],
      properties: [member("d", number, true)],
      rest: { kind: "unknown" },
    });
  });
});

describe("a constant in schema.ts", () => {
  it.each([
    ["-32700", -32700],
    ["+7", 7],
    ['"2.0"', "2.0"],
    ['"2.0" as const', "2.0"],
    ["1e3", 1000],
  ])("is read with its value: %s", async (given, want) => {
    const { protocol } = await read(`export const X = ${given};`);
    expect(protocol?.declarations).toEqual([{ kind: "constant", name: "X", doc, value: want }]);
  });

  it("may be used by a type before it is declared", async () => {
    expect(await typeOf("typeof LATER", "export const LATER = 1;")).toEqual(literal(1, "LATER"));
  });
});

describe("a JSDoc tag in schema.ts", () => {
  const rows: { given: string; want: Type }[] = [
    { given: "/** @format uri */ m: string", want: { ...text, format: "uri" } as Type },
    { given: "/** @format uri */ m: string[]", want: array({ ...text, format: "uri" } as Type) },
    {
      given: "/** @format uri */ m: string | null",
      want: union({ ...text, format: "uri" } as Type, literal(null)),
    },
    {
      given: "/**\n * @TJS-type number\n * @minimum 0\n * @maximum 1\n */ m: number",
      want: { kind: "number", integer: false, minimum: 0, maximum: 1 },
    },
    {
      given: "/** @TJS-type integer */ m: number",
      want: { kind: "number", integer: true, minimum: null, maximum: null },
    },
    {
      given: "/** @minimum -1.5 */ m: number",
      want: { kind: "number", integer: false, minimum: -1.5, maximum: null },
    },
    { given: "/** @maxItems 100 */ m: string[]", want: { kind: "array", element: text, maxItems: 100 } },
    { given: "/** @nullable */ m: number | null", want: union(number, literal(null)) },
    { given: "/** @nullable */ m: number", want: union(number, literal(null)) },
  ];

  it.each(rows)("changes the type of its member: $given", async ({ given, want }) => {
    const { protocol, reports } = await read(`export interface X { ${given} }`);
    expect(reports.filter(({ code }) => code !== "MG407").map(({ code }) => code)).toEqual(["MG406"]);
    const declaration = protocol === null ? null : declarationOf(protocol, "X");
    expect(declaration?.kind === "interface" ? declaration.properties[0]?.type : null).toEqual(want);
  });

  it("changes the type of its alias", async () => {
    const { protocol } = await read("/** @format uri */ export type X = string;");
    expect(protocol?.declarations[0]).toMatchObject({ type: { ...text, format: "uri" } });
  });
});
