import platform, { dirname, type PlatformPath, relative } from "node:path";

/**
 * An absolute folder and its parents, the nearest first; they need not exist.
 */
export function* upwards(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

/**
 * How a file in a folder imports a path. The name of a folder may begin with a
 * dot.
 */
export function importFrom(folder: string, path: string): string {
  const at = relative(folder, path).replaceAll("\\", "/");
  return /^\.\.(?:\/|$)/.test(at) ? at : `./${at}`;
}

/**
 * Converts a path relative to a directory to one relative to the working
 * directory.
 */
export function shownPath(path: string, directory: string): string {
  return pathFrom(path, directory, process.cwd(), platform);
}

/**
 * The same for any working directory and platform. A path in the working
 * directory itself stays unchanged.
 */
export function pathFrom(
  path: string,
  directory: string,
  here: string,
  { resolve, relative }: PlatformPath,
): string {
  if (resolve(directory) === here) return path;
  // The working directory itself has an empty relative path, which names no
  // file.
  return relative(here, resolve(directory, path)).replaceAll("\\", "/") || ".";
}

/**
 * The name of a snapshot in generated files: never absolute, so that the output
 * is the same on every machine.
 */
export function snapshotName(
  path: string,
  { isAbsolute }: PlatformPath = platform,
): string {
  return nameInside(path, isAbsolute(path), 1);
}

/**
 * The same for a schema. It keeps the folder, because most files are called
 * schema.ts.
 */
export function schemaName(
  path: string,
  { isAbsolute }: PlatformPath = platform,
): string {
  return nameInside(path, isAbsolute(path), 2);
}

/**
 * A path outside the project is cut to its last parts. A path with a drive
 * letter is always outside.
 */
function nameInside(path: string, isAbsolute: boolean, parts: number): string {
  const slashed = path.replaceAll("\\", "/");
  const steps = slashed.replace(/^[A-Za-z]:/, "").split("/");
  const isOutside =
    isAbsolute || /^[A-Za-z]:/.test(slashed) || steps.includes("..");
  return isOutside
    ? steps.slice(-parts).join("/")
    : slashed.replace(/^(\.\/)+/, "");
}
