import { accessSync, constants, mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { digestOf, kindOf, syncFolder } from "./disk.js";
import { diskPath, rejectLinks, STATE } from "./paths.js";
import { diskError, WriteError } from "./write-error.js";

/** The change of one file of a directory. */
export interface Change {
  readonly path: string;
  /** The new text; null removes the file. */
  readonly text: string | null;
  /** The digest of the present content; null if there is no file. */
  readonly before: string | null;
}

/**
 * Applies changes in their order, in a locked directory. All new files are on the disk before the first change, and each change is a
 * rename, so that a run that is killed leaves whole files.
 *
 * @throws WriteError if the disk fails, or another program has changed a file in the meantime
 */
export async function commit(
  out: string,
  changes: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const staged = (index: number): string => join(out, STATE, `new-${index}`);
  for (const [index, { path, text }] of changes.entries()) {
    signal?.throwIfAborted();
    naming(path, () => {
      const folder = dirname(diskPath(out, path));
      if (kindOf(folder) !== null) accessSync(folder, constants.W_OK);
      if (text !== null) writeFileSync(staged(index), text, { flag: "wx", flush: true });
    });
    // Signals are handled.
    await setImmediate();
  }
  syncFolder(join(out, STATE));
  signal?.throwIfAborted();
  for (const [index, change] of changes.entries()) {
    try {
      naming(change.path, () => apply(out, change, staged(index)));
    } catch (error) {
      if (index === 0 || !(error instanceof WriteError)) throw error;
      const message = `${error.message}; other files are already changed, and the next run completes them`;
      throw new WriteError(error.code, message, error.hint);
    }
  }
  for (const folder of new Set(changes.map(({ path }) => dirname(diskPath(out, path))))) syncFolder(folder);
}

function apply(out: string, { path, text, before }: Change, staged: string): void {
  const target = rejectLinks(out, path);
  if (digestOf(target) !== before)
    throw new WriteError("MG804", `${path} was changed by another program during the run`, "run again");
  if (text === null) return unlinkSync(target);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(staged, target);
}

/** Converts an error of the disk to one that names a file, because Node would name its temporary file. */
function naming(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw diskError(error, `write ${path}`) ?? error;
  }
}
