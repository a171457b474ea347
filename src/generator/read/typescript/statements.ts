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
import { Resolver } from "./resolved.js";
import { applyTags } from "./tags.js";
import { resolve } from "./types/reject.js";
import { readType } from "./types/index.js";

/**
 * The declarations of a file with their positions, and every name that they
 * use.
 */
interface Statements {
  readonly declarations: Declaration[];
  readonly locations: Locations;
  readonly uses: readonly Use[];
  /** Names of rejected declarations; their uses are not reported again. */
  readonly rejected: ReadonlySet<string>;
}

/** Reads statements: all of the file's, or those without syntax errors. */
export function readStatements(
  {
    ts,
    source,
    file,
    isWhole,
  }: Pick<ParseContext, "ts" | "source" | "file" | "isWhole">,
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
  const fileContext = { ts, source, file, isWhole, declared, locations };
  const resolver = new Resolver(fileContext);
  const before = {
    ...fileContext,
    constants: new Map(),
    imported,
    interfaces: interfacesOf(ts, statements),
    resolver,
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
    if (isMerged(parseContext, statement)) continue;
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
    declarations: [...declarations.values(), ...resolver.declarations],
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
    // Each use of a generic type becomes a declaration.
    if (statement.typeParameters !== undefined) return [];
    return ts.isInterfaceDeclaration(statement)
      ? [
          readInterface(
            parseContext,
            statement.name.text,
            parseContext.interfaces.get(statement.name.text) ?? [],
            scope,
          ),
        ]
      : [readAlias(parseContext, statement, scope)];
  }
  if (ts.isEnumDeclaration(statement)) {
    const scope = diagnostics.in(`enum ${statement.name.text}`);
    return readEnum(parseContext, statement, scope);
  }
  const inner = membersOf(parseContext, statement);
  if (inner !== null) {
    for (const member of inner)
      readMember(parseContext, member, diagnostics.root);
    return [];
  }
  rejectStatement(parseContext, statement, diagnostics.root);
  return [];
}

/** All declarations of each interface. */
function interfacesOf(
  ts: Compiler,
  statements: readonly ts.Statement[],
): Map<string, ts.InterfaceDeclaration[]> {
  const interfaces = new Map<string, ts.InterfaceDeclaration[]>();
  for (const entry of statements) {
    if (!ts.isInterfaceDeclaration(entry)) continue;
    const known = interfaces.get(entry.name.text);
    if (known === undefined) interfaces.set(entry.name.text, [entry]);
    else known.push(entry);
  }
  return interfaces;
}

/** Tests for an interface that was read with its first declaration. */
function isMerged(
  { ts, interfaces }: ParseContext,
  statement: ts.Statement,
): boolean {
  return (
    ts.isInterfaceDeclaration(statement) &&
    interfaces.get(statement.name.text)?.[0] !== statement
  );
}

/** Reads `enum X { … }` as a union of its values. */
function readEnum(
  parseContext: ParseContext,
  node: ts.EnumDeclaration,
  scope: Scope,
): Declaration[] {
  const doc = readDoc(parseContext, node, scope);
  const schema = resolve({ parseContext, scope }, node);
  return schema === null
    ? []
    : [
        {
          kind: "alias",
          name: node.name.text,
          bases: [],
          schema: { ...schema, doc },
        },
      ];
}

/** The statements of a namespace; null for any other statement. */
function membersOf(
  { ts }: ParseContext,
  statement: ts.Statement,
): readonly ts.Statement[] | null {
  return ts.isModuleDeclaration(statement) &&
    ts.isIdentifier(statement.name) &&
    statement.body !== undefined &&
    ts.isModuleBlock(statement.body)
    ? statement.body.statements
    : null;
}

/** Reads a type of a namespace, whose name begins with that of the namespace. */
function readMember(
  parseContext: ParseContext,
  node: ts.Statement,
  scope: Scope,
): void {
  const { ts } = parseContext;
  const inner = membersOf(parseContext, node);
  for (const member of inner ?? []) readMember(parseContext, member, scope);
  const isGeneric = isType(ts, node) && node.typeParameters !== undefined;
  if (inner !== null || isGeneric) return;
  if (isType(ts, node) || ts.isEnumDeclaration(node))
    resolve({ parseContext, scope }, node);
  else rejectStatement(parseContext, node, scope);
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
