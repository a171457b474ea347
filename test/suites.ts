import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";
import { timeLimit } from "./time-limit.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with the official schemas. */
    official: string;
  }
}

/** The test files of which `npm test` runs a sample: they import `whole.ts`. */
function sampledFiles(folder = "test"): string[] {
  const root = fileURLToPath(new URL("..", import.meta.url));
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(
    (entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return entry.name === "node_modules" ? [] : sampledFiles(path);
      const isTest = /(?<!\.long)\.test\.ts$/.test(path);
      return isTest &&
        readFileSync(join(root, path), "utf8").includes('/whole.js"')
        ? [path]
        : [];
    },
  );
}

/**
 * The suites that `npm test` leaves out, by the name behind `npm run test:`. A
 * suite runs other files, or the same files at full size; some bring packages
 * in a folder of their own.
 */
export const suites: Readonly<
  Record<string, NonNullable<ViteUserConfig["test"]>>
> = {
  // What is slow by its nature: real processes, compilers and large inputs; and
  // whole what `npm test` samples.
  long: {
    include: ["test/**/*.long.test.ts", ...sampledFiles()],
    env: { MCPGEN_SIZE: "whole" },
  },
  // The add-ons of the runtime but its features, authorization, and the
  // commands that generate no code.
  addons: {
    include: [
      "test/runtime/{apps,auth,cluster,login,protect,skills,tasks}/**/*.test.ts",
      "test/runtime/{telemetry,websocket}.test.ts",
      "test/runtime/http/sse/*.test.ts",
      "test/{card,convert,docs,lint,migrate,release}/*.test.ts",
    ],
    exclude: ["test/**/*.long.test.ts"],
    isolate: false,
  },
  // The program with this version of Node.js; `test/node/run.mjs` runs it with
  // each one.
  node: { include: ["test/node/*.test.ts"] },
  // `MCPGEN_VECTORS`, `MCPGEN_TOOLS` and `MCPGEN_SEED` change sizes and seed.
  vectors: {
    include: [
      "test/vectors/*.test.ts",
      "test/hostile/snapshot.long.test.ts",
      "test/docs/page.test.ts",
      "test/emit/fixed-point.long.test.ts",
      "test/stubs/random.test.ts",
    ],
    env: {
      MCPGEN_SIZE: "whole",
      MCPGEN_VECTORS: process.env["MCPGEN_VECTORS"] ?? "200000",
      MCPGEN_TOOLS: process.env["MCPGEN_TOOLS"] ?? "100000",
    },
  },
  // `MCPGEN_SOAK` and `MCPGEN_SEED` change size and seed.
  soak: {
    include: ["test/runtime/http/faults/*.test.ts"],
    env: { MCPGEN_SOAK: process.env["MCPGEN_SOAK"] ?? "100" },
    testTimeout: timeLimit(3_600_000),
  },
  // Every compiler, revision and form of output.
  types: {
    include: ["test/types/*.test.ts"],
    env: { MCPGEN_COMPILERS: "all" },
    maxConcurrency: 2,
    testTimeout: timeLimit(600_000),
  },
  servers: {
    include: ["test/servers/servers.check.ts"],
    // For the compilers of test/types.
    env: { MCPGEN_COMPILERS: "all" },
  },
  // Code mode: hostile programs on both engines, and compilers.
  code: {
    include: ["test/code/*.check.{mjs,ts}"],
    maxConcurrency: 2,
  },
  // Some compile against the types of many packages.
  adapters: { include: ["test/adapters/*.check.ts"] },
  auth: {
    include: ["test/auth/*.check.mjs", "test/runtime/login/race.long.test.ts"],
    env: { MCPGEN_RACE: "whole" },
  },
  browser: { include: ["test/browser/*.check.mjs"] },
  examples: { include: ["test/examples/*.check.mjs"] },
  // A way installs the packages, and runs the commands of several pages.
  ways: {
    include: ["test/ways/*.check.mjs"],
  },
  // Needs nginx and haproxy, which npm does not have.
  proxies: { include: ["test/proxies/*.check.ts"] },
  // Needs redis-server and haproxy. `MCPGEN_CALLS` and `MCPGEN_SEEDS` change
  // the size.
  cluster: {
    include: ["test/cluster/*.check.mjs"],
    testTimeout: timeLimit(600_000),
    hookTimeout: timeLimit(1_800_000),
  },
  projects: {
    include: ["test/projects/*.check.mjs", "test/servers/migrate.check.ts"],
    testTimeout: timeLimit(600_000),
  },
  // Each platform starts a client and a server from the tarballs.
  platforms: {
    include: ["test/platforms/*.check.mjs"],
  },
  // A release builds both packages.
  package: {
    include: ["test/package/*.check.mjs"],
  },
  interop: { include: ["test/interop/*.test.mjs"] },
  official: {
    include: ["test/official/*.check.ts"],
    provide: { official: process.env["MCPGEN_OFFICIAL"] ?? "" },
  },
};
