import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import {
  type Diagnostic,
  makeDiagnostic,
} from "../../generator/diagnostics.js";
import { suggestion } from "../../generator/read/nearest.js";
import {
  expand,
  ExpansionError,
  type ExpansionContext,
} from "../clients/expand.js";
import {
  type ClientEntry,
  clientFiles,
  readClientFile,
  readClientFiles,
} from "../clients/files.js";
import { CommandError, usageError } from "../command-error.js";
import {
  readUrl,
  type ExpandedVariable,
  type HttpAddress,
  type StdioAddress,
} from "./address.js";

/**
 * The server with this name in a client's configuration file, its variables
 * expanded. `path/to/file.json#name` names the file too; without it, the first
 * file of the folder with the name counts.
 */
export async function findEntry(
  text: string,
  directory: string,
): Promise<StdioAddress | HttpAddress> {
  const entry = await findNamed(text, directory);
  const context = {
    directory,
    home: homedir,
    separator: sep,
    environment: process.env,
  };
  try {
    return await addressIn(entry, context);
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    throw usageError(
      "MG735",
      `the server ${JSON.stringify(entry.name)} of ${entry.file} cannot be used: ${error.message}`,
      "set the variable in the environment, or use --url or --stdio instead",
    );
  }
}

/**
 * The same entry with its variables as they are written. `otherHint` is the
 * hint of the error if no entry has a similar name.
 */
export async function findNamed(
  text: string,
  directory: string,
  otherHint: string | null = null,
): Promise<ClientEntry> {
  const found = await readClientFiles(directory);
  // A name may contain "#" as well.
  const entry = found.entries.find((one) => one.name === text);
  if (entry !== undefined) return entry;
  const { file, name } = entryParts(text);
  const path = resolve(directory, file ?? "");
  const { entries, diagnostics } =
    file === null ? found : await readClientFile(dirname(path), basename(path));
  const inFile = entries.find((one) => one.name === name);
  if (inFile !== undefined) return inFile;
  throw unknownServer(name, file, entries, diagnostics, otherHint);
}

/**
 * Splits a file from a name. Both may contain `#`, and a client's file ends
 * with `.json`.
 */
export function entryParts(text: string): {
  readonly file: string | null;
  readonly name: string;
} {
  const [, file = null, name = text] =
    /^(.+?\.json)#(.*)$/is.exec(text) ?? /^(.+)#([^#]*)$/s.exec(text) ?? [];
  return { file, name };
}

function unknownServer(
  name: string,
  file: string | null,
  entries: readonly ClientEntry[],
  diagnostics: readonly Diagnostic[],
  otherHint: string | null,
): CommandError {
  const names = [...new Set(entries.map((entry) => entry.name))];
  const among =
    names.length === 0
      ? "no server is configured there"
      : `the servers are ${names.join(", ")}`;
  const others =
    'a command goes in quotes, such as "node server.js", and a URL begins with http:// or https://';
  const message = `no server is named ${JSON.stringify(name)} in ${file ?? clientFiles.join(", ")}`;
  const hint = suggestion(name, names) ?? otherHint ?? `${among}; ${others}`;
  // A file that could not be read may contain the server.
  return new CommandError([
    ...diagnostics,
    makeDiagnostic("error", "MG705", message, hint),
  ]);
}

async function addressIn(
  entry: ClientEntry,
  context: ExpansionContext,
): Promise<StdioAddress | HttpAddress> {
  const expanded: ExpandedVariable[] = [];
  const onVariable = (name: string, value: string): void =>
    void expanded.push({ name, value });
  const expandText = (text: string): string =>
    expand(text, { ...context, onVariable });
  const all = (
    texts: Readonly<Record<string, string>>,
  ): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, expandText(value)]),
    );
  if (entry.kind === "http") {
    const url = readUrl(
      expandText(entry.url),
      `the URL of ${JSON.stringify(entry.name)}`,
    );
    return {
      kind: "http",
      url,
      isSse: entry.isSse,
      headers: all(entry.headers),
      expanded,
    };
  }
  const { command, args, env, envFile, cwd } = entry;
  const fromFile =
    envFile === null
      ? {}
      : await readVariables(resolve(context.directory, expandText(envFile)));
  for (const [name, value] of Object.entries(fromFile)) onVariable(name, value);
  const folder = cwd === null ? null : expandText(cwd);
  return {
    kind: "stdio",
    command: expandText(command),
    args: args.map(expandText),
    written: [command, ...args],
    env: { ...fromFile, ...all(env) },
    cwd:
      folder === null || isAbsolute(folder)
        ? folder
        : resolve(context.directory, folder),
    expanded,
  };
}

async function readVariables(path: string): Promise<Record<string, string>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    throw new ExpansionError(
      `the file of environment variables, ${basename(path)}, cannot be read`,
    );
  }
  const entries = Object.entries(parseEnv(text));
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
