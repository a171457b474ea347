// Generated code of a revision, by default the measured one, as JavaScript, file by file as a compiler would leave it, made when it is not there
// or older than the packages.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { here, revision, root } from "../shared.mjs";

const outdir = join(here, "node_modules/.mcpgen");

export async function generated(wanted = revision) {
  const folder = join(outdir, wanted);
  const made = join(folder, "index.js");
  const outbase = join(root, "generated");
  const source = join(outbase, wanted);
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(join(source, "server.ts")).mtimeMs) {
    const { build } = await import("esbuild");
    const files = readdirSync(source).filter((name) => name.endsWith(".ts"));
    const entryPoints = [...files.map((name) => join(source, name)), join(outbase, "validate.ts")];
    await build({ entryPoints, outdir, outbase, format: "esm", target: "node20" });
  }
  return folder;
}

/** The one tool of every server that is measured. */
export const echo = {
  name: "echo",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};
export const info = { name: "bench", version: "1.0.0" };
