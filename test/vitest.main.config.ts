import { defineConfig } from "vitest/config";
import { suites } from "./suites.js";
import base from "./vitest.config.js";

/** What loads compilers, formatters and cryptography, and leaves nothing behind in its process. */
const pure = [
  "test/{docs,golden,ir,keywords,read,stubs,vectors,view}/**/*.test.ts",
  "test/emit/render.test.ts",
  "test/hostile/excess.test.ts",
  "test/runtime/{auth,protect}/**/!(streams|readme).test.ts",
];
const {
  include = [],
  exclude = [],
  maxWorkers = "100%",
  globalSetup = [],
  onConsoleLog,
  ...shared
} = base.test ?? {};
const { resolve = {} } = base;
/** What other suites run: the last one compiles by this project's compiler what `npm run test:types` compiles by all. */
const elsewhere = [...(suites["long"]?.include ?? []), "test/types/compile.test.ts"];

/** `npm test`: the pure files in few processes, since loading a compiler for each takes longer than its tests. */
export default defineConfig({
  test: {
    globalSetup,
    maxWorkers,
    ...(onConsoleLog && { onConsoleLog }),
    projects: [
      {
        resolve,
        test: { ...shared, name: "pure", isolate: false, include: pure, exclude: [...exclude, ...elsewhere] },
      },
      { resolve, test: { ...shared, name: "alone", include, exclude: [...exclude, ...pure, ...elsewhere] } },
    ],
  },
});
