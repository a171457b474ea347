import type { Fault } from "./fault.js";

/** Declarations, constants and messages that are none, or stand twice. */
export const declarations: readonly Fault[] = [
  ...[
    "-1e999",
    "1e999",
    "~1",
    '-"a"',
    "('a')",
    "-Y",
    "Y",
    "1n",
    "Y.b",
    "true",
    "null",
    "/a/",
  ].map((value) => ({
    given: `export const Y = 1, X = ${value};`,
    want: [
      `1:21 MG111 cannot read the constant "X = ${value}" (write it as \`export const NAME = "text"\` or \`= -1\`)`,
    ],
  })),
  ...[
    "A",
    'A["b"]',
    'B["a"]',
    'A["a"]["b"]',
    "A[string]",
    'A["c"]',
    "1e999",
  ].map((type) => ({
    given: `export interface A { a: "a"; b: string; c(): void; [1]: 2 }
export type B = { a: "a" };
export declare const X: ${type};`,
    want: [
      `3:22 MG111 cannot read the constant "X: ${type}" (write it as \`export const NAME = "text"\` or \`= -1\`)`,
      '1:41 MG106 cannot read the member "c(): void;" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
      '1:52 MG106 cannot read the member "[1]: 2" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
    ],
  })),
  {
    given: "export class A { a = 1 }",
    want: [
      '1:1 MG101 cannot read "export class A { a = 1 }" (write an interface instead)',
    ],
  },
  {
    given: "export namespace N { export function f(): void; }",
    want: [
      '1:22 MG101 cannot read "export function f(): void;" (write exported interfaces, type aliases and constants only)',
    ],
  },
  {
    given: "export function f(): void {}",
    want: [
      '1:1 MG101 cannot read "export function f(): void {}" (write exported interfaces, type aliases and constants only)',
    ],
  },
  {
    given: `declare module 'x' {}
export default 1;`,
    want: [
      "1:1 MG101 cannot read \"declare module 'x' {}\" (declare its types outside of it)",
      '2:1 MG101 cannot read "export default 1;" (write exported interfaces, type aliases and constants only)',
    ],
  },
  {
    given: `import type { Tool, Prompt as P } from "./other.js";
export interface X { tool: Tool; prompt: P }`,
    want: [
      '1:1 MG115 cannot read "import type { Tool, Prompt as P } from "./other.js";": a schema is one file (copy the imported types into the file)',
    ],
  },
  {
    given: 'export * from "./other.js";',
    want: [
      '1:1 MG101 cannot read "export * from "./other.js";" (write `export` before each declaration)',
    ],
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
    given: "export interface X { a; b: }",
    want: ["1:28 MG100 syntax error: Type expected."],
  },
  {
    given:
      "export interface X { a: string; a: number; b: { c: string; c: string } }",
    want: [
      '1:33 MG107 the member "a" is declared twice (keep one of them)',
      '1:60 MG107 the member "c" is declared twice (keep one of them)',
    ],
  },
  {
    given: `export interface X { a: string }
export interface X { b: string }
export type Y = string;
export const Y = 1;`,
    want: [
      '4:14 MG103 "Y" is declared twice, first on line 3 (keep one of them, or give one another name)',
    ],
  },
  {
    given: `export const A = [1];
export let B = 1;
export const C = 1 + 1;
export const { D } = { D: 1 };
export const E = true;
export let F = [1];`,
    want: [
      '2:12 MG111 cannot read the constant "B = 1" (write it as `export const NAME = "text"` or `= -1`)',
      '3:14 MG111 cannot read the constant "C = 1 + 1" (write it as `export const NAME = "text"` or `= -1`)',
      '4:14 MG111 cannot read the constant "{ D } = { D: 1 }" (write it as `export const NAME = "text"` or `= -1`)',
      '5:14 MG111 cannot read the constant "E = true" (write it as `export const NAME = "text"` or `= -1`)',
      '6:12 MG111 cannot read the constant "F = [1]" (write it as `export const NAME = "text"` or `= -1`)',
    ],
  },
  {
    given: `export interface X {
  a: ;
}
export interface Y { b: Partial<X> }`,
    want: [
      "2:6 MG100 syntax error: Type expected.",
      '4:25 MG104 cannot read the type "Partial<X>" (correct the syntax errors first)',
    ],
  },
  {
    given: `export interface X {
  a: string
export interface Y { b: string }`,
    want: ["3:1 MG100 syntax error: Property or signature expected."],
  },
  {
    given: `export interface X { a: string }
export type Y =`,
    want: ["2:16 MG100 syntax error: Type expected."],
  },
  {
    given: `// nothing`,
    want: [
      "1:1 MG117 the file has no declarations (write exported interfaces, type aliases and constants only)",
    ],
  },
  {
    given: `export interface ARequest { method: "a/b"; params: string }
export interface BRequest { method: "a/b" }`,
    want: [
      '2:18 MG401 the method "a/b" is declared by ARequest and BRequest (give each message a method of its own)',
      '1:18 MG402 note: ARequest is not in any union of messages; it is assumed that the client sends the request "a/b", because it sends most requests (list it in ClientRequest or ServerRequest)',
      '1:18 MG405 the params of "a/b" are not an object (declare them as a named type or an object with members)',
      '1:18 MG403 warning: the result of "a/b" is unknown: the schema declares neither AResult nor EmptyResult (declare AResult)',
    ],
  },
];
