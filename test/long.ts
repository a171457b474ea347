/** Files that take longest, and start or format so much because that is what they prove: `npm run test:long`, and not `npm test`. */
export const long = [
  "test/cli/docs.test.ts",
  "test/cli/extension.test.ts",
  "test/drift/check.test.ts",
  "test/emit/fixed-point.test.ts",
  "test/emit/write-killed.test.ts",
  "test/examples/weather.test.ts",
  "test/generate/same.test.ts",
  "test/hostile/live.test.ts",
  "test/vectors/extremes.test.ts",
];
