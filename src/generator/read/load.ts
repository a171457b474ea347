import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { byText } from "../../common/by-text.js";
import { Diagnostics, type Scope } from "../diagnostics.js";
import { digestOf } from "./digest.js";
import { suggestion } from "./nearest.js";
import { decode } from "./utf8.js";

/** The maximum size of a source file in bytes. */
const maxSize = 20 * 1024 * 1024;

/** The names of a schema in a folder, in order of preference. */
export const schemaNames = ["schema.ts", "schema.json"] as const;

/** The text of a schema that is not parsed yet. */
export interface Loaded {
  /**
   * The path that was passed, or that of the file inside it; forward slashes.
   */
  readonly file: string;
  readonly text: string;
  /** The result of `digestOf`. */
  readonly sha256: string;
  /** The `facts.json` in the folder of a schema; absent if there is none. */
  readonly facts?: Loaded;
  /**
   * The `schema.json` beside a `schema.ts`, which is read in its place if it
   * cannot be read; absent if there is none, or if the file itself was named.
   */
  readonly json?: Loaded;
}

/**
 * Loads a schema and the `facts.json` in its folder; of a folder, also the
 * `schema.json` beside a `schema.ts`. Returns null after an error.
 */
export async function loadSchema(
  path: string,
  scope: Scope,
): Promise<Loaded | null> {
  const loaded = await load(path, scope);
  if (loaded === null) return null;
  const [first, second] = schemaNames;
  const isFolder = loaded.file === slashed(join(path, first));
  // It is only a way out, so what is wrong with it is not reported.
  const json = isFolder
    ? await loadOptional(join(path, second), new Diagnostics().root)
    : null;
  return await withFacts(withJson(loaded, json), loaded.file, scope);
}

/** Adds the `schema.json` beside a `schema.ts`, if there is one. */
export const withJson = (loaded: Loaded, json: Loaded | null): Loaded =>
  json === null ? loaded : { ...loaded, json };

/**
 * Adds the `facts.json` in the folder of a path: where the schema is or will be
 * written. Returns null after an error.
 */
export async function withFacts(
  { facts: _others, ...schema }: Loaded,
  path: string,
  scope: Scope,
): Promise<Loaded | null> {
  const factsPath = join(dirname(path), factsName);
  if (!(await isFile(factsPath))) return schema;
  const facts = await load(slashed(factsPath), scope);
  return facts === null ? null : { ...schema, facts };
}

/**
 * The file for facts that only the text of a revision states, in the same
 * folder as its schema.
 */
export const factsName = "facts.json";

/**
 * Loads a schema file, or the schema of a folder. Returns null after an error.
 * Only this module reads sources from the disk.
 */
export async function load(path: string, scope: Scope): Promise<Loaded | null> {
  const file = await findFile(path, scope);
  const bytes = file === null ? null : await readBytes(file, scope);
  return file === null || bytes === null
    ? null
    : decodeSchema(bytes, file, scope);
}

/**
 * Decodes the bytes of a source. `file` is its path in diagnostics. Returns
 * null after an error.
 */
export function decodeSchema(
  bytes: Uint8Array,
  file: string,
  scope: Scope,
): Loaded | null {
  const text = decode(bytes);
  if (typeof text !== "string") {
    scope.error(
      "MG005",
      { file, line: text.line, column: 1 },
      text.problem,
      "save the file as UTF-8",
    );
    return null;
  }
  if (text.trim() === "") {
    scope.error(
      "MG006",
      { file, line: 1, column: 1 },
      "the file is empty",
      "write a schema into it",
    );
    return null;
  }
  return { file, text, sha256: digestOf(text) };
}

/**
 * Loads an optional file. Returns null without a diagnostic if it does not
 * exist.
 */
export async function loadOptional(
  path: string,
  scope: Scope,
): Promise<Loaded | null> {
  return (await isFile(path)) ? await load(path, scope) : null;
}

/**
 * The bundled revisions and their folders, sorted by name; empty outside an
 * installed package.
 */
export async function bundled(): Promise<
  { revision: string; folder: string }[]
> {
  const folders = await foldersIn("");
  return folders
    .filter(({ name }) => name !== extensionsFolder)
    .map(({ name, folder }) => ({ revision: name, folder }));
}

/** The names of the bundled revisions, oldest first. */
export async function revisionNames(): Promise<string[]> {
  return (await bundled()).map(({ revision }) => revision);
}

/** The bundled extensions and their folders, sorted by name. */
export async function bundledExtensions(): Promise<
  { name: string; folder: string }[]
> {
  return await foldersIn(extensionsFolder);
}

/** The folders in the package's folder of schemas, or in a folder there. */
async function foldersIn(
  inner: string,
): Promise<{ name: string; folder: string }[]> {
  const home = await schemaFolder();
  if (home === null) return [];
  const entries = await readdir(join(home, inner), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: slashed(join(home, inner, name)) }))
    .sort((a, b) => byText(a.name, b.name));
}

/** A folder next to the revisions that is not a revision. */
const extensionsFolder = "extensions";

/**
 * The package's folder of schemas, found above this file because a bundler may
 * move this file.
 */
async function schemaFolder(): Promise<string | null> {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 5; up++) {
    const candidate = join(folder, "schema");
    const stats = await stat(candidate).catch(() => null);
    if (
      stats?.isDirectory() === true &&
      (await isFile(join(folder, "package.json")))
    )
      return candidate;
    folder = dirname(folder);
  }
  return null;
}

async function findFile(path: string, scope: Scope): Promise<string | null> {
  let stats;
  try {
    stats = await stat(path);
  } catch (reason) {
    await reportMissing(path, reason, scope);
    return null;
  }
  if (stats.isFile()) return slashed(path);
  if (!stats.isDirectory()) {
    scope.error(
      "MG003",
      null,
      `${slashed(path)} is neither a file nor a folder`,
      "pass a schema file",
    );
    return null;
  }
  for (const name of schemaNames)
    if (await isFile(join(path, name))) return slashed(join(path, name));
  const hint = `pass a file, or put ${schemaNames.join(" or ")} into the folder`;
  scope.error(
    "MG002",
    null,
    `the folder ${slashed(path)} holds no ${schemaNames.join(" and no ")}`,
    hint,
  );
  return null;
}

async function readBytes(
  file: string,
  scope: Scope,
): Promise<Uint8Array | null> {
  try {
    const { size } = await stat(file);
    // Checks the size again after reading, because a file may grow meanwhile,
    // and some files report no size.
    const bytes = size > maxSize ? null : await readFile(file);
    if (bytes !== null && bytes.length <= maxSize) return bytes;
    scope.error(
      "MG004",
      null,
      `${file} is larger than ${maxSize / 1024 / 1024} MB, the maximum`,
      "check the path: a schema has a few hundred kilobytes",
    );
  } catch (reason) {
    reportUnreadable(file, reason, scope);
  }
  return null;
}

async function reportMissing(
  path: string,
  reason: unknown,
  scope: Scope,
): Promise<void> {
  if (codeOf(reason) !== "ENOENT" && codeOf(reason) !== "ENOTDIR") {
    reportUnreadable(slashed(path), reason, scope);
    return;
  }
  // If the folder is missing, no name is suggested.
  const siblings = await readdir(dirname(path)).catch((): string[] => []);
  const hint = suggestion(basename(path), siblings, (near) =>
    slashed(join(dirname(path), near)),
  );
  scope.error("MG001", null, `no such file or folder: ${slashed(path)}`, hint);
}

async function isFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() === true;
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function codeOf(reason: unknown): string | null {
  return reason instanceof Error && "code" in reason
    ? String(reason.code)
    : null;
}

/** Describes the system error without its path and system call. */
function reportUnreadable(file: string, reason: unknown, scope: Scope): void {
  const code = codeOf(reason);
  const [words, hint] = (code === null ? undefined : reasons[code]) ?? [
    code ?? String(reason),
    null,
  ];
  scope.error("MG003", null, `cannot read ${file}: ${words}`, hint);
}

const noPermission = ["permission denied", "check its permissions"] as const;
const reasons: Readonly<Record<string, readonly [string, string | null]>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  ELOOP: [
    "its symbolic links are circular",
    "pass the path of the file itself",
  ],
  ENAMETOOLONG: ["the name is too long", null],
};
