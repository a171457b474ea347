/** Files that take longest, and start or format so much because that is what they prove: `npm run test:long`, and not `npm test`. */
export const long = [
  "test/cli/extension.test.ts",
  "test/drift/check.test.ts",
  "test/emit/fixed-point.test.ts",
  "test/hostile/live.test.ts",
  "test/vectors/extremes.test.ts",
];
