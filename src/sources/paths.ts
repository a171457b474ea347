import path, { type PlatformPath } from "node:path";

/** A path that is relative to a directory, written relative to the working directory. */
export function shownPath(written: string, directory: string): string {
  return pathFrom(written, directory, process.cwd(), path);
}

/** The same for any working directory and platform. A path from the working directory itself stays as it is written. */
export function pathFrom(
  written: string,
  directory: string,
  here: string,
  { resolve, relative }: PlatformPath,
): string {
  if (resolve(directory) === here) return written;
  return relative(here, resolve(directory, written)).replaceAll("\\", "/");
}

/** The name of a snapshot in generated files: never absolute, so that the output is the same on every machine. */
export function snapshotName(written: string, { isAbsolute }: PlatformPath = path): string {
  return nameInside(written, isAbsolute(written), 1);
}

/** The same for a schema. It keeps the folder, because most files are called schema.ts. */
export function schemaName(written: string, { isAbsolute }: PlatformPath = path): string {
  return nameInside(written, isAbsolute(written), 2);
}

/** A path outside the project is cut to its last parts. A path with a drive letter is always outside. */
function nameInside(written: string, isAbsolute: boolean, parts: number): string {
  const slashed = written.replaceAll("\\", "/");
  const steps = slashed.replace(/^[A-Za-z]:/, "").split("/");
  const isOutside = isAbsolute || /^[A-Za-z]:/.test(slashed) || steps.includes("..");
  return isOutside ? steps.slice(-parts).join("/") : slashed.replace(/^(\.\/)+/, "");
}
