import type { Check, CheckOf, Schema, TypeName } from "../../../ir/constraint.js";
import type { Json } from "../../../ir/snapshot/model.js";
import { isOf } from "../../../ir/json/value.js";
import type { Definitions } from "./file.js";
import { exact } from "../../../ir/json.js";

/** The check of a schema with a single check of this kind; null for any other schema. */
export function onlyOf<K extends Check["kind"]>(checks: readonly Check[], kind: K): CheckOf<K> | null {
  const [only] = checks;
  return checks.length === 1 && only?.kind === kind ? (only as CheckOf<K>) : null;
}

/** The key of a schema that is only a reference; null for any other. */
export function referenceIn({ checks }: Schema): string | null {
  return onlyOf(checks, "reference")?.key ?? null;
}

/** The schema that a chain of references leads to. */
export function targetOf(definitions: Definitions, schema: Schema): Schema {
  const visited = new Set<string>();
  let target = schema;
  for (let key = referenceIn(target); key !== null && !visited.has(key); key = referenceIn(target)) {
    visited.add(key);
    target = definitions.get(key)?.schema ?? target;
  }
  return target;
}

/** The types in a schema's `type`; null without it. */
export function typesOf(checks: readonly Check[]): readonly TypeName[] | null {
  return checks.find((check) => check.kind === "type")?.types ?? null;
}

/** The values that are in all lists of a schema and that its types allow; null without a list. */
export function valuesOf(checks: readonly Check[]): readonly Json[] | null {
  const lists = checks.flatMap((check) => (check.kind === "values" ? [check.values] : []));
  const [first, ...others] = lists;
  if (first === undefined) return null;
  const types = typesOf(checks);
  return first.filter((value) => {
    const isListed = others.every((list) => list.some((other) => exact(value) === exact(other)));
    return isListed && (types === null || types.some((type) => isOf(type, value)));
  });
}

/** True if the types and values of a schema show that it accepts nothing. */
export function acceptsNothing(checks: readonly Check[]): boolean {
  return checks.some(({ kind }) => kind === "never") || valuesOf(checks)?.length === 0;
}

export type Scalar = string | number | boolean | null;

export function isScalar(value: Json): value is Scalar {
  return typeof value !== "object" || value === null;
}

/** The JSON types whose values a schema may accept; `number` includes integers. */
export function kindsOf(checks: readonly Check[]): ReadonlySet<Kind> {
  const values = valuesOf(checks);
  if (values !== null) return new Set(kinds.filter((kind) => values.some((value) => isOf(kind, value))));
  const types = typesOf(checks);
  if (types === null) return new Set(kinds);
  return new Set(types.map((type) => (type === "integer" ? "number" : type)));
}

export type Kind = Exclude<TypeName, "integer">;

const kinds: readonly Kind[] = ["null", "boolean", "string", "number", "array", "object"];

/**
 * The inclusive bounds of numbers of one type; null without bounds, or if another check restricts the numbers too.
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
  const isNumber = others.length === 0 && (type === "number" || type === "integer");
  return isNumber && (low !== null || high !== null) ? { low, high } : null;
}

export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}
