import type { ViteUserConfig } from "vitest/config";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder with the official schemas. */
    official: string;
  }
}

/** The tests of `npm test` that take longest. */
const long = [
  "test/cli/advice.test.ts",
  "test/cli/call.test.ts",
  "test/cli/config.test.ts",
  "test/cli/destination.test.ts",
  "test/cli/extension.test.ts",
  "test/cli/faults.test.ts",
  "test/cli/first-run.test.ts",
  "test/cli/formatters.test.ts",
  "test/cli/generate.test.ts",
  "test/cli/init-ci.test.ts",
  "test/cli/init-server.test.ts",
  "test/cli/init.test.ts",
  "test/cli/live.test.ts",
  "test/cli/login.test.ts",
  "test/cli/program.test.ts",
  "test/cli/pull-started.test.ts",
  "test/cli/secrets.test.ts",
  "test/cli/shared-protocol.test.ts",
  "test/cli/stubs.test.ts",
  "test/cli/watch.test.ts",
  "test/cli/windows.test.ts",
  "test/docs/command.test.ts",
  "test/drift/check.test.ts",
  "test/emit/fixed-point.test.ts",
  "test/emit/write-faults.test.ts",
  "test/emit/write-killed.test.ts",
  "test/examples/new-server.test.ts",
  "test/examples/weather.test.ts",
  "test/extensions/apps.test.ts",
  "test/generate/imports.test.ts",
  "test/generate/same.test.ts",
  "test/hostile/lists.test.ts",
  "test/hostile/live.test.ts",
  "test/hostile/loading.test.ts",
  "test/hostile/snapshot.test.ts",
  "test/hostile/syntax.test.ts",
  "test/impact/gateway.test.ts",
  "test/ir/diff/property.test.ts",
  "test/ir/example.test.ts",
  "test/made-up/gallery.test.ts",
  "test/package/package.test.ts",
  "test/runtime/apps/readme.test.ts",
  "test/runtime/features/schema/growth.test.ts",
  "test/runtime/http/faults/floods.test.ts",
  "test/runtime/http/faults/small-chunks.test.ts",
  "test/runtime/http/sessions/release.test.ts",
  "test/runtime/protect/readme.test.ts",
  "test/runtime/protect/streams.test.ts",
  "test/stubs/given-names.test.ts",
  "test/update/extension.test.ts",
  "test/update/faults.test.ts",
  "test/update/folder.test.ts",
  "test/update/future.test.ts",
  "test/update/impact.test.ts",
  "test/update/markdown.test.ts",
  "test/update/pinned.test.ts",
  "test/update/remote.test.ts",
  "test/vectors/extremes.test.ts",
];

/**
 * The suites that `npm test` leaves out, by the name behind `npm run test:`. A suite runs other files, or the same files at full
 * size; some bring packages in a folder of their own.
 */
export const suites: Readonly<Record<string, NonNullable<ViteUserConfig["test"]>>> = {
  long: { include: long },
  // `MCPGEN_VECTORS`, `MCPGEN_TOOLS` and `MCPGEN_SEED` change sizes and seed.
  vectors: {
    include: [
      "test/vectors/*.test.ts",
      "test/hostile/snapshot.test.ts",
      "test/docs/page.test.ts",
      "test/emit/fixed-point.test.ts",
      "test/stubs/random.test.ts",
    ],
    env: {
      MCPGEN_VECTORS: process.env["MCPGEN_VECTORS"] ?? "200000",
      MCPGEN_TOOLS: process.env["MCPGEN_TOOLS"] ?? "100000",
    },
  },
  // `MCPGEN_SOAK` and `MCPGEN_SEED` change size and seed.
  soak: {
    include: ["test/runtime/http/faults/*.test.ts"],
    env: { MCPGEN_SOAK: process.env["MCPGEN_SOAK"] ?? "100" },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
  // Every compiler, revision and form of output.
  types: {
    include: ["test/types/*.test.ts"],
    env: { MCPGEN_COMPILERS: "all" },
    maxConcurrency: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
  servers: {
    include: ["test/servers/*.check.ts"],
    // For the compilers of test/types.
    env: { MCPGEN_COMPILERS: "all" },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
  adapters: { include: ["test/adapters/*.check.ts"] },
  auth: {
    include: ["test/auth/*.check.mjs", "test/runtime/login/race.test.ts"],
    env: { MCPGEN_RACE: "whole" },
  },
  // axe takes its time on a large page.
  browser: { include: ["test/browser/*.check.mjs"], testTimeout: 300_000, hookTimeout: 600_000 },
  examples: { include: ["test/examples/*.check.mjs"] },
  // Needs nginx and haproxy, which npm does not have.
  proxies: { include: ["test/proxies/*.check.ts"] },
  // Needs redis-server and haproxy. `MCPGEN_CALLS` and `MCPGEN_SEEDS` change the size.
  cluster: { include: ["test/cluster/*.check.mjs"], testTimeout: 600_000, hookTimeout: 1_800_000 },
  projects: { include: ["test/projects/*.check.mjs"], testTimeout: 600_000 },
  // A release builds both packages.
  package: { include: ["test/package/*.check.mjs"], testTimeout: 300_000, hookTimeout: 300_000 },
  interop: { include: ["test/interop/*.test.mjs"] },
  official: {
    include: ["test/official/*.check.ts"],
    provide: { official: process.env["MCPGEN_OFFICIAL"] ?? "" },
  },
};
