import type { Fault } from "./fault.js";

/** What cannot be extended or joined, and types that consist of themselves. */
export const bases: readonly Fault[] = [
  {
    given: `export interface A { a: string }
export interface X extends Partial<A>, ns.B, Omit<A, string> {}`,
    want: [
      "2:28 MG123 note: this type and others of the file are read as the TypeScript compiler resolves them, which takes longer and keeps fewer names",
      '2:40 MG108 cannot extend "ns.B" (extend a named type of this file or `Omit<Name, "member">`)',
    ],
  },
  {
    given: `export interface A { a: string }
export interface X extends Array<A>, Extract<A, 1>, Required<[A]> {}`,
    want: [
      "2:28 MG123 note: this type and others of the file are read as the TypeScript compiler resolves them, which takes longer and keeps fewer names",
      '2:28 MG108 cannot extend "Array<A>" (extend a named type of this file or `Omit<Name, "member">`)',
      '2:38 MG108 cannot extend "Extract<A, 1>" (extend a named type of this file or `Omit<Name, "member">`)',
      '2:53 MG108 cannot extend "Required<[A]>" (extend a named type of this file or `Omit<Name, "member">`)',
    ],
  },
  {
    given: `export type U = string | number;
export interface X extends U {}`,
    want: [
      '2:18 MG508 cannot extend "U", which is not an object (extend an interface)',
    ],
  },
  {
    given: `export interface A { a: string }
export interface B { a: number }
export interface X extends A, B {}`,
    want: [
      '3:18 MG509 A and B declare the member "a" with different types (redeclare the member, or leave it out of one side with Omit)',
    ],
  },
  {
    given: `export interface A { a: string; b: number }
export interface X extends A { a: number; b?: number }`,
    want: [
      '2:32 MG510 the type of "a" is not assignable to its type in A (narrow the member, or extend Omit<A, "a">)',
      '2:43 MG510 "b" is optional here, but A requires it (narrow the member, or extend Omit<A, "b">)',
    ],
  },
  {
    given: `export interface A { a: string }
export interface X extends Omit<A, 'zz'> {}`,
    want: [
      '2:18 MG511 warning: "zz" is omitted from A, which has no such member (correct or remove the name)',
    ],
  },
  {
    given: `export interface A extends B {}
export interface B extends C {}
export interface C extends A {}
export interface D extends A {}`,
    want: [
      '1:18 MG503 "A" contains itself: A → B → C → A (break the cycle: a type may contain itself only inside a member, an array or a map)',
    ],
  },
  {
    given: `export type A = B | null;
export type B = A;
export type C = C[];`,
    want: [
      '1:13 MG503 "A" contains itself: A → B → A (break the cycle: a type may contain itself only inside a member, an array or a map)',
    ],
  },
  {
    given: "export interface X { a: string; [key: string]: number }",
    want: [
      '1:22 MG512 the type of "a" is not assignable to the type of the index signature (widen the index signature)',
    ],
  },
  {
    given: `export interface A { a: string }
export type X = A & { a: number };`,
    want: [
      '2:13 MG509 A and an object literal declare the member "a" with different types (redeclare the member, or leave it out of one side with Omit)',
    ],
  },
];
