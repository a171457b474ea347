// The program of the command line with changed sources, for tests that start it
// in a process of its own.
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

/**
 * Builds it in a folder of the checkout, where it finds the schemas. `change`
 * takes the path and the text of a source, and returns its text; `first` is code
 * that runs first. `remove` deletes the program.
 */
export async function programWith(root, change, first = "") {
  const outdir = join(
    root,
    "node_modules",
    `.mcpgen-mutant-${process.pid}-${performance.now()}`,
  );
  const { dependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const load = ({ path }) => ({
    contents: change(relative(root, path), readFileSync(path, "utf8")),
    loader: "ts",
  });
  await build({
    absWorkingDir: root,
    entryPoints: { cli: "src/cli/main.ts" },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
    external: Object.keys(dependencies),
    banner: { js: first },
    plugins: [
      {
        name: "changed",
        setup: (own) => own.onLoad({ filter: /\/src\/.*\.ts$/ }, load),
      },
    ],
  });
  return {
    path: join(outdir, "cli.js"),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
