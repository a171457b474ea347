import type { ts } from "ts-morph";
import type { Diagnostics } from "../../diagnostics.js";
import type { Compiler } from "./compiler.js";
import { place } from "./reading.js";

/** More syntax errors than this are one error's consequences, or the file is no TypeScript at all. */
const most = 50;

/** A syntax tree, and the statements that no syntax error touches. */
export interface Parsed {
  readonly source: ts.SourceFile;
  readonly statements: readonly ts.Statement[];
  /** Did all of it parse? Without that, a name may be missing only because its declaration is broken. */
  readonly whole: boolean;
}

/** Parses a file and reports its syntax errors; null when there is no tree to speak of. */
export function parse(ts: Compiler, text: string, file: string, diagnostics: Diagnostics): Parsed | null {
  let source: ts.SourceFile;
  try {
    source = ts.createSourceFile("schema.ts", text, {
      languageVersion: ts.ScriptTarget.Latest,
      // Doc comments are read from the text; see jsdoc.ts.
      jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    });
  } catch (reason) {
    // The compiler's parser recurses on nested types.
    if (!(reason instanceof RangeError)) throw reason;
    diagnostics.root.error(
      "MG116",
      { file, line: 1, column: 1 },
      "the file nests too deeply to be parsed",
      "name the inner types and refer to them",
    );
    return null;
  }
  const faults = syntaxErrors(source);
  for (const { start, messageText } of faults.slice(0, most)) {
    const words = ts.flattenDiagnosticMessageText(messageText, " ");
    diagnostics.root.error("MG100", place({ source, file }, start), `syntax error: ${words}`);
  }
  if (faults.length > most) {
    diagnostics.root.note("MG100", null, `${faults.length - most} more syntax errors are not shown`);
  }
  if (faults.length === 0) return { source, statements: source.statements, whole: true };
  const statements = source.statements.filter((entry) => {
    const known =
      ts.isInterfaceDeclaration(entry) || ts.isTypeAliasDeclaration(entry) || ts.isVariableStatement(entry);
    return known && faults.every(({ start }) => start < entry.pos || start > entry.end);
  });
  return { source, statements, whole: false };
}

/** The parser keeps its errors in a member that the public types leave out; a program would need a whole file system. */
function syntaxErrors(source: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  const { parseDiagnostics } = source as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
  return parseDiagnostics ?? [];
}
