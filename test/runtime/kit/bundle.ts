import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const runtime = fileURLToPath(new URL("../../../src/runtime", import.meta.url));

/** Makes a file of `processes/` into one that Node runs, and returns its path; it is removed after the tests. */
export async function bundle(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-process-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(here, "processes", `${name}.ts`)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    alias: Object.fromEntries(
      ["", "/legacy", "/modern", "/stdio"].map((entry) => [
        `@mcpgen/runtime${entry}`,
        join(runtime, `${entry.slice(1) || "index"}.ts`),
      ]),
    ),
  });
  return outfile;
}
