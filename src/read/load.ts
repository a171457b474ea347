import { constants } from "node:fs";
import { access, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scope } from "../diagnostics.js";
import { digestOf } from "./digest.js";
import { nearest } from "./nearest.js";
import { decode } from "./utf8.js";

/** The largest file that is read, in bytes: two hundred times the protocol's own schemas. */
const largest = 20 * 1024 * 1024;

/** What a folder is read from, the best first. */
const inFolder = ["schema.ts", "schema.json"] as const;

/** A schema's text, not yet read. */
export interface Loaded {
  /** The path that was asked for, or that of the file found in it; forward slashes. */
  readonly file: string;
  readonly text: string;
  /** As `digestOf` tells it. */
  readonly sha256: string;
}

/** Loads a schema file, or the one in a folder. Reports why not and gives null. The only code here that touches the disk. */
export async function load(path: string, scope: Scope): Promise<Loaded | null> {
  const file = await findFile(path, scope);
  const bytes = file === null ? null : await readBytes(file, scope);
  if (file === null || bytes === null) return null;
  const text = decode(bytes);
  if (typeof text !== "string") {
    scope.error("MG005", { file, line: text.line, column: 1 }, text.problem, "save the file as UTF-8");
    return null;
  }
  if (text.trim() === "") {
    scope.error("MG006", { file, line: 1, column: 1 }, "the file is empty", "a schema was expected in it");
    return null;
  }
  return { file, text, sha256: digestOf(text) };
}

/** Loads a file that need not exist: null without a report when it does not. */
export async function loadOptional(path: string, scope: Scope): Promise<Loaded | null> {
  try {
    await access(path, constants.F_OK);
  } catch {
    return null;
  }
  return load(path, scope);
}

/** The bundled revisions and their folders, in the order of their names; empty outside an installed package. */
export async function bundled(): Promise<{ revision: string; folder: string }[]> {
  const home = await schemaFolder();
  if (home === null) return [];
  const entries = await readdir(home, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== extensionsFolder)
    .map(({ name }) => ({ revision: name, folder: slashed(join(home, name)) }))
    .sort((a, b) => (a.revision < b.revision ? -1 : 1));
}

/** The bundled extensions and their folders, in the order of their names. */
export async function bundledExtensions(): Promise<{ name: string; folder: string }[]> {
  const home = await schemaFolder();
  if (home === null) return [];
  const entries = await readdir(join(home, extensionsFolder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: slashed(join(home, extensionsFolder, name)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Stands among the revisions and is none. */
const extensionsFolder = "extensions";

/** The package's folder of schemas, above this file wherever a bundler has put it. */
async function schemaFolder(): Promise<string | null> {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 5; up++) {
    const candidate = join(folder, "schema");
    const home = await Promise.all([isFolder(candidate), isFile(join(folder, "package.json"))]);
    if (home.every(Boolean)) return candidate;
    folder = dirname(folder);
  }
  return null;
}

async function findFile(path: string, scope: Scope): Promise<string | null> {
  let found;
  try {
    found = await stat(path);
  } catch (reason) {
    await reportMissing(path, reason, scope);
    return null;
  }
  if (found.isFile()) return slashed(path);
  if (!found.isDirectory()) {
    scope.error("MG003", null, `${slashed(path)} is neither a file nor a folder`, "name a schema file");
    return null;
  }
  for (const name of inFolder) if (await isFile(join(path, name))) return slashed(join(path, name));
  const hint = `name a file, or put ${inFolder.join(" or ")} into the folder`;
  scope.error("MG002", null, `the folder ${slashed(path)} holds no ${inFolder.join(" and no ")}`, hint);
  return null;
}

async function readBytes(file: string, scope: Scope): Promise<Uint8Array | null> {
  try {
    const { size } = await stat(file);
    // A file may also grow while it is read, and some report no size at all.
    const bytes = size > largest ? null : await readFile(file);
    if (bytes !== null && bytes.length <= largest) return bytes;
    scope.error(
      "MG004",
      null,
      `${file} is larger than ${largest / 1024 / 1024} MB, the most that is read`,
      "a schema is text of a few hundred kilobytes",
    );
  } catch (reason) {
    reportUnreadable(file, reason, scope);
  }
  return null;
}

async function reportMissing(path: string, reason: unknown, scope: Scope): Promise<void> {
  if (codeOf(reason) !== "ENOENT" && codeOf(reason) !== "ENOTDIR") {
    reportUnreadable(slashed(path), reason, scope);
    return;
  }
  let siblings: string[] = [];
  try {
    siblings = await readdir(dirname(path));
  } catch {
    // Without a folder there is nothing to suggest.
  }
  const near = nearest(basename(path), siblings);
  const hint = near === null ? null : `did you mean ${slashed(join(dirname(path), near))}?`;
  scope.error("MG001", null, `there is no file or folder ${slashed(path)}`, hint);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function codeOf(reason: unknown): string | null {
  return reason instanceof Error && "code" in reason ? String(reason.code) : null;
}

/** The system's reason in words, its path and call left out. */
function reportUnreadable(file: string, reason: unknown, scope: Scope): void {
  const code = codeOf(reason);
  const [words, hint] = (code === null ? undefined : reasons[code]) ?? [code ?? String(reason), null];
  scope.error("MG003", null, `cannot read ${file}: ${words}`, hint);
}

const denied = ["permission denied", "check its permissions"] as const;
const reasons: Readonly<Record<string, readonly [string, string | null]>> = {
  EACCES: denied,
  EPERM: denied,
  ELOOP: ["its symbolic links lead in a circle", "name the file itself"],
  ENAMETOOLONG: ["the name is too long", null],
};
