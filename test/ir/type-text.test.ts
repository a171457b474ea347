import { describe, expect, it } from "vitest";
import { checkText } from "../../src/ir/snapshot/type-text.js";

describe("the check of generated type text", () => {
  it.each([
    [
      '{\nk0?: (R0 | "s1" | -1.5e-7)[]\n[k: string]: unknown\n}',
      '{ k0 ? : ( R0 | "s1" | -1.5e-7 ) [ ] [ k : string ] : unknown }',
    ],
    ["(boolean & never)", "( boolean & never )"],
    ["{\nt0: null\nrest: number[]\n}", "{ t0 : null rest : number [ ] }"],
  ])("accepts %j and separates its tokens by spaces", (text, words) => {
    expect(checkText(text)).toBe(words);
  });

  it.each([
    "any",
    "Date",
    "stringly",
    '"text"',
    '"s0" + "s1"',
    "'s0'",
    "`s0`",
    "k0: string;",
    "k0: string // comment",
    "/* comment */ string",
    "typeof k0",
    "constructor: string",
    "R0<string>",
    "k0x",
    "1n",
    "string\\u0000",
  ])("rejects %j", (text) => {
    expect(checkText(text)).toBeNull();
  });
});
