import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { literalText } from "../../typescript/code.js";
import { anyOf } from "../../guards/expectation.js";

/** What a refused value should have been, as the words after "expected". */
export function wordsOf(schema: Schema): string {
  // Values say more than the types that they have.
  const order = [...schema.checks].sort((a, b) => Number(b.kind === "values") - Number(a.kind === "values"));
  const words = order.map(wordsOfCheck).filter((text) => text !== null);
  return words[0] ?? "another value";
}

function wordsOfCheck(check: Check): string | null {
  switch (check.kind) {
    case "type":
      return typeWords(check.types);
    case "values":
      return anyOf(
        check.values.map((value) => {
          return typeof value === "object" && value !== null ? "a listed value" : literalText(value);
        }),
      );
    case "any":
    case "one":
      return anyOf(check.schemas.map(wordsOf));
    default:
      return null;
  }
}

const nouns: Readonly<Record<TypeName, string>> = {
  null: "null",
  boolean: "a boolean",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
};

export function typeWords(types: readonly TypeName[]): string {
  return anyOf(types.map((type) => nouns[type]));
}

/** `at least 2 items`. */
export function countWords(side: "least" | "most", count: number, noun: string): string {
  return `at ${side} ${count} ${noun}${count === 1 ? "" : "s"}`;
}
