import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { usageFault } from "../fault.js";

/** `./server.js#server`: the export of a module of the user's own, which is run for it. */
export async function loadServer(text: string, directory: string): Promise<unknown> {
  const [file = "", name = "default"] = text.split("#");
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(resolve(directory, file)).href)) as Readonly<
      Record<string, unknown>
    >;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageFault("MG706", `the module ${file} cannot be loaded: ${reason}`, "name a JavaScript module");
  }
  const found = Object.hasOwn(module, name) ? module[name] : undefined;
  const isServer = (value: unknown): boolean =>
    typeof value === "object" && value !== null && "core" in value;
  if (isServer(found) || (Array.isArray(found) && found.length > 0 && found.every(isServer))) return found;
  const names = Object.keys(module).join(", ");
  throw usageFault(
    "MG706",
    `the export "${name}" of ${file} is no server`,
    names === "" ? "the module exports nothing" : `it exports ${names}; say ${file}#name`,
  );
}
