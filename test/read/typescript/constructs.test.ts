import { describe, expect, it } from "vitest";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import {
  alias,
  anyObject,
  array,
  bare,
  both,
  boolean,
  bounded,
  constant,
  formatted,
  iface,
  integer,
  literal,
  map,
  member,
  never,
  number,
  object,
  reference,
  text,
  union,
  unknown,
} from "../../ir/schemas.js";
import { declarationOf, read, schemaOf } from "./reading.js";

const beside = `
  export interface A { a: string }
  export interface B { b: string }
  export type KEYS = "a" | MORE;
  export type MORE = "b" | MORE_AGAIN;
  export type MORE_AGAIN = "a";
  export const MINUS = -32700;
  export const WORD = "word";
`;

const rows: readonly { given: string; want: Schema }[] = [
  { given: "string", want: text },
  { given: "number", want: number },
  { given: "boolean", want: boolean },
  { given: "unknown", want: unknown },
  { given: "any", want: unknown },
  { given: "object", want: anyObject },
  { given: "{}", want: anyObject },
  { given: '"ref/prompt"', want: literal("ref/prompt") },
  { given: "-1", want: literal(-1) },
  { given: "1.5", want: literal(1.5) },
  { given: "-0", want: literal(0) },
  { given: "true", want: literal(true) },
  { given: "null", want: literal(null) },
  { given: "typeof MINUS", want: constant(-32700, "MINUS") },
  { given: "typeof WORD", want: constant("word", "WORD") },
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
  {
    given: "A | (B | null)",
    want: union(reference("A"), reference("B"), literal(null)),
  },
  { given: "A | A", want: reference("A") },
  { given: "A | unknown", want: unknown },
  {
    given: "({ a: string } | A) & (B | { b: number })",
    want: union(
      both(object([member("a")]), reference("B")),
      both(object([member("a")]), object([member("b", number)])),
      both(reference("A"), reference("B")),
      both(reference("A"), object([member("b", number)])),
    ),
  },
  { given: "{ a?: never }", want: object([member("a", never, true)]) },
  {
    given: "{ a?: string | undefined }",
    want: object([member("a", text, true)]),
  },
  {
    given: 'Record<KEYS | "c", string | undefined>',
    want: object([
      member("a", text, true),
      member("b", text, true),
      member("c", text, true),
    ]),
  },
  { given: "string | number", want: union(text, number) },
  { given: '"a" | "b"', want: union(literal("a"), literal("b")) },
  {
    given: '"a" | "b" | string',
    want: union(literal("a"), literal("b"), text),
  },
  { given: 'string | "a"', want: union(literal("a"), text) },
  {
    given: '"a" | string | null',
    want: union(literal("a"), text, literal(null)),
  },
  { given: "{ [key: string]: unknown }", want: map(unknown) },
  {
    given: "{ [key: string]: A | B }",
    want: map(union(reference("A"), reference("B"))),
  },
  { given: "Record<string, A>", want: map(reference("A")) },
  { given: 'Record<"name" | string, string>', want: map(text) },
  {
    given: 'Record<(KEYS | "a") | "b" | KEYS, string>',
    want: object([member("a"), member("b")]),
  },
  { given: "Record<(string) | KEYS, A>", want: map(reference("A")) },
  {
    given: 'Record<"a" | "b", string>',
    want: object([member("a"), member("b")]),
  },
  {
    given:
      '{ type: "object"; "quoted-name"?: A; 1: string; [key: string]: unknown }',
    want: object(
      [
        member("type", literal("object")),
        member("quoted-name", reference("A"), true),
        member("1"),
      ],
      unknown,
    ),
  },
  { given: "{ readonly a: string }", want: object([member("a")]) },
  { given: "A & B", want: both(reference("A"), reference("B")) },
  { given: "unknown & A", want: reference("A") },
  { given: "A & any", want: reference("A") },
  { given: "unknown & any", want: unknown },
  {
    given: "A & (B & { c: string })",
    want: both(reference("A"), reference("B"), object([member("c")])),
  },
  {
    given: "A & Record<string, unknown>",
    want: both(reference("A"), map(unknown)),
  },
];

describe("a type in schema.ts", () => {
  it.each(rows)("is read as a schema: $given", async ({ given, want }) => {
    expect(await schemaOf(given, beside)).toEqual(want);
  });

  it("may refer to itself through a map or an array", async () => {
    const schema = await schemaOf(
      "string | null | Xs | { [key: string]: X }",
      "export type Xs = X[];",
    );
    expect(schema).toEqual(
      union(text, literal(null), reference("Xs"), map(reference("X"))),
    );
  });

  it("called Array that the file declares is that type, not the built-in one", async () => {
    expect(
      await schemaOf("Array", "export interface Array { a: string }"),
    ).toEqual(reference("Array"));
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
    expect(protocol === null ? null : declarationOf(protocol, "C")).toEqual(
      iface("C", ["B", ["A", "a", "b"]], [member("d", number, true)], unknown),
    );
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
    expect(protocol?.declarations).toEqual([
      { kind: "constant", name: "X", bases: [], schema: literal(want) },
    ]);
  });

  it("is read with those of its statement, also from the member of an interface", async () => {
    const { protocol } = await read(`
      export interface A { [key: string]: unknown; a: "x" }
      export declare const X: A["a"], Y: 1;
      export {};;
    `);
    expect(protocol?.declarations.slice(1)).toEqual([
      { kind: "constant", name: "X", bases: [], schema: literal("x") },
      { kind: "constant", name: "Y", bases: [], schema: literal(1) },
    ]);
  });

  it("may be used by a type before it is declared", async () => {
    expect(await schemaOf("typeof LATER", "export const LATER = 1;")).toEqual(
      constant(1, "LATER"),
    );
  });
});

describe("a JSDoc tag in schema.ts", () => {
  const rows: readonly { given: string; want: Schema }[] = [
    { given: "/** @format uri */ m: string", want: formatted("uri") },
    { given: "/** @format uri */ m: string[]", want: array(formatted("uri")) },
    {
      given: "/** @format uri */ m: string | null",
      want: union(formatted("uri"), literal(null)),
    },
    {
      given:
        "/**\n * @TJS-type number\n * @minimum 0\n * @maximum 1\n */ m: number",
      want: bounded(number, 0, 1),
    },
    { given: "/** @TJS-type integer */ m: number", want: integer },
    { given: "/** @minimum -1.5 */ m: number", want: bounded(number, -1.5) },
    { given: "/** @maxItems 100 */ m: string[]", want: array(text, 100) },
    {
      given: "/** @nullable */ m: number | null",
      want: union(number, literal(null)),
    },
    { given: "/** @nullable */ m: number", want: union(number, literal(null)) },
  ];

  it.each(rows)(
    "changes the type of its member: $given",
    async ({ given, want }) => {
      const { protocol, reports } = await read(
        `export interface X { ${given} }`,
      );
      expect(
        reports.filter(({ code }) => code !== "MG407").map(({ code }) => code),
      ).toEqual(["MG406"]);
      const [property] =
        protocol === null
          ? []
          : propertiesIn(declarationOf(protocol, "X").schema);
      expect(property && bare(property.schema)).toEqual(want);
    },
  );

  it("changes the type of its alias, and stays in its doc, because it is printed", async () => {
    const { protocol } = await read(
      "/** @format uri */ export type X = string;",
    );
    const doc = { text: "", tags: [{ name: "format", text: "uri" }] };
    expect(protocol?.declarations).toEqual([
      alias("X", { ...formatted("uri"), doc }),
    ]);
  });
});
