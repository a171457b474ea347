import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError, usageError } from "../../command-error.js";
import { isSnapshot } from "../../../sources/snapshots.js";
import type { Target } from "./target.js";

export async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return null;
  }
}

/** True if a file has this text, with LF or CR LF. */
export function hasText(current: string | null, text: string): boolean {
  return current?.replaceAll("\r\n", "\n") === text;
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
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError([
      {
        code: "MG810",
        severity: "error",
        message: `the snapshot cannot be written: ${reason}`,
        hint: null,
        location: null,
        within: [],
      },
    ]);
  }
}
