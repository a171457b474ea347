import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = [".ci", "package.json", "schema", "src", "templates"];

/** Builds the packages if a source is newer than the last build: tests of the command line run what users run. */
export default function setup(): void {
  const program = join(root, "dist/cli.js");
  const built = existsSync(program) ? statSync(program).mtimeMs : 0;
  if (sources.every((path) => newest(join(root, path)) < built)) return;
  const args = [".ci/build.mjs", ...(built === 0 ? [] : ["--no-types"])];
  execFileSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

function newest(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const below = readdirSync(path).filter((name) => name !== "dist" && name !== "node_modules");
  // A directory's own time tells of removals, but also of the build's.
  return Math.max(0, ...below.map((name) => newest(join(path, name))));
}
