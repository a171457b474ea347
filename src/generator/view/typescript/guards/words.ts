import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { literalText } from "../code.js";
import type { GuardFile } from "./file.js";
import {
  isScalar,
  referenceIn,
  typesOf,
  valuesOf,
} from "../../../ir/constraint/form.js";
import { boundsOf, targetOf } from "./inspect.js";
import { checksOf, flattenArms } from "./normal.js";

/** The words after "expected" in a message: `a string`, `"text" or "image"`. */
export function wordsOf(file: GuardFile, schema: Schema): string {
  return anyOf(phrasesOf(file, schema));
}

/** The same for each type, value or alternative. */
export function phrasesOf(file: GuardFile, schema: Schema): string[] {
  const checks = checksOf(file.definitions, targetOf(file.definitions, schema));
  if (checks.length === 0) return ["a value"];
  // Values are more precise than their types.
  const values = valuesOf(checks);
  if (values !== null) {
    return values.map((value) =>
      isScalar(value) ? literalText(value) : "a listed value",
    );
  }
  const types = typesOf(checks);
  const key = referenceIn(schema);
  if (types !== null) {
    // A named object is described by its name.
    if (key !== null && types.every((type) => type === "object"))
      return [file.naming.word(key)];
    return types.map((type) => nouns[type] + boundWords(checks));
  }
  for (const check of checks) {
    if (check.kind === "any" || check.kind === "one") {
      return flattenArms(file.definitions, check.schemas).flatMap((arm) =>
        phrasesOf(file, arm),
      );
    }
  }
  return ["another value"];
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

/** ` of at least 1`, ` from 1 to 5`; empty without bounds. */
function boundWords(checks: readonly Check[]): string {
  const bounds = boundsOf(checks);
  if (bounds === null) return "";
  const { low, high } = bounds;
  if (low !== null && high !== null) return ` from ${low} to ${high}`;
  return low !== null ? ` of at least ${low}` : ` of at most ${high}`;
}

/** `a`, `a or b`, `a, b or c`; each once. */
export function anyOf(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  const parts = [distinct.slice(0, -1).join(", "), ...distinct.slice(-1)];
  return parts.filter((part) => part !== "").join(" or ");
}

/** `at least 2 items`. */
export function countWords(
  side: "least" | "most",
  count: number,
  noun: string,
): string {
  return `at ${side} ${count} ${noun}${count === 1 ? "" : "s"}`;
}
