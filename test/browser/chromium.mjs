// Debian's chromium for npm run test:browser: prints its path, and installs it
// with apt if it is missing and apt may be used.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The path of a browser on this machine; null if there is none. */
export function findChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = names.flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  return [process.env.CHROMIUM ?? "", ...paths].find(isProgram) ?? null;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return path !== "";
  } catch {
    return false;
  }
}

function install() {
  const isAllowed = process.platform === "linux" && process.getuid?.() === 0;
  if (!isAllowed) return;
  const options = {
    stdio: "inherit",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  if (spawnSync("apt-get", ["update", "-qq"], options).status !== 0) return;
  spawnSync(
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", "chromium"],
    options,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (findChromium() === null) install();
  const path = findChromium();
  if (path === null) {
    console.error(
      "No chromium was found, and it could not be installed here. Install it (apt-get install chromium), or name one in CHROMIUM.",
    );
    process.exitCode = 1;
  } else {
    console.log(`the browser is ${path}`);
  }
}
