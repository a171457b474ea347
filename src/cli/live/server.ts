import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { usageError } from "../command-error.js";
import { runModule } from "../user-module.js";

/** `./server.ts#server`: the export of a module of the user's own, in TypeScript or JavaScript, which is run for it. */
export async function loadServer(text: string, directory: string): Promise<unknown> {
  const { file, name } = moduleParts(text);
  const path = resolve(directory, file);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = /\.[cm]?tsx?$/.test(path)
      ? await runModule(path)
      : ((await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = "name a module in TypeScript or JavaScript, and see that it runs by itself";
    throw usageError("MG706", `the module ${file} cannot be loaded: ${reason}`, hint);
  }
  const found = Object.hasOwn(module, name) ? module[name] : undefined;
  const isServer = (value: unknown): boolean =>
    typeof value === "object" && value !== null && "core" in value;
  if (isServer(found) || (Array.isArray(found) && found.length > 0 && found.every(isServer))) return found;
  const names = Object.keys(module).join(", ");
  throw usageError(
    "MG706",
    `the export "${name}" of ${file} is not an mcpgen server`,
    names === "" ? "the module exports nothing" : `it exports ${names}; write ${file}#name`,
  );
}

/** A module's path and the export that is meant. A path may hold a `#` too: that of an export has no folder behind it. */
export function moduleParts(text: string): { readonly file: string; readonly name: string } {
  const [, file = text, name = "default"] = /^(.+)#([^#/\\]+)$/s.exec(text) ?? [];
  return { file, name };
}
