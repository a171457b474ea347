import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** What measures its own memory, or listens to what others load: each in a process of its own. */
const alone = ["test/runtime/http-faults.test.ts", "test/emit/templates.test.ts"];

/** `npm test`: the same files as ever, most of them in few processes, since loading a compiler for each takes longer than its tests. */
export default defineConfig({
  test: {
    ...base.test,
    projects: [
      {
        extends: "test/vitest.config.ts",
        test: { name: "together", isolate: false, exclude: ["**/node_modules/**", ...alone] },
      },
      { extends: "test/vitest.config.ts", test: { name: "alone", include: alone } },
    ],
  },
});
