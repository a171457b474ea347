import fc from "fast-check";

/** What the types of a text are made of. */
export const preamble = `
export interface Note { /** The id. */ id: string; count?: number; kind: Words }
export interface Base { at: number }
export interface Late extends Base { late?: boolean }
export interface Merged { a: string }
export interface Merged { b?: 1 }
export interface Page<T> { items: T[]; next?: string }
export interface Tree<T> { value: T; children: Tree<T>[] }
export interface Pair<T, U> { first: T; second?: U }
export type Maybe<T> = T | null;
export type Words = "k" | "l";
export type Name = string;
export enum Color { Red = "red", Blue = "blue" }
export enum Level { Low, High }
export namespace N {
  export interface Inner { color: Color }
  export type Kind = "x" | "y";
}
export const KEYS = ["a", "b"] as const;
export const TABLE = { a: 1, b: "c" } as const;
`;

/** Types without parts. */
const leaves = [
  "string",
  "number",
  "boolean",
  "null",
  "object",
  "Name",
  '"a"',
  '"b"',
  "1",
  "true",
  "`a.${string}`",
  "`a-${Words}`",
  "Note",
  "Late",
  "Merged",
  "Words",
  "N.Inner",
  "N.Kind",
  "Color",
  "Color.Red",
  "Level",
  "Level.High",
  'Uppercase<"a">',
  "keyof Note",
  'Note["id"]',
  'Late["at"]',
  "(typeof KEYS)[number]",
  "keyof typeof TABLE",
  "(typeof TABLE)[keyof typeof TABLE]",
  "Partial<Note>",
  "Required<Note>",
  "Readonly<Late>",
  'Pick<Note, "id">',
  'Omit<Note, "id">',
  'Partial<Pick<Note, "id">>',

  'Exclude<Words, "k">',
  'Exclude<"a" | "b" | 1, 1>',
  "Extract<Words | 1, string>",
  "Record<keyof Note, 1>",
  "Late & Merged",
];

type Form = (x: string, y: string) => string;

/** Types of one or two others. */
const forms: readonly Form[] = [
  (x) => `(${x})[]`,
  (x) => `readonly (${x})[]`,
  (x, y) => `(${x}) | (${y})`,
  (x) => `[${x}]`,
  (x, y) => `[${x}, (${y})?]`,
  (x, y) => `[${x}, ...(${y})[]]`,
  (x) => `Page<${x}>`,
  (x) => `Tree<${x}>`,
  (x) => `Maybe<${x}>`,
  (x, y) => `Pair<${x}, ${y}>`,
  (x) => `{ [key: string]: ${x} }`,
  (x) => `Record<"p" | "q", ${x}>`,
  (x, y) => `{ a: ${x}; b?: ${y} }`,
  (x) => `{ [K in "p" | "q"]: ${x} }`,
  (x) => `{ [K in keyof Note]?: ${x} }`,
  (x, y) => `Note extends object ? ${x} : ${y}`,
  (x, y) => `Pick<{ a: ${x}; b: ${y} }, "a">`,
  (x, y) => `Omit<{ a: ${x}; b?: ${y} }, "a">`,
  (x) => `Partial<{ a: ${x} }>`,
  (x) => `Late & { c: ${x} }`,
];

export const type: fc.Arbitrary<string> = fc.letrec<{ readonly type: string }>(
  (tie) => ({
    type: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constantFrom(...leaves),
      fc
        .tuple(fc.constantFrom(...forms), tie("type"), tie("type"))
        .map(([form, x, y]) => form(x, y)),
    ),
  }),
).type;

/** The text of a schema with members of random types. */
export const declarations: fc.Arbitrary<string> = fc
  .array(fc.tuple(type, fc.boolean()), {
    minLength: 1,
    maxLength: 20,
    size: "max",
  })
  .map((members) => {
    const lines = members.map(
      ([text, optional], index) =>
        `  m${index}${optional ? "?" : ""}: ${text};\n`,
    );
    return `${preamble}export interface Uses {\n${lines.join("")}}\n`;
  });
