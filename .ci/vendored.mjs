// What a project gets with `--runtime vendored`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The sources of the runtime by path, with those of `common` in a folder of its
 * own folder: a copy has nothing beside it.
 */
export function vendoredSources(src) {
  const paths = ["runtime", "common"].flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true }).map(
      (path) => `${folder}/${path.replaceAll("\\", "/")}`,
    ),
  );
  const sources = paths
    .filter(
      (path) =>
        path.endsWith(".ts") && !/^runtime\/(dist|node_modules)\//.test(path),
    )
    .sort()
    .map((path) => [
      path.replace(/^runtime\//, ""),
      inside(readFileSync(join(src, path), "utf8")),
    ]);
  return Object.fromEntries(sources);
}

/**
 * The text of a file with imports of the common sources as they are inside the
 * folder of the runtime.
 */
function inside(text) {
  return text.replaceAll(
    /(?<= from ")((?:\.\.\/)*)\.\.\/common\//g,
    (_, up) => `${up || "./"}common/`,
  );
}
