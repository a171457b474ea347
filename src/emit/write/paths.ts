import { posix, sep } from "node:path";
import { kindOf, removeEmpty } from "./disk.js";
import { WriteError } from "./write-error.js";

/** The folder in a destination for the lock and the new files of a run. */
export const STATE = ".mcpgen";

const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const FORBIDDEN = /[<>:"|?*\\\p{Cc}]/u;
const LONE_SURROGATE = /\p{Cs}/u;

/** The reason why a path cannot be written in a destination on every system; null if there is none. */
export function pathProblem(path: string): string | null {
  if (path === "") return "it is empty";
  if (posix.isAbsolute(path) || /^[A-Za-z]:/.test(path)) return "it is absolute";
  if (FORBIDDEN.test(path)) return "it contains a character that some systems forbid in file names";
  if (LONE_SURROGATE.test(path)) return "it is not well-formed text";
  for (const part of path.split("/")) {
    if (part === "" || part === "." || part === "..") return "it has an empty, '.' or '..' part";
    if (part.endsWith(".") || part.endsWith(" ")) return "a part of it ends with a dot or a space";
    if (DEVICES.test(part)) return `"${part}" is the name of a device on Windows`;
    if (Buffer.byteLength(part) > 255) return "a part of it is longer than 255 bytes";
  }
  if (fold(path.split("/", 1)[0] ?? "") === STATE) return `"${STATE}" is reserved for mcpgen`;
  return null;
}

/** Two paths that are the same on a case-insensitive disk, or of which one is inside the other; null if there are none. */
export function collision(paths: readonly string[]): readonly [string, string] | null {
  const files = new Map<string, string>();
  for (const path of paths) {
    const other = files.get(fold(path));
    if (other !== undefined) return [other, path];
    files.set(fold(path), path);
  }
  // Every folder is folded part by part, so that Tools/a.ts and tools/b.ts are detected as one folder.
  const folders = new Map<string, string>();
  for (const path of paths) {
    for (const folder of foldersOf(path)) {
      const file = files.get(fold(folder));
      if (file !== undefined) return [file, path];
      const other = folders.get(fold(folder));
      if (other !== undefined && other !== folder) return [other, folder];
      folders.set(fold(folder), folder);
    }
  }
  return null;
}

/** The folders that lead to a path, outermost first: `a`, `a/b` for `a/b/c.ts`. */
export function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The path on the disk of a checked path. */
export function diskPath(out: string, path: string): string {
  return `${out}${sep}${path.split("/").join(sep)}`;
}

/** Removes the empty parent folders of a path. */
export function removeEmptyFolders(out: string, path: string): void {
  removeEmpty(foldersOf(path).map((folder) => diskPath(out, folder)));
}

/**
 * Checks the way to a file, which need not exist. Returns its path on the disk.
 *
 * @throws WriteError if a parent of the path is a symbolic link or a file, or the path itself is not a file
 */
export function rejectLinks(out: string, path: string): string {
  for (const part of [...foldersOf(path), path]) {
    const kind = kindOf(diskPath(out, part));
    if (kind === null) break;
    if (kind === "link") throw linkError(part);
    if (kind === (part === path ? "file" : "directory")) continue;
    const expected =
      part === path
        ? "a file, but mcpgen writes a file of that name"
        : `a directory, but ${path} belongs in it`;
    throw new WriteError("MG806", `${part} is not ${expected}`, "move it away");
  }
  return diskPath(out, path);
}

function linkError(path: string): WriteError {
  return new WriteError(
    "MG805",
    `${path} is a symbolic link, and writing through it could leave the directory`,
    "replace the link with its target, or choose another directory",
  );
}

/** A canonical spelling of paths that are the same on a case-insensitive, normalizing disk. */
function fold(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase();
}
