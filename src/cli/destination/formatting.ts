import { readdir } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Config } from "prettier";
import { type FormatText, sha256 } from "../../emit/write.js";
import { type JsonRecord, exact } from "../../ir/json.js";
import { type CommandError, usageError } from "../command-error.js";
import type { Context } from "../command.js";
import { readText, upwards } from "./find.js";
import { parseJsonc } from "./tsconfig.js";

/** The formatting rules of a project: a Prettier configuration or an `.editorconfig`. */
export interface OwnFormatting {
  /** Changes with the options for generated TypeScript; null if they are Prettier's defaults. */
  readonly digest: string | null;
  /** Formats a text with the options of its path, which is relative to the folder. */
  readonly format: FormatText;
}

const RULES = /^(?:\.prettierrc(?:\..+)?|prettier\.config\..+|\.editorconfig|package\.yaml)$/;
const IGNORE_FILES = [".prettierignore", ".gitignore"];
/** What a usual `.editorconfig` sets, as Prettier has it by default. */
const DEFAULTS: Config = { printWidth: 80, tabWidth: 2, useTabs: false };

/** Finds the rules of a folder, which need not exist. Prettier is loaded only if there may be some. */
export async function findFormatting(out: string): Promise<OwnFormatting | null> {
  const nearest = await nearestRules(out);
  if (nearest === null) return null;
  const { clearConfigCache, resolveConfigFile } = await import("prettier");
  const sample = join(out, "index.ts");
  try {
    // The rules may have changed since the last run of `--watch`.
    await clearConfigCache();
    const config = await resolveConfigFile(sample);
    const folder = config === null ? nearest : dirname(config);
    const options = (await isIgnored(sample, folder)) ? null : await optionsFor(sample);
    return {
      digest: options === null ? null : digestOf(options, folder, config !== null),
      format: formatIn(out, folder),
    };
  } catch (error) {
    throw cannotFormat("the formatting rules of the destination cannot be read", error, fixRules(nearest));
  }
}

/** The nearest folder that may have rules. */
async function nearestRules(out: string): Promise<string | null> {
  for (const folder of upwards(out)) {
    const names = await readdir(folder).catch((): string[] => []);
    if (names.some((name) => RULES.test(name))) return folder;
    if (!names.includes("package.json")) continue;
    const manifest = parseJsonc((await readText(join(folder, "package.json"))) ?? "");
    if (typeof manifest === "object" && manifest !== null && "prettier" in manifest) return folder;
  }
  return null;
}

async function isIgnored(file: string, folder: string | null): Promise<boolean> {
  const { getFileInfo } = await import("prettier");
  const ignorePath = folder === null ? [] : IGNORE_FILES.map((name) => join(folder, name));
  const { ignored, inferredParser } = await getFileInfo(file, { ignorePath, resolveConfig: false });
  return ignored || inferredParser === null;
}

/** The options for a file. Generated files always end lines with LF. */
async function optionsFor(file: string): Promise<Config> {
  const { resolveConfig } = await import("prettier");
  const { endOfLine: _, ...options } = (await resolveConfig(file, { editorconfig: true })) ?? {};
  // A parser for all files of a project is for its programs, and would not write JSON.
  if (file.endsWith(".json") && !String(options.parser).startsWith("json")) delete options.parser;
  return options;
}

/** A digest that is the same on each machine; null for defaults that no Prettier configuration sets. */
function digestOf(
  { plugins = [], ...options }: Config,
  folder: string,
  isConfigured: boolean,
): string | null {
  const isDefault = Object.entries(options).every(([name, value]) => DEFAULTS[name] === value);
  if (!isConfigured && isDefault) return null;
  const names = plugins.map((plugin) => {
    if (typeof plugin !== "string") return "";
    return isAbsolute(plugin) ? relative(folder, plugin).replaceAll("\\", "/") : plugin;
  });
  return sha256(exact({ ...options, plugins: names } as JsonRecord));
}

/** A function that formats texts for a folder with the rules of another one, or with Prettier's defaults. */
function formatIn(out: string, folder: string | null): FormatText {
  const hint = folder === null ? "fix the template" : `${fixRules(folder)}, or the template`;
  return async (path, text) => {
    const file = join(out, path);
    if (await isIgnored(file, folder)) return text;
    const { format } = await import("prettier");
    try {
      const options = folder === null ? {} : await withPlugins(await optionsFor(file), folder);
      return await format(text, { ...options, filepath: file, endOfLine: "lf" });
    } catch (error) {
      throw cannotFormat(`the generated ${path} cannot be formatted`, error, hint);
    }
  };
}

/** Resolves the names of plugins from the folder of the rules. Prettier would use the working directory. */
async function withPlugins({ plugins, ...options }: Config, folder: string): Promise<Config> {
  if (plugins === undefined) return options;
  const { createJiti } = await import("jiti");
  const resolver = createJiti(join(folder, "package.json"));
  const resolve = (name: string): string => (isAbsolute(name) ? name : resolver.esmResolve(name));
  return {
    ...options,
    plugins: plugins.map((plugin) => (typeof plugin === "string" ? resolve(plugin) : plugin)),
  };
}

const fixRules = (folder: string): string => `fix the Prettier configuration in ${folder}`;

function cannotFormat(what: string, error: unknown, hint: string): CommandError {
  return usageError("MG710", `${what}: ${error instanceof Error ? error.message : String(error)}`, hint);
}

/** A function that formats files for a folder and shows its progress. */
export function formatterFor(out: string, own: OwnFormatting | null, { status }: Pick<Context, "status">) {
  const format = own?.format ?? formatIn(out, null);
  return async <File extends { readonly path: string; readonly text: string }>(
    files: readonly File[],
  ): Promise<File[]> => {
    let done = 0;
    const formatFile = async (file: File): Promise<File> => {
      const text = await format(file.path, file.text);
      done += 1;
      status(`formatting ${done} of ${files.length} files`);
      return { ...file, text };
    };
    return await Promise.all(files.map(formatFile));
  };
}
