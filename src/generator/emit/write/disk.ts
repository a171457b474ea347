import { lstatSync, rmdirSync } from "node:fs";
import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";
import { SchemaError, schemaError } from "../../diagnostics.js";

// The functions for each file of a run are synchronous, which takes a tenth of
// the processor time.

/**
 * The kind of a path, without following a symbolic link; null if it does not
 * exist.
 */
export function kindOf(
  path: string,
): "file" | "directory" | "link" | "other" | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isSymbolicLink()) return "link";
    if (stat.isDirectory()) return "directory";
    return stat.isFile() ? "file" : "other";
  } catch (error) {
    // A part of the path is a file.
    if (codeOf(error) === "ENOTDIR") return null;
    throw error;
  }
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

const allow =
  "give this user the right to write there, or choose another directory";
const free = "free some space and run again";

/**
 * What a user should know of the common system errors, and a hint. Node
 * describes the others.
 */
const meanings: Readonly<
  Record<string, readonly [clause: string, hint: string]>
> = {
  ENOSPC: ["the disk is full", free],
  EDQUOT: ["the disk quota is used up", free],
  EFBIG: [
    "the file would be too large for this process",
    "raise the limit (ulimit -f) and run again",
  ],
  EACCES: ["permission was denied", allow],
  EPERM: ["the operation is not permitted", allow],
  EROFS: ["the disk is read-only", "choose another directory"],
  EISDIR: ["it is a directory", "name a file, or move that directory"],
  ENOTDIR: [
    "a part of the path is a file, not a directory",
    "choose another directory, or move that file",
  ],
  ENAMETOOLONG: [
    "the path is too long for this disk",
    "choose a directory with a shorter path",
  ],
};

/**
 * An error with a finished sentence for an error of the disk; any other error
 * as it is.
 */
export function diskError(error: unknown, operation?: string): unknown {
  if (error instanceof SchemaError || !(error instanceof Error)) return error;
  const reason = diskReason(error);
  if (reason === null) return error;
  const { path = "the directory" } = error as NodeJS.ErrnoException;
  const [, hint] = meanings[codeOf(error)] ?? [];
  return schemaError(
    "MG810",
    `cannot ${operation ?? `use ${path}`}: ${reason}`,
    hint ?? "repair that and run again",
  );
}

/**
 * Why an operation of the disk failed, in words and with the code of the
 * system; null for any other error.
 */
export function diskReason(error: unknown): string | null {
  const code = codeOf(error);
  const [, system] =
    [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  const [clause = system] = meanings[code] ?? [];
  return clause === undefined ? null : `${clause} (${code})`;
}

/** The code of a system error. Node has no name for a used-up quota. */
function codeOf(error: unknown): string {
  const { code = "", errno } = error as NodeJS.ErrnoException;
  return errno === -constants.errno.EDQUOT ? "EDQUOT" : code;
}

/** Why something failed, as the end of a sentence. */
export const reasonOf = (error: unknown): string =>
  diskReason(error) ?? String(error);

/** Does work whose errors of the disk become finished sentences. */
export async function withDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error);
  }
}
