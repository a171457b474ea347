// Builds programs as users do: from generated code, compiled file by file or
// bundled into one file.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { here, root } from "./shared.mjs";

const common = {
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
};
/** Optional dependencies of packages. */
const optional = ["ws", "effect", "sury", "@valibot/to-json-schema"];
/** `require` for CommonJS packages that load modules of Node.js. */
const requires =
  'import { createRequire } from "node:module";const require=createRequire(import.meta.url);';

/**
 * Generates code of these revisions, named as for `--version`, into a folder.
 */
export function generate(version, out) {
  const args = [
    join(root, "dist/cli.js"),
    "--version",
    version,
    "--out",
    out,
    "--quiet",
  ];
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

/** Compiles these files of a folder one by one into another folder. */
export async function compile(entryPoints, outbase, outdir) {
  await build({ ...common, entryPoints, outbase, outdir });
}

/**
 * The bytes of a program in one minified file. Imports are found beside it,
 * among the packages of the bench, or among ours. `withRequire` adds the line
 * without which CommonJS packages do not run in a module; `external` packages
 * are not part of it.
 */
export async function bundle(
  file,
  { withRequire = false, external = [] } = {},
) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    nodePaths: [join(here, "node_modules"), join(root, "node_modules")],
    external: [...optional, ...external],
    ...(withRequire && { banner: { js: requires } }),
  });
  return outputFiles[0].contents;
}
