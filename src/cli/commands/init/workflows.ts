import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { ServerSource } from "../../../config.js";
import { findConfig } from "../../config/find.js";
import { loadConfig } from "../../config/load.js";
import { upwards } from "../../../generator/inputs/paths.js";
import { exists, readText } from "../../destination/find.js";
import { addFile, filledFile, inLiteral } from "./files.js";

/**
 * The commands of a package manager: to install what the lock file has and
 * nothing else, to start an installed program, and to test.
 */
type Manager = Readonly<Record<"install" | "start" | "test", string>>;

/**
 * Writes workflows of GitHub Actions: one that checks the generated files on
 * every push, one that fetches new schemas once a week and, if the
 * configuration says where a server is, one that compares the servers with
 * their snapshots once a day. A file that
 * exists is kept without `force`. `path` is that of the configuration. Returns
 * what was done.
 *
 * In the one that fetches schemas, only the first job runs code of the project and of its
 * dependencies, and it may only read. The other job may write, and runs git and
 * gh only. The tests are in the first job because a pull request that a
 * workflow opens starts no other workflow.
 */
export async function writeWorkflows(
  path: string,
  force: boolean,
  names: readonly string[] | null = null,
): Promise<string> {
  const directory = dirname(path);
  // Two configurations in one folder are an error without --config.
  const isFound =
    (await findConfig(null, directory).catch(() => null)) === path;
  const root = await repositoryOf(directory);
  // Without a lock file: npm writes none, because a new one would be a change
  // in every pull request.
  const managers = JSON.parse(
    await filledFile("managers.json", {}),
  ) as Readonly<Record<string, Manager>>;
  const manager =
    managers[(await nearest(directory, Object.keys(managers)))?.name ?? ""];
  const folder = relative(root, directory).replaceAll("\\", "/");
  const config = isFound ? "" : basename(path);
  // Files and branches of another configuration of the repository have other
  // names.
  const place = [folder, config].filter((part) => part !== "").join("/");
  const suffix =
    place === ""
      ? ""
      : `-${place.replaceAll("/", "--").replace(/[^\w-]/g, "_")}`;
  const values = {
    place: place === "" ? "" : inLiteral(` (${place})`),
    suffix,
    folder:
      folder === ""
        ? ""
        : `\n\ndefaults:\n  run:\n    working-directory: ${JSON.stringify(folder)}`,
    root:
      folder === ""
        ? ""
        : "\n    defaults:\n      run:\n        working-directory: .",
    config: config === "" ? "" : ` --config ${quoted(config)}`,
    ...manager,
  };
  const loaded = await loadConfig(path).catch(() => null);
  const { servers = [] } = loaded?.config ?? {};
  const hasSource = servers.some(({ source }) => source !== undefined);
  let done = "";
  for (const name of names ?? [
    "check",
    ...(hasSource ? ["live"] : []),
    "update",
  ]) {
    const text = await filledFile(`${name}.yml`, values);
    done += await addFile(
      root,
      `.github/workflows/mcpgen-${name}${suffix}.yml`,
      text,
      force,
    );
  }
  return done;
}

/**
 * Adds the workflow that compares the servers of a configuration to a project
 * with workflows, unless one of them does it already. Nothing can watch a server
 * without a source. Returns what was done, and what is left to do.
 */
export async function watchInCi(
  path: string,
  source: ServerSource | undefined,
): Promise<string> {
  if (source === undefined)
    return `CI cannot watch the server: add its source to ${basename(path)}, such as source: { url: "https://example.com/mcp" }\n`;
  const root = await repositoryOf(dirname(path));
  const folder = join(root, ".github/workflows");
  const isWatched = async (): Promise<boolean> => {
    const files = await readdir(folder).catch((): string[] => []);
    const texts = await Promise.all(
      files.map((name) => readText(join(folder, name))),
    );
    const lines = texts.flatMap((text) => text?.split("\n") ?? []);
    return lines.some(
      (line) => line.includes("mcpgen check") && line.includes(" --live"),
    );
  };
  if (await isWatched()) return "";
  const done = (await exists(folder))
    ? await writeWorkflows(path, false, ["live"])
    : "";
  if (await isWatched()) return done;
  return `${done}watch the server in CI:    npx mcpgen check --live --fail-on breaking\n`;
}

/** The folder of the repository, or of the configuration outside of one. */
async function repositoryOf(directory: string): Promise<string> {
  return (await nearest(directory, [".git"]))?.folder ?? directory;
}

/**
 * The first of these names in the nearest folder, this one or one above, that
 * has one.
 */
async function nearest(directory: string, names: readonly string[]) {
  for (const folder of upwards(directory))
    for (const name of names)
      if (name !== "" && (await exists(join(folder, name))))
        return { folder, name };
  return null;
}

/** A word of a command of a POSIX shell. */
const quoted = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
