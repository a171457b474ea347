import { byText } from "../../../common/by-text.js";
import { anything, type Schema } from "../constraint.js";
import {
  alternativesIn,
  constantIn,
  schemaOf,
  typeIn,
} from "../constraint/form.js";
import { schemasIn } from "../constraint/walk.js";
import { isOf } from "../json/value.js";

/**
 * A union of projected schemas: flat, sorted, without duplicates and without
 * those that another one covers.
 */
export function canonicalUnion(members: readonly Schema[]): Schema {
  const flat = members.flatMap(alternativesIn);
  if (flat.some(({ checks }) => checks.length === 0)) return anything;
  const distinct = new Map(
    flat.map((member) => [JSON.stringify(member), member]),
  );
  if (
    [true, false].every((value) =>
      flat.some((member) => constantIn(member) === value),
    )
  )
    distinct.set(JSON.stringify(boolean), boolean);
  const all = [...distinct];
  const rest = all.filter(
    ([, member]) => !all.some(([, other]) => covers(other, member)),
  );
  const [only] = rest;
  if (rest.length === 1 && only !== undefined) return only[1];
  const schemas = rest
    .sort(([a], [b]) => byText(a, b))
    .map(([, member]) => member);
  return schemaOf([{ kind: "any", schemas }]);
}

const boolean = schemaOf([{ kind: "type", types: ["boolean"] }]);

/**
 * True if a type without conditions makes a value in the same union redundant.
 */
function covers(wide: Schema, member: Schema): boolean {
  const value = constantIn(member);
  const type = typeIn(wide);
  return (
    value !== undefined &&
    type !== null &&
    wide.checks.length === 1 &&
    isOf(type, value)
  );
}

/**
 * The number of schemas in a schema, including itself; stops counting at the
 * limit.
 */
export function sizeOf(schema: Schema, limit: number): number {
  let size = 1;
  for (const part of schema.checks.flatMap(schemasIn)) {
    if (size >= limit) return limit;
    size += sizeOf(part, limit - size);
  }
  return size;
}
