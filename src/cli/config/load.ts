import { basename, dirname, resolve } from "node:path";
import {
  defineConfig,
  type Config,
  type UpdateSettings,
} from "../../config.js";
import { Diagnostics, type Scope } from "../../generator/diagnostics.js";
import type { ShapeCodes } from "../../generator/read/json/shape.js";
import { parseJson } from "../../generator/read/json/text/parse.js";
import {
  type LocationOfPath,
  locationsIn,
  positionsIn,
  toJson,
} from "../../generator/read/json/text/tree.js";
import { FromFile } from "../../generator/inputs/from-file.js";
import { CommandError, usageError } from "../command-error.js";
import { readNamed, shownPath } from "../destination/find.js";
import { runModule } from "../user-module.js";
import { findConfig, isData, isYaml, packageMember } from "./find.js";
import schema from "./schema.json" with { type: "json" };

/** What a configuration says; a stranger may have written where schemas are. */
interface Settings extends Omit<Config, "update"> {
  readonly update?: Omit<UpdateSettings, "from"> & {
    readonly from?: FromFile;
  };
}

/** A valid configuration. */
export interface LoadedConfig {
  /** The path in reports. */
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly directory: string;
  readonly config: Settings;
}

/**
 * The codes of what does not match the schema of a configuration or of accepted
 * differences.
 */
export const configCodes: ShapeCodes = {
  unknown: "MG742",
  invalid: "MG743",
  hint: null,
};

/** The configuration at this path, or the nearest one; null if none exists. */
export async function configFor(
  named: string | null,
  directory: string,
): Promise<LoadedConfig | null> {
  const path = await findConfig(named, directory);
  return path === null ? null : await loadConfig(path);
}

/**
 * Reads a configuration. TypeScript and JavaScript files are executed; JSON and
 * YAML files are only parsed.
 *
 * @throws CommandError with every unknown key and invalid value
 */
export async function loadConfig(path: string): Promise<LoadedConfig> {
  const file = shownPath(path);
  const diagnostics = new Diagnostics();
  const read = isData(path)
    ? await readData(path, file, diagnostics)
    : await readModule(path, file);
  if (read === null) throw new CommandError(diagnostics.list);
  // A module may make a value anywhere, so only its path is known.
  const scope = isData(path) ? diagnostics.root : diagnostics.in(file);
  await checkConfig(read.value, dirname(path), scope, read.locationOf);
  if (diagnostics.hasErrors) throw new CommandError(diagnostics.list);
  const { update, ...config } = read.value as Config;
  return {
    file,
    directory: dirname(path),
    config: { ...config, ...(update && { update: settingsOf(update) }) },
  };
}

const settingsOf = ({ from, ...update }: UpdateSettings) => ({
  ...update,
  ...(from !== undefined && { from: new FromFile(from) }),
});

/**
 * Reports what does not match the schema, or else each job that would write
 * into the folder of another one.
 */
async function checkConfig(
  value: unknown,
  directory: string,
  scope: Scope,
  locationOf: LocationOfPath,
): Promise<void> {
  // Most runs have no configuration, and need no validator of JSON Schema.
  const { checkShape } = await import("../../generator/read/json/shape.js");
  const isValid = checkShape(schema, value, scope, locationOf, configCodes);
  if (!isValid) return;
  const folders = new Map<string, string>();
  for (const { job, path, out } of outputsOf(value as Config)) {
    if (out === undefined) continue;
    // Folders whose names differ only in case are one folder on some disks.
    const folder = resolve(directory, out).normalize("NFC").toLowerCase();
    const other = folders.get(folder);
    folders.set(folder, other ?? job);
    if (other === undefined) continue;
    const message = `${JSON.stringify(out)} is the folder of ${other} too, and each would overwrite the files of the other`;
    const hint = "give each job a folder of its own";
    const at = locationOf([...path, "out"], false);
    scope.in(`${job}.out`).error("MG743", at, message, hint);
  }
}

/** The folders that are written, with the places of their jobs. */
function outputsOf({ generate = [], servers = [], code }: Config) {
  const listed = Object.entries({ generate, servers }).flatMap(([list, jobs]) =>
    jobs.map(({ out }, i) => ({
      job: `${list}[${i}]`,
      path: [list, String(i)],
      out,
    })),
  );
  const own = { job: "code", path: ["code"], out: code?.out };
  return [...listed, own];
}

/** A configuration that is only parsed; null after an error. */
async function readData(
  path: string,
  file: string,
  diagnostics: Diagnostics,
): Promise<Read | null> {
  const text = await readNamed(path, file);
  if (isYaml(path))
    return (await import("./yaml.js")).parseYaml(text, file, diagnostics);
  const isPackage = basename(path) === "package.json";
  return parseConfigJson(text, file, diagnostics, isPackage);
}

interface Read {
  readonly value: unknown;
  readonly locationOf: LocationOfPath;
}

/** Parses JSON with the position of each value; null after an error. */
export function parseConfigJson(
  text: string,
  file: string,
  diagnostics: Diagnostics,
  isPackage: boolean,
): Read | null {
  const at = locationsIn(text, file);
  const whole = parseJson(text, at, diagnostics.root);
  if (whole === null) return null;
  const node =
    isPackage && whole.kind === "object"
      ? whole.members.get(packageMember)?.value
      : whole;
  if (node === undefined) {
    const hint = `add a member "${packageMember}" with the configuration, or name another file`;
    diagnostics.root.error(
      "MG743",
      at(whole.at),
      `the file has no member "${packageMember}"`,
      hint,
    );
    return null;
  }
  return { value: toJson(node), locationOf: positionsIn(node, at) };
}

async function readModule(path: string, file: string): Promise<Read> {
  let value: unknown;
  try {
    // Configurations may import `defineConfig` even if mcpgen is not installed
    // next to them.
    const { default: exported } = await runModule(path, {
      mcpgen: { defineConfig },
    });
    value = await (typeof exported === "function"
      ? (exported as () => unknown)()
      : exported);
  } catch (error) {
    throw loadError(error, file);
  }
  if (value !== undefined) return { value, locationOf: () => null };
  throw usageError(
    "MG741",
    `${file} has no default export`,
    "write: export default defineConfig({ … })",
  );
}

/**
 * The error of a module that cannot be loaded: its syntax error with a
 * position, or the error that it threw.
 */
function loadError(error: unknown, file: string): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  // "ParseError: <reason>", and in the last line " <path>:<line>:<column>".
  const [first = message, ...lines] = message.split("\n");
  const [column = "", line = "", ...path] = (lines.at(-1) ?? "")
    .trim()
    .split(":")
    .reverse();
  const isSyntax =
    first.startsWith("ParseError: ") &&
    [line, column].every((text) => /^\d+$/.test(text));
  const place = shownPath(path.reverse().join(":"));
  return new CommandError([
    {
      code: "MG741",
      severity: "error",
      message: `${file} cannot be run: ${isSyntax ? first.slice("ParseError: ".length).trim() : message}`,
      hint: isSyntax ? "fix the syntax" : "check that it runs on its own",
      location: isSyntax
        ? { file: place, line: Number(line), column: Number(column) + 1 }
        : null,
      within: [],
    },
  ]);
}
