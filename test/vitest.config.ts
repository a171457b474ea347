import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { shortLived } from "./engine.js";
import { timeLimit } from "./time-limit.js";

const runtime = fileURLToPath(new URL("../src/runtime", import.meta.url));
const generated = fileURLToPath(new URL("../generated", import.meta.url));
const auth = fileURLToPath(new URL("../src/auth", import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run the sources of the packages, as `tsc` does, so that none waits
    // for a build.
    alias: [
      // The programs of the guides import what they generate.
      { find: /^\.\/gen\/(.+)\.js$/, replacement: `${generated}/$1.ts` },
      { find: /^@mcpgen\/auth$/, replacement: `${auth}/index.ts` },
      { find: /^@mcpgen\/auth\/([\w-]+)$/, replacement: `${auth}/$1.ts` },
      { find: /^@mcpgen\/runtime$/, replacement: `${runtime}/index.ts` },
      {
        find: /^@mcpgen\/runtime\/([\w/-]+)$/,
        replacement: `${runtime}/$1.ts`,
      },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    globalSetup: ["test/global-setup.ts"],
    // Only a test that hangs may reach these limits.
    testTimeout: timeLimit(300_000),
    hookTimeout: timeLimit(600_000),
    // The default of a second is short for a busy machine.
    expect: { poll: { timeout: timeLimit(30_000) } },
    // A larger young generation, because tests make much that they keep for a
    // moment.
    execArgv: [
      ...shortLived,
      "--max-semi-space-size=64",
      "--min-semi-space-size=32",
    ],
    // What servers under test report on purpose would bury what a test has to
    // say.
    onConsoleLog: (text) => !text.startsWith("[mcpgen] "),
    // By default one core is left idle.
    maxWorkers: "100%",
  },
});
