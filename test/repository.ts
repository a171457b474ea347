import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
/**
 * The built program, as `npx mcpgen` starts it. `npm run test:mutants` starts
 * one with a fault.
 */
export const program =
  process.env["MCPGEN_PROGRAM"] ?? join(root, "dist/cli.js");
/** The bundled revisions, oldest first. */
export const revisions: readonly string[] = readdirSync(join(root, "schema"), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory() && entry.name !== "extensions")
  .map(({ name }) => name)
  .sort();
