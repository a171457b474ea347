import { fileURLToPath } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";

/**
 * For esbuild: the runtime's sources in place of its packages, as `tsc` and
 * vitest take them, so that no test waits for a build.
 */
export const runtimeSources: Plugin = {
  name: "the runtime's sources",
  setup(builder) {
    builder.onResolve(
      { filter: /^@mcpgen\/(auth|runtime)(\/[\w/-]+)?$/ },
      ({ path }) => {
        const [, folder = "", ...entry] = path.split("/");
        const file = entry.join("/") || "index";
        return {
          path: fileURLToPath(
            new URL(`../src/${folder}/${file}.ts`, import.meta.url),
          ),
        };
      },
    );
  },
};

/** For esbuild: makes one file that Node runs, with the runtime's sources. */
export const programForNode: BuildOptions = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
  plugins: [runtimeSources],
};
