import { flattenType, type Flat } from "./flatten.js";
import { resolve, type Index } from "./lookup.js";
import type { Type } from "./model.js";
import { sameType } from "./prose.js";

/** The number of steps after which the comparison stops and the result is null. */
const maxSteps = 32;

/**
 * Whether every value of `from` is one of `to`, by the rules of TypeScript. Null where the result is unknown: `unknown` may
 * have been written as `any`, and deep recursion is not followed to its end.
 */
export function assignable(declarations: Index, from: Type, to: Type): boolean | null {
  return compareNamed({ declarations, results: new Map() }, from, to, maxSteps);
}

interface Comparison {
  readonly declarations: Index;
  /** Pairs of names already compared. As in TypeScript, a pair whose comparison is still running counts as assignable. */
  readonly results: Map<string, boolean | null>;
}

function compareNamed(comparison: Comparison, from: Type, to: Type, steps: number): boolean | null {
  if (from.kind !== "reference" || to.kind !== "reference") return compare(comparison, from, to, steps);
  if (from.name === to.name) return true;
  const pair = `${from.name}\n${to.name}`;
  const earlier = comparison.results.get(pair);
  if (earlier !== undefined) return earlier;
  comparison.results.set(pair, true);
  const result = compare(comparison, from, to, steps);
  comparison.results.set(pair, result);
  return result;
}

function compare(comparison: Comparison, from: Type, to: Type, steps: number): boolean | null {
  const { declarations } = comparison;
  if (steps === 0) return null;
  if (sameType(from, to)) return true;
  const source = resolve(declarations, from);
  const target = resolve(declarations, to);
  const next = (a: Type, b: Type): boolean | null => compareNamed(comparison, a, b, steps - 1);
  if (target.kind === "unknown" || source.kind === "never") return true;
  if (target.kind === "never") return source.kind === "unknown" ? null : false;
  if (source.kind === "unknown") return null;
  if (source.kind === "union") return all(source.members.map((member) => next(member, target)));
  if (target.kind === "union") return any(target.members.map((member) => next(source, member)));
  if (source.kind === "literal") {
    if (target.kind === "literal") return source.value === target.value;
    return source.value !== null && typeof source.value === target.kind;
  }
  if (primitives.has(source.kind) || primitives.has(target.kind)) return source.kind === target.kind;
  if (source.kind === "array") {
    if (target.kind === "array") return next(source.element, target.element);
    return target.kind === "object" && target.properties.length === 0 && target.rest === null;
  }
  if (target.kind === "array") return false;
  const a = flattenType(declarations, source);
  const b = flattenType(declarations, target);
  return a === null || b === null ? null : objects(a, b, next);
}

const primitives: ReadonlySet<Type["kind"]> = new Set(["boolean", "number", "string", "literal"]);

function objects(from: Flat, to: Flat, next: (a: Type, b: Type) => boolean | null): boolean | null {
  const own = new Map(from.properties.map((property) => [property.name, property]));
  const results = to.properties.map((target): boolean | null => {
    const source = own.get(target.name);
    if (source === undefined) return target.optional;
    return source.optional && !target.optional ? false : next(source.type, target.type);
  });
  const { rest } = to;
  if (rest !== null) for (const { type } of from.properties) results.push(next(type, rest));
  if (rest !== null && from.rest !== null) results.push(next(from.rest, rest));
  return all(results);
}

/** True if all are true, false if one is false, null otherwise. */
function all(results: readonly (boolean | null)[]): boolean | null {
  if (results.includes(false)) return false;
  return results.includes(null) ? null : true;
}

function any(results: readonly (boolean | null)[]): boolean | null {
  if (results.includes(true)) return true;
  return results.includes(null) ? null : false;
}
