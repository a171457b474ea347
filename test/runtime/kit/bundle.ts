import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";
import { programForNode } from "../../sources.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * Makes a file of `processes/` into one that Node runs, and returns its path;
 * it is removed after the tests.
 */
export async function bundle(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-process-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(here, "processes", `${name}.ts`)],
    outfile,
    ...programForNode,
  });
  return outfile;
}
