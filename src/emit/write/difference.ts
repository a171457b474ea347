import type { Options } from "prettier";
import { sha256, withLineFeeds } from "../manifest.js";
import { comparePages } from "./html.js";

/** A file that differs both from what this run would write and from what the last run wrote. */
export interface FileDifference {
  /** The path on the disk, which determines the formatting rules. */
  readonly target: string;
  readonly current: string;
  readonly output: string;
  /** The digest of the file that the last run wrote. */
  readonly lastDigest: string;
  /** True if that run used the formatting rules of the project, not Prettier's defaults. */
  readonly hasRules: boolean;
}

/**
 * Compares a file on the disk with generated text without formatting. Returns `reformatted` if it is what this run would
 * write, `outdated` if it is what the manifest's run wrote, and null if the user edited it. Only this module loads
 * Prettier, and only if the tokens agree or those of the manifest's run are not known.
 */
export async function classifyDifference(file: FileDifference): Promise<"reformatted" | "outdated" | null> {
  const { target, output, lastDigest } = file;
  const current = withLineFeeds(file.current);
  if (current === output) return "reformatted";
  if (sha256(current) === lastDigest) return "outdated";
  try {
    if (target.endsWith(".html")) return await pageState(current, output);
    if (tokens(current) === tokens(output) && (await hasSameFormat(target, current, output)))
      return "reformatted";
    // This run would write the same as the last one, so the file was edited.
    if (sha256(output) === lastDigest) return null;
    return (await isLastOutput(file, current)) ? "outdated" : null;
  } catch {
    // A file that no longer parses was edited.
    return null;
  }
}

/** Pages are never formatted with Prettier, so formatting one cannot reproduce an earlier output. */
async function pageState(current: string, output: string): Promise<"reformatted" | "outdated" | null> {
  const difference = await comparePages(current, output);
  if (difference === "different") return null;
  return difference === "equal" ? "reformatted" : "outdated";
}

/** The text without what formatters change: white space, quotes, separators, and optional brackets and bars. */
function tokens(text: string): string {
  return text.replace(/[\s,;"'`\\()|&]/g, "").toLowerCase();
}

/** By default Prettier keeps objects that are broken over several lines, so objects of both sides are collapsed first. */
async function hasSameFormat(target: string, current: string, output: string): Promise<boolean> {
  const { format } = await import("prettier");
  const options: Options = { filepath: target, printWidth: 100, objectWrap: "collapse" };
  const [left, right] = await Promise.all([format(current, options), format(output, options)]);
  return left === right;
}

/** True if the file, formatted as in the last run, is what that run wrote. */
async function isLastOutput(
  { target, lastDigest, hasRules }: FileDifference,
  current: string,
): Promise<boolean> {
  const { format, resolveConfig } = await import("prettier");
  const rules = hasRules ? await resolveConfig(target, { editorconfig: true }) : null;
  return sha256(await format(current, { ...rules, filepath: target, endOfLine: "lf" })) === lastDigest;
}
