import { lstat } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import { SchemaError, schemaError } from "../diagnostics.js";
import { kindOf } from "../emit/write/disk.js";
import { fileAt, stateFolder } from "../emit/write/paths.js";
import { factsName, type Loaded } from "../read/load.js";
import { tokensDigestOf } from "../read/digest.js";
import { loadOrThrow } from "./load.js";
import { lockName, readLock, type Lock, type Pin } from "./lock.js";
import { shownPath } from "./paths.js";
import { projectFolders } from "./project.js";

/** The pinned revisions that apply to a directory, by name. */
export async function pinnedRevisions(
  directory: string,
): Promise<ReadonlyMap<string, Pin>> {
  return (await nearestLock(directory)).revisions;
}

/** The pinned extensions that apply to a directory, by name. */
export async function pinnedExtensions(
  directory: string,
): Promise<ReadonlyMap<string, Pin>> {
  return (await nearestLock(directory)).extensions;
}

async function nearestLock(directory: string): Promise<Lock> {
  return await readLock(await lockFolder(directory));
}

/**
 * The folder of the lock file: the nearest one, here or above, as the
 * configuration is found; the directory without one.
 */
async function lockFolder(directory: string): Promise<string> {
  for (const folder of projectFolders(resolve(directory)))
    if ((await lstat(join(folder, lockName)).catch(() => null)) !== null)
      return folder;
  return directory;
}

/**
 * Loads a schema that is pinned for a directory.
 *
 * @throws SchemaError MG754 if the file is missing or has another hash
 */
export async function loadPinned(pin: Pin, directory: string): Promise<Loaded> {
  const folder = await lockFolder(directory);
  const loaded = await loadIfIntact(pin, folder);
  if (typeof loaded !== "string") return loaded;
  const isInterrupted = kindOf(join(folder, stateFolder)) !== null;
  const hint = isInterrupted
    ? "an update was interrupted: run mcpgen update, which completes it"
    : "restore it from version control, or delete it and run mcpgen update";
  throw schemaError(
    "MG754",
    `the pinned schema ${shownPath(pin.file, folder)} ${loaded}`,
    hint,
  );
}

/**
 * Loads a pinned schema and its `facts.json`. Returns the reason as text if the
 * schema is not as it was pinned. Symbolic links are not followed, because the
 * lock file is untrusted.
 */
export async function loadIfIntact(
  pin: Pin,
  directory: string,
): Promise<Loaded | string> {
  for (const file of [
    pin.file,
    posix.join(posix.dirname(pin.file), factsName),
  ]) {
    try {
      fileAt(resolve(directory), file);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      return `cannot be used: ${shownPath(file, directory)} is not a file, or a symbolic link leads to it`;
    }
  }
  const path = shownPath(pin.file, directory);
  if (kindOf(path) === null) return "is missing";
  const loaded = await loadOrThrow(path);
  if (loaded.sha256 === pin.sha256) return loaded;
  // A file that was only formatted counts as the one that was pinned.
  if (tokensDigestOf(loaded) === pin.tokens)
    return { ...loaded, sha256: pin.sha256 };
  return `was changed after it was pinned (sha256 ${loaded.sha256.slice(0, 12)}…, expected ${pin.sha256.slice(0, 12)}…)`;
}
