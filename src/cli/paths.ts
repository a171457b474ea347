import path, { type PlatformPath } from "node:path";

/** A path as the user would write it from where he stands. */
export function shownPath(written: string, directory: string): string {
  return pathFrom(written, directory, process.cwd(), path);
}

/** The same from any place and for any platform: as it was written there, and with forward slashes elsewhere. */
export function pathFrom(
  written: string,
  directory: string,
  here: string,
  { resolve, relative }: PlatformPath,
): string {
  if (resolve(directory) === here) return written;
  return relative(here, resolve(directory, written)).replaceAll("\\", "/");
}

/** Never absolute and never above the project, so that the output is the same on every machine. */
export function snapshotName(written: string, { isAbsolute }: PlatformPath = path): string {
  return nameInside(written, isAbsolute(written), 1);
}

/** The same for a schema, of which the folder tells more than the file. */
export function schemaName(written: string, { isAbsolute }: PlatformPath = path): string {
  return nameInside(written, isAbsolute(written), 2);
}

/** What is outside of the project is called by its last parts. A drive is outside even where the path goes on from its own folder. */
function nameInside(written: string, isAbsolute: boolean, parts: number): string {
  const slashed = written.replaceAll("\\", "/");
  const steps = slashed.replace(/^[A-Za-z]:/, "").split("/");
  const isOutside = isAbsolute || /^[A-Za-z]:/.test(slashed) || steps.includes("..");
  return isOutside ? steps.slice(-parts).join("/") : slashed.replace(/^(\.\/)+/, "");
}
