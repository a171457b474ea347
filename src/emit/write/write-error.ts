import { getSystemErrorMap } from "node:util";

/** An expected error of the writer, whose text holds for any directory. `write.ts` and `update` convert it to a diagnostic. */
export class WriteError extends Error {
  override readonly name = "WriteError";
  readonly code: string;
  readonly hint: string | null;

  constructor(code: string, message: string, hint: string | null = null) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

const allow = "give this user the right to write there, or choose another directory";
const free = "free some space and run again";

/** What a user should know of the common system errors, and a hint. Node describes the others. */
const meanings: Readonly<Record<string, readonly [clause: string, hint: string]>> = {
  ENOSPC: ["the disk is full", free],
  EDQUOT: ["the disk quota is used up", free],
  EFBIG: ["the file would be too large for this process", "raise the limit (ulimit -f) and run again"],
  EACCES: ["permission was denied", allow],
  EPERM: ["the operation is not permitted", allow],
  EROFS: ["the disk is read-only", "choose another directory"],
  ENOTDIR: ["a part of the path is a file, not a directory", "choose another directory, or move that file"],
  ENAMETOOLONG: ["the path is too long for this disk", "choose a directory with a shorter path"],
};

/** The error of the writer for an error of the disk; null for any other error, which is a bug. */
export function writeErrorOf(error: unknown, operation?: string): WriteError | null {
  if (error instanceof WriteError) return error;
  const { code, path = "the directory" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const [, system] = [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  if (code === undefined || system === undefined) return null;
  const [clause, hint] = meanings[code] ?? [system, "repair that and run again"];
  return new WriteError("MG810", `cannot ${operation ?? `use ${path}`}: ${clause} (${code})`, hint);
}
