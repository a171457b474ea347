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
export interface Rest { [name: string]: 1 }
export interface W {
  w: {
    any: any;
    anything: unknown;
    upper?: Uppercase<string>;
    object?: object;
    empty?: {};
    yes: true;
    flag?: boolean;
    nothing?: null;
    less?: -1;
    list?: any[];
  };
}
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
  ["Note[never]", false],
  [
    "Note extends object ? (keyof Rest)[] : 1",
    {
      type: "array",
      items: { anyOf: [ofType("number"), ofType("string")] },
    },
  ],
  ["Uppercase<string>", ofType("string")],
  [
    "W[keyof W & `${string}${string}`]",
    anObject(
      {
        any: {},
        anything: {},
        upper: ofType("string"),
        object: ofType("object"),
        empty: ofType("object"),
        yes: { const: true },
        flag: ofType("boolean"),
        nothing: { const: null },
        less: { const: -1 },
        list: { type: "array", items: {} },
      },
      "any",
      "anything",
      "yes",
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

const declare = "declare the types that it names in this file";
const write = "write the members out";
const keys = "use string or string literals as keys of a Record";
const oneKey = "write one string key: `[key: string]: T`";

const generic = `export interface Note { id: string }
export interface Page<T> { items: T[] }
`;

/** A mapped type with so many levels. */
const mapped = (levels: number): string =>
  `${"{ [K in 'a']: ".repeat(levels)}1${" }".repeat(levels)}`;

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

  it.each<[type: string, hint: string, beside?: string]>([
    ["Partial<Missing>", declare],
    ["globalThis.Date", declare],
    ["Partial<{ b: Page }>", declare],
    ['Record<keyof Missing | "a", 1>', keys],
    ['Record<"a" | typeof missing, 1>', keys],
    ['Pick<Note, "id">["missing"]', declare],
    // What JSON does not have.
    ["[bigint]", write],
    ["Partial<{ b: 10n }>", write],
    ["Partial<{ a(): void }>", write],
    ["NonNullable<() => void>", write],
    ["Extract<string | (() => void), Function>", declare],
    ["NonNullable<(() => void) & { b: string }>", write],
    ["Partial<{ a: new () => object }>", write],
    ["Partial<{ a: symbol }>", write],
    ["Partial<{ a: void }>", write],
    ["Partial<{ [Symbol.iterator]: 1 }>", oneKey],
    ["Partial<{ [k: number]: 1 }>", oneKey],
    ["Partial<{ [k: `a${string}`]: 1 }>", oneKey],
    ["Partial<{ [k: string]: 1; [n: number]: 1 }>", oneKey],
    ["[...string[], number]", "write the rest of a tuple last"],
    ["[string, ...number[], 1]", "write the rest of a tuple last"],
    [`\`${"${string}a".repeat(10)}\``, "write `string`"],
    // What may never end, or is too long.
    ["If<1>", write, "export type If<T> = T extends string ? 1 : 2;"],
    ["Self<string>", write, "export type Self<T> = { a: Self<[T]> };"],
    [
      "D12<string>",
      write,
      Array.from(
        { length: 12 },
        (_, i) => `export type D${i + 1}<T> = { a: D${i}<T> & D${i}<[T]> };`,
      ).join("\n") + "export type D0<T> = { a: T };",
    ],
    [mapped(50), "name the inner types and refer to them"],
    [`Partial<{ a: "${"b".repeat(182)}" }>`, "name the types inside"],
    [
      "(Partial<Note> | globalThis.Partial<Note>)[]",
      "give each type a name of its own",
      "export type Partial<T> = { b: keyof T };",
    ],
  ])("is refused where it is used: %s", async (type, hint, declared = "") => {
    const { protocol, reports } = await read(
      `export interface X { a: ${type} }\n${generic}${declared}`,
    );
    expect(protocol).toBeNull();
    const errors = reports.filter(({ severity }) => severity === "error");
    expect(errors).toMatchObject([
      {
        code: "MG104",
        hint: `${hint}; or pass the schema.json of this revision instead`,
      },
    ]);
    expect(errors[0]?.location?.line).toBe(1);
  });

  it.each([
    "Record<Missing, 1>",
    'Record<Missing | "a", 1>',
    "Partial<Missing>",
    'Omit<Note["missing"], "id">',
    "{ [K in keyof Note]: Missing }",
    "Note extends Missing ? 1 : 2",
  ])("is refused as an alias, too: %s", async (type) => {
    const { protocol, reports } = await read(
      `export type X = ${type};\n${generic}`,
    );
    expect(protocol).toBeNull();
    expect(
      reports.filter(({ severity }) => severity === "error"),
    ).toMatchObject([{ code: "MG104", location: { line: 1, column: 17 } }]);
  });

  it("is refused if a member has a symbol in place of a name", async () => {
    const { reports } = await read(
      "export interface X { a: Partial<{ [key]: 1 }> }\ndeclare const key: unique symbol;",
    );
    expect(reports.find(({ code }) => code === "MG104")?.hint).toBe(
      "use names of text; or pass the schema.json of this revision instead",
    );
  });

  it("is read up to a nesting and a length of its name", async () => {
    const long = `Partial<{ a: "${"b".repeat(181)}"; }>`;
    const { protocol } = await read(
      `export interface X { a: ${mapped(49)}; b: ${long} }`,
    );
    expect(protocol?.declarations.map(({ name }) => name)).toEqual(["X", long]);
  });

  it("has at most 20,000 parts in one file", async () => {
    const members = (count: number, type: string): string =>
      `{ ${Array.from({ length: count }, (_, i) => `m${i}: ${type}`).join("; ")} }`;
    const { protocol, reports } = await read(
      `export interface X { a: W["a"] }
export interface W { a: ${members(150, members(150, "{}"))} }`,
    );
    expect(protocol).toBeNull();
    expect(
      reports.filter(({ severity }) => severity === "error"),
    ).toMatchObject([
      {
        code: "MG504",
        message: 'the type "W["a"]" has too many parts',
        hint: "name the inner types; write the members out; or pass the schema.json of this revision instead",
      },
    ]);
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
