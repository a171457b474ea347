import type { Options } from "prettier";
import { sha256, withLineFeeds } from "../manifest.js";

/** Formats the text of a file, whose path is relative to the output directory. */
export type FormatText = (path: string, text: string) => Promise<string>;

/** A file on the disk that the last run wrote. */
export interface ExistingFile {
  /** The path relative to the output directory. */
  readonly path: string;
  readonly current: string;
  /** The digest of the file that the last run wrote. */
  readonly lastDigest: string;
  /** How that run formatted it; absent for Prettier's defaults. */
  readonly format?: FormatText | undefined;
}

/**
 * Compares a file on the disk with generated text without formatting. Returns `reformatted` if it is what this run would
 * write, `outdated` if it is what the manifest's run wrote, and null if the user edited it. Only this module loads
 * Prettier, and only if the tokens agree or those of the manifest's run are not known.
 */
export async function classifyDifference(
  file: ExistingFile,
  output: string,
): Promise<"reformatted" | "outdated" | null> {
  const { path, lastDigest } = file;
  const current = withLineFeeds(file.current);
  if (current === output) return "reformatted";
  if (sha256(current) === lastDigest) return "outdated";
  try {
    if (tokens(current) === tokens(output) && (await hasSameFormat(path, current, output)))
      return "reformatted";
  } catch {
    // A file that no longer parses was edited.
    return null;
  }
  // If this run would write the same as the last one, the file was edited.
  return sha256(output) !== lastDigest && (await isLastOutput(file)) ? "outdated" : null;
}

/** True if a file, formatted as in the last run, is what that run wrote. */
export async function isLastOutput({ path, current, lastDigest, format }: ExistingFile): Promise<boolean> {
  const prettier = await import("prettier");
  const byDefault: FormatText = (filepath, text) => prettier.format(text, { filepath, endOfLine: "lf" });
  try {
    return sha256(await (format ?? byDefault)(path, current)) === lastDigest;
  } catch {
    return false;
  }
}

/** The text without what formatters change: white space, quotes, separators, and optional brackets and bars. */
function tokens(text: string): string {
  return text.replace(/[\s,;"'`\\()|&]/g, "").toLowerCase();
}

/** By default Prettier keeps objects that are broken over several lines, so objects of both sides are collapsed first. */
async function hasSameFormat(path: string, current: string, output: string): Promise<boolean> {
  const { format } = await import("prettier");
  const options: Options = { filepath: path, printWidth: 100, objectWrap: "collapse" };
  const [left, right] = await Promise.all([format(current, options), format(output, options)]);
  return left === right;
}
