// The program of the command line with a mutant in it, for a source that no test
// loads: only a process of its own runs it.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { mutated } from "./kinds.mjs";

/**
 * Builds it in a folder of the checkout, where it finds the schemas. `remove`
 * deletes it.
 */
export async function programWith(root, mutant) {
  const outdir = join(
    root,
    "node_modules",
    `.mcpgen-mutant-${process.pid}-${mutant.start}`,
  );
  const { dependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const change = ({ path }) =>
    path === join(root, mutant.path)
      ? { contents: mutated(readFileSync(path, "utf8"), mutant), loader: "ts" }
      : undefined;
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
    plugins: [
      {
        name: "mutant",
        setup: (own) => own.onLoad({ filter: /\.ts$/ }, change),
      },
    ],
  });
  return {
    path: join(outdir, "cli.js"),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
