import { existsSync, readFileSync } from "node:fs";
import { chmod, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { reasonOf } from "../../generator/emit/write/disk.js";
import { type Diagnostic, Diagnostics } from "../../generator/diagnostics.js";
import { importFrom, upwards } from "../../generator/inputs/paths.js";
import {
  knownRevisions,
  readSource,
  revisionSource,
} from "../../generator/inputs/schemas.js";
import { constantIn } from "../../generator/ir/constraint/form.js";
import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import { counted } from "../../generator/ir/report/text.js";
import type { MigrateOptions, SourceText } from "./source.js";
import type { Command } from "../../cli/command.js";
import {
  CommandError,
  exitCodes,
  usageError,
} from "../../cli/command-error.js";
import { posix } from "../../cli/compile/faults.js";
import { exists } from "../../cli/destination/find.js";
import {
  isInstalled,
  runtimePackage,
} from "../../cli/destination/installed.js";
import { replaceFile } from "../../cli/replace.js";
import { reportOf } from "../../cli/report.js";
import { compile, diagnosticsOf } from "./check.js";
import { type Migrated, migrateText } from "./report.js";

export const run: Command = async (operands, flags, context) => {
  const { directory } = context;
  context.status("converting");
  const files = await readFiles(operands, directory);
  const diagnostics = new Diagnostics();
  const [first = directory] = files.keys();
  const protocol = resolve(
    directory,
    flags.text("protocol") ?? join(dirname(first), "mcp"),
  );
  const facts = await readFacts(directory);
  const { migrate } = await import("./migrate.js");
  const converted = await withoutOverflow(operands.join(", "), () =>
    migrate(
      [...files.values()],
      { ...facts, zodOf, protocolOf: protocolFrom(protocol) },
      diagnostics,
    ),
  );
  const nameOf = (path: string): string =>
    files.get(path)?.name ?? posix(relative(directory, path));
  const list = named(diagnostics.list, nameOf);
  if (diagnostics.hasErrors) throw new CommandError(list, exitCodes.usage);
  const isDry = flags.on("dry-run");
  if (converted.length === 0) throw noServer(operands);
  context.status("compiling");
  const { compiler, list: faults } = await withoutOverflow(
    "a file of the project",
    () => compile([...files.values()], converted, protocol, context),
  );
  context.status(null);
  const places = converted.reduce((sum, file) => sum + file.places, 0);
  const changes = converted.filter(
    ({ path, text }) => text !== files.get(path)?.text,
  );
  const isWhole = faults.length + places === 0;
  const isRefused = changes.length > 0 && !isWhole && !flags.on("force");
  const isKept = isDry || isRefused;
  list.push(...diagnosticsOf(faults, isRefused, nameOf));
  const reports = converted.map(({ path, ...file }): Migrated => {
    const before = files.get(path)?.text ?? "";
    const state =
      file.text === before ? "unchanged" : isKept ? "outdated" : "written";
    return { ...file, path: nameOf(path), state, before };
  });
  for (const { path, text } of isKept ? [] : changes) await rewrite(path, text);
  const rows = reports.map(({ before: _before, text: _text, ...file }) => file);
  const mode = isDry ? "dry-run" : isRefused ? "refused" : "write";
  const data = { mode, compiler, files: rows };
  return reportOf(isRefused ? exitCodes.checkFailed : exitCodes.done, data, {
    diagnostics: list,
    differences: (style) => migrateText(reports, style, isDry),
    advice: isRefused
      ? refusal(faults.length === 0 ? null : compiler, places)
      : isDry
        ? "nothing was written: this was a dry run\n"
        : await adviceFor(reports, protocol, directory),
  });
};

/** Messages with the names of files as the user wrote them. */
const named = (
  list: readonly Diagnostic[],
  nameOf: (path: string) => string,
): Diagnostic[] =>
  list.map(({ location, ...entry }) => ({
    ...entry,
    location: location && { ...location, file: nameOf(location.file) },
  }));

/** How a file imports the protocol. */
const protocolFrom =
  (protocol: string) =>
  (path: string): string =>
    importFrom(dirname(path), join(protocol, "index.js"));

/** Why nothing is written, and what to do. */
const refusal = (compiler: string | null, places: number): string => {
  const why =
    compiler === null
      ? `the command does not know ${counted(places, "place")}`
      : `the result does not compile with ${compiler}`;
  return `nothing was written: ${why}. Change what the messages list, or write the result with --force\n`;
};

const noServer = (names: readonly string[]): CommandError =>
  usageError(
    "MG951",
    `no server of the official SDK or of FastMCP is in ${names.join(", ")}`,
    "name the files that make a server or register its tools",
  );

/** Writes a file completely or not at all, with the permissions that it had. */
async function rewrite(path: string, text: string): Promise<void> {
  const { mode } = await stat(path);
  await replaceFile(path, text);
  await chmod(path, mode);
}

/** What a person does after the files are written. */
async function adviceFor(
  reports: readonly Migrated[],
  protocol: string,
  directory: string,
): Promise<string> {
  if (reports.every(({ state }) => state === "unchanged"))
    return "nothing was converted: do what the messages say, and run again\n";
  const step = `generate what they import:  npx mcpgen --version all --out ${posix(relative(directory, protocol))}\n`;
  const missing = [runtimePackage, "zod-to-json-schema"].filter(
    (name) =>
      reports.some(({ text }) => text.includes(`"${name}`)) &&
      !isInstalled(name, directory),
  );
  const install =
    missing.length === 0
      ? ""
      : `install what they import:    npm install ${missing.join(" ")}\n`;
  return `${(await exists(protocol)) ? "" : step}${install}format the files as your project does, and run your tests\n`;
}

/** Reading a file ends the stack if its brackets are nested by the thousand. */
async function withoutOverflow<T>(
  name: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(
      "MG952",
      `${name}: an expression is nested too deeply to be read`,
      "write it with fewer brackets inside each other, and run again",
    );
  }
}

interface SourceFile extends SourceText {
  /** As the user wrote it. */
  readonly name: string;
}

/** The files by their absolute paths. */
async function readFiles(
  names: readonly string[],
  directory: string,
): Promise<ReadonlyMap<string, SourceFile>> {
  const files = new Map<string, SourceFile>();
  for (const name of names) {
    const file = await readSourceFile(name, directory);
    files.set(file.path, file);
  }
  return files;
}

async function readSourceFile(
  name: string,
  directory: string,
): Promise<SourceFile> {
  try {
    const path = await realpath(resolve(directory, name));
    return {
      name: posix(name),
      path: posix(path),
      text: await readFile(path, "utf8"),
    };
  } catch (error) {
    throw usageError(
      "MG952",
      `${name} cannot be read: ${reasonOf(error)}`,
      "name a file of TypeScript or JavaScript",
    );
  }
}

/** What the schemas of all revisions name. */
async function readFacts(
  directory: string,
): Promise<Pick<MigrateOptions, "methods" | "codes">> {
  const methods = new Map<string, string>();
  const codes = new Map<string, unknown>();
  for (const name of await knownRevisions(directory)) {
    const protocol = await readSource(
      await revisionSource(name, directory),
      new Diagnostics(),
    );
    for (const message of protocol?.messages ?? [])
      methods.set(message.name, message.method);
    for (const { kind, name: constant, schema } of protocol?.declarations ?? [])
      if (kind === "constant")
        codes.set(
          constant.replaceAll("_", "").toLowerCase(),
          constantIn(schema),
        );
  }
  return { methods, codes };
}

/**
 * The major version of the zod that a file imports; 4 if none is installed. Its
 * manifest is only read: `require` runs what `exports` names.
 */
function zodOf(path: string): number {
  for (const folder of upwards(dirname(path))) {
    const file = join(folder, "node_modules/zod/package.json");
    if (!existsSync(file)) continue;
    const manifest = parseOrUndefined(readFileSync(file, "utf8"));
    const version = isRecord(manifest) ? manifest["version"] : undefined;
    return Number.parseInt(String(version), 10) || 4;
  }
  return 4;
}
