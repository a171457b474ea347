import { defineConfig } from "vitest/config";
import { suites } from "./suites.js";
import base from "./vitest.config.js";

/**
 * One suite: `vitest run --config test/vitest.suites.config.ts --mode <suite>
 * --root .`
 */
export default defineConfig(({ mode }) => {
  const suite = suites[mode];
  if (suite === undefined)
    throw new Error(`--mode names a suite: ${Object.keys(suites).join(", ")}`);
  return { ...base, test: { ...base.test, ...suite } };
});
