import {
  type Diagnostic,
  makeDiagnostic,
} from "../../generator/diagnostics.js";
import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import { findUp, shownPath } from "./find.js";

/**
 * A note for output in a CommonJS package, by the nearest `package.json`; null
 * otherwise. Generated files are ES modules, which some compilers and Node.js
 * versions do not support there.
 */
export async function packageTypeNote(
  folder: string,
): Promise<Diagnostic | null> {
  const manifest = await findUp(folder, "package.json");
  if (manifest === null || isModule(manifest.text)) return null;
  return makeDiagnostic(
    "note",
    "MG713",
    `${shownPath(manifest.path)} makes this a CommonJS package, but the generated files are ES modules`,
    'add "type": "module" to it, or compile with TypeScript 5.8 or later and run on Node.js 20.19 or later; Jest needs --runtime vendored',
  );
}

/**
 * True if a `package.json` makes its modules ES modules; for a text that is not
 * a JSON object, too.
 */
export function isModule(text: string): boolean {
  const manifest = parseOrUndefined(text);
  return !isRecord(manifest) || manifest["type"] === "module";
}
