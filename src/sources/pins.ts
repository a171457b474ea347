import { join, resolve } from "node:path";
import { schemaError } from "../diagnostics.js";
import { nodeDisk } from "../emit/write/disk.js";
import { rejectLinks, STATE } from "../emit/write/paths.js";
import { WriteError } from "../emit/write/write-error.js";
import type { Loaded } from "../read/load.js";
import { loadOrThrow } from "./load.js";
import { readLock, type Pin } from "./lock.js";
import { shownPath } from "./paths.js";

/** The pinned revisions of a directory, by name. */
export async function pinnedRevisions(directory: string): Promise<ReadonlyMap<string, Pin>> {
  return (await readLock(directory)).revisions;
}

/** The pinned extensions of a directory, by name. */
export async function pinnedExtensions(directory: string): Promise<ReadonlyMap<string, Pin>> {
  return (await readLock(directory)).extensions;
}

/**
 * Loads a pinned schema.
 *
 * @throws SchemaError MG754 if the file is missing or has another hash
 */
export async function loadPinned(pin: Pin, directory: string): Promise<Loaded> {
  const loaded = await loadIfIntact(pin, directory);
  if (typeof loaded !== "string") return loaded;
  const isInterrupted = (await nodeDisk.kind(join(directory, STATE))) !== null;
  const hint = isInterrupted
    ? "an update was interrupted: run mcpgen update, which completes or reverts it"
    : "restore it from version control, or delete it and run mcpgen update";
  throw schemaError("MG754", `the pinned schema ${shownPath(pin.file, directory)} ${loaded}`, hint);
}

/**
 * Loads a pinned schema. Returns the reason as text if the file is not as it was pinned. No symbolic link on the way to it is
 * followed, because the lock file is untrusted.
 */
export async function loadIfIntact(pin: Pin, directory: string): Promise<Loaded | string> {
  try {
    await rejectLinks(resolve(directory), pin.file, nodeDisk);
  } catch (error) {
    if (error instanceof WriteError) return "is not a file, or a symbolic link leads to it";
    throw error;
  }
  const path = shownPath(pin.file, directory);
  if ((await nodeDisk.kind(path)) === null) return "is missing";
  const loaded = await loadOrThrow(path);
  if (loaded.sha256 === pin.sha256) return loaded;
  return `was changed after it was pinned (sha256 ${loaded.sha256.slice(0, 12)}…, expected ${pin.sha256.slice(0, 12)}…)`;
}
