import type { Fault } from "./fault.js";

/** Members, index signatures and their tags. */
export const members: readonly Fault[] = [
  {
    given: "export interface X { a; /** B. */ b?: 1; c?, get d(): 1 }",
    want: [
      '1:22 MG104 the member "a" has no type (write one, or `unknown` for any value)',
      '1:42 MG104 the member "c" has no type (write one, or `unknown` for any value)',
      '1:46 MG106 cannot read the member "get d(): 1" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
    ],
  },
  {
    given:
      "export interface X { a(): void; (): void; new (): X; get b(): string }",
    want: [
      '1:22 MG106 cannot read the member "a(): void;" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
      '1:33 MG106 cannot read the member "(): void;" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
      '1:43 MG106 cannot read the member "new (): X;" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
      '1:54 MG106 cannot read the member "get b(): string" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
    ],
  },
  {
    given: "export interface X { [Symbol.iterator]: string }",
    want: [
      '1:22 MG106 cannot read the member "[Symbol.iterator]: string" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
    ],
  },
  {
    given:
      "export interface X { [Missing]: string; [a: string, b: string]: 1 }",
    want: [
      '1:22 MG106 cannot read the member "[Missing]: string;" (write it as `name: T`, `name?: T` or `[key: string]: T`)',
      '1:41 MG106 cannot read the index signature "[a: string, b: string]: 1" (write one string key: `[key: string]: T`)',
    ],
  },
  {
    given: `export interface X { [key: string]: string; [other: string]: string }
export interface Y { [key: number]: string }`,
    want: [
      "1:45 MG107 the type has a second index signature (keep one of them)",
      '2:22 MG106 cannot read the index signature "[key: number]: string" (write one string key: `[key: string]: T`)',
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
  /** @patern ^a$ */
  d: string;
  /** @pattern ( */
  e: string;
  /** @minLength -1 */
  f: string;
  /** @pattern */
  g: string;
  /** @minimum */
  h: number;
  /** @maximum Infinity */
  i: number;
}`,
    want: [
      "3:3 MG112 warning: @format does not apply to this member's type (move it to the declaration of the type, or remove it)",
      '5:3 MG112 warning: the value "low" of @minimum is not valid (correct it, or remove the tag)',
      "7:3 MG112 warning: @maxItems does not apply to this member's type (move it to the declaration of the type, or remove it)",
      "8:3 MG113 note: the tag @patern is unknown and ignored; known tags are @format, @TJS-type, @pattern, @minLength, @maxLength, @minimum, @maximum, @exclusiveMinimum, @exclusiveMaximum, @minItems, @maxItems, @nullable, @deprecated, @internal, @category, @mcpName, @declaredBy",
      '11:3 MG112 warning: the value "(" of @pattern is not valid (correct it, or remove the tag)',
      '13:3 MG112 warning: the value "-1" of @minLength is not valid (correct it, or remove the tag)',
      '15:3 MG112 warning: the value "" of @pattern is not valid (correct it, or remove the tag)',
      '17:3 MG112 warning: the value "" of @minimum is not valid (correct it, or remove the tag)',
      '19:3 MG112 warning: the value "Infinity" of @maximum is not valid (correct it, or remove the tag)',
    ],
  },
];
