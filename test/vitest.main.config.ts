import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** What measures its own memory, listens to what others load, or clears a folder that it shares: each in a process of its own. */
const alone = ["test/emit/templates.test.ts", "test/made-up/*.test.ts", "test/runtime/http-faults.test.ts"];
const { include = [], exclude = [], maxWorkers = "100%", globalSetup = [], ...shared } = base.test ?? {};
const { resolve = {} } = base;

/** `npm test`: the same files as ever, most of them in few processes, since loading a compiler for each takes longer than its tests. */
export default defineConfig({
  test: {
    globalSetup,
    maxWorkers,
    projects: [
      {
        resolve,
        test: { ...shared, name: "together", isolate: false, include, exclude: [...exclude, ...alone] },
      },
      { resolve, test: { ...shared, name: "alone", include: alone } },
    ],
  },
});
