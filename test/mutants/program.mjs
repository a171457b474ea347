// What is built, with changed sources: the program of the command line, for tests
// that start it in a process of its own, and code mode, whose runs have a thread.
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

const program = { cli: "src/cli/main.ts" };
const code = {
  code: "src/runtime/code.ts",
  "code/worker": "src/runtime/code/worker.ts",
};

/** The sources of code mode. */
export const isOfCode = (path) => /^src\/runtime\/code(?:\.ts$|\/)/.test(path);

/**
 * Builds the program in a folder of the checkout, where it finds the schemas.
 * `change` takes the path and the text of a source, and returns its text; `first`
 * is code that runs first. `remove` deletes what was built.
 */
export async function programWith(root, change, first = "") {
  const built = await builtWith(root, change, program, first);
  return { ...built, path: join(built.folder, "cli.js") };
}

/** Builds code mode likewise; `folder` has its entry and its thread. */
export const codeWith = (root, change) => builtWith(root, change, code, "");

async function builtWith(root, change, entryPoints, first) {
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
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
    // The engines of code mode, which a program installs itself, are outside, too.
    external: [...Object.keys(dependencies), "quickjs-*"],
    banner: { js: first },
    plugins: [
      {
        name: "changed",
        setup: (own) => own.onLoad({ filter: /\/src\/.*\.ts$/ }, load),
      },
    ],
  });
  return {
    folder: outdir,
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
