import { existsSync, readFileSync } from "node:fs";
import { chmod, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Diagnostics, makeDiagnostic } from "../../generator/diagnostics.js";
import { loadRuntimeSource } from "../../generator/inputs/package.js";
import { upwards } from "../../generator/inputs/paths.js";
import {
  knownRevisions,
  readSource,
  revisionSource,
} from "../../generator/inputs/schemas.js";
import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import type { SourceText } from "./source.js";
import type { Command, Context } from "../../cli/command.js";
import { readTask } from "../../cli/commands/generate/task.js";
import { type Faults, faultsOf } from "../../cli/compile/faults.js";
import {
  CommandError,
  exitCodes,
  usageError,
} from "../../cli/command-error.js";
import { exists } from "../../cli/destination/find.js";
import {
  isInstalled,
  runtimePackage,
} from "../../cli/destination/installed.js";
import { replaceFile } from "../../cli/replace.js";
import { reportOf } from "../../cli/report.js";
import { type Migrated, migrateText } from "./report.js";

export const run: Command = async (operands, flags, context) => {
  const { directory } = context;
  context.status("converting");
  const files = new Map<string, SourceFile>();
  for (const name of operands) {
    const file = await readSourceFile(name, directory);
    files.set(file.path, file);
  }
  const diagnostics = new Diagnostics();
  const [first = directory] = files.keys();
  const protocol = resolve(
    directory,
    flags.text("protocol") ?? join(dirname(first), "mcp"),
  );
  const protocolOf = (path: string): string =>
    posix(relative(dirname(path), join(protocol, "index.js"))).replace(
      /^(?!\.)/,
      "./",
    );
  const methods = await readMethods(directory);
  const { migrate } = await import("./migrate.js");
  const converted = withoutOverflow(operands, () =>
    migrate([...files.values()], { methods, zodOf, protocolOf }, diagnostics),
  );
  const nameOf = (path: string): string =>
    files.get(path)?.name ?? posix(relative(directory, path));
  const list = diagnostics.list.map(({ location, ...entry }) => ({
    ...entry,
    location: location && { ...location, file: nameOf(location.file) },
  }));
  if (diagnostics.hasErrors) throw new CommandError(list, exitCodes.usage);
  const isDry = flags.on("dry-run");
  if (converted.length === 0)
    throw usageError(
      "MG951",
      `no server of the official SDK or of FastMCP is in ${operands.join(", ")}`,
      "name the files that make a server or register its tools",
    );
  context.status("compiling");
  const { compiler, list: faults } = await compile(
    files,
    converted,
    protocol,
    context,
  );
  context.status(null);
  const isRefused = faults.length > 0 && !flags.on("force");
  const isKept = isDry || isRefused;
  for (const { location, message } of faults)
    list.push({
      ...makeDiagnostic(
        isRefused ? "error" : "warning",
        "MG955",
        `the result does not compile: ${message}`,
        compileHint,
      ),
      location: { ...location, file: nameOf(location.file) },
    });
  const reports = converted.map(({ path, ...file }): Migrated => {
    const before = files.get(path)?.text ?? "";
    const state =
      file.text === before ? "unchanged" : isKept ? "outdated" : "written";
    return { ...file, path: nameOf(path), state, before };
  });
  for (const { path, text } of converted) {
    if (isKept || text === files.get(path)?.text) continue;
    // Completely or not at all, with the permissions that it had.
    const { mode } = await stat(path);
    await replaceFile(path, text);
    await chmod(path, mode);
  }
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
  const advice = reports.some(({ state }) => state !== "unchanged")
    ? `${(await exists(protocol)) ? "" : step}${install}format the files as your project does, and run your tests\n`
    : "nothing was converted: do what the messages say, and run again\n";
  const rows = reports.map(({ before: _before, text: _text, ...file }) => file);
  const mode = isDry ? "dry-run" : isRefused ? "refused" : "write";
  const data = { mode, compiler, files: rows };
  const kept = isRefused
    ? `nothing was written: the result does not compile with ${compiler}. Correct the places, or write it with --force\n`
    : "nothing was written: this was a dry run\n";
  return reportOf(isRefused ? exitCodes.checkFailed : exitCodes.done, data, {
    diagnostics: list,
    differences: (style) => migrateText(reports, style, isDry),
    advice: isKept ? kept : advice,
  });
};

/** Reading a file ends the stack if its brackets are nested by the thousand. */
function withoutOverflow<T>(names: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(
      "MG952",
      `${names.join(", ")}: an expression is nested too deeply to be read`,
      "write it with fewer brackets inside each other, and run again",
    );
  }
}

const compileHint =
  "change this before the move, or use --force and correct it afterwards";

/**
 * Compiles the converted files. The protocol and the runtime that they import
 * may not be there yet: then they are in memory.
 */
async function compile(
  files: ReadonlyMap<string, SourceText>,
  converted: readonly SourceText[],
  protocol: string,
  context: Context,
): Promise<Faults> {
  const texts = new Map(converted.map(({ path, text }) => [path, text]));
  const folder = dirname(converted[0]?.path ?? context.directory);
  // Without the old packages nothing has a type, before and after.
  const names = [...files.values()].flatMap(({ text }) =>
    [...text.matchAll(/["'](@modelcontextprotocol\/[\w-]+|fastmcp)/g)].map(
      ([, name = ""]) => name,
    ),
  );
  const isTyped = names.some((name) => isInstalled(name, folder));
  if (isTyped) {
    if (!(await exists(protocol))) await addProtocol(texts, protocol, context);
    if (!isInstalled(runtimePackage, folder)) await addRuntime(texts, protocol);
  }
  return await faultsOf(
    folder,
    converted.map(({ path }) => path),
    (path) => texts.get(path),
    isTyped ? {} : { noImplicitAny: false },
  );
}

/** Adds the protocol that `mcpgen --version all --out <dir>` writes. */
async function addProtocol(
  texts: Map<string, string>,
  out: string,
  context: Context,
): Promise<void> {
  const { prepare } = await import("../../cli/commands/generate/prepare.js");
  const task = await readTask(
    { out, version: "all", mode: "write", force: false, clean: false },
    context.directory,
  );
  const { request } = await prepare(task, context, new Diagnostics());
  for (const { path, text } of request.files)
    texts.set(posix(join(out, path)), text);
}

/** Adds the sources of the runtime, as a package beside the protocol. */
async function addRuntime(
  texts: Map<string, string>,
  protocol: string,
): Promise<void> {
  const folder = posix(join(dirname(protocol), "node_modules", runtimePackage));
  const exported = { ".": "./index.ts", "./*": "./*.ts" };
  texts.set(
    `${folder}/package.json`,
    JSON.stringify({ name: runtimePackage, type: "module", exports: exported }),
  );
  for (const [path, text] of await loadRuntimeSource())
    texts.set(`${folder}/${path}`, text);
}

interface SourceFile extends SourceText {
  /** As the user wrote it. */
  readonly name: string;
}

const posix = (path: string): string => path.replaceAll(sep, "/");

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
    const code =
      error instanceof Error && "code" in error
        ? String(error.code)
        : String(error);
    throw usageError(
      "MG952",
      `${name} cannot be read (${code})`,
      "name a file of TypeScript or JavaScript",
    );
  }
}

/** The methods of all messages by the names of their types. */
async function readMethods(
  directory: string,
): Promise<ReadonlyMap<string, string>> {
  const methods = new Map<string, string>();
  for (const name of await knownRevisions(directory)) {
    const protocol = await readSource(
      await revisionSource(name, directory),
      new Diagnostics(),
    );
    for (const message of protocol?.messages ?? [])
      methods.set(message.name, message.method);
  }
  return methods;
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
