import { join } from "node:path";
import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import { readText } from "./find.js";

/**
 * The package manager for which a folder is the root of a workspace, whose code
 * is in other folders; null for any other folder.
 */
export async function workspaceIn(folder: string): Promise<string | null> {
  // pnpm keeps settings in this file, too.
  if (
    /^packages\s*:/m.test(
      (await readText(join(folder, "pnpm-workspace.yaml"))) ?? "",
    )
  )
    return "pnpm";
  const manifest = parseOrUndefined(
    (await readText(join(folder, "package.json"))) ?? "",
  );
  return isRecord(manifest) && "workspaces" in manifest ? "npm or Yarn" : null;
}
