import type { Check, Schema, TypeName } from "../../../ir/constraint.js";
import { exact } from "../../../ir/snapshot/canonical.js";
import type { Json } from "../../../ir/snapshot/model.js";
import { isOf } from "../../../ir/snapshot/value.js";
import type { Definitions } from "./file.js";

/** The only check of a schema when it is of this kind; null for any other schema. */
export function onlyOf<K extends Check["kind"]>(
  checks: readonly Check[],
  kind: K,
): Extract<Check, { kind: K }> | null {
  const [only] = checks;
  return checks.length === 1 && only?.kind === kind ? (only as Extract<Check, { kind: K }>) : null;
}

/** The key of a schema that is only a reference; null for any other. */
export function referenceIn({ checks }: Schema): string | null {
  return onlyOf(checks, "reference")?.key ?? null;
}

/** The schema that a chain of references leads to. */
export function targetOf(definitions: Definitions, schema: Schema): Schema {
  const seen = new Set<string>();
  let target = schema;
  for (let key = referenceIn(target); key !== null && !seen.has(key); key = referenceIn(target)) {
    seen.add(key);
    target = definitions.get(key)?.schema ?? target;
  }
  return target;
}

/** The types that a schema names; null when it names none. */
export function typesOf(checks: readonly Check[]): readonly TypeName[] | null {
  return checks.find((check) => check.kind === "type")?.types ?? null;
}

/** The values that all lists of a schema share, as far as its types allow them; null when it lists none. */
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

/** The inclusive bounds of numbers of one type; null when there are none, or when another check speaks of the numbers. */
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
