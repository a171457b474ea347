import { readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaError } from "../../diagnostics.js";
import { sha256 } from "../manifest.js";
import { kindOf } from "./disk.js";

/** The folder in a destination for the lock and the new files of a run. */
export const stateFolder = ".mcpgen";

/** What some system does not allow in a path, and a clause that says so. */
const rules: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [
    /[<>:"|?*\\\p{Cc}\p{Cs}]/u,
    "it contains a character that some systems forbid in file names",
  ],
  [/(^|\/)\.{0,2}(\/|$)/, "it is absolute, or has an empty, '.' or '..' part"],
  [/[. ](\/|$)/, "a part of it ends with a dot or a space"],
  [
    /(^|\/)(con|prn|aux|nul|(com|lpt)[0-9¹²³])([./]|$)/i,
    "a part of it is the name of a device on Windows",
  ],
  [/^\.mcpgen(\/|$)/iu, `"${stateFolder}" is reserved for mcpgen`],
];

/**
 * The reason why a path cannot be written in a destination on every system;
 * null if there is none.
 */
export function pathProblem(path: string): string | null {
  const [, problem] = rules.find(([pattern]) => pattern.test(path)) ?? [];
  const isLong = path.split("/").some((part) => Buffer.byteLength(part) > 255);
  return problem ?? (isLong ? "a part of it is longer than 255 bytes" : null);
}

/**
 * Two paths that are the same on a case-insensitive disk, or of which one is
 * inside the other; null if there are none. A folder in the result, such as
 * `Tools/` of `Tools/a.ts` beside `tools/b.ts`, ends with a slash.
 */
export function collision(
  paths: readonly string[],
): readonly [string, string] | null {
  const seen = new Map<string, string>();
  for (const path of paths) {
    for (const place of [
      ...foldersOf(path).map((folder) => `${folder}/`),
      path,
    ]) {
      const key = fold(place.replace(/\/$/, ""));
      const other = seen.get(key);
      if (other !== undefined && (other !== place || place === path))
        return [other, place];
      seen.set(key, place);
    }
  }
  return null;
}

/**
 * The folders that lead to a path, outermost first: `a`, `a/b` for `a/b/c.ts`.
 */
export function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/**
 * Returns the path of a file on the disk, or null if the file does not exist.
 *
 * @throws SchemaError if a parent of the path is a symbolic link or a file, or
 *   the path itself is not a file
 */
export function fileAt(out: string, path: string): string | null {
  for (const part of [...foldersOf(path), path]) {
    const kind = kindOf(join(out, part));
    if (kind === null) return null;
    if (kind === "link") {
      const message = `${part} is a symbolic link, and writing through it could leave the directory`;
      throw schemaError(
        "MG805",
        message,
        "replace the link with its target, or choose another directory",
      );
    }
    const expected = part === path ? "file" : "directory";
    if (kind === expected) continue;
    const reason =
      part === path
        ? "mcpgen writes a file of that name"
        : `${path} belongs in it`;
    throw schemaError(
      "MG806",
      `${part} is not a ${expected}, but ${reason}`,
      "move it away",
    );
  }
  return join(out, path);
}

/** The content of a file of a destination; null if there is none. */
export function readAt(out: string, path: string): Buffer | null {
  const file = fileAt(out, path);
  return file === null ? null : readFileSync(file);
}

/** The digest of such a file; null if there is none. */
export function digestAt(out: string, path: string): string | null {
  const bytes = readAt(out, path);
  return bytes === null ? null : sha256(bytes);
}

/**
 * A canonical spelling of paths that are the same on a case-insensitive,
 * normalizing disk.
 */
function fold(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase();
}
