import { isAbsolute, relative, resolve } from "node:path";

/** A path as the user would write it from where he stands. */
export function shownPath(path: string, directory: string): string {
  if (resolve(directory) === process.cwd()) return path;
  return relative(process.cwd(), resolve(directory, path)).replaceAll("\\", "/");
}

/** Never absolute and never above the project, so that the output is the same on every machine. */
export function snapshotName(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const isOutside = isAbsolute(path) || slashed.split("/").includes("..");
  return isOutside ? (slashed.split("/").at(-1) ?? "") : slashed.replace(/^(\.\/)+/, "");
}
