import type { Json } from "../json.js";
import type { Check, Schema } from "../constraint.js";
import { isOf } from "../json/value.js";
import { kindOfCheck, type Tester, typeOfCheck } from "./kinds.js";

/** The targets of references, by key. */
export type Definitions = ReadonlyMap<string, { readonly schema: Schema }>;

/**
 * The state of a validation, with a limit on its work: schemas are not trusted,
 * and some never end.
 */
export interface Validation {
  readonly definitions: Definitions;
  /** Results by definition and value. */
  readonly results: Map<string, Map<Json, boolean>>;
  /** The number of checks that may still run. */
  budget: number;
}

export function validationOf(
  definitions: Definitions,
  budget: number,
): Validation {
  return { definitions, results: new Map(), budget };
}

/** The maximum nesting of checks. */
const maxDepth = 200;

class LimitError extends Error {}

/** True if a schema accepts a value. False also if the limits are exceeded. */
export function accepts(
  validation: Validation,
  schema: Schema,
  value: Json,
): boolean {
  try {
    return fitsAll(validation, schema, value, 0);
  } catch (error) {
    if (error instanceof LimitError) return false;
    throw error;
  }
}

function fitsAll(
  validation: Validation,
  schema: Schema,
  value: Json,
  depth: number,
): boolean {
  if (depth > maxDepth) throw new LimitError();
  const tester: Tester = {
    fits: (inner, part) => fitsAll(validation, inner, part, depth + 1),
    fitsKey: (key, part) => fitsKey(validation, key, part, depth + 1),
  };
  return schema.checks.every((check) =>
    passes(validation, check, value, tester),
  );
}

function fitsKey(
  validation: Validation,
  key: string,
  value: Json,
  depth: number,
): boolean {
  const target = validation.definitions.get(key);
  if (target === undefined) return true;
  const results = validation.results.get(key) ?? new Map<Json, boolean>();
  validation.results.set(key, results);
  const result =
    results.get(value) ?? fitsAll(validation, target.schema, value, depth);
  results.set(value, result);
  return result;
}

function passes(
  validation: Validation,
  check: Check,
  value: Json,
  tester: Tester,
): boolean {
  validation.budget -= 1;
  if (validation.budget < 0) throw new LimitError();
  const type = typeOfCheck(check);
  return (
    (type !== null && !isOf(type, value)) ||
    kindOfCheck(check).accepts(check, value, tester)
  );
}
