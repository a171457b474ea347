// Generated code as JavaScript, compiled file by file.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { revision } from "./echo.mjs";

const outdir = fileURLToPath(
  new URL("../node_modules/.mcpgen", import.meta.url),
);
const outbase = fileURLToPath(new URL("../../../generated", import.meta.url));

/**
 * The folder with the code of a revision, by default the measured one. It is
 * generated if it is missing or older than its source.
 */
export async function generated(expected = revision) {
  const folder = join(outdir, expected);
  const index = join(folder, "index.js");
  const source = join(outbase, expected);
  if (!existsSync(index) || statSync(index).mtimeMs < newest(source)) {
    const { build } = await import("esbuild");
    // Revisions share the files beside their folders.
    const entryPoints = [source, outbase].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(folder, name)),
    );
    await build({
      entryPoints,
      outdir,
      outbase,
      format: "esm",
      target: "node20",
    });
  }
  return folder;
}

const newest = (folder) =>
  Math.max(
    ...readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs),
  );
