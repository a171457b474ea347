// npm run release -- <version>: prepares a release of the packages and stops
// before publishing. Sets their version, regenerates `generated/`, writes the
// changelog, tests the packed packages in empty projects, commits and tags. If
// a step fails, everything that the release changed is restored: no file,
// commit or tag of it is left.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import prettier from "prettier";
import { addRelease, compareVersions } from "./changelog.mjs";
import { distTag } from "./checks.mjs";
import { hostAndPath } from "./names.mjs";
import { installByName, installsBy, switched } from "./pages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifests = [
  "package.json",
  "src/runtime/package.json",
  "src/auth/package.json",
];
/** What a release changes. */
const changed = [
  ...manifests,
  "package-lock.json",
  "CHANGELOG.md",
  "generated",
  ...switched,
];

const [version = ""] = process.argv.slice(2);
const tag = `v${version}`;
/**
 * The commit that the release starts from, once the release may change files.
 */
let start;

// Ctrl-C ends the step that runs; the release then restores the files and ends
// by itself.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
try {
  check();
  start = git("rev-parse", "HEAD");
  await prepare();
} catch (error) {
  console.error(`release: ${error.message}`);
  if (start !== undefined) restore();
  process.exitCode = 1;
}

/** Checks all that must hold before the release changes a file. */
function check() {
  if (!/^\d+\.\d+\.\d+(-[\da-z.-]+)?$/.test(version))
    throw new Error(
      `the version is ${JSON.stringify(version)}, expected one such as 1.2.0 or 1.2.0-rc.1: npm run release -- <version>.`,
    );
  const [{ version: current }] = manifests.map(readJson);
  if (compareVersions(version, current) < 0)
    throw new Error(
      `the version ${version} is lower than ${current} in package.json. Choose a higher one.`,
    );
  if (git("tag", "--list", tag) !== "")
    throw new Error(
      `the tag ${tag} exists, so ${version} is released already. Choose a higher version.`,
    );
  if (git("branch", "--show-current") === "")
    throw new Error(
      "the repository is not on a branch. Check out the branch to release.",
    );
  for (const path of manifests) {
    const { repository } = readJson(path);
    const [expected, found] = [repository.url, remote()].map(hostAndPath);
    if (expected !== found)
      throw new Error(
        `${path} names the repository ${expected}, but the remote origin is ${found || "not set"}. Release from that repository, or change repository, homepage and bugs in all manifests.`,
      );
  }
  const status = git("status", "--porcelain");
  if (status !== "")
    throw new Error(
      `the working tree is not clean. Commit or stash these files first:\n${status}`,
    );
  console.log(`The working tree is clean, and ${tag} is a new version.`);
}

/** The URL of the remote origin; empty if there is none. */
function remote() {
  return git("remote").split("\n").includes("origin")
    ? git("remote", "get-url", "origin")
    : "";
}

async function prepare() {
  const [{ version: before }] = manifests.map(readJson);
  setVersion();
  console.log(`All packages have the version ${version}.`);
  if (installsBy !== "name") {
    await installByName(root, before);
    console.log("The pages install the packages by name.");
  }

  run("npm", ["run", "build"]);
  run("npm", ["run", "generate"]);
  const stale = git(
    "status",
    "--porcelain",
    "--",
    "generated",
    ":!generated/.mcpgen.json",
  );
  if (stale !== "")
    throw new Error(
      `generated/ was out of date. Run npm run generate and commit these files first:\n${stale}`,
    );
  console.log("The packages are built, and generated/ is up to date.");

  const changelog = join(root, "CHANGELOG.md");
  const date = new Date().toISOString().slice(0, 10);
  const text = addRelease(readFileSync(changelog, "utf8"), { version, date });
  const options = await prettier.resolveConfig(changelog);
  writeFileSync(
    changelog,
    await prettier.format(text, { ...options, filepath: changelog }),
  );
  console.log(`CHANGELOG.md has a section for ${version}.`);

  run("npm", ["run", "test:tarballs"], "inherit");
  console.log("The packed packages work in empty projects.");

  git("add", "--", ...changed);
  git(
    "commit",
    "--quiet",
    "--message",
    `release: ${version}`,
    "--",
    ...changed,
  );
  git(
    "tag",
    "--annotate",
    tag,
    "--message",
    `mcpgen, @mcpgen/runtime and @mcpgen/auth ${version}`,
  );
  console.log(
    `The release is committed and has the tag ${tag}. Nothing is published.`,
  );
  console.log(
    "Next: npm run release -- --rehearse, which ends with what a person must sign. Then git push --follow-tags: the workflow publish publishes all packages.",
  );
}

/**
 * Undoes the commit, if there is one, and restores the files that a release
 * changes. Other files are not touched.
 */
function restore() {
  if (git("rev-parse", "HEAD") !== start)
    git("reset", "--quiet", "--soft", start);
  git(
    "restore",
    `--source=${start}`,
    "--staged",
    "--worktree",
    "--",
    ...changed,
  );
  git("clean", "-d", "--force", "--quiet", "--", "generated");
  console.error(
    "release: all files are restored. There is no commit and no tag.",
  );
}

/**
 * In all packages and their rows of the lock file. No package depends on
 * another.
 */
function setVersion() {
  const lock = readJson("package-lock.json");
  for (const path of manifests) {
    const manifest = readJson(path);
    const { publishConfig } = manifest;
    const tag = distTag(version, publishConfig.tag);
    writeJson(path, {
      ...manifest,
      version,
      publishConfig: { ...publishConfig, tag },
    });
    lock.packages[dirname(path).replace(/^\.$/, "")].version = version;
  }
  writeJson("package-lock.json", { ...lock, version });
}

function writeJson(path, value) {
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function git(...args) {
  return run("git", args).trimEnd();
}

/**
 * Runs a program; returns what it prints. Throws with what it printed if it
 * fails.
 */
function run(command, args, stdio = "pipe") {
  try {
    // npm is a script on Windows, which only a shell can start.
    const shell = process.platform === "win32" && command === "npm";
    return (
      execFileSync(command, args, {
        cwd: root,
        encoding: "utf8",
        stdio,
        shell,
      }) ?? ""
    );
  } catch (error) {
    const printed = [error.stdout, error.stderr]
      .filter((text) => text)
      .join("\n");
    const message = `${command} ${args.join(" ")} failed.${printed === "" ? "" : `\n${printed.trimEnd()}`}`;
    throw new Error(message, { cause: error });
  }
}
