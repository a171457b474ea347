// The server and the client of this folder are written in TypeScript on
// generated files, so each is bundled before it starts; what is published is
// imported as it is.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Bundles programs of this folder; the files are removed when this process
 * ends.
 *
 * @param {...("server" | "client")} names
 * @returns {Promise<string[]>} the paths of the bundles, in the same order
 */
export async function bundle(...names) {
  const outdir = join(here, "node_modules/.mcpgen", String(process.pid));
  mkdirSync(outdir, { recursive: true });
  process.on("exit", () => rmSync(outdir, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => process.exit());
  await build({
    plugins: [await generated()],
    entryPoints: names.map((name) => join(here, `${name}.ts`)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@mcpgen/runtime"],
    logLevel: "error",
  });
  return names.map((name) => join(outdir, `${name}.mjs`));
}

/**
 * Generates the files: what is committed has no extension in it, because
 * extensions are for those who ask for them.
 */
async function generated() {
  const { generate, readSchema } = await import("../../dist/index.js");
  const revisions = readdirSync(join(here, "../../schema")).filter((name) =>
    /^\d/.test(name),
  );
  const extensionsOf = {
    "2025-11-25": ["skills"],
    "2026-07-28": ["tasks", "skills"],
  };
  const protocols = await Promise.all(
    revisions.map((name) =>
      readSchema(name, { extensions: extensionsOf[name] ?? [] }),
    ),
  );
  const { files } = await generate({ protocols });
  const texts = new Map(
    files.map(({ path, text }) => [path.replace(/\.ts$/, ".js"), text]),
  );
  return {
    name: "generated files",
    setup(builder) {
      builder.onResolve(
        { filter: /^\.{1,2}\// },
        ({ path, importer, namespace }) => {
          if (namespace === "generated")
            return {
              path: posix.join(posix.dirname(importer), path),
              namespace,
            };
          return path === "../../generated/index.js"
            ? { path: "index.js", namespace: "generated" }
            : undefined;
        },
      );
      builder.onLoad({ filter: /.*/, namespace: "generated" }, ({ path }) => {
        return { contents: texts.get(path), loader: "ts", resolveDir: here };
      });
    },
  };
}
