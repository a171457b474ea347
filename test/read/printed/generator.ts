import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../repository.js";

interface Generator {
  getProgramFromFiles(
    files: readonly string[],
    options: object,
    folder: string,
  ): unknown;
  generateSchema(program: unknown, type: string, options: object): object;
}

const installed = join(root, "test/installed/");

/** Whether `node test/install.mjs bench` has installed the generator. */
export const isInstalled: boolean = existsSync(
  join(installed, "node_modules/typescript-json-schema"),
);

/**
 * What the generator of the protocol's `schema.json` prints of a `schema.ts`;
 * null for one that it refuses itself.
 */
export function printed(text: string): object | null {
  const { getProgramFromFiles, generateSchema } = createRequire(installed)(
    "typescript-json-schema",
  ) as Generator;
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-printed-"));
  try {
    const file = join(folder, "schema.ts");
    writeFileSync(file, text);
    const options = { strict: true, skipLibCheck: true, types: [] };
    const program = getProgramFromFiles([file], options, folder);
    return generateSchema(program, "*", { required: true });
  } catch (error) {
    if (!String(error).includes("Unsupported type")) throw error;
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
