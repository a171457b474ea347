import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import {
  at,
  textOf,
  type ParseContext,
  type Compiler,
} from "./parse-context.js";

/** Reports a statement that a schema must not contain. */
export function rejectStatement(
  parseContext: ParseContext,
  statement: ts.Statement,
  scope: Scope,
): void {
  const { ts } = parseContext;
  if (
    statement.kind === ts.SyntaxKind.EmptyStatement ||
    isEmptyExport(ts, statement)
  )
    return;
  const location = at(parseContext, statement);
  if (
    ts.isImportDeclaration(statement) ||
    ts.isImportEqualsDeclaration(statement)
  ) {
    scope.error(
      "MG115",
      location,
      `cannot read "${textOf(parseContext, statement)}": a schema is one file`,
      "copy the imported types into the file",
    );
    return;
  }
  scope.error(
    "MG101",
    location,
    `cannot read "${textOf(parseContext, statement)}"`,
    hintFor(ts, statement),
  );
}

/** A hint what to write instead. */
function hintFor(ts: Compiler, statement: ts.Statement): string {
  if (ts.isClassDeclaration(statement)) return "write an interface instead";
  if (ts.isModuleDeclaration(statement))
    return "declare its types outside of it";
  if (ts.isExportDeclaration(statement))
    return "write `export` before each declaration";
  return "write exported interfaces, type aliases and constants only";
}

/** `export {}` only marks the file as a module. */
function isEmptyExport(ts: Compiler, statement: ts.Statement): boolean {
  return (
    ts.isExportDeclaration(statement) &&
    statement.moduleSpecifier === undefined &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause) &&
    statement.exportClause.elements.length === 0
  );
}

/** The names that a statement declares, for any kind of statement. */
export function namesOf(
  { ts, source }: ParseContext,
  statement: ts.Statement,
): string[] {
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    const elements =
      bindings !== undefined && ts.isNamedImports(bindings)
        ? bindings.elements
        : [];
    const all = [
      statement.importClause?.name,
      ...elements.map((entry) => entry.name),
    ];
    return all.flatMap((name) => (name === undefined ? [] : [name.text]));
  }
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) =>
      name.getText(source),
    );
  }
  const name = (statement as ts.Statement & { readonly name?: ts.Node }).name;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}
