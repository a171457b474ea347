import { describe, expect, it } from "vitest";
import { propertiesIn } from "../../../src/generator/ir/constraint/form.js";
import { jsonOf } from "../../../src/generator/ir/constraint/json-schema.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import type { Protocol } from "../../../src/generator/ir/model.js";
import { declarationOf, read, schemaOf } from "./reading.js";

const beside = `
export interface Note {
  /** The id. */
  id: string;
  count?: number;
}
export interface Page<T> { items: T[]; next?: string }
export interface Tree<T> { value: T; children: Tree<T>[] }
export type Maybe<T> = T | null;
export enum Color { Red = "red", Blue = "blue" }
export enum Level { Low, High }
export namespace N {
  export interface Inner { color: Color }
  export type Kind = "x" | "y";
  export namespace Deep { export interface Inner { a: 1 } }
}
export const KEYS = ["a", "b"] as const;
export const TABLE = { a: 1, b: "c" } as const;
export const KEY = "com.example/key";
`;

const ofType = (type: string): object => ({ type });
const anObject = (properties: object, ...required: string[]): object => ({
  type: "object",
  ...(required.length > 0 && { required: [...required].sort() }),
  properties,
});
const reference = (name: string): object => ({ $ref: name });

const key = "com.example/key";

/** The values of a union, in the order of the compiler. */
const choice = (...values: readonly unknown[]): object => ({
  anyOf: values.map((value) => ({ const: value })),
});

/** Each construct, and the JSON Schema of its values. */
const rows: readonly (readonly [string, unknown])[] = [
  ["keyof Note", choice("count", "id")],
  ['Note["id"]', ofType("string")],
  ["(typeof KEYS)[number]", choice("a", "b")],
  ["(typeof TABLE)[keyof typeof TABLE]", choice("c", 1)],
  [
    '{ [K in "p" | "q"]: number }',
    anObject({ p: ofType("number"), q: ofType("number") }, "p", "q"),
  ],
  [
    '{ [K in "p" | "q"]?: boolean | null }',
    anObject({
      p: { anyOf: [{ const: null }, ofType("boolean")] },
      q: { anyOf: [{ const: null }, ofType("boolean")] },
    }),
  ],
  ["Note extends object ? 1 : 2", { const: 1 }],
  // In a branch, the compiler notes what the condition says of the type.
  ["Note extends object ? Note : 1", reference("Note")],
  [
    "Note extends object ? (keyof Note)[] : 1",
    { type: "array", items: choice("count", "id") },
  ],
  [
    "Note extends object ? Note | null : 1",
    { anyOf: [reference("Note"), { const: null }] },
  ],
  [
    "Note extends object ? { a: Note & { x: 1 } } : 1",
    anObject(
      {
        a: anObject(
          { id: ofType("string"), count: ofType("number"), x: { const: 1 } },
          "id",
          "x",
        ),
      },
      "a",
    ),
  ],
  ["`a.${string}`", { type: "string", pattern: String.raw`^a\.[\s\S]*$` }],
  ['`a-${"b" | "c"}`', choice("a-b", "a-c")],
  [
    "[string, number]",
    {
      type: "array",
      prefixItems: [ofType("string"), ofType("number")],
      minItems: 2,
      maxItems: 2,
    },
  ],
  [
    "[string, number?, ...boolean[]]",
    {
      type: "array",
      prefixItems: [ofType("string"), ofType("number")],
      items: ofType("boolean"),
      minItems: 1,
    },
  ],
  ["readonly []", { type: "array", maxItems: 0 }],
  ["Color", reference("Color")],
  ["Color.Red", { const: "red" }],
  ["Level.High", { const: 1 }],
  ["N.Inner", reference("N.Inner")],
  ["N.Deep.Inner", reference("N.Deep.Inner")],
  ["N.Kind", reference("N.Kind")],
  ["{ [KEY]: string }", anObject({ [key]: ofType("string") }, key)],
  ['Exclude<"a" | "b" | 1, 1>', choice("a", "b")],
  ['Uppercase<"a">', { const: "A" }],
  [
    '{ a: Pick<Note, "id"> }',
    anObject({ a: reference('Pick<Note, "id">') }, "a"),
  ],
];

/** The declarations that uses of generic types become. */
const instances: readonly (readonly [string, unknown])[] = [
  [
    "Partial<Note>",
    anObject({
      id: ofType("string"),
      count: ofType("number"),
    }),
  ],
  [
    "Required<Note>",
    anObject(
      {
        id: ofType("string"),
        count: ofType("number"),
      },
      "id",
      "count",
    ),
  ],
  ['Pick<Note, "id">', anObject({ id: ofType("string") }, "id")],
  ['Omit<Note, "id">', anObject({ count: ofType("number") })],
  [
    "Page<Note>",
    anObject(
      {
        items: { type: "array", items: reference("Note") },
        next: ofType("string"),
      },
      "items",
    ),
  ],
  [
    "Tree<string>",
    anObject(
      {
        value: ofType("string"),
        children: { type: "array", items: reference("Tree<string>") },
      },
      "value",
      "children",
    ),
  ],
  ["Maybe<Note>", { anyOf: [reference("Note"), { const: null }] }],
  [
    "Record<keyof Note, 1>",
    anObject({ id: { const: 1 }, count: { const: 1 } }, "id", "count"),
  ],
];

describe("a type of syntax that mcpgen does not read itself", () => {
  it.each(rows)(
    "is read as the compiler resolves it: %s",
    async (type, want) => {
      expect(jsonOf(await schemaOf(type, beside))).toEqual(want);
    },
  );

  it.each(instances)(
    "becomes a declaration if it is an instance of a generic type: %s",
    async (type, want) => {
      const { protocol } = await read(
        `export interface Uses { a: ${type}; b: Array<${type}> }\n${beside}`,
      );
      const names = protocol?.declarations.map(({ name }) => name);
      expect(names?.filter((name) => name === type)).toHaveLength(1);
      const { schema } = declarationOf(protocol as Protocol, type);
      expect(jsonOf(schema)).toEqual(want);
    },
  );

  it("is one declaration where the compiler has several types for its text", async () => {
    const { protocol } = await read(
      `export interface Uses {
        a: Note extends object ? Partial<Note> : 1;
        b: Partial<Note>;
        c: Page<Pick<Note, "id">>;
        d: { e: Note extends object ? Page<Pick<Note, "id">> : 1 };
      }\n${beside}`,
    );
    const names = protocol?.declarations
      .map(({ name }) => name)
      .filter((name) => name.includes("<"));
    expect(names?.sort()).toEqual([
      'Page<Pick<Note, "id">>',
      "Partial<Note>",
      'Pick<Note, "id">',
    ]);
  });

  it("keeps the comments and the tags of members", async () => {
    const { protocol } = await read(
      `export interface X { a: Pick<Note, "id"> }
export interface Note { /** The id.\n @format uri */ id: string }`,
    );
    const { schema } = declarationOf(protocol as Protocol, 'Pick<Note, "id">');
    const [id] = propertiesIn(schema);
    expect(id?.schema.doc.text).toBe("The id.");
    expect(id?.schema.notes).toMatchObject([{ keyword: "format" }]);
  });

  it("is extended by an interface", async () => {
    const { protocol } = await read(
      `export interface X extends Page<Note>, Pick<Note, "id"> { a: 1 }\n${beside}`,
    );
    expect(
      declarationOf(protocol as Protocol, "X").bases.map(({ name }) => name),
    ).toEqual(["Page<Note>", 'Pick<Note, "id">']);
  });

  it("is noted once, where the compiler is needed first", async () => {
    const { reports } = await read(
      `export interface X { a: string;\n b: keyof X; c: Partial<X> }`,
    );
    expect(reports.filter(({ code }) => code === "MG123")).toMatchObject([
      { severity: "note", location: { line: 2, column: 5 } },
    ]);
  });

  it("merges the declarations of an interface without the compiler", async () => {
    const { protocol, reports } = await read(
      "/** One. */\nexport interface X { a: string }\nexport interface X { b?: 1 }",
    );
    expect(
      jsonOf(declarationOf(protocol as Protocol, "X").schema),
    ).toMatchObject(anObject({ a: ofType("string"), b: { const: 1 } }, "a"));
    expect(reports.some(({ code }) => code === "MG123")).toBe(false);
  });

  it.each([
    [["", "/** Two. */"], "Two.", []],
    [["", "/** @internal */", "/** Three. */"], "", ["internal"]],
    [["/** One. */", "/** @internal */"], "One.", []],
    [["", "// no doc", "/***/"], "", []],
  ])(
    "has the first doc comment of the declarations of an interface that says something: %j",
    async (docs, text, tags) => {
      const declared = docs.map(
        (doc, i) => `${doc}\nexport interface X { m${i}: string }`,
      );
      const { protocol } = await read(declared.join("\n"));
      const { doc } = declarationOf(protocol as Protocol, "X").schema;
      expect(doc.text).toBe(text);
      expect(doc.tags.map(({ name }) => name)).toEqual(tags);
    },
  );

  it.each([
    ["a name that nothing declares", "Partial<Missing>"],
    ["a value that JSON does not have", "[bigint]"],
    ["a function in a member", "Partial<{ a(): void }>"],
    ["a conditional type over a type parameter", "If<string>"],
    ["a generic alias that names itself", "Self<string>"],
    ["uses of generic types that multiply", "D12<string>"],
    ["a function", "NonNullable<() => void>"],
    [
      "a function among alternatives",
      "Extract<string | (() => void), Function>",
    ],
    ["a function with members", "NonNullable<(() => void) & { b: string }>"],
    ["a constructor in a member", "Partial<{ a: new () => object }>"],
    ["a symbol in a member", "Partial<{ a: symbol }>"],
    ["nothing in a member", "Partial<{ a: void }>"],
  ])("is refused where it is used: %s", async (_, type) => {
    const declared =
      type === "If<string>"
        ? "export type If<T> = T extends string ? 1 : 2;"
        : type === "Self<string>"
          ? "export type Self<T> = { a: Self<[T]> };"
          : Array.from(
              { length: 12 },
              (_, i) =>
                `export type D${i + 1}<T> = { a: D${i}<T> & D${i}<[T]> };`,
            ).join("\n") + "export type D0<T> = { a: T };";
    const { protocol, reports } = await read(
      `export interface X { a: ${type} }\n${declared}`,
    );
    expect(protocol).toBeNull();
    expect(
      reports.filter(({ severity }) => severity === "error"),
    ).toMatchObject([{ code: "MG104", location: { line: 1, column: 25 } }]);
  });
});

describe("a tag of a member", () => {
  it.each([
    ["@pattern ^[a-z]+$", "string", { pattern: "^[a-z]+$" }],
    ["@minLength 3", "string", { minLength: 3 }],
    ["@maxLength 200", "string", { maxLength: 200 }],
    ["@minimum 1", "number", { minimum: 1 }],
    ["@exclusiveMinimum 0", "number", { exclusiveMinimum: 0 }],
    ["@exclusiveMaximum 10", "number", { exclusiveMaximum: 10 }],
  ])("is a check: %s", async (tag, type, want) => {
    const { protocol } = await read(
      `export interface X { /** ${tag} */ m: ${type} }`,
    );
    const [m] = propertiesIn(declarationOf(protocol as Protocol, "X").schema);
    expect(jsonOf(m?.schema as Schema)).toEqual({ type, ...want });
  });

  it("limits an array and not the arrays in it", async () => {
    const { protocol } = await read(
      "export interface X { /** @minItems 2 */ n: string[][] }",
    );
    const [n] = propertiesIn(declarationOf(protocol as Protocol, "X").schema);
    expect(jsonOf(n?.schema as Schema)).toEqual({
      type: "array",
      items: { type: "array", items: { type: "string" } },
      minItems: 2,
    });
  });
});
