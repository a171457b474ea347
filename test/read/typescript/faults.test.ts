import { describe, expect, it } from "vitest";
import { read } from "./reading.js";

/** What is wrong with each text: line, column, code, what was found, and in brackets what to do about it. */
const rows: { given: string; want: string[] }[] = [
  {
    given: `export interface Note { a: string }
export interface SaveNoteRequest { draft: Partial<Note> }`,
    want: ['2:43 MG104 cannot read the type "Partial<Note>" (write the members out)'],
  },
  {
    given: `export interface A { a: string }
export type X = Pick<A, "a">;`,
    want: ['2:17 MG104 cannot read the type "Pick<A, "a">" (write the members out)'],
  },
  {
    given: `export interface A { a: string }
export type X = keyof A;`,
    want: ['2:17 MG104 cannot read the type "keyof A" (write the members out)'],
  },
  {
    given: `export interface A { a: string }
export type X = A["a"];`,
    want: ['2:17 MG104 cannot read the type "A["a"]" (write the members out)'],
  },
  {
    given: "export type X = { [K in 'a' | 'b']: string };",
    want: ["1:17 MG104 cannot read the type \"{ [K in 'a' | 'b']: string }\" (write the members out)"],
  },
  {
    given: "export type X = string extends 'a' ? 1 : 2;",
    want: ["1:17 MG104 cannot read the type \"string extends 'a' ? 1 : 2\" (write the members out)"],
  },
  {
    given: "export type X = [string, number];",
    want: ['1:17 MG104 cannot read the type "[string, number]" (write an array: `T[]`)'],
  },
  {
    given: "export type X = `a-${string}`;",
    want: ['1:17 MG104 cannot read the type "`a-${string}`" (write `string`)'],
  },
  {
    given: "export type X = () => void;",
    want: ['1:17 MG104 cannot read the type "() => void" (JSON has no such value)'],
  },
  {
    given: `export type X = 10n;
export type Y = bigint;
export type Z = symbol;
export type V = void;
export type N = never;`,
    want: [
      '1:17 MG104 cannot read the type "10n" (write a string, a number, true, false or null)',
      '2:17 MG104 cannot read the type "bigint" (JSON has no such value)',
      '3:17 MG104 cannot read the type "symbol" (JSON has no such value)',
      '4:17 MG104 cannot read the type "void" (JSON has no such value)',
      '5:17 MG104 cannot read the type "never" (JSON has no such value)',
    ],
  },
  {
    given: "export interface X { a: string | undefined; b: undefined }",
    want: [
      '1:34 MG104 cannot read the type "undefined" (JSON has no such value; make the member optional instead: `name?: T`)',
      '1:48 MG104 cannot read the type "undefined" (JSON has no such value; make the member optional instead: `name?: T`)',
    ],
  },
  {
    given: `export enum Color { Red }
export interface X { color: Color }`,
    want: ['1:1 MG101 cannot read "export enum Color { Red }" (write a union of literals instead)'],
  },
  {
    given: "export class A { a = 1 }",
    want: ['1:1 MG101 cannot read "export class A { a = 1 }" (write an interface instead)'],
  },
  {
    given: "export namespace N { export interface A {} }",
    want: [
      '1:1 MG101 cannot read "export namespace N { export interface A {} }" (declare its types outside of it)',
    ],
  },
  {
    given: "export function f(): void {}",
    want: [
      '1:1 MG101 cannot read "export function f(): void {}" (a schema holds exported interfaces, type aliases and constants)',
    ],
  },
  {
    given: `declare module 'x' {}
export default 1;`,
    want: [
      "1:1 MG101 cannot read \"declare module 'x' {}\" (declare its types outside of it)",
      '2:1 MG101 cannot read "export default 1;" (a schema holds exported interfaces, type aliases and constants)',
    ],
  },
  {
    given: `import type { Tool, Prompt as P } from "./other.js";
export interface X { tool: Tool; prompt: P }`,
    want: [
      '1:1 MG115 cannot follow "import type { Tool, Prompt as P } from "./other.js";": a schema is read from one file (copy the imported types into the file)',
    ],
  },
  {
    given: 'export * from "./other.js";',
    want: ['1:1 MG101 cannot read "export * from "./other.js";" (write `export` before each declaration)'],
  },
  {
    given: `interface A { a: string }
export { A };`,
    want: [
      '1:11 MG102 "A" is declared but not exported (write `export` before it: every type of a schema is public)',
      '2:1 MG101 cannot read "export { A };" (write `export` before each declaration)',
    ],
  },
  {
    given: `interface X { a: string }
const C = 1;
type T = string;`,
    want: [
      '1:11 MG102 "X" is declared but not exported (write `export` before it: every type of a schema is public)',
      '2:7 MG102 "C" is declared but not exported (write `export` before it: every type of a schema is public)',
      '3:6 MG102 "T" is declared but not exported (write `export` before it: every type of a schema is public)',
    ],
  },
  {
    given: `export interface Page<T> { items: T[] }
export interface X { page: Page<string> }`,
    want: [
      '1:23 MG114 "Page" takes type parameters, which a schema\'s types cannot (write one type for each use)',
      '2:28 MG104 cannot read the type "Page<string>" (write the members out)',
    ],
  },
  {
    given: "export interface X { a(): void; (): void; new (): X; get b(): string }",
    want: [
      '1:22 MG106 cannot read the member "a(): void;" (a member is `name: T`, `name?: T` or `[key: string]: T`)',
      '1:33 MG106 cannot read the member "(): void;" (a member is `name: T`, `name?: T` or `[key: string]: T`)',
      '1:43 MG106 cannot read the member "new (): X;" (a member is `name: T`, `name?: T` or `[key: string]: T`)',
      '1:54 MG106 cannot read the member "get b(): string" (a member is `name: T`, `name?: T` or `[key: string]: T`)',
    ],
  },
  {
    given: "export interface X { [Symbol.iterator]: string }",
    want: [
      '1:22 MG106 cannot read the member "[Symbol.iterator]: string" (a member is `name: T`, `name?: T` or `[key: string]: T`)',
    ],
  },
  { given: "export interface X { a; b: }", want: ["1:28 MG100 syntax error: Type expected."] },
  {
    given: "export interface X { a: string; a: number; b: { c: string; c: string } }",
    want: [
      '1:33 MG107 the member "a" stands here twice (keep one of them)',
      '1:60 MG107 the member "c" stands here twice (keep one of them)',
    ],
  },
  {
    given: `export interface X { a: string }
export interface X { b: string }
export type Y = string;
export const Y = 1;`,
    want: [
      '2:18 MG103 "X" is declared twice, first in line 1 (keep one of them, or give one another name)',
      '4:14 MG103 "Y" is declared twice, first in line 3 (keep one of them, or give one another name)',
    ],
  },
  {
    given: `export interface Tool { a: string }
export interface X { a: Tol; b: Zebra[] }`,
    want: [
      '2:25 MG105 "Tol" is not declared in this file (did you mean Tool?)',
      '2:33 MG105 "Zebra" is not declared in this file (declare it, or write the type out)',
    ],
  },
  {
    given: `export const A = 1;
export type X = A;`,
    want: ['2:17 MG105 "A" is a constant, not a type (write `typeof A`)'],
  },
  {
    given: "export type X = typeof Nothing;",
    want: [
      '1:17 MG104 cannot read the type "typeof Nothing" (`typeof` reads only constants that this file exports)',
    ],
  },
  {
    given: `export const A = [1];
export let B = 1;
export const C = 1 + 1;
export const { D } = { D: 1 };
export const E = true;`,
    want: [
      '1:14 MG111 cannot read the constant "A = [1]" (a constant is `export const NAME = "text"` or `= -1`)',
      '2:12 MG111 cannot read the constant "B = 1" (a constant is `export const NAME = "text"` or `= -1`)',
      '3:14 MG111 cannot read the constant "C = 1 + 1" (a constant is `export const NAME = "text"` or `= -1`)',
      '4:14 MG111 cannot read the constant "{ D } = { D: 1 }" (a constant is `export const NAME = "text"` or `= -1`)',
      '5:14 MG111 cannot read the constant "E = true" (a constant is `export const NAME = "text"` or `= -1`)',
    ],
  },
  {
    given: `export interface A { a: string }
export interface X extends Partial<A>, ns.B, Omit<A, string> {}`,
    want: [
      '2:28 MG108 cannot extend "Partial<A>" (a base is a named type of this file or `Omit<Name, "member">`)',
      '2:40 MG108 cannot extend "ns.B" (a base is a named type of this file or `Omit<Name, "member">`)',
      '2:46 MG108 cannot extend "Omit<A, string>" (a base is a named type of this file or `Omit<Name, "member">`)',
    ],
  },
  {
    given: `export type U = string | number;
export interface X extends U {}`,
    want: ['2:18 MG508 cannot extend "U", which is not an object (extend an interface)'],
  },
  {
    given: `export interface A { a: string }
export interface B { a: number }
export interface X extends A, B {}`,
    want: [
      '3:18 MG509 the member "a" comes from A and B, which give it different types (declare the member anew, or leave it out of one side with Omit)',
    ],
  },
  {
    given: `export interface A { a: string; b: number }
export interface X extends A { a: number; b?: number }`,
    want: [
      '2:32 MG510 the type of "a" is not one of those that A allows it (narrow the member, or extend Omit<A, "a">)',
      '2:43 MG510 "b" is optional here, but A requires it (narrow the member, or extend Omit<A, "b">)',
    ],
  },
  {
    given: `export interface A { a: string }
export interface X extends Omit<A, 'zz'> {}`,
    want: ['2:18 MG511 warning: "zz" is omitted from A, which has no such member'],
  },
  {
    given: `export interface A extends B {}
export interface B extends C {}
export interface C extends A {}
export interface D extends A {}`,
    want: [
      '1:18 MG503 "A" consists of itself: A → B → C → A (break the circle: a type may contain itself only inside a member, an array or a map)',
    ],
  },
  {
    given: `export type A = B | null;
export type B = A;
export type C = C[];`,
    want: [
      '1:13 MG503 "A" consists of itself: A → B → A (break the circle: a type may contain itself only inside a member, an array or a map)',
    ],
  },
  {
    given: "export interface X { a: string; [key: string]: number }",
    want: [
      '1:22 MG512 the type of "a" is not one of those that the index signature allows (widen the index signature)',
    ],
  },
  {
    given: `export interface X { [key: string]: string; [other: string]: string }
export interface Y { [key: number]: string }`,
    want: [
      "1:45 MG107 a second index signature (keep one)",
      '2:22 MG106 cannot read the index signature "[key: number]: string" (its key is one string: `[key: string]: T`)',
    ],
  },
  {
    given: `export interface A { a: string }
export type U = A | null;
export type X = A & string;
export type Y = A & U;`,
    want: [
      '3:21 MG104 cannot read the type "string" (only named types and objects can be joined with `&`)',
      '4:13 MG508 cannot join "U" with `&`: it is not an object (join interfaces)',
    ],
  },
  {
    given: `export interface A { a: string }
export type X = A & { a: number };`,
    want: [
      '2:13 MG509 the member "a" comes from A and an object beside it, which give it different types (declare the member anew, or leave it out of one side with Omit)',
    ],
  },
  {
    given: `export interface X {
  /** @format uri */
  a: number;
  /** @minimum low */
  b: number;
  /** @maxItems 3 */
  c: string;
  /** @pattern ^a$ */
  d: string;
}`,
    want: [
      "3:3 MG112 warning: @format fits nothing in this member's type (write it where the type itself is written, or leave it out)",
      '5:3 MG112 warning: @minimum needs a value it can read, found "low"',
      "7:3 MG112 warning: @maxItems fits nothing in this member's type (write it where the type itself is written, or leave it out)",
      "8:3 MG113 note: the tag @pattern has no meaning here and is left out; known are @format, @TJS-type, @minimum, @maximum, @maxItems, @nullable, @deprecated, @internal, @category",
    ],
  },
  {
    given: `export interface X {
  a: ;
}
export interface Y { b: Partial<X> }`,
    want: [
      "2:6 MG100 syntax error: Type expected.",
      '4:25 MG104 cannot read the type "Partial<X>" (write the members out)',
    ],
  },
  {
    given: `export interface X {
  a: string
export interface Y { b: string }`,
    want: ["3:1 MG100 syntax error: Property or signature expected."],
  },
  {
    given: `// nothing`,
    want: [
      "1:1 MG117 the file declares nothing (a schema holds exported interfaces, type aliases and constants)",
    ],
  },
  {
    given: `export interface ARequest { method: "a/b"; params: string }
export interface BRequest { method: "a/b" }`,
    want: [
      '2:18 MG401 the method "a/b" is declared by ARequest and BRequest (give each message a method of its own)',
      '1:18 MG402 note: no union of messages lists ARequest; "a/b" is taken for a request that the client sends, because most requests are (list it in ClientRequest or ServerRequest)',
      '1:18 MG405 the params of "a/b" are no object (params are a named type or an object with members)',
      '1:18 MG403 warning: nothing says what "a/b" is answered with: there is neither AResult nor EmptyResult (declare AResult)',
    ],
  },
];

describe("a fault", () => {
  it.each(rows)("is told with its place and a way out: $given", async ({ given, want }) => {
    const { reports } = await read(given);
    const told = reports.filter(({ code }) => code !== "MG406");
    expect(
      told.map(({ location, code, severity, message, hint }) => {
        const place = `${location?.line}:${location?.column} ${code}`;
        return `${place} ${severity === "error" ? "" : `${severity}: `}${message}${hint === null ? "" : ` (${hint})`}`;
      }),
    ).toEqual(want);
  });

  it.each(rows)("that is an error gives no protocol: $given", async ({ given }) => {
    const { protocol, reports } = await read(given);
    expect(protocol === null).toBe(reports.some(({ severity }) => severity === "error"));
  });

  it("is told with the chain of places that leads there", async () => {
    const { reports } = await read("export interface X { a: { b: { [key: string]: Partial<X> } } }");
    expect(reports[0]?.within).toEqual(["interface X", "member a", "member b", "the index signature"]);
    expect(reports[0]?.location).toEqual({ file: "notes/schema.ts", line: 1, column: 47 });
  });

  it("hides no other: one run tells them all", async () => {
    // A syntax error would stop the reading of what follows it.
    const faults = rows.filter(({ want }) => !want.some((line) => line.includes("MG100")));
    const text = faults.map(({ given }, index) => given.replace(/\b([A-Z])\b/g, `$1${index}`)).join("\n");
    const { reports } = await read(text);
    const told = new Set(reports.map(({ code }) => code));
    for (const code of ["MG101", "MG102", "MG103", "MG104", "MG105", "MG106", "MG107", "MG108"]) {
      expect(told).toContain(code);
    }
  });
});

describe("a hostile file", () => {
  it("that nests too deep for the parser is refused, not a crash", async () => {
    const { protocol, reports } = await read(
      `export type X = ${"(".repeat(50_000)}string${")".repeat(50_000)};`,
    );
    expect(protocol).toBeNull();
    expect(reports.map(({ code }) => code)).toEqual(["MG116"]);
  });

  it("that nests deeper than anyone writes is refused where it does", async () => {
    const { protocol, reports } = await read(
      `export type X = ${"{ a: ".repeat(100)}string${" }".repeat(100)};`,
    );
    expect(protocol).toBeNull();
    expect(reports).toMatchObject([{ code: "MG116", location: { line: 1, column: 17 + 5 * 51 } }]);
  });

  it("that is no TypeScript at all is told in few words", async () => {
    const { protocol, reports } = await read("]} \u0001 ".repeat(10_000));
    expect(protocol).toBeNull();
    expect(reports.length).toBe(51);
    expect(reports.at(-1)?.message).toMatch(/^\d+ more syntax errors are not shown$/);
  });

  it("with a chain of ten thousand bases is refused once", async () => {
    const chain = Array.from(
      { length: 10_000 },
      (_, index) => `export interface A${index} extends A${index + 1} {}`,
    );
    const { protocol, reports } = await read(`${chain.join("\n")}\nexport interface A10000 {}`);
    expect(protocol).toBeNull();
    expect(reports.map(({ code }) => code)).toEqual(["MG504"]);
  });

  it("with bases that double at every step is read", async () => {
    const steps = Array.from({ length: 60 }, (_, index) => [
      `export interface L${index} extends M${index} {}`,
      `export interface R${index} extends M${index} {}`,
      `export interface M${index + 1} extends L${index}, R${index} {}`,
    ]);
    const { protocol } = await read(`export interface M0 { a: string }\n${steps.flat().join("\n")}`);
    expect(protocol).toBeNull(); // 121 steps are a long chain, and found out at once
    const short = await read(`export interface M0 { a: string }\n${steps.slice(0, 45).flat().join("\n")}`);
    expect(short.protocol?.declarations).toHaveLength(136);
  });

  it("with aliases that double at every step is read", async () => {
    const steps = Array.from({ length: 45 }, (_, index) => [
      `export type L${index} = M${index} | null;`,
      `export type R${index} = M${index} | null;`,
      `export type M${index + 1} = L${index} | R${index};`,
    ]);
    const { protocol } = await read(`
      export interface ARequest { method: "a" }
      export type EmptyResult = { [key: string]: unknown };
      export type M0 = ARequest;
      ${steps.flat().join("\n")}
      export type ClientRequest = M45;
    `);
    expect(protocol?.messages.map(({ method, sender }) => [method, sender])).toEqual([["a", "client"]]);
  });

  it("with families of types that refer to each other is compared in reasonable time", async () => {
    const family = (name: string): string =>
      Array.from(
        { length: 20 },
        (_, index) =>
          `export interface ${name}${index} { l: ${name}${(index + 1) % 20}; r: ${name}${(index + 7) % 20} }`,
      ).join("\n");
    const text = `${family("A")}\n${family("B")}\nexport interface P { x: B0 }\nexport interface Q extends P { x: A0 }`;
    expect((await read(text)).protocol).not.toBeNull();
    const other = text.replace("B19 { l: B0;", "B19 { l: B0; no: string;");
    expect((await read(other)).reports.map(({ code }) => code)).toEqual(["MG510"]);
  });

  it("with a circle of ten thousand is refused in one short sentence", async () => {
    const circle = Array.from(
      { length: 10_000 },
      (_, index) => `export interface I${index} extends I${(index + 1) % 10_000} {}`,
    );
    const { reports } = await read(circle.join("\n"));
    expect(reports.map(({ message }) => message)).toEqual([
      '"I0" consists of itself: I0 → I1 → I2 → I3 → I4 → I5 → … → I0',
    ]);
  });

  it("with thousands of unknown names gets a suggestion for the first ones only", async () => {
    const members = Array.from({ length: 3000 }, (_, index) => `m${index}: Tol`);
    const { reports } = await read(`export interface Tool { ${members.join("; ")} }`);
    expect(reports).toHaveLength(3000);
    expect(reports.filter(({ hint }) => hint === "did you mean Tool?")).toHaveLength(100);
  });

  it.each([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "then",
    "",
    "a b",
    "\\u2028",
    "*/",
    "${x}",
  ])("may call a member %j and a method so too", async (name) => {
    const { protocol } = await read(`
        export type EmptyResult = { [key: string]: unknown };
        export interface ARequest { method: "${name}"; params?: { "${name}": "${name}" } }
        export type ClientRequest = ARequest;
      `);
    const wanted = name === "\\u2028" ? "\u2028" : name;
    expect(protocol?.messages[0]?.method).toBe(wanted);
    const params = protocol?.messages[0]?.params.type;
    expect(params?.kind === "object" ? params.properties[0]?.name : null).toBe(wanted);
  });
});

describe("the text's form does not matter", () => {
  const text = "/** Doc. */\nexport interface X {\n  /** Of a. */\n  a: string;\n}\n";

  it.each([
    ["CRLF line ends", text.replaceAll("\n", "\r\n")],
    ["CR line ends", text.replaceAll("\n", "\r")],
    ["a byte order mark", `\uFEFF${text}`],
    ["a shebang and a pragma", `#!/usr/bin/env node\n// @ts-nocheck\n${text}`],
    ["an empty export", `${text}export {};`],
    ["stray semicolons", `;\n${text};;`],
  ])("%s", async (_, given) => {
    const plain = await read(text);
    const { protocol, reports } = await read(given);
    expect(reports).toEqual(plain.reports);
    expect(protocol?.declarations).toEqual(plain.protocol?.declarations);
  });

  it("and places count lines whatever ends them", async () => {
    const { reports } = await read("export interface X {\r\n  a: string;\r\n  b: Y;\r\n}");
    expect(reports[0]?.location).toEqual({ file: "notes/schema.ts", line: 3, column: 6 });
  });
});
