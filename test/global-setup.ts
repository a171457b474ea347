import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the packages once, so that tests of the command line run what users run. */
export default function setup(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  execFileSync(process.execPath, [".ci/build.mjs", "--no-types"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
