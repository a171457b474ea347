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

/** The meaning of system error codes, and a hint for the user. */
const MEANINGS: ReadonlyMap<string, readonly [clause: string, hint: string]> = new Map([
  ["ENOSPC", ["the disk is full", "free some space and run again"]],
  ["EDQUOT", ["the disk quota is used up", "free some space and run again"]],
  [
    "EFBIG",
    ["the file would be larger than this process may write", "raise the limit (ulimit -f) and run again"],
  ],
  [
    "EACCES",
    ["permission was denied", "give this user the right to write there, or choose another directory"],
  ],
  [
    "EPERM",
    [
      "the operation is not permitted",
      "give this user the right to write there, or choose another directory",
    ],
  ],
  ["EROFS", ["the disk is read-only", "choose another directory"]],
  [
    "ENOTDIR",
    ["a part of the path is a file, not a directory", "choose another directory, or move that file away"],
  ],
  ["EEXIST", ["a file or folder of that name already exists", "move it away and run again"]],
  ["EISDIR", ["a directory exists where a file belongs", "move that directory away and run again"]],
  ["ENAMETOOLONG", ["the path is too long for this disk", "choose a directory with a shorter path"]],
  ["ELOOP", ["its symbolic links are circular", "repair the links or choose another directory"]],
  ["EMFILE", ["this process may not open more files", "raise the limit (ulimit -n) and run again"]],
  ["ENFILE", ["the system has too many open files", "close some programs and run again"]],
  ["EBUSY", ["another program uses it", "close that program and run again"]],
  ["EIO", ["the disk reported an input or output error", "check the disk"]],
  ["EXDEV", ["a part of the directory is on another disk", "choose a directory on one disk"]],
  ["ENOENT", ["it was deleted during the run", "run again while no other program changes the directory"]],
]);

/** Converts a disk error; null for any other error, which is a bug. */
export function diskError(error: unknown, operation: string): WriteError | null {
  const code = errorCode(error);
  if (code === null) return null;
  const [clause, hint] = MEANINGS.get(code) ?? [`the system returned ${code}`, null];
  return new WriteError("MG810", `cannot ${operation}: ${clause} (${code})`, hint);
}

/** Runs one disk operation. Converts a disk error to a `WriteError` that names the operation. */
export async function step<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskError(error, operation) ?? error;
  }
}
