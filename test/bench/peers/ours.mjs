import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { revision, root } from "../shared.mjs";

/** The guards of `generated/`, stripped of their types. */
export async function ours(types, scratch) {
  const outfile = join(scratch, "ours.mjs");
  await build({
    entryPoints: [join(root, "generated", revision, "validators.ts")],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
  });
  const module = await import(pathToFileURL(outfile).href);
  return new Map(types.map((type) => [type, module[`is${type}`]]));
}
