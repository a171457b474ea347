import type { Options } from "prettier";
import { sha256 } from "../manifest.js";

/**
 * Does a file on the disk differ from generated text in its formatting alone? `reformatted` when it says what this run
 * would write, `outdated` when it says what the manifest's run wrote, null when somebody edited it. Prettier is loaded
 * here and only here, once a digest differs.
 */
export async function isReformatted(
  path: string,
  current: string,
  wanted: string,
  known: string,
): Promise<"reformatted" | "outdated" | null> {
  const unix = current.replaceAll("\r\n", "\n");
  if (unix === wanted) return "reformatted";
  if (sha256(unix) === known) return "outdated";
  const { format, getFileInfo } = await import("prettier");
  const parser = (await getFileInfo(path, { resolveConfig: false })).inferredParser;
  if (parser === null) return null;
  // Objects that an author or another width broke over lines stay broken by default; both sides are collapsed.
  const normal: Options = { parser, printWidth: 100, objectWrap: "collapse" };
  try {
    const [left, right] = await Promise.all([format(unix, normal), format(wanted, normal)]);
    if (left === right) return "reformatted";
    for (const printWidth of [100, 110, 80, 120]) {
      if (sha256(await format(unix, { parser, printWidth })) === known) return "outdated";
    }
    return null;
  } catch {
    // What does not parse any more was edited.
    return null;
  }
}
