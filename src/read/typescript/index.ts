import { createHash } from "node:crypto";
import type { Diagnostics } from "../../diagnostics.js";
import { assemble } from "../../ir/derive/index.js";
import type { Protocol } from "../../ir/model.js";
import { nearest } from "../nearest.js";
import { loadCompiler } from "./compiler.js";
import { place } from "./reading.js";
import { revisionOf } from "./revision.js";
import { readStatements, type Statements } from "./statements.js";

export interface ReadOptions {
  /** The path to name in reports. */
  readonly file: string;
  /** The path to keep in the result: relative to the project or package, with forward slashes. */
  readonly name: string;
  /** What to call the revision, whatever the schema says. */
  readonly revision?: string;
}

/**
 * Reads a `schema.ts`: its syntax alone, nothing is run or resolved outside the text. Reports every fault of the file;
 * null when one of them was an error.
 */
export async function readTypeScript(
  text: string,
  { file, name, revision }: ReadOptions,
  diagnostics: Diagnostics,
): Promise<Protocol | null> {
  const ts = await loadCompiler();
  const source = ts.createSourceFile("schema.ts", text, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const faults =
    (source as { parseDiagnostics?: readonly { start: number; messageText: unknown }[] }).parseDiagnostics ??
    [];
  for (const { start, messageText } of faults) {
    diagnostics.root.error(
      "MG100",
      place({ source, file }, start),
      `TypeScript cannot parse this: ${typeof messageText === "string" ? messageText : "syntax error"}`,
    );
  }
  const before = diagnostics.list.length;
  const statements = readStatements(ts, source, file, diagnostics);
  checkUses(statements);
  if (statements.declarations.length === 0 && diagnostics.list.length === before) {
    diagnostics.root.error(
      "MG117",
      place({ source, file }, 0),
      "the file declares nothing",
      "a schema holds exported interfaces, type aliases and constants",
    );
  }
  if (diagnostics.hasErrors) return null;
  const { declarations, places } = statements;
  return assemble(
    declarations,
    {
      revision: revisionOf(file, declarations, revision, diagnostics),
      source: { name, language: "typescript", sha256: createHash("sha256").update(text).digest("hex") },
      placeOf: (wanted) => places.get(wanted) ?? null,
    },
    diagnostics,
  );
}

/** Every name that is used must be declared, as a type. */
function checkUses({ declarations, uses }: Statements): void {
  const kinds = new Map(declarations.map((entry) => [entry.name, entry.kind]));
  for (const { name, location, scope } of uses) {
    const kind = kinds.get(name);
    if (kind === "constant") {
      scope.error("MG105", location, `"${name}" is a constant, not a type`, `write \`typeof ${name}\``);
    } else if (kind === undefined) {
      const near = nearest(name, kinds.keys());
      scope.error(
        "MG105",
        location,
        `"${name}" is not declared in this file`,
        near === null ? "declare it, or write the type out" : `did you mean ${near}?`,
      );
    }
  }
}
