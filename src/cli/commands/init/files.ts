import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../config.js";
import { packageRoot } from "../../../generator/inputs/package.js";
import { exact } from "../../../generator/ir/json.js";
import { textWithOwned, withOwned } from "../../../generator/ir/json/owned.js";
import {
  isRecord,
  parseOrUndefined,
} from "../../../generator/ir/json/value.js";
import { isYaml } from "../../config/find.js";
import { isInstalled } from "../../destination/installed.js";
import { readText } from "../../destination/find.js";
import { replaceInside, replaceMissing } from "../../replace.js";

/**
 * The text of a file in `templates/init/` with a value in place of each
 * `<name>`.
 */
export async function filledFile(
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const text = await readFile(
    join(packageRoot(), "templates/init", name),
    "utf8",
  );
  return text.replace(/<(\w+)>/g, (hole, key: string) => values[key] ?? hole);
}

/**
 * Writes a file into a folder; without `force`, only if it does not exist.
 * Returns a line that says which.
 */
export async function addFile(
  folder: string,
  file: string,
  text: string,
  force = false,
): Promise<string> {
  const isWritten = await replaceMissing(join(folder, file), text, force);
  return `${file}: ${isWritten ? "written" : "exists, not changed"}\n`;
}

/**
 * Marks folders as generated: for the host of the code, which then leaves them
 * out of its differences, and for the editor, which opens their files for
 * reading only. Returns what was done.
 */
export async function markGenerated(
  folder: string,
  outs: readonly string[],
): Promise<string> {
  const path = join(folder, ".gitattributes");
  const text = (await readText(path)) ?? "";
  const missing = outs
    .map((out) => `${out}/** linguist-generated`)
    .filter((line) => !text.split(/\r?\n/).includes(line));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  if (missing.length > 0)
    await replaceInside(path, folder, `${text}${end}${missing.join("\n")}\n`);
  const stated = missing.length > 0 ? "written" : "exists, not changed";
  return `.gitattributes: ${stated}\n${await makeReadonly(folder, outs)}`;
}

/** Says in the settings of VS Code that the files in folders are not edited. */
async function makeReadonly(
  folder: string,
  outs: readonly string[],
): Promise<string> {
  const member = "files.readonlyInclude";
  const path = join(folder, ".vscode/settings.json");
  const before = await readText(path);
  const old = parseOrUndefined(before ?? "{}");
  const patterns = withOwned(
    isRecord(old) ? old[member] : undefined,
    Object.fromEntries(outs.map((out) => [`${out}/**`, true])),
  );
  const text = textWithOwned(before, { [member]: patterns });
  const isSame =
    isRecord(old) && exact({ ...old, [member]: patterns ?? {} }) === exact(old);
  if (text !== null && !isSame) await replaceInside(path, folder, text);
  const stated = isSame
    ? "exists, not changed"
    : text === null
      ? `exists, not changed; add ${JSON.stringify({ [member]: patterns }).slice(1, -1)}`
      : "written";
  return `.vscode/settings.json: ${stated}\n`;
}

/**
 * A line with the commands that install the packages which the folder lacks;
 * empty if it lacks none.
 */
export function installStep(
  folder: string,
  imported: readonly string[],
  development: readonly string[],
): string {
  const missing = (names: readonly string[]): string[] =>
    names.filter((name) => !isInstalled(name, folder));
  const commands = [
    ["npm install", ...missing(imported)],
    ["npm install --save-dev", ...missing(development)],
  ].filter(({ length }) => length > 1);
  const line = commands.map((words) => words.join(" ")).join(" && ");
  return line === "" ? "" : `install what is missing:   ${line}\n`;
}

/**
 * Text as it is written between the quotation marks of a literal of JSON,
 * TypeScript or YAML.
 */
export const inLiteral = (text: string): string =>
  JSON.stringify(text).slice(1, -1);

/**
 * The text of a configuration file. Names from a client's file are data: they
 * only appear in literals.
 */
export async function configText(
  config: Config,
  path: string,
): Promise<string> {
  const schema = "./node_modules/mcpgen/dist/config.schema.json";
  if (isYaml(path)) {
    const { yamlOf } = await import("../../config/yaml.js");
    return `# yaml-language-server: $schema=${schema}\n${yamlOf(config)}`;
  }
  if (path.endsWith(".json")) {
    const whole = { $schema: schema, ...config };
    return `${JSON.stringify(whole, null, 2)}\n`;
  }
  return `import { defineConfig } from "mcpgen";\n\nexport default defineConfig(${literalOf(config)});\n`;
}

/** A value of JSON as a literal of TypeScript. */
export function literalOf(value: unknown, indent: number | string = 2): string {
  // A line of JSON ends no string, so that each replacement is outside of
  // strings.
  return JSON.stringify(value, null, indent)
    .replace(/^([ \t]*)"(\w+)": /gm, "$1$2: ")
    .replace(/\[\n\s*(".*")\n\s*\]/g, "[$1]")
    .replace(/(?<=[^[{,])\n/g, ",\n");
}
