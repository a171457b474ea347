import type { Fault } from "./fault.js";

/** Types that no schema can have, or that nothing declares. */
export const types: readonly Fault[] = [
  {
    given:
      "export interface X { a: undefined | undefined; b?: undefined | undefined }",
    want: [25, 37, 52, 64].map(
      (column) =>
        `1:${column} MG104 cannot read the type "undefined" (make the member optional, because JSON has no such value: \`name?: T\`)`,
    ),
  },
  {
    given: "export type X = () => void;",
    want: [
      '1:17 MG104 cannot read the type "() => void" (JSON has no such value)',
    ],
  },
  {
    given: `export type X = () => "${"a".repeat(52)}";
export type Y = () => "${"a".repeat(53)}";`,
    want: [
      `1:17 MG104 cannot read the type "() => "${"a".repeat(52)}"" (JSON has no such value)`,
      `2:17 MG104 cannot read the type "() => "${"a".repeat(53)}…" (JSON has no such value)`,
    ],
  },
  {
    given: `export const A = 1;
export type X = typeof A<string>;`,
    want: [
      "2:17 MG123 note: this type and others of the file are read as the TypeScript compiler resolves them, which takes longer and keeps fewer names",
    ],
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
    given: `export interface A { a: string }
export type X = ("a" | A) & A;
export type Y = Record<Z, 1>;
export type Z = number;`,
    want: [
      '2:17 MG104 cannot read the type "("a" | A)" (only named types and objects can be joined with `&`)',
      "3:17 MG123 note: this type and others of the file are read as the TypeScript compiler resolves them, which takes longer and keeps fewer names",
      '3:17 MG104 cannot read the type "Record<Z, 1>" (use string or string literals as keys of a Record)',
    ],
  },
  {
    given: `export interface A { a: string }
export type X = ${Array.from({ length: 9 }, (_, i) => `({ a: ${i} } | A)`).join(" & ")};`,
    want: [
      '2:17 MG104 cannot read the type "({ a: 0 } | A) & ({ a: 1 } | A) & ({ a: 2 } | A) & ({ a: 3 }…" (join fewer unions, or write the members out: together they have more than 256 alternatives)',
    ],
  },
  {
    given: `export declare const A: B["a"];
export declare const C: B["b"];
export declare const D: Missing["a"];
export interface B { a: "a"; b: string }`,
    want: [
      '2:22 MG111 cannot read the constant "C: B["b"]" (write it as `export const NAME = "text"` or `= -1`)',
      '3:22 MG111 cannot read the constant "D: Missing["a"]" (write it as `export const NAME = "text"` or `= -1`)',
    ],
  },
  {
    given: "export interface X { a: string | undefined; b: undefined }",
    want: [
      '1:34 MG104 cannot read the type "undefined" (make the member optional, because JSON has no such value: `name?: T`)',
      '1:48 MG104 cannot read the type "undefined" (make the member optional, because JSON has no such value: `name?: T`)',
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
      "1:17 MG123 note: this type and others of the file are read as the TypeScript compiler resolves them, which takes longer and keeps fewer names",
      '1:17 MG104 cannot read the type "typeof Nothing" (use `typeof` only for constants that this file exports)',
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
];
