import type { Options } from "prettier";
import { sha256 } from "../manifest.js";

/** Formats the text of a file, whose path is relative to the output directory. */
export type FormatText = (path: string, text: string) => Promise<string>;

/** A file on the disk that is neither what the last run wrote nor what this run writes. */
export interface ChangedFile {
  /** The path relative to the output directory. */
  readonly path: string;
  readonly current: string;
  /** What this run writes; null for nothing. */
  readonly text: string | null;
  /** The digest of the file that the last run wrote. */
  readonly lastDigest: string;
  /** How that run formatted it; absent for Prettier's defaults. */
  readonly format?: FormatText | undefined;
}

/**
 * How a file differs: `reformatted` if only its formatting is not that of this run's text, `outdated` if only its formatting is not
 * that of the last run's text, and `edited` otherwise. Only this module loads Prettier, and only if the tokens agree or those of the last run
 * are not known.
 */
export async function differenceOf(file: ChangedFile): Promise<"reformatted" | "outdated" | "edited"> {
  const { path, current, text, lastDigest } = file;
  try {
    if (text !== null && tokens(current) === tokens(text) && (await hasSameFormat(path, current, text)))
      return "reformatted";
    // If this run writes the same as the last one, the file was edited.
    const isOther = text === null || sha256(text) !== lastDigest;
    return isOther && sha256(await formatted(file)) === lastDigest ? "outdated" : "edited";
  } catch {
    // It no longer parses.
    return "edited";
  }
}

async function formatted({ path, current, format }: ChangedFile): Promise<string> {
  if (format !== undefined) return await format(path, current);
  const prettier = await import("prettier");
  return await prettier.format(current, { filepath: path, endOfLine: "lf" });
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
