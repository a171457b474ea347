import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";
import base from "../vitest.config.js";
import { alone } from "../vitest.main.config.js";

declare global {
  /** The texts of modules that tests.mjs changes, by path. */
  var mcpgenChanged: ReadonlyMap<string, (text: string) => string> | undefined;
}

/** Changes a module while it is loaded. */
const plugins: Plugin[] = [
  {
    name: "mcpgen-mutant",
    enforce: "pre",
    transform: (text, id) => globalThis.mcpgenChanged?.get(id)?.(text),
  },
];

const { globalSetup = [], ...shared } = base.test ?? {};
const { resolve = {} } = base;
/** Code mode has a suite of its own, which needs packages for compilers only. */
export const include = ["test/**/*.test.ts", "test/code/*.check.ts"];
/**
 * A hang is a fault, too: no test takes a fifth of the usual limit. One worker,
 * so that the nearest files come first: each core has a mutant of its own.
 */
const limits = { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 1 };

/** For `npm run test:mutants`: every test file that npm alone can run. */
export default defineConfig({
  test: {
    globalSetup,
    projects: [
      {
        resolve,
        plugins,
        test: {
          ...shared,
          ...limits,
          name: "together",
          include,
          isolate: false,
          exclude: [...(shared.exclude ?? []), ...alone],
        },
      },
      {
        resolve,
        plugins,
        test: { ...shared, ...limits, name: "alone", include: alone },
      },
    ],
  },
});
