import { access, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { diskError } from "../../generator/emit/write/disk.js";
import { upwards } from "../../generator/inputs/paths.js";

/** A path as reports have it. */
export const shownPath = (path: string): string =>
  relative(process.cwd(), path).replaceAll("\\", "/");

/** The text of a file; null if it does not exist or cannot be read. */
export async function readText(path: string): Promise<string | null> {
  return await readFile(path, "utf8").catch(() => null);
}

/**
 * The text of a file that a user named. An error of the disk says its name in
 * reports.
 */
export async function readNamed(path: string, file: string): Promise<string> {
  return await readFile(path, "utf8").catch((error: unknown) => {
    throw diskError(error, `read ${file}`);
  });
}

/** True if a path leads to a file or a folder. */
export async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** The nearest file with this name in a folder or a parent of it. */
export async function findUp(
  folder: string,
  name: string,
): Promise<{ readonly path: string; readonly text: string } | null> {
  for (const at of upwards(folder)) {
    const text = await readText(join(at, name));
    if (text !== null) return { path: join(at, name), text };
  }
  return null;
}
