import { camelCase, Names } from "../names.js";

/** What `validators.ts` imports from `validate.ts`, and the namespace it imports the types as. */
export const IMPORTED: readonly string[] = [
  "deep",
  "attempt",
  "fail",
  "inside",
  "isBetween",
  "isObject",
  "isUnsure",
  "own",
  "schema",
  "Schema",
  "t",
];

/** Tries alternatives without a tag; only the `validate.ts` of a project has it, and only when a guard calls it. */
export const NEAREST = "holdsAny";

/** What a guard function may speak of beside other guards: its parameter and the imports; schemas are made outside. */
const VISIBLE: readonly string[] = [
  "value",
  NEAREST,
  ...IMPORTED.filter((name) => name.toLowerCase() !== "schema"),
];

/** The variables of one guard function. */
export function localNames(): Names {
  return new Names(VISIBLE);
}

/** A variable's name for a member: never one that a guard may have. */
export function localName(member: string): string {
  // Of a namespaced name the last part says enough; a clash is numbered.
  const name = camelCase(member.slice(member.lastIndexOf("/") + 1));
  return name.startsWith("is") ? `${name}_` : name;
}

/** What the `validators.ts` of a project imports from its `checks.ts`. */
export const IMPORTED_CHECKS: readonly string[] = [
  "countOf",
  "holdsOne",
  "isMultiple",
  "isUnique",
  "lengthOf",
  "same",
];
