// Generated code of a revision, by default the measured one, as JavaScript, file by file as a compiler would leave it, made when it is not there
// or older than the packages.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { revision } from "./echo.mjs";

const outdir = fileURLToPath(new URL("../node_modules/.mcpgen", import.meta.url));
const outbase = fileURLToPath(new URL("../../../generated", import.meta.url));

export async function generated(wanted = revision) {
  const folder = join(outdir, wanted);
  const made = join(folder, "index.js");
  const source = join(outbase, wanted);
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(join(source, "server.ts")).mtimeMs) {
    const { build } = await import("esbuild");
    const files = readdirSync(source).filter((name) => name.endsWith(".ts"));
    const entryPoints = [...files.map((name) => join(source, name)), join(outbase, "validate.ts")];
    await build({ entryPoints, outdir, outbase, format: "esm", target: "node20" });
  }
  return folder;
}
