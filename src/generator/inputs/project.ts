import { existsSync, lstatSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import { upwards } from "./paths.js";

/**
 * The folders in which files of a project are looked for: an absolute folder
 * and its parents, the nearest first. The last one is the root of the
 * repository, the home folder of the user, or the one below a folder that
 * belongs to another user, who could put a file there.
 */
export function* projectFolders(folder: string): Generator<string> {
  const user = process.getuid?.();
  const trusted = new Set([user, ownerOf(folder)]);
  for (const next of upwards(folder)) {
    const owner = ownerOf(next);
    if (owner !== undefined && !trusted.has(owner)) return;
    yield next;
    const isLast = next === homedir() || isRepository(next);
    if (isLast) return;
  }
}

/**
 * The user who owns a file or a folder; undefined if there is none, and on a
 * system without numbers of users.
 */
export function ownerOf(path: string): number | undefined {
  if (process.getuid === undefined) return undefined;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.uid;
}

/**
 * The path that links lead to from a path of a project, even if there is no
 * file yet; null if it is outside of the repository that contains the folder.
 * Without a repository, the folder is the project, even if it is new.
 */
export async function realPathInside(
  path: string,
  folder: string,
): Promise<string | null> {
  const folders = [...projectFolders(folder)];
  const root = folders.find(isRepository) ?? folder;
  const realRoot = await realPath(root);
  const real = await realPath(path);
  if (realRoot === null || real === null) return null;
  const steps = relative(realRoot, real);
  // On another drive of Windows, the path between them is absolute.
  if (isAbsolute(steps)) return null;
  const [first] = steps.split(sep);
  return first === ".." ? null : real;
}

function isRepository(folder: string): boolean {
  const git = join(folder, ".git");
  return existsSync(git);
}

/** The path without links; null behind a link that leads nowhere yet. */
async function realPath(path: string): Promise<string | null> {
  for (const next of upwards(path)) {
    const real = await realpath(next).catch(() => null);
    if (real !== null) return join(real, relative(next, path));
    const link = await lstat(next).catch(() => null);
    if (link !== null) return null;
  }
  return null;
}
