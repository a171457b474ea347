import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import base from "../vitest.config.js";
import { include } from "./vitest.config.js";
// @ts-expect-error A module without types.
import { marked } from "./marks.mjs";

const root = process.cwd();
const sources = join(root, "src/");

/** For `npm run test:mutants`: every test file, each in a process of its own. */
export default defineConfig({
  ...base,
  plugins: [
    {
      name: "mcpgen-marks",
      enforce: "pre",
      transform: (text: string, id: string) =>
        id.startsWith(sources) && id.endsWith(".ts")
          ? (marked(relative(root, id), text) as string)
          : undefined,
    },
  ],
  test: {
    ...base.test,
    include,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["test/mutants/marks.setup.ts"],
  },
});
