/** What a project's `validators.ts` imports from `checks.ts`. */
export const IMPORTED_CHECKS: readonly string[] = [
  "countOf",
  "holdsOne",
  "isMultiple",
  "isUnique",
  "lengthOf",
  "same",
];
