import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { upwards } from "./paths.js";

/**
 * The folder of this package: the nearest one above this file that holds the
 * schemas. A bundler may move this file.
 */
export function packageRoot(): string {
  for (const folder of upwards(dirname(fileURLToPath(import.meta.url))))
    if (
      existsSync(join(folder, "package.json")) &&
      existsSync(join(folder, "schema"))
    )
      return folder;
  throw new Error(
    "The package is incomplete: no folder above the program contains schema/.",
  );
}

/** The version of mcpgen itself. */
export function toolVersion(): string {
  const { version } = JSON.parse(
    readFileSync(join(packageRoot(), "package.json"), "utf8"),
  ) as { readonly version: string };
  return version;
}

/** A code of a diagnostic, what it says, and what to do. */
interface CodeRow {
  readonly code: string;
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * The codes of all diagnostics. The page of `mcpgen explain` is the only list
 * of them.
 */
export async function loadCodes(): Promise<readonly CodeRow[]> {
  const page = await readFile(
    join(packageRoot(), "src/cli/commands/explain/README.md"),
    "utf8",
  );
  const rows = page.split("\n").filter((line) => /^\| MG\d{3} /.test(line));
  return rows.map((line) => {
    const [code = "", meaning = "", remedy = ""] = line
      .slice(2, -1)
      .split(" | ");
    return { code, meaning: meaning.trim(), remedy: remedy.trim() };
  });
}

/**
 * The TypeScript sources of the runtime by path, for `--runtime vendored`. The
 * build puts them into one file.
 */
export async function loadRuntimeSource(): Promise<
  ReadonlyMap<string, string>
> {
  const text = await readFile(
    join(packageRoot(), "dist", "vendored.json"),
    "utf8",
  );
  return new Map(
    Object.entries(JSON.parse(text) as Readonly<Record<string, string>>),
  );
}
