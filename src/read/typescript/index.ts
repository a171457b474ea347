import type { Diagnostics } from "../../diagnostics.js";
import { checkDeclarations } from "../../ir/check/index.js";
import { assemble } from "../../ir/derive/index.js";
import type { Protocol } from "../../ir/model.js";
import { digestOf } from "../digest.js";
import { revisionOf } from "../revision.js";
import { loadCompiler } from "./compiler.js";
import { checkUses } from "./names.js";
import { parse } from "./parse.js";
import { readStatements } from "./statements.js";

export interface ReadOptions {
  /** The path to name in reports. */
  readonly file: string;
  /** The path to keep in the result: relative to the project or package, with forward slashes. */
  readonly name: string;
  /** What to call the revision, whatever the schema says. */
  readonly revision?: string;
}

/**
 * Reads a `schema.ts`: its syntax alone, nothing is run, resolved or fetched. Reports every fault of the file; null when
 * one of them was an error.
 */
export async function readTypeScript(
  text: string,
  { file, name, revision }: ReadOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const before = diagnostics.list.length;
  const failed = (): boolean => diagnostics.list.slice(before).some(({ severity }) => severity === "error");
  const ts = await loadCompiler();
  const parsed = parse(ts, text, file, diagnostics);
  if (parsed === null) return null;
  const { source, statements, whole } = parsed;
  const { declarations, places, uses, refused } = readStatements(
    { ts, source, file },
    statements,
    diagnostics,
  );
  const placeOf = places.of.bind(places);
  if (whole) {
    checkUses(uses, declarations, refused);
    if (declarations.length === 0 && !failed()) {
      const hint = "a schema holds exported interfaces, type aliases and constants";
      diagnostics.root.error("MG117", { file, line: 1, column: 1 }, "the file declares nothing", hint);
    }
    if (failed()) checkDeclarations(declarations, placeOf, diagnostics);
  }
  if (failed()) return null;
  const protocol = assemble(
    declarations,
    {
      revision: revisionOf(file, declarations, revision, diagnostics, placeOf),
      source: { name, language: "typescript", sha256: digestOf(text) },
      placeOf,
    },
    diagnostics,
  );
  return failed() ? null : protocol;
}
