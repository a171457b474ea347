import {
  accessSync,
  constants,
  mkdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SchemaError, schemaError } from "../../diagnostics.js";
import { diskError, kindOf } from "./disk.js";
import { digestAt, stateFolder } from "./paths.js";

/** The change of one file of a directory. */
export interface Change {
  readonly path: string;
  /** The new text; null removes the file. */
  readonly text: string | null;
  /** The digest of the present content; null if there is no file. */
  readonly before: string | null;
}

/**
 * Applies changes in their order, in a locked directory. All new files are on
 * the disk before the first change, and each change is a rename, so that a run
 * that is killed leaves whole files.
 *
 * @throws SchemaError if the disk fails, or another program has changed a file
 *   in the meantime
 */
export async function commit(
  out: string,
  changes: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const staged = (index: number): string =>
    join(out, stateFolder, `new-${index}`);
  const folders = new Set<string>();
  const missing = new Set<string>();
  for (const [index, { path, text }] of changes.entries()) {
    signal?.throwIfAborted();
    try {
      const folder = dirname(join(out, path));
      if (!folders.has(folder)) {
        folders.add(folder);
        if (kindOf(folder) === null) missing.add(folder);
        else accessSync(folder, constants.W_OK);
      }
      if (text !== null)
        writeFileSync(staged(index), text, { flag: "wx", flush: true });
    } catch (error) {
      throw diskError(error, `write ${path}`);
    }
    // Signals are handled.
    await setImmediate();
  }
  signal?.throwIfAborted();
  for (const [index, change] of changes.entries()) {
    try {
      apply(out, change, staged(index), missing);
    } catch (error) {
      // Node would name its temporary file.
      const known = diskError(error, `write ${change.path}`);
      if (index === 0 || !(known instanceof SchemaError)) throw known;
      const more =
        "; other files are already changed, and the next run completes them";
      throw new SchemaError(
        known.diagnostics.map((one) => ({
          ...one,
          message: one.message + more,
        })),
      );
    }
  }
}

/** Makes the folder of a new file if it is one of those that are missing. */
function apply(
  out: string,
  { path, text, before }: Change,
  staged: string,
  missing: Set<string>,
): void {
  if (digestAt(out, path) !== before)
    throw schemaError(
      "MG804",
      `${path} was changed by another program during the run`,
      "run again",
    );
  const target = join(out, path);
  if (text === null) return unlinkSync(target);
  if (missing.delete(dirname(target)))
    mkdirSync(dirname(target), { recursive: true });
  renameSync(staged, target);
}
