import type { ts } from "ts-morph";
import type { Diagnostics, Location, Scope } from "../../diagnostics.js";
import type { ConstantDeclaration, Declaration } from "../../ir/model.js";
import { readAlias } from "./alias.js";
import type { Compiler } from "./compiler.js";
import { readConstants } from "./constant.js";
import { readInterface } from "./interface.js";
import { at, place, textOf, type Reading, type Use } from "./reading.js";

/** A file's declarations, where each stands, and every name that they use. */
export interface Statements {
  readonly declarations: Declaration[];
  readonly places: ReadonlyMap<string, Location>;
  readonly uses: readonly Use[];
}

export function readStatements(
  ts: Compiler,
  source: ts.SourceFile,
  file: string,
  diagnostics: Diagnostics,
): Statements {
  const constants = new Map<string, ConstantDeclaration>();
  const read = new Map<ts.VariableStatement, ConstantDeclaration[]>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const found = readConstants({ ts, source, file }, statement, (name) =>
      diagnostics.in(`constant ${name}`),
    );
    read.set(statement, found);
    for (const constant of found) if (!constants.has(constant.name)) constants.set(constant.name, constant);
  }
  const declared = new Set(source.statements.flatMap((statement) => namesOf(ts, statement)));
  const reading: Reading = { ts, source, file, constants, declared, uses: [] };
  const places = new Map<string, Location>();
  const declarations: Declaration[] = [];
  for (const statement of source.statements) {
    const found = ts.isVariableStatement(statement)
      ? (read.get(statement) ?? [])
      : readStatement(reading, statement, diagnostics);
    for (const declaration of found) {
      const scope = diagnostics.in(`${declaration.kind} ${declaration.name}`);
      const location = nameLocation(reading, statement, declaration.name);
      checkExported(reading, statement, declaration.name, scope);
      const earlier = places.get(declaration.name);
      if (earlier !== undefined) {
        scope.error(
          "MG103",
          location,
          `"${declaration.name}" is declared twice, first in line ${earlier.line}`,
          "keep one of them, or give one another name",
        );
        continue;
      }
      places.set(declaration.name, location);
      declarations.push(declaration);
    }
  }
  return { declarations, places, uses: reading.uses };
}

function readStatement(reading: Reading, statement: ts.Statement, diagnostics: Diagnostics): Declaration[] {
  const { ts } = reading;
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    const kind = ts.isInterfaceDeclaration(statement) ? "interface" : "alias";
    const scope = diagnostics.in(`${kind} ${statement.name.text}`);
    const [parameter] = statement.typeParameters ?? [];
    if (parameter !== undefined) {
      scope.error(
        "MG114",
        at(reading, parameter),
        `"${statement.name.text}" takes type parameters, which a schema's types cannot`,
        "write one type for each use",
      );
      return [];
    }
    return ts.isInterfaceDeclaration(statement)
      ? [readInterface(reading, statement, scope)]
      : [readAlias(reading, statement, scope)];
  }
  refuseStatement(reading, statement, diagnostics.root);
  return [];
}

function refuseStatement(reading: Reading, statement: ts.Statement, scope: Scope): void {
  const { ts } = reading;
  if (statement.kind === ts.SyntaxKind.EmptyStatement || isEmptyExport(ts, statement)) return;
  const location = at(reading, statement);
  if (ts.isImportDeclaration(statement) || ts.isImportEqualsDeclaration(statement)) {
    scope.error(
      "MG115",
      location,
      `cannot follow "${textOf(reading, statement)}": a schema is read from one file`,
      "copy the imported types into the file",
    );
    return;
  }
  scope.error(
    "MG101",
    location,
    `cannot read "${textOf(reading, statement)}"`,
    "a schema holds exported interfaces, type aliases and constants",
  );
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

function namesOf(ts: Compiler, statement: ts.Statement): string[] {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [statement.name.text];
  return [];
}

function checkExported(reading: Reading, statement: ts.Statement, name: string, scope: Scope): void {
  const { ts } = reading;
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)) return;
  scope.error(
    "MG102",
    nameLocation(reading, statement, name),
    `"${name}" is declared but not exported`,
    "write `export` before it: every type of a schema is public",
  );
}

function nameLocation(reading: Reading, statement: ts.Statement, name: string): Location {
  const { ts } = reading;
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    return at(reading, statement.name);
  }
  if (ts.isVariableStatement(statement)) {
    const entry = statement.declarationList.declarations.find(
      ({ name: own }) => ts.isIdentifier(own) && own.text === name,
    );
    if (entry !== undefined) return at(reading, entry);
  }
  return place(reading, statement.getStart(reading.source));
}
