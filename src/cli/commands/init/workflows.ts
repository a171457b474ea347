import { basename, dirname, join, relative } from "node:path";
import { findConfig } from "../../config/find.js";
import { exists, readText, upwards } from "../../destination/find.js";
import { replaceMissing } from "../../replace.js";
import { fileLine, filledFile, inLiteral } from "./text.js";

/** The commands of a package manager: to install what the lock file has and nothing else, to start an installed program, and to test. */
interface Manager {
  readonly install: string;
  readonly start: string;
  readonly test: string;
}

/** The commands of npm, which writes no lock file: a new one would be a change in every pull request. */
const unlocked: Manager = {
  install: "npm install --no-package-lock",
  start: "npx --no",
  test: "npm test --if-present",
};

/** Two steps of a workflow. */
const frozen = (name: string): string => `corepack enable\n      - run: ${name} install --frozen-lockfile`;

/** Package managers by their lock files. */
const managers: Readonly<Record<string, Manager>> = {
  "package-lock.json": { ...unlocked, install: "npm ci" },
  "pnpm-lock.yaml": { install: frozen("pnpm"), start: "pnpm exec", test: "pnpm run --if-present test" },
  "yarn.lock": { install: frozen("yarn"), start: "yarn run", test: "yarn run test" },
};

/**
 * Writes two workflows of GitHub Actions: one that checks the generated files on every push, and one that fetches new schemas once a week. A file
 * that exists is kept without `force`, and one of another configuration always. `path` is that of the configuration. Returns what was done.
 *
 * In the second one, only the first job runs code of the project and of its dependencies, and it may only read. The other job may write, and
 * runs git and gh only. The tests are in the first job because a pull request that a workflow opens starts no other workflow.
 */
export async function writeWorkflows(path: string, force: boolean): Promise<string> {
  const directory = dirname(path);
  // Two configurations in one folder are an error without --config.
  const isFound = (await findConfig(null, directory).catch(() => null)) === path;
  const config = isFound ? "" : basename(path);
  const root = await rootOf(directory);
  const folder = relative(root, directory).replaceAll("\\", "/");
  const flag = isFound ? "" : ` --config ${quoted(config)}`;
  // Files and branches of another configuration of the repository have other names.
  const suffix = await suffixOf(join(root, ".github/workflows"), folder, flag, config);
  const values = {
    place: suffix === "" ? "" : inLiteral(` (${folder || suffix.slice(1)})`),
    suffix,
    folder: folder === "" ? "" : `\n\ndefaults:\n  run:\n    working-directory: ${JSON.stringify(folder)}`,
    root: folder === "" ? "" : "\n    defaults:\n      run:\n        working-directory: .",
    ...(await managerOf(directory)),
    config: flag,
  };
  let done = "";
  for (const name of ["check", "update"]) {
    const file = `.github/workflows/mcpgen-${name}${suffix}.yml`;
    const text = await filledFile(`${name}.yml`, values);
    done += fileLine(file, await replaceMissing(join(root, file), text, force));
  }
  return done;
}

/** The first suffix whose files do not exist, or run mcpgen for this configuration. */
async function suffixOf(workflows: string, folder: string, flag: string, config: string): Promise<string> {
  const words = `${folder}-${config}`.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  for (let count = 0; ; count++) {
    const suffix = count === 0 ? "" : `-${words || "root"}${count === 1 ? "" : `-${count}`}`;
    const files = ["check", "update"].map((name) => join(workflows, `mcpgen-${name}${suffix}.yml`));
    const texts = await Promise.all(files.map((file) => readText(file)));
    if (texts.every((text) => text === null || isFor(text, folder, flag))) return suffix;
  }
}

/** True if a workflow runs in this folder, and with this configuration. */
function isFor(text: string, folder: string, flag: string): boolean {
  const [, place = '""'] = /^ +working-directory: (.*)$/m.exec(text) ?? [];
  const [own = ""] = / --config (?:'[^']*'|\\'|[\w./-])+/.exec(text) ?? [];
  return place === JSON.stringify(folder) && own === flag;
}

/** The package manager with the nearest lock file. */
async function managerOf(directory: string): Promise<Manager> {
  for (const folder of upwards(directory))
    for (const [lockFile, manager] of Object.entries(managers))
      if (await exists(join(folder, lockFile))) return manager;
  return unlocked;
}

/** The nearest folder, this one or one above, that has a repository; this one without any. */
async function rootOf(directory: string): Promise<string> {
  for (const folder of upwards(directory)) if (await exists(join(folder, ".git"))) return folder;
  return directory;
}

/** A word of a command of a POSIX shell. */
const quoted = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
