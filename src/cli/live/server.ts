import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerDefinition } from "../../runtime/index.js";
import { usageError } from "../command-error.js";
import { endingAtSignals, runModule } from "../user-module.js";

/**
 * Loads an export of a user's module: `./server.ts#server`, in TypeScript or
 * JavaScript.
 */
export async function loadServer(
  text: string,
  directory: string,
): Promise<ServerDefinition | readonly ServerDefinition[]> {
  const { file, name } = moduleParts(text);
  const path = resolve(directory, file);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = /\.[cm]?tsx?$/.test(path)
      ? await runModule(path)
      : await endingAtSignals(() => import(pathToFileURL(path).href));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint =
      "use a TypeScript or JavaScript module, and check that it runs on its own";
    throw usageError(
      "MG706",
      `the module ${file} cannot be loaded: ${reason}`,
      hint,
    );
  }
  const server = Object.hasOwn(module, name) ? module[name] : undefined;
  const isServer = (value: unknown): value is ServerDefinition =>
    typeof value === "object" && value !== null && "core" in value;
  if (
    isServer(server) ||
    (Array.isArray(server) && server.length > 0 && server.every(isServer))
  )
    return server;
  const names = Object.keys(module);
  throw usageError(
    "MG706",
    `the export "${name}" of ${file} is not an mcpgen server`,
    names.length === 0
      ? 'the module exports nothing; a program that serves is named as a command in quotes, such as "node server.js"'
      : `it exports ${names.join(", ")}; write ${file}#${names.length === 1 ? names[0] : "name"}`,
  );
}

/**
 * Splits a module's path from the name of an export. A path may contain `#`
 * too; the name of an export contains no slash.
 */
export function moduleParts(text: string): {
  readonly file: string;
  readonly name: string;
} {
  const [, file = text, name = "default"] =
    /^(.+)#([^#/\\]+)$/s.exec(text) ?? [];
  return { file, name };
}
