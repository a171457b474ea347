import { getSystemErrorMap } from "node:util";
import { errorCode } from "./disk.js";

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

const ALLOW = "give this user the right to write there, or choose another directory";

/** What a user should know of the common system errors, and a hint. Node describes the others. */
const MEANINGS: ReadonlyMap<string, readonly [clause: string, hint: string]> = new Map([
  ["ENOSPC", ["the disk is full", "free some space and run again"]],
  ["EDQUOT", ["the disk quota is used up", "free some space and run again"]],
  [
    "EFBIG",
    ["the file would be larger than this process may write", "raise the limit (ulimit -f) and run again"],
  ],
  ["EACCES", ["permission was denied", ALLOW]],
  ["EPERM", ["the operation is not permitted", ALLOW]],
  ["EROFS", ["the disk is read-only", "choose another directory"]],
  [
    "ENOTDIR",
    ["a part of the path is a file, not a directory", "choose another directory, or move that file away"],
  ],
  ["ENAMETOOLONG", ["the path is too long for this disk", "choose a directory with a shorter path"]],
]);

/** Converts a disk error; null for any other error, which is a bug. Node says of most errors which path failed. */
export function diskError(error: unknown, operation?: string): WriteError | null {
  const code = errorCode(error);
  if (code === null) return null;
  const { path = "the directory" } = error as NodeJS.ErrnoException;
  const description = [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1];
  const unknown = [description ?? "the system refused it", "repair that and run again"] as const;
  const [clause, hint] = MEANINGS.get(code) ?? unknown;
  return new WriteError("MG810", `cannot ${operation ?? `use ${path}`}: ${clause} (${code})`, hint);
}
