// Starts the server or the client of this folder: `node test/conformance/start.mjs server --port 3000`. They are written in
// TypeScript on generated files, so they are bundled first; what is published is imported as it is.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [which, ...rest] = process.argv.slice(2);
const outfile = join(here, "node_modules/.mcpgen", `${which}-${process.pid}.mjs`);
mkdirSync(dirname(outfile), { recursive: true });
// What is committed has no extension in it: they are for those who ask for them.
const { generate, readSchema } = await import("../../dist/index.js");
const extensionsOf = { "2025-11-25": ["skills"], "2026-07-28": ["tasks", "skills"] };
const revisions = readdirSync(join(here, "../../schema")).filter((name) => /^\d/.test(name));
const protocols = await Promise.all(
  revisions.map((name) => readSchema(name, { extensions: extensionsOf[name] ?? [] })),
);
const { files } = await generate({ protocols });
const texts = new Map(files.map(({ path, text }) => [path.replace(/\.ts$/, ".js"), text]));
const generated = {
  name: "generated files",
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, namespace }) => {
      if (namespace === "generated") return { path: posix.join(posix.dirname(importer), path), namespace };
      return path === "../../generated/index.js" ? { path: "index.js", namespace: "generated" } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: "generated" }, ({ path }) => {
      return { contents: texts.get(path), loader: "ts", resolveDir: here };
    });
  },
};
await build({
  plugins: [generated],
  entryPoints: [join(here, `${which}.ts`)],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: ["@mcpgen/runtime"],
  logLevel: "error",
});
process.on("exit", () => rmSync(outfile, { force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit());
process.argv.splice(1, process.argv.length, outfile, ...rest);
await import(pathToFileURL(outfile).href);
