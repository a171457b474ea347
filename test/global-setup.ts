import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the packages if a source is newer than the last build: tests of the command line run what users run. */
export default function setup(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const args = [".ci/build.mjs", "--if-stale", "--no-types"];
  execFileSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}
