import { accessSync, constants, mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SchemaError, schemaError } from "../../diagnostics.js";
import { digestOf, diskError, kindOf } from "./disk.js";
import { rejectLinks, STATE } from "./paths.js";

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
 * @throws SchemaError if the disk fails, or another program has changed a file in the meantime
 */
export async function commit(
  out: string,
  changes: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const staged = (index: number): string => join(out, STATE, `new-${index}`);
  for (const [index, { path, text }] of changes.entries()) {
    signal?.throwIfAborted();
    try {
      const folder = dirname(join(out, path));
      if (kindOf(folder) !== null) accessSync(folder, constants.W_OK);
      if (text !== null) writeFileSync(staged(index), text, { flag: "wx", flush: true });
    } catch (error) {
      throw diskError(error, `write ${path}`);
    }
    // Signals are handled.
    await setImmediate();
  }
  signal?.throwIfAborted();
  for (const [index, change] of changes.entries()) {
    try {
      apply(out, change, staged(index));
    } catch (error) {
      // Node would name its temporary file.
      const known = diskError(error, `write ${change.path}`);
      if (index === 0 || !(known instanceof SchemaError)) throw known;
      const more = "; other files are already changed, and the next run completes them";
      throw new SchemaError(known.diagnostics.map((one) => ({ ...one, message: one.message + more })));
    }
  }
}

function apply(out: string, { path, text, before }: Change, staged: string): void {
  const target = rejectLinks(out, path);
  if (digestOf(target) !== before)
    throw schemaError("MG804", `${path} was changed by another program during the run`, "run again");
  if (text === null) return unlinkSync(target);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(staged, target);
}
