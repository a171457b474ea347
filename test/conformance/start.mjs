// Starts the server or the client of this folder: `node test/conformance/start.mjs server --port 3000`. They are written in
// TypeScript on generated files, so they are bundled first; what is published is imported as it is.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [which, ...rest] = process.argv.slice(2);
const outfile = join(here, "node_modules/.mcpgen", `${which}-${process.pid}.mjs`);
mkdirSync(dirname(outfile), { recursive: true });
await build({
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
