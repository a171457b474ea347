import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { reasonOf } from "../generator/emit/write/disk.js";
import { realPathInside } from "../generator/inputs/project.js";
import { usageError } from "./command-error.js";
import { exists } from "./destination/find.js";

/**
 * Writes a file of the user completely or not at all. A symbolic link and the
 * permissions of a file stay, and a device or a pipe such as `/dev/stdout` gets
 * the content.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  const before = await stat(path).catch(() => null);
  const isSpecial =
    before !== null && !before.isFile() && !before.isDirectory();
  let temporary: string | null = null;
  try {
    if (isSpecial) return await writeFile(path, content);
    const target = before?.isFile() ? await realpath(path) : path;
    // In a container, the next process has the same id as one that was killed.
    temporary = `${target}.${randomUUID()}.tmp`;
    await writeFile(temporary, content, {
      flag: "wx",
      mode: before?.mode ?? 0o666,
    });
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== null)
      await rm(temporary, { force: true }).catch(() => undefined);
    // The system's message would name the temporary file.
    throw usageError(
      "MG810",
      `${basename(path)} cannot be written into ${dirname(path)}: ${reasonOf(error)}`,
      "check that the folder exists, that you may write to it, and that the disk is not full",
    );
  }
}

/**
 * Writes a file whose name mcpgen or a file of the project chooses, and its
 * folder. A link must not lead out of the project: of the repository that
 * contains the folder, or else of the folder.
 */
export async function replaceInside(
  path: string,
  folder: string,
  text: string,
): Promise<void> {
  if ((await realPathInside(path, folder)) !== null) {
    await replaceMissing(path, text, true);
    return;
  }
  throw usageError(
    "MG810",
    `${basename(path)} cannot be written: a link leads out of ${folder}`,
    "remove the link, or name another file on the command line",
  );
}

/**
 * Writes a file that belongs to the user from then on, and its folder. Returns
 * false if it exists, which is not changed without `force`.
 */
export async function replaceMissing(
  path: string,
  text: string | Uint8Array,
  force = false,
): Promise<boolean> {
  if (!force && (await exists(path))) return false;
  // If the folder cannot be created, `replaceFile` reports it.
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  await replaceFile(path, text);
  return true;
}
