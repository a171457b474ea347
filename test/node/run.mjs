// npm run test:node: runs the suites that may depend on the version of Node under each version that is supported. The
// versions come from this folder's own package.json, so that no foreign `node` lands among the repository's packages.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const suites = ["test/node", "test/runtime", "test/made-up", "test/emit"];

// What runs this has run the same tests before: `npm test`.
const own = `node${process.versions.node.split(".")[0]}`;
const versions = readdirSync(join(here, "node_modules")).filter(
  (name) => /^node\d+$/.test(name) && name !== own,
);
if (versions.length === 0) {
  console.error("There is no version of Node to run: npm ci --prefix test/node installs them.");
  process.exit(2);
}
const failed = versions.sort().filter((name) => {
  console.log(`\n${name}`);
  const node = join(here, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  const args = [vitest, "run", "--config", "test/vitest.main.config.ts", "--root", ".", ...suites];
  return spawnSync(node, args, { stdio: "inherit", cwd: join(here, "../..") }).status !== 0;
});
if (failed.length > 0) console.error(`\nFailed on ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);
