import { anything, type Schema } from "./constraint.js";
import {
  alternativesIn,
  constantIn,
  onlyOf,
  schemaOf,
  typeIn,
} from "./constraint/form.js";

/**
 * A union in normal form: flat, without duplicates, never of one member. In
 * `"a" | string`, an open enumeration, the known values come before the other
 * strings.
 */
export function union(members: readonly Schema[]): Schema {
  const [first] = members;
  if (first !== undefined && members.length === 1) return first;
  const flat = members.flatMap((member) =>
    isUnion(member) ? alternativesIn(member) : [member],
  );
  if (flat.some(({ checks }) => checks.length === 0)) return anything;
  const isText = (member: Schema): boolean =>
    typeof constantIn(member) === "string";
  const open = flat.find((member) => typeIn(member) === "string");
  const isOpen = open !== undefined;
  const known = isOpen ? flat.filter(isText) : [];
  const entries = new Map<string, Schema>();
  for (const member of flat) {
    const isString = isOpen && (isText(member) || typeIn(member) === "string");
    for (const entry of isString ? [...known, open] : [member])
      entries.set(keyOf(entry), entry);
  }
  const [only, ...others] = entries.values();
  return only !== undefined && others.length === 0
    ? only
    : schemaOf([{ kind: "any", schemas: [...entries.values()] }]);
}

function keyOf({ checks, notes }: Schema): string {
  return JSON.stringify([checks, notes]);
}

export function isUnion({ checks }: Schema): boolean {
  return onlyOf(checks, "any") !== null;
}

/** The maximum number of alternatives of an intersection of unions. */
export const maxAlternatives = 256;

/**
 * `(A | B) & C`: the union of all intersections of one schema of each group.
 * Null if there are too many.
 */
export function product(groups: readonly (readonly Schema[])[]): Schema | null {
  let combinations: Schema[][] = [[]];
  for (const group of groups) {
    if (combinations.length * group.length > maxAlternatives) return null;
    const [only, ...others] = group;
    // Most groups have one schema: a copy for each would take quadratic time.
    if (only !== undefined && others.length === 0)
      for (const list of combinations) list.push(only);
    else
      combinations = combinations.flatMap((list) =>
        group.map((schema) => [...list, schema]),
      );
  }
  return union(combinations.map(intersection));
}

/** An intersection in normal form: flat, never of one member. */
export function intersection(members: readonly Schema[]): Schema {
  const schemas = members.flatMap(
    (member) => onlyOf(member.checks, "all")?.schemas ?? [member],
  );
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined
    ? only
    : schemaOf([{ kind: "all", schemas }]);
}
