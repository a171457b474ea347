import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import { suggestion } from "../../generator/read/nearest.js";
import { ownerOf, projectFolders } from "../../generator/inputs/project.js";
import { exists, readText } from "../destination/find.js";
import { usageError } from "../command-error.js";

/** The names of a configuration file in a folder. */
export const configNames = [
  "mcpgen.config.ts",
  "mcpgen.config.mts",
  "mcpgen.config.js",
  "mcpgen.config.mjs",
  "mcpgen.config.json",
  "mcpgen.config.yaml",
  "mcpgen.config.yml",
] as const;

/** True if a configuration is only read, and runs no code. */
export const isData = (path: string): boolean =>
  path.endsWith(".json") || isYaml(path);

/** True if a configuration is written in YAML. */
export const isYaml = (path: string): boolean => /\.ya?ml$/.test(path);

/** The member of `package.json` that may contain it instead. */
export const packageMember = "mcpgen";

/**
 * The absolute path of the configuration: the given one, or the nearest in the
 * directory and its parents inside the project; null without one.
 *
 * @throws CommandError MG740 if the nearest one belongs to another user than
 *   its folder and this process
 */
export async function findConfig(
  named: string | null,
  directory: string,
): Promise<string | null> {
  if (named !== null) return await namedConfig(named, directory);
  for (const folder of projectFolders(resolve(directory))) {
    const configs = await configsIn(folder);
    const [first, second] = configs;
    if (second !== undefined) {
      throw usageError(
        "MG740",
        `${folder} contains two configurations, ${configs.map((path) => basename(path)).join(" and ")}`,
        "keep one of them, or select one with --config",
      );
    }
    if (first === undefined) continue;
    if (isOfUser(first, folder)) return first;
    throw usageError(
      "MG740",
      `${first} belongs to another user`,
      "if you trust that user, name it with --config",
    );
  }
  return null;
}

/** In a folder for all users, such as a temporary one, anyone adds files. */
function isOfUser(path: string, folder: string): boolean {
  const owners = [process.getuid?.(), 0, ownerOf(folder)];
  return owners.includes(ownerOf(path));
}

async function namedConfig(named: string, directory: string): Promise<string> {
  const path = resolve(directory, named);
  if (await exists(path)) return path;
  const siblings = await readdir(dirname(path)).catch((): string[] => []);
  const hint =
    suggestion(basename(path), siblings) ?? "mcpgen init creates one";
  throw usageError("MG740", `no such configuration: ${named}`, hint);
}

async function configsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const files = configNames
    .filter((name) => names.includes(name))
    .map((name) => join(folder, name));
  if (!names.includes("package.json")) return files;
  const text = await readText(join(folder, "package.json"));
  // Invalid JSON is not reported here, because npm reports it.
  const manifest = parseOrUndefined(text ?? "");
  const hasMember =
    isRecord(manifest) && Object.hasOwn(manifest, packageMember);
  return hasMember ? [...files, join(folder, "package.json")] : files;
}
