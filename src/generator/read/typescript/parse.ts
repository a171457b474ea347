import type { ts } from "ts-morph";
import type { Diagnostics } from "../../diagnostics.js";
import { locationIn, type Compiler } from "./parse-context.js";

/**
 * The maximum number of reported syntax errors. Further ones are consequences,
 * or the file is not TypeScript.
 */
const maxErrors = 50;

/** A syntax tree, and the statements without syntax errors. */
interface SyntaxTree {
  readonly source: ts.SourceFile;
  readonly statements: readonly ts.Statement[];
  /**
   * True if the whole file was parsed. Otherwise a name may be missing only
   * because its declaration has a syntax error.
   */
  readonly whole: boolean;
}

/**
 * Parses a file and reports its syntax errors. Returns null without a usable
 * tree.
 */
export function parse(
  ts: Compiler,
  text: string,
  file: string,
  diagnostics: Diagnostics,
): SyntaxTree | null {
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
      "the file is nested too deeply to be parsed",
      "name the inner types and refer to them",
    );
    return null;
  }
  const errors = syntaxErrors(source);
  for (const { start, messageText } of errors.slice(0, maxErrors)) {
    const words = ts.flattenDiagnosticMessageText(messageText, " ");
    diagnostics.root.error(
      "MG100",
      locationIn({ source, file }, start),
      `syntax error: ${words}`,
    );
  }
  if (errors.length > maxErrors) {
    diagnostics.root.note(
      "MG100",
      null,
      `${errors.length - maxErrors} more syntax errors are not shown`,
    );
  }
  if (errors.length === 0)
    return { source, statements: source.statements, whole: true };
  const statements = source.statements.filter((entry) => {
    const isType =
      ts.isInterfaceDeclaration(entry) ||
      ts.isTypeAliasDeclaration(entry) ||
      ts.isVariableStatement(entry);
    return (
      isType &&
      errors.every(({ start }) => start < entry.pos || start > entry.end)
    );
  });
  return { source, statements, whole: false };
}

/**
 * Syntax errors are in a member that the public types leave out. A TypeScript
 * program would need a file system.
 */
function syntaxErrors(
  source: ts.SourceFile,
): readonly ts.DiagnosticWithLocation[] {
  const { parseDiagnostics } = source as {
    parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  return parseDiagnostics ?? [];
}
