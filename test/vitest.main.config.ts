import { defineConfig } from "vitest/config";
import { suites } from "./suites.js";
import base from "./vitest.config.js";

/**
 * The files that need a process of their own: they replace a module, count what
 * is loaded after them, or import a helper that cleans up after the first file
 * only.
 */
export const alone = [
  "test/growth.test.ts",
  "test/emit/templates.test.ts",
  "test/impact/**/*.test.ts",
];
const {
  include = [],
  exclude = [],
  globalSetup = [],
  onConsoleLog,
  ...shared
} = base.test ?? {};
const { resolve = {} } = base;
/**
 * What other suites run: the last ones compile by this project's compiler what
 * `npm run test:types` compiles by all.
 */
const elsewhere = [
  "test/**/*.long.test.ts",
  ...(suites["addons"]?.include ?? []),
  ...(suites["node"]?.include ?? []),
  "test/types/{compile,messages,references,types}.test.ts",
];

/**
 * `npm test`: most files run in few processes, because a process that starts
 * and loads modules for each takes longer than the tests.
 */
export default defineConfig({
  test: {
    globalSetup,
    // No test may depend on another. Vitest prints the seed;
    // `--sequence.shuffle --sequence.seed=<seed>` repeats the order.
    sequence: { shuffle: process.env["CI"] !== undefined },
    ...(onConsoleLog && { onConsoleLog }),
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: "together",
          isolate: false,
          include,
          exclude: [...exclude, ...alone, ...elsewhere],
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "alone",
          include: alone,
          exclude: [...exclude, ...elsewhere],
        },
      },
    ],
  },
});
