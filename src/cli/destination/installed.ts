import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type Diagnostic,
  makeDiagnostic,
} from "../../generator/diagnostics.js";
import { findUp } from "./find.js";

/**
 * The package that generated clients and servers import, unless they have a
 * copy.
 */
export const runtimePackage = "@mcpgen/runtime";
/** The package that a protected server imports. */
export const authPackage = "@mcpgen/auth";

/** True if modules in a folder, which need not exist, can import a package. */
export function isInstalled(name: string, folder: string): boolean {
  try {
    createRequire(join(folder, "index.js")).resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // An installed package may not export the file.
    return (error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND";
  }
}

/**
 * A note if the written files import the runtime and the project of the folder,
 * if any, does not have it; null otherwise.
 */
export async function runtimeNote(
  folder: string,
  texts: readonly string[],
): Promise<Diagnostic | null> {
  const imports = new RegExp(` from "${runtimePackage}["/]`);
  if (
    !texts.some((text) => imports.test(text)) ||
    isInstalled(runtimePackage, folder)
  )
    return null;
  if ((await findUp(folder, "package.json")) === null) return null;
  const message = `the generated files import ${runtimePackage}, which is not installed`;
  const hint = `run npm install ${runtimePackage}, or generate a copy of it with --runtime vendored`;
  return makeDiagnostic("note", "MG762", message, hint);
}
