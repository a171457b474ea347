import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { jsonDigestOf } from "../../../read/digest.js";
import { usageError } from "../../command-error.js";
import { replaceFile } from "../../replace.js";
import { isSnapshot } from "../../../inputs/snapshots.js";
import type { Target } from "./target.js";

/** True if a file has this JSON in any formatting. */
export function hasJson(current: string | null, text: string): boolean {
  return current !== null && jsonDigestOf(current) === jsonDigestOf(text);
}

/** Writes the whole file or nothing. Overwrites only an older snapshot. */
export async function writeSnapshot(
  { path, shown }: Target,
  text: string,
  current: string | null,
  force: boolean,
): Promise<void> {
  if (current !== null && !force && !isSnapshot(current)) {
    throw usageError(
      "MG802",
      `${shown} is not a snapshot and would be overwritten`,
      "choose another -o, or use --force",
    );
  }
  // If the folder cannot be created, `replaceFile` reports it.
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  await replaceFile(path, text);
}
