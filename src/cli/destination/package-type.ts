import { relative } from "node:path";
import type { Diagnostic } from "../../diagnostics.js";
import { findUp } from "./find.js";

/**
 * A note for output in a package of CommonJS, which the nearest `package.json` decides. What is generated are ES modules:
 * they work there too, but not with every compiler and every Node.js. Null elsewhere.
 */
export async function packageTypeNote(folder: string): Promise<Diagnostic | null> {
  const found = await findUp(folder, "package.json");
  if (found === null || isModule(found.text)) return null;
  const file = relative(process.cwd(), found.path).replaceAll("\\", "/");
  return {
    code: "MG713",
    severity: "note",
    message: `${file} makes this a package of CommonJS, and the generated files are ES modules`,
    hint: 'add "type": "module" to it, or compile with TypeScript 5.8 or later and run on Node.js 20.19 or later',
    location: null,
    within: [],
  };
}

/** A file that is no JSON object says nothing about its type. */
function isModule(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== "object" || value === null || ("type" in value && value.type === "module");
  } catch {
    return true;
  }
}
