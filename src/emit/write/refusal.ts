import { faultCode } from "./disk.js";

/** An expected error of the writer. `write.ts` converts it to a diagnostic. */
export class Refusal extends Error {
  override readonly name = "Refusal";
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
  ["EACCES", ["permission was denied", "give this user the right to write there, or choose another --out"]],
  [
    "EPERM",
    ["the operation is not permitted", "give this user the right to write there, or choose another --out"],
  ],
  ["EROFS", ["the disk is read-only", "choose another --out"]],
  [
    "ENOTDIR",
    ["a part of the path is a file, not a directory", "choose another --out, or move that file away"],
  ],
  ["EEXIST", ["something else already stands there", "move it away and run again"]],
  ["EISDIR", ["a directory stands where a file belongs", "move that directory away and run again"]],
  ["ENAMETOOLONG", ["the path is too long for this disk", "choose a shorter --out"]],
  ["ELOOP", ["its symbolic links lead in a circle", "repair the links or choose another --out"]],
  ["EMFILE", ["this process may not open more files", "raise the limit (ulimit -n) and run again"]],
  ["ENFILE", ["the machine has no more open files to give", "close some programs and run again"]],
  ["EBUSY", ["another program holds it", "close that program and run again"]],
  ["EIO", ["the disk reported an input or output error", "check the disk"]],
  ["EXDEV", ["a part of the directory lies on another disk", "choose an --out that lies on one disk"]],
  ["ENOENT", ["it vanished during the run", "run again, with nothing else changing the directory"]],
]);

/** Converts a disk error; null for any other error, which is a bug. */
export function diskRefusal(error: unknown, doing: string): Refusal | null {
  const code = faultCode(error);
  if (code === null) return null;
  const [clause, hint] = MEANINGS.get(code) ?? [`the system said ${code}`, null];
  return new Refusal("MG810", `cannot ${doing}: ${clause} (${code})`, hint);
}

/** Runs one disk operation. Converts a disk error to a `Refusal` that names the operation. */
export async function step<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskRefusal(error, doing) ?? error;
  }
}
