import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import type { Definitions } from "../../../ir/constraint/accepts.js";
import { referenceIn, typesOf, valuesOf } from "../../../ir/constraint/form.js";
import { isOf } from "../../../ir/json/value.js";

/** The schema that a chain of references leads to. */
export function targetOf(definitions: Definitions, schema: Schema): Schema {
  const visited = new Set<string>();
  let target = schema;
  for (
    let key = referenceIn(target);
    key !== null && !visited.has(key);
    key = referenceIn(target)
  ) {
    visited.add(key);
    target = definitions.get(key)?.schema ?? target;
  }
  return target;
}

/** True if the types and values of a schema show that it accepts nothing. */
export function acceptsNothing(checks: readonly Check[]): boolean {
  return (
    checks.some(({ kind }) => kind === "never") ||
    valuesOf(checks)?.length === 0
  );
}

/**
 * The JSON types whose values a schema may accept; `number` includes integers.
 */
export function kindsOf(checks: readonly Check[]): ReadonlySet<Kind> {
  const values = valuesOf(checks);
  if (values !== null)
    return new Set(
      kinds.filter((kind) => values.some((value) => isOf(kind, value))),
    );
  const types = typesOf(checks);
  if (types === null) return new Set(kinds);
  return new Set(types.map((type) => (type === "integer" ? "number" : type)));
}

export type Kind = Exclude<TypeName, "integer">;

const kinds: readonly Kind[] = [
  "null",
  "boolean",
  "string",
  "number",
  "array",
  "object",
];

/**
 * The inclusive bounds of numbers of one type; null without bounds, or if
 * another check restricts the numbers too.
 */
export function boundsOf(checks: readonly Check[]): Bounds | null {
  let low: number | null = null;
  let high: number | null = null;
  for (const check of checks) {
    if (check.kind === "type") continue;
    if (check.kind !== "bound" || check.open) return null;
    if (check.side === "low") low = Math.max(low ?? -Infinity, check.value);
    else high = Math.min(high ?? Infinity, check.value);
  }
  const [type, ...others] = typesOf(checks) ?? [];
  const isNumber =
    others.length === 0 && (type === "number" || type === "integer");
  return isNumber && (low !== null || high !== null) ? { low, high } : null;
}

export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}
