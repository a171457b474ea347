import type { Options } from "prettier";
import { sha256 } from "../manifest.js";
import { comparePages } from "./page.js";

/** A file that is neither what this run would write nor what the last run wrote. */
export interface Differing {
  /** The path on the disk, which determines the formatting rules. */
  readonly target: string;
  readonly current: string;
  readonly wanted: string;
  /** The digest of the file that the last run wrote. */
  readonly known: string;
  /** True if that run used the formatting rules of the project, not Prettier's defaults. */
  readonly hasRules: boolean;
}

/**
 * Does a file on the disk differ from generated text in its formatting alone? `reformatted` when it says what this run
 * would write, `outdated` when it says what the manifest's run wrote, null when somebody edited it. Prettier is loaded
 * here and only here, and only where the words agree or the words of the manifest's run are gone.
 */
export async function isReformatted(file: Differing): Promise<"reformatted" | "outdated" | null> {
  const { target, wanted, known } = file;
  const current = file.current.replaceAll("\r\n", "\n");
  if (current === wanted) return "reformatted";
  if (sha256(current) === known) return "outdated";
  try {
    if (target.endsWith(".html")) return await judgePage(current, wanted);
    if (words(current) === words(wanted) && (await isAlike(target, current, wanted))) return "reformatted";
    // This run would write the same as the last one, so the file was edited.
    if (sha256(wanted) === known) return null;
    return (await isOfLastRun(file, current)) ? "outdated" : null;
  } catch {
    // A file that no longer parses was edited.
    return null;
  }
}

/** No page was ever laid out by prettier, so formatting it tells nothing of what was once written. */
async function judgePage(current: string, wanted: string): Promise<"reformatted" | "outdated" | null> {
  const found = await comparePages(current, wanted);
  if (found === "different") return null;
  return found === "equal" ? "reformatted" : "outdated";
}

/** What no formatter changes: all but space, quotes, separators, and brackets and bars that may be left out. */
function words(text: string): string {
  return text.replace(/[\s,;"'`\\()|&]/g, "").toLowerCase();
}

/** Objects that an author or another width broke over lines stay broken by default; both sides are collapsed. */
async function isAlike(target: string, current: string, wanted: string): Promise<boolean> {
  const { format } = await import("prettier");
  const normal: Options = { filepath: target, printWidth: 100, objectWrap: "collapse" };
  const [left, right] = await Promise.all([format(current, normal), format(wanted, normal)]);
  return left === right;
}

/** True if the file, formatted as in the last run, is what that run wrote. */
async function isOfLastRun({ target, known, hasRules }: Differing, current: string): Promise<boolean> {
  const { format, resolveConfig } = await import("prettier");
  const rules = hasRules ? await resolveConfig(target, { editorconfig: true }) : null;
  return sha256(await format(current, { ...rules, filepath: target, endOfLine: "lf" })) === known;
}
