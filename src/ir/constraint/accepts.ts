import { type Json, exact } from "../json.js";
import type { Check, CheckOf, Schema } from "../constraint.js";
import { isList, isOf, isRecord, sizeOf } from "../json/value.js";

/** The targets of references, by key. */
export type Definitions = ReadonlyMap<string, { readonly schema: Schema }>;

/** The state of a validation, with a limit on its work: schemas are not trusted, and some never end. */
export interface Validation {
  readonly definitions: Definitions;
  /** Results by definition and value. */
  readonly results: Map<string, Map<Json, boolean>>;
  /** The number of checks that may still run. */
  budget: number;
}

export function validationOf(definitions: Definitions, budget: number): Validation {
  return { definitions, results: new Map(), budget };
}

/** The maximum nesting of checks. */
const maxDepth = 200;

class LimitError extends Error {}

/** True if a schema accepts a value. False also if the limits are exceeded. */
export function accepts(validation: Validation, schema: Schema, value: Json): boolean {
  try {
    return fitsAll(validation, schema, value, 0);
  } catch (error) {
    if (error instanceof LimitError) return false;
    throw error;
  }
}

function fitsAll(validation: Validation, schema: Schema, value: Json, depth: number): boolean {
  if (depth > maxDepth) throw new LimitError();
  return schema.checks.every((check) => passes(validation, check, value, depth + 1));
}

function fitsKey(validation: Validation, key: string, value: Json, depth: number): boolean {
  const target = validation.definitions.get(key);
  if (target === undefined) return true;
  const results = validation.results.get(key) ?? new Map<Json, boolean>();
  validation.results.set(key, results);
  const result = results.get(value) ?? fitsAll(validation, target.schema, value, depth);
  results.set(value, result);
  return result;
}

function passes(validation: Validation, check: Check, value: Json, depth: number): boolean {
  validation.budget -= 1;
  if (validation.budget < 0) throw new LimitError();
  const fits = (schema: Schema, inner: Json = value): boolean => fitsAll(validation, schema, inner, depth);
  switch (check.kind) {
    case "never":
      return false;
    case "type":
      return check.types.some((type) => isOf(type, value));
    case "values":
      return check.values.some((one) => exact(one) === exact(value));
    case "reference":
      return fitsKey(validation, check.key, value, depth);
    case "bound":
      return typeof value !== "number" || isWithin(check, value);
    case "multiple":
      return typeof value !== "number" || Number.isInteger(value / check.of);
    case "size": {
      const size = sizeOf(check.of, value);
      return size === null || (size >= check.min && size <= (check.max ?? Infinity));
    }
    case "pattern":
      return typeof value !== "string" || matches(check, value);
    case "items":
      return (
        !isList(value) ||
        value.every((item, i) => {
          const schema = check.first[i] ?? check.rest;
          return schema === null || fits(schema, item);
        })
      );
    case "unique":
      return !isList(value) || new Set(value.map(exact)).size === value.length;
    case "contains": {
      const count = isList(value) ? value.filter((item) => fits(check.schema, item)).length : check.min;
      return count >= check.min && count <= (check.max ?? Infinity);
    }
    case "members":
      return (
        !isRecord(value) ||
        Object.entries(value).every(([name, member]) =>
          schemasOf(check, name).every((schema) => fits(schema, member)),
        )
      );
    case "required":
      return !isRecord(value) || check.names.every((name) => Object.hasOwn(value, name));
    case "names":
      return !isRecord(value) || Object.keys(value).every((name) => fits(check.schema, name));
    case "dependent":
      return (
        !isRecord(value) ||
        !Object.hasOwn(value, check.member) ||
        (check.names.every((name) => Object.hasOwn(value, name)) &&
          (check.schema === null || fits(check.schema)))
      );
    case "all":
      return check.schemas.every((schema) => fits(schema));
    case "any":
      return check.schemas.some((schema) => fits(schema));
    case "one":
      return check.schemas.filter((schema) => fits(schema)).length === 1;
    case "not":
      return !fits(check.schema);
    case "when": {
      const branch = fits(check.test) ? check.then : check.otherwise;
      return branch === null || fits(branch);
    }
    default:
      return check satisfies never;
  }
}

/** The schemas that apply to a member of this name. */
export function schemasOf(
  { properties, patterns, rest }: CheckOf<"members">,
  name: string,
): readonly Schema[] {
  const schemas = [
    ...properties.filter((property) => property.name === name),
    ...patterns.filter(({ pattern: source, maxLength }) => matches({ source, maxLength }, name)),
  ].map(({ schema }) => schema);
  return schemas.length === 0 && rest !== null ? [rest] : schemas;
}

function isWithin({ side, value: bound, open }: CheckOf<"bound">, value: number): boolean {
  if (value === bound) return !open;
  return side === "low" ? value > bound : value < bound;
}

/** A text longer than `maxLength`, or too long for the engine, counts as a text that does not match. */
export function matches(
  { source, maxLength }: { readonly source: string; readonly maxLength: number | null },
  text: string,
): boolean {
  try {
    return (maxLength === null || text.length <= maxLength) && new RegExp(source, "u").test(text);
  } catch {
    return false;
  }
}
