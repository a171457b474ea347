import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Builds the packages if a source is newer than the last build: tests of the
 * command line run what users run. Temporary files of all tests are in one
 * folder, which is removed at the end: a helper may keep files there for every
 * test file of its process.
 */
export default function setup(): () => void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const args = [".ci/build.mjs", "--if-stale", "--no-types"];
  execFileSync(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });

  const folder = mkdtempSync(join(tmpdir(), "mcpgen-tests-"));
  // Some tests run the program as a user without rights.
  chmodSync(folder, 0o755);
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
