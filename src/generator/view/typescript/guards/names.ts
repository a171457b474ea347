import { camelCase, Names } from "../names.js";

/**
 * The imports of `validators.ts` from `validate.ts`, and the namespace of the
 * types.
 */
export const importedNames: readonly string[] = [
  "deep",
  "attempt",
  "fail",
  "getOwn",
  "inside",
  "isBetween",
  "isObject",
  "isOptionalBoolean",
  "isOptionalNumber",
  "isOptionalObject",
  "isOptionalString",
  "isProvisional",
  "schema",
  "Schema",
  "t",
];

/**
 * Checks the alternatives of a union without a tag. Only the `validate.ts` of a
 * project has it, and only if a guard calls it.
 */
export const nearestName = "holdsAny";

/**
 * The names that a guard function may use, apart from other guards: its
 * parameter and the imports. Schemas are created outside.
 */
const visibleNames: readonly string[] = [
  "value",
  nearestName,
  ...importedNames.filter((name) => name.toLowerCase() !== "schema"),
];

/** The variables of one guard function. */
export function localNames(): Names {
  return new Names(visibleNames);
}

/**
 * The name of the variable for a member. It never equals the name of a guard.
 */
export function localName(member: string): string {
  // The last part of a namespaced name is enough, because a duplicate is
  // numbered.
  const name = camelCase(member.slice(member.lastIndexOf("/") + 1));
  return name.startsWith("is") ? `${name}_` : name;
}

/** The imports of a project's `validators.ts` from its `checks.ts`. */
export const importedChecks: readonly string[] = [
  "countOf",
  "holdsOne",
  "isMatch",
  "isMultiple",
  "isUnique",
  "lengthOf",
  "same",
];
