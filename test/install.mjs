// Installs the software of others that suites run with, once for all suites,
// and links it as `node_modules` into the folders that are named:
// `node test/install.mjs interop cluster`. Without a change of the lock file it
// takes no time.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folders = process.argv.slice(2);
const home = join(here, "installed");
const installed = join(home, "node_modules");

const lock = readFileSync(join(home, "package-lock.json"), "utf8");
/**
 * The lock file of what is installed: with the packages for the bench, or
 * without.
 */
const marks = [".lock-all", ".lock"].map((name) => join(installed, name));
const [all, nightly] = marks;
const isInstalled = (mark) =>
  existsSync(mark) && readFileSync(mark, "utf8") === lock;

const withBench = folders.includes("bench");
if (!isInstalled(all) && (withBench || !isInstalled(nightly))) {
  const args = [
    "ci",
    "--no-audit",
    "--no-fund",
    ...(withBench ? [] : ["--omit=dev"]),
  ];
  // Programs of packages are scripts on Windows, which only a shell can start.
  execFileSync("npm", args, {
    cwd: home,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  writeFileSync(withBench ? all : nightly, lock);
}

for (const folder of folders) {
  const link = join(here, folder, "node_modules");
  if (existsSync(link) && realpathSync(link) === realpathSync(installed))
    continue;
  rmSync(link, { recursive: true, force: true });
  symlinkSync(installed, link, "junction");
}
