import type { Diagnostics } from "../../diagnostics.js";
import { checkDeclarations } from "../../ir/check/index.js";
import { assemble } from "../../ir/derive/index.js";
import type { FactSources } from "../../ir/derive/revision.js";
import type { Protocol } from "../../ir/model.js";
import { digestOf } from "../digest.js";
import { revisionOf } from "../revision.js";
import { checkUses } from "./names.js";
import { parse } from "./parse.js";
import { readStatements } from "./statements.js";
import { loadCompiler } from "./parse-context.js";

export interface ReadOptions {
  /** The path in diagnostics. */
  readonly file: string;
  /** The path in the result: relative to the project or package, with forward slashes. */
  readonly name: string;
  /** What the schema does not say. */
  readonly facts: FactSources;
  /** The name of the revision, instead of the schema's own. */
  readonly revision?: string;
}

/**
 * Reads the syntax of a `schema.ts`; runs, resolves and fetches nothing. Reports all problems of the file. Returns null
 * after an error.
 */
export async function readTypeScript(
  text: string,
  { file, name, facts, revision }: ReadOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const before = diagnostics.list.length;
  const hasErrors = (): boolean =>
    diagnostics.list.slice(before).some(({ severity }) => severity === "error");
  const ts = await loadCompiler();
  const tree = parse(ts, text, file, diagnostics);
  if (tree === null) return null;
  const { source, statements, whole } = tree;
  const { declarations, locations, uses, rejected } = readStatements(
    { ts, source, file },
    statements,
    diagnostics,
  );
  const locationOf = locations.of.bind(locations);
  if (whole) {
    checkUses(uses, declarations, rejected);
    if (declarations.length === 0 && !hasErrors()) {
      const hint = "write exported interfaces, type aliases and constants only";
      diagnostics.root.error("MG117", { file, line: 1, column: 1 }, "the file has no declarations", hint);
    }
    if (hasErrors()) checkDeclarations(declarations, locationOf, diagnostics);
  }
  if (hasErrors()) return null;
  const protocol = assemble(
    declarations,
    {
      revision: revisionOf(file, declarations, revision, diagnostics, locationOf),
      source: { name, language: "typescript", sha256: digestOf(text) },
      facts,
      locationOf,
    },
    diagnostics,
  );
  return hasErrors() ? null : protocol;
}
