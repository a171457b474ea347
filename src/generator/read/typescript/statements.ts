import type { ts } from "ts-morph";
import type { Diagnostics, Location, Scope } from "../../diagnostics.js";
import type { Declaration } from "../../ir/model.js";
import { readConstants } from "./constant.js";
import { readInterface } from "./interface.js";
import { readDoc } from "./jsdoc.js";
import {
  at,
  Locations,
  type ParseContext,
  type Use,
  type Compiler,
} from "./parse-context.js";
import { namesOf, rejectStatement } from "./reject-statement.js";
import { applyTags } from "./tags.js";
import { readType } from "./types/index.js";

/**
 * The declarations of a file with their positions, and every name that they
 * use.
 */
export interface Statements {
  readonly declarations: Declaration[];
  readonly locations: Locations;
  readonly uses: readonly Use[];
  /** Names of rejected declarations; their uses are not reported again. */
  readonly rejected: ReadonlySet<string>;
}

/** Reads statements: all of the file's, or those without syntax errors. */
export function readStatements(
  { ts, source, file }: Pick<ParseContext, "ts" | "source" | "file">,
  statements: readonly ts.Statement[],
  diagnostics: Diagnostics,
  imported: ParseContext["imported"] = new Map(),
): Statements {
  const declared = new Map(
    statements.flatMap((entry) =>
      isType(ts, entry) ? [[entry.name.text, entry] as const] : [],
    ),
  );
  const scopeOf = (name: string): Scope => diagnostics.in(`constant ${name}`);
  const locations = new Locations();
  const before = {
    ts,
    source,
    file,
    constants: new Map(),
    declared,
    imported,
    locations,
    uses: [],
  };
  const variables = new Map(
    statements.flatMap((entry) =>
      ts.isVariableStatement(entry)
        ? [[entry, readConstants(before, entry, scopeOf)] as const]
        : [],
    ),
  );
  const constants = new Map(
    [...variables.values()]
      .flat()
      .map((entry) => [entry.name, entry] as const)
      .reverse(),
  );
  const parseContext: ParseContext = { ...before, constants };
  const declarations = new Map<string, Declaration>();
  const rejected = new Set<string>();
  for (const statement of statements) {
    const own = ts.isVariableStatement(statement)
      ? (variables.get(statement) ?? [])
      : readStatement(parseContext, statement, diagnostics);
    if (own.length === 0)
      for (const name of namesOf(parseContext, statement)) rejected.add(name);
    for (const declaration of own) {
      const scope = diagnostics.in(`${declaration.kind} ${declaration.name}`);
      const location = nameLocation(parseContext, statement, declaration.name);
      checkExported(parseContext, statement, declaration.name, location, scope);
      if (declarations.has(declaration.name)) {
        const line = locations.of(declaration.name)?.line ?? 1;
        scope.error(
          "MG103",
          location,
          `"${declaration.name}" is declared twice, first on line ${line}`,
          "keep one of them, or give one another name",
        );
        continue;
      }
      locations.set(location, declaration.name);
      declarations.set(declaration.name, declaration);
    }
  }
  return {
    declarations: [...declarations.values()],
    locations,
    uses: parseContext.uses,
    rejected,
  };
}

function readStatement(
  parseContext: ParseContext,
  statement: ts.Statement,
  diagnostics: Diagnostics,
): Declaration[] {
  const { ts } = parseContext;
  if (isType(ts, statement)) {
    const kind = ts.isInterfaceDeclaration(statement) ? "interface" : "alias";
    const scope = diagnostics.in(`${kind} ${statement.name.text}`);
    const [parameter] = statement.typeParameters ?? [];
    if (parameter !== undefined) {
      scope.error(
        "MG114",
        at(parseContext, parameter),
        `"${statement.name.text}" has type parameters, which a schema must not have`,
        "write one type for each use",
      );
      return [];
    }
    return ts.isInterfaceDeclaration(statement)
      ? [readInterface(parseContext, statement, scope)]
      : [readAlias(parseContext, statement, scope)];
  }
  rejectStatement(parseContext, statement, diagnostics.root);
  return [];
}

/** Reads `type X = …`. */
function readAlias(
  parseContext: ParseContext,
  node: ts.TypeAliasDeclaration,
  scope: Scope,
): Declaration {
  const doc = readDoc(parseContext, node, scope);
  const type = readType({ parseContext, scope, depth: 0 }, node.type);
  const schema = applyTags(type, doc, at(parseContext, node.name), scope);
  return { kind: "alias", name: node.name.text, bases: [], schema };
}

type TypeStatement = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

function isType(
  ts: Compiler,
  statement: ts.Statement,
): statement is TypeStatement {
  return (
    ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)
  );
}

function checkExported(
  { ts }: ParseContext,
  statement: ts.Statement,
  name: string,
  location: Location,
  scope: Scope,
): void {
  const modifiers = ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? [])
    : [];
  if (
    modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)
  )
    return;
  scope.error(
    "MG102",
    location,
    `"${name}" is declared but not exported`,
    "write `export` before it: every type of a schema is public",
  );
}

function nameLocation(
  parseContext: ParseContext,
  statement: ts.Statement,
  name: string,
): Location {
  const { ts } = parseContext;
  if (isType(ts, statement)) return at(parseContext, statement.name);
  const entries = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations
    : [];
  return at(
    parseContext,
    entries.find((entry) => entry.name.getText(parseContext.source) === name) ??
      statement,
  );
}
