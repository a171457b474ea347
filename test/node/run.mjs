// npm run test:node: runs the suites that may depend on the version of Node.js
// with each supported version. The versions come from the package.json of this
// folder, so that the repository's packages contain no `node`.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareTimes } from "../readme/official.mjs";
import { quickstart, withSources } from "../readme/quickstart.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const vitest = join(
  dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);
const executable = (name) =>
  join(
    here,
    "node_modules",
    name,
    "bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
const suites = ["test/runtime", "test/made-up", "test/emit"];
/** What \`.ci/run\` takes of them, unless it is to leave out nothing. */
const sample = ["test/runtime/stdio", "test/runtime/http", "test/emit"];
const { CI, MCPGEN_SAMPLES } = process.env;
const isSample = CI !== undefined && MCPGEN_SAMPLES !== "whole";
if (isSample)
  console.log(`Left out: ${suites.join(", ")}, but for ${sample.join(", ")}.`);

// The version that runs this script has run these suites with `npm test`.
const own = `node${process.versions.node.split(".")[0]}`;
const versions = readdirSync(join(here, "node_modules")).filter(
  (name) => /^node\d+$/.test(name) && name !== own,
);
if (versions.length === 0) {
  console.error(
    "There is no version of Node to run: npm ci --prefix test/node installs them.",
  );
  process.exit(2);
}
const passes = (name, ...args) => {
  const command = [vitest, "run", "--root", ".", "--config", ...args];
  return (
    spawnSync(executable(name), command, {
      stdio: "inherit",
      cwd: join(here, "../.."),
    }).status === 0
  );
};
const failed = [own, ...versions.sort()].filter((name) => {
  console.log(`\n${name}`);
  if (!passes(name, "test/vitest.suites.config.ts", "--mode", "node"))
    return true;
  if (name === own) return false;
  return !passes(
    name,
    "test/vitest.main.config.ts",
    ...(isSample ? sample : suites),
  );
});
console.log(
  `\n${[own, ...versions].join(", ")}: the commands of the main page`,
);
await withSources(async (sources) => {
  await Promise.all(
    [own, ...versions].map((name) => quickstart(executable(name), sources)),
  );
  // A measurement, which proves nothing that the commands of the main page do
  // not.
  if (!isSample) await compareTimes(executable(own), sources);
});
if (failed.length > 0) console.error(`\nFailed on ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);
