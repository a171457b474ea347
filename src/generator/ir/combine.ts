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
  const [first, second] = members;
  if (first !== undefined && second === undefined) return first;
  const flat = members.flatMap((member) =>
    isUnion(member) ? alternativesIn(member) : [member],
  );
  if (flat.some(({ checks }) => checks.length === 0)) return anything;
  const isText = (member: Schema): boolean =>
    typeof constantIn(member) === "string";
  const isAnyText = (member: Schema): boolean => typeIn(member) === "string";
  const open = flat.find(isAnyText);
  const texts = open === undefined ? [] : flat.filter(isText);
  if (open !== undefined) texts.push(open);
  const entries = new Map<string, Schema>();
  for (const member of flat) {
    const isInTexts = texts.includes(member) || isAnyText(member);
    for (const entry of isInTexts ? texts : [member])
      entries.set(keyOf(entry), entry);
  }
  return onlyOr([...entries.values()], (schemas) =>
    schemaOf([{ kind: "any", schemas }]),
  );
}

/** The only schema of a list, or what becomes of several. */
const onlyOr = (
  schemas: readonly Schema[],
  make: (schemas: readonly Schema[]) => Schema,
): Schema => {
  const [only, ...others] = schemas;
  if (only === undefined || others.length > 0) return make(schemas);
  return only;
};

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
    // Most groups have one schema: a copy for each would take quadratic time.
    if (group.length === 1)
      for (const list of combinations) list.push(...group);
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
  return onlyOr(schemas, () => schemaOf([{ kind: "all", schemas }]));
}
