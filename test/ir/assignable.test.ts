import { describe, expect, it } from "vitest";
import { read } from "../read/typescript/reading.js";

/** True if a member of this type may stand in place of one of another type. */
async function mayReplace(own: string, base: string): Promise<boolean> {
  const { reports } = await read(
    `export interface Base { m: ${base} }
export interface Own extends Base { m: ${own} }
export interface A { a: string }
export interface B { a: string; b?: number }
export interface C { a: "x"; c: A[] }
export interface Deep { next: Deep; a: 1 }
export interface Deeper { next: Deeper; a: 1; b: 2 }
export interface Shallow { next: Shallow; a: 2 }
export type Words = "x" | "y";`,
  );
  const errors = reports.filter(({ severity }) => severity === "error");
  for (const { code, message } of errors)
    expect([code, message]).toEqual([
      "MG510",
      'the type of "m" is not assignable to its type in Base',
    ]);
  return errors.length === 0;
}

describe("a member that is declared again", () => {
  it.each<[own: string, base: string, isAllowed: boolean]>([
    ["string", "string", true],
    ['"x"', "string", true],
    ["string", '"x"', false],
    ['"x"', '"x"', true],
    ['"x"', '"y"', false],
    ["1", "string", false],
    ["1", "number", true],
    ["number", "string", false],
    ["true", "boolean", true],
    ["null", "boolean", false],
    ["null", "null", true],
    ["string", "unknown", true],
    ["unknown", "string", true],
    ["{ a?: string }", "{ a?: never }", false],
    ["{ a?: unknown }", "{ a?: never }", true],
    ["{ a?: never }", "{ a?: string }", true],
    // Unions.
    ['"x"', "Words", true],
    ["Words", "string", true],
    ['Words | "z"', "Words", false],
    ["string | number", "string", false],
    ["string", "string | number", true],
    ["A | null", "A | null | string", true],
    ["A | string", "A | number", false],
    ["B | C", "A", true],
    ["A", "B | C", true],
    ["{ a: number }", "B | C", false],
    // Lists.
    ["string[]", "string[]", true],
    ['("x" | "y")[]', "string[]", true],
    ["string[]", "Words[]", false],
    ["string[]", "unknown[]", true],
    ["string[][]", "number[][]", false],
    ["string[]", "object", true],
    ["string[]", "{}", true],
    ["string[]", "A", false],
    ["string[]", "{ [key: string]: string }", false],
    ["string[]", "string", false],
    ["A", "A[]", false],
    ["object", "string[]", false],
    ["string", "string[]", false],
    // Objects.
    ["B", "A", true],
    ["A", "B", true],
    ["C", "A", true],
    ["A", "C", false],
    ["{}", "A", false],
    ["A", "{}", true],
    ["A", "object", true],
    ["string", "object", false],
    ["A", "string", false],
    ["{ a?: string }", "A", false],
    ["{ a?: string }", "{ a?: string }", true],
    ["{ a: 1 }", "A", false],
    ["{ [key: string]: string }", "{ [key: string]: string }", true],
    ["{ [key: string]: string }", "{ [key: string]: number }", false],
    ["{ a: string; b: number }", "{ [key: string]: string }", false],
    ["{ a: string }", "{ [key: string]: string }", true],
    ["{ [key: string]: number }", "A", false],
    ["{ [key: string]: number }", "{ a?: string }", true],
    // Types that contain themselves.
    ["Deeper", "Deep", true],
    ["Deep", "Deeper", false],
    ["Shallow", "Deep", false],
  ])("%s may replace %s: %s", async (own, base, isAllowed) => {
    expect(await mayReplace(own, base)).toBe(isAllowed);
  });
});
