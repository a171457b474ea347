import type { Schema, TypeName } from "./constraint.js";
import {
  alternativesIn,
  constantIn,
  itemsIn,
  referenceIn,
  typeIn,
} from "./constraint/form.js";
import { sameChecks, textOf } from "./constraint/walk.js";
import { flattenSchema, type Flat } from "./flatten.js";
import { resolve, type Index } from "./lookup.js";

/**
 * The number of steps after which the comparison stops and the result is null.
 */
const maxSteps = 32;

/**
 * The number of schemas that are compared for one protocol: this one, and more
 * for each declaration. A bundled revision needs one for each.
 */
const maxCompared = 20_000;
const maxComparedEach = 100;

const compared = new WeakMap<Index, number>();

/**
 * Whether every value of `from` is one of `to`, by the rules of TypeScript.
 * Null where the result is unknown: `unknown` may have been written as `any`,
 * deep recursion is not followed to its end, and a protocol that `isTooLarge`
 * is not compared further.
 */
export function assignable(
  declarations: Index,
  from: Schema,
  to: Schema,
): boolean | null {
  return compareNamed({ declarations, results: new Map() }, from, to, maxSteps);
}

/**
 * True if these declarations have so many schemas to compare that the result of
 * `assignable` is unknown.
 */
export function isTooLarge(declarations: Index): boolean {
  return (
    (compared.get(declarations) ?? 0) >
    maxCompared + maxComparedEach * declarations.size
  );
}

function count(declarations: Index, schemas: number): void {
  compared.set(declarations, (compared.get(declarations) ?? 0) + schemas);
}

interface Comparison {
  readonly declarations: Index;
  /**
   * Pairs of names already compared. As in TypeScript, a pair whose comparison
   * is still running counts as assignable.
   */
  readonly results: Map<string, boolean | null>;
}

function compareNamed(
  comparison: Comparison,
  from: Schema,
  to: Schema,
  steps: number,
): boolean | null {
  const [source, target] = [referenceIn(from), referenceIn(to)];
  if (source === null || target === null)
    return compare(comparison, from, to, steps);
  if (source === target) return true;
  const pair = `${source}\n${target}`;
  const earlier = comparison.results.get(pair);
  if (earlier !== undefined) return earlier;
  comparison.results.set(pair, true);
  const result = compare(comparison, from, to, steps);
  comparison.results.set(pair, result);
  return result;
}

function compare(
  comparison: Comparison,
  from: Schema,
  to: Schema,
  steps: number,
): boolean | null {
  const { declarations } = comparison;
  if (steps === 0 || isTooLarge(declarations)) return null;
  count(declarations, 1);
  if (sameChecks(from, to)) return true;
  const source = resolve(declarations, from);
  const target = resolve(declarations, to);
  const next = (a: Schema, b: Schema): boolean | null =>
    compareNamed(comparison, a, b, steps - 1);
  const isAny = source.checks.length === 0;
  if (target.checks.length === 0 || isNever(source)) return true;
  if (isNever(target)) return isAny ? null : false;
  if (isAny) return null;
  const [sources, targets] = [alternativesIn(source), alternativesIn(target)];
  if (sources.length > 1 || targets.length > 1) {
    count(declarations, sources.length + targets.length);
    const known = new Set(targets.map(textOf));
    return all(
      sources,
      (part) =>
        known.has(textOf(part)) || any(targets, (other) => next(part, other)),
    );
  }
  const [value, other] = [constantIn(source), constantIn(target)];
  const type = value === undefined ? scalarIn(source) : scalarOf(value);
  if (other !== undefined) return value === other;
  if (type !== null || scalarIn(target) !== null)
    return type === scalarIn(target);
  if (typeIn(source) === "array") {
    if (typeIn(target) === "array")
      return next(itemsIn(source), itemsIn(target));
    const object = flattenSchema(declarations, target);
    return (
      object !== null && object.properties.length === 0 && object.rest === null
    );
  }
  if (typeIn(target) === "array") return false;
  const a = flattenSchema(declarations, source);
  const b = flattenSchema(declarations, target);
  return a === null || b === null ? null : objects(a, b, next);
}

function isNever({ checks }: Schema): boolean {
  return checks.some(({ kind }) => kind === "never");
}

/**
 * The type of a schema, if its values are neither objects nor arrays. An
 * integer is a number.
 */
function scalarIn(schema: Schema): TypeName | null {
  const type = typeIn(schema);
  if (type === null || type === "object" || type === "array") return null;
  return type === "integer" ? "number" : type;
}

function scalarOf(
  value: NonNullable<ReturnType<typeof constantIn>> | null,
): TypeName {
  return value === null ? "null" : (typeof value as TypeName);
}

function objects(
  from: Flat,
  to: Flat,
  next: (a: Schema, b: Schema) => boolean | null,
): boolean | null {
  const own = new Map(
    from.properties.map((property) => [property.name, property]),
  );
  const results = to.properties.map((target): boolean | null => {
    const source = own.get(target.name);
    if (source === undefined) return target.optional;
    return source.optional && !target.optional
      ? false
      : next(source.schema, target.schema);
  });
  const { rest } = to;
  if (rest !== null)
    for (const { schema } of from.properties) results.push(next(schema, rest));
  if (rest !== null && from.rest !== null) results.push(next(from.rest, rest));
  return all(results, (result) => result);
}

/**
 * True if the test of each item is true, false if one is false, null otherwise.
 */
function all<T>(
  items: readonly T[],
  test: (item: T) => boolean | null,
): boolean | null {
  let result: boolean | null = true;
  for (const item of items) {
    const each = test(item);
    if (each === false) return false;
    if (each === null) result = null;
  }
  return result;
}

function any<T>(
  items: readonly T[],
  test: (item: T) => boolean | null,
): boolean | null {
  const result = all(items, (item) => not(test(item)));
  return not(result);
}

function not(result: boolean | null): boolean | null {
  return result === null ? null : !result;
}
