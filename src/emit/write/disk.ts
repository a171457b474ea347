import { lstatSync, readFileSync, rmdirSync } from "node:fs";
import { sha256 } from "../manifest.js";

// The functions for each file of a run are synchronous, which takes a tenth of the processor time.

/** The kind of a path, without following a symbolic link; null if it does not exist. */
export function kindOf(path: string): "file" | "directory" | "link" | "other" | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isSymbolicLink()) return "link";
    if (stat.isDirectory()) return "directory";
    return stat.isFile() ? "file" : "other";
  } catch (error) {
    // A part of the path is a file.
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return null;
    throw error;
  }
}

/** The digest of a file; null if there is none. */
export function digestOf(path: string): string | null {
  return kindOf(path) === null ? null : sha256(readFileSync(path));
}

/** Removes those of some folders that are empty, the last one first. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // It has files, or another run has removed it.
    }
  }
}
