import { chmod, readFile, realpath, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Diagnostics } from "../../diagnostics.js";
import { knownRevisions, readSource, revisionSource } from "../../inputs/schemas.js";
import type { MigratedFile } from "../../migrate/migrate.js";
import type { Command } from "../command.js";
import { CommandError, exitCodes, usageError } from "../command-error.js";
import { exists } from "../destination/find.js";
import { replaceFile } from "../replace.js";
import type { MigrateReport } from "../report.js";

export const run: Command = async (operands, flags, context) => {
  const { directory } = context;
  context.status("reading the files");
  const files = new Map<string, SourceFile>();
  for (const name of operands) {
    const file = await readSourceFile(name, directory);
    files.set(file.path, file);
  }
  const diagnostics = new Diagnostics();
  const folder = flags.text("protocol");
  const protocol =
    folder === null ? join(commonFolder([...files.keys()]), "mcp") : resolve(directory, folder);
  const methods = await readMethods(directory);
  const { migrate } = await import("../../migrate/migrate.js");
  context.status("converting");
  const protocolOf = (path: string): string => {
    const shown = posix(relative(dirname(path), join(protocol, "index.js")));
    return shown.startsWith(".") ? shown : `./${shown}`;
  };
  const converted = migrate([...files.values()], { methods, zodOf, protocolOf }, diagnostics);
  const shownOf = (path: string): string => files.get(path)?.name ?? path;
  const list = diagnostics.list.map((entry) => ({
    ...entry,
    location: entry.location && { ...entry.location, file: shownOf(entry.location.file) },
  }));
  if (diagnostics.hasErrors) throw new CommandError(list, exitCodes.usage);
  const changed = converted.filter(({ path, text }) => text !== files.get(path)?.text);
  if (changed.length === 0) {
    const names = operands.join(", ");
    throw usageError(
      "MG951",
      `no server of the official SDK or of FastMCP is in ${names}`,
      "name the files that make a server or register its tools",
    );
  }
  const isDry = flags.on("dry-run");
  if (!isDry) for (const { path, text } of changed) await write(path, text);
  const shown = posix(relative(directory, protocol));
  const steps = (await exists(protocol))
    ? []
    : [`generate what they import:  npx mcpgen --version all --out ${shown}`];
  return {
    kind: "migrate",
    exitCode: exitCodes.done,
    mode: isDry ? "dry-run" : "write",
    files: converted.map((file) => reportOf(file, files.get(file.path), isDry)),
    diagnostics: list,
    advice: isDry
      ? "nothing was written: this was a dry run\n"
      : [
          ...steps,
          "install the runtime:         npm install @mcpgen/runtime",
          "format the files as your project does, and run your tests",
        ]
          .map((line) => `${line}\n`)
          .join(""),
  };
};

interface SourceFile {
  /** As the user wrote it. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

const posix = (path: string): string => path.replaceAll(sep, "/");

async function readSourceFile(name: string, directory: string): Promise<SourceFile> {
  try {
    const path = await realpath(resolve(directory, name));
    return { name: posix(name), path: posix(path), text: await readFile(path, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw usageError("MG952", `${name} cannot be read (${code})`, "name a file of TypeScript or JavaScript");
  }
}

/** Writes a file completely or not at all, with the permissions that it had. */
async function write(path: string, text: string): Promise<void> {
  const { mode } = await stat(path);
  await replaceFile(path, text);
  await chmod(path, mode);
}

function commonFolder(paths: readonly string[]): string {
  let [folder = ""] = paths.map((path) => dirname(path));
  while (!paths.every((path) => path.startsWith(`${folder}/`)) && folder !== dirname(folder))
    folder = dirname(folder);
  return folder;
}

/** The methods of all messages by the names of their types. */
async function readMethods(directory: string): Promise<ReadonlyMap<string, string>> {
  const methods = new Map<string, string>();
  for (const name of await knownRevisions(directory)) {
    const protocol = await readSource(await revisionSource(name, directory), new Diagnostics());
    for (const message of protocol?.messages ?? []) methods.set(message.name, message.method);
  }
  return methods;
}

/** The major version of the zod that a file imports; 4 if none is installed. */
function zodOf(path: string): number {
  try {
    const { version } = createRequire(path)("zod/package.json") as { readonly version: string };
    return Number.parseInt(version, 10);
  } catch {
    return 4;
  }
}

function reportOf(
  file: MigratedFile,
  before: SourceFile | undefined,
  isDry: boolean,
): MigrateReport["files"][number] {
  const { text, rows, places } = file;
  const old = before?.text ?? "";
  const state = text === old ? "unchanged" : isDry ? "outdated" : "written";
  return { path: before?.name ?? file.path, state, rows, places, before: old, text };
}
