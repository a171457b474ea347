/** What every guard function can see: its parameter, and what the file imports. A local variable may be none of these. */
export const LOCALS: readonly string[] = ["value", "t"];

/** What `validators.ts` imports from `validate.ts`, and the namespace it imports the types as. */
export const IMPORTED: readonly string[] = [
  "deep",
  "attempt",
  "fail",
  "inside",
  "isBetween",
  "isObject",
  "own",
  "schema",
  "Schema",
  "t",
];
