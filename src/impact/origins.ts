import type { ts } from "ts-morph";
import { isName, step } from "../ir/compare/path.js";
import type { Compiler } from "./compiler.js";
import type { ImpactFolder } from "./model.js";
import { nameOf } from "./nodes.js";
import type { Overlay } from "./overlay.js";

/** A position in a generated file: a top-level declaration, and the path inside it. */
export interface Origin {
  readonly folder: ImpactFolder;
  readonly owner: string;
  /** The path of the diff: "params.name", "content[].type"; empty for the declaration itself. */
  readonly path: string;
}

/** Finds the generated declarations that a name or a literal of the user's program refers to. */
export interface Origins {
  readonly of: (node: ts.Node) => readonly Origin[];
  /** The origins of the value of a local variable: the member that its initializer reads. */
  readonly ofVariable: (node: ts.Identifier) => readonly Origin[];
  /** The generated type of an expression, by its name. */
  readonly ofType: (node: ts.Node) => readonly Origin[];
  /** The generated type that an expression must have. */
  readonly ofExpected: (node: ts.Expression) => readonly Origin[];
}

/** The origins of names in the old program. */
export function originsIn(compiler: Compiler, checker: ts.TypeChecker, overlay: Overlay): Origins {
  const originsOfSymbol = (symbol: ts.Symbol | undefined): Origin[] => {
    if (symbol === undefined) return [];
    const target =
      (symbol.flags & compiler.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
    return (target.declarations ?? []).flatMap(
      (declaration) => originOf(compiler, overlay, declaration) ?? [],
    );
  };
  const originsOfMember = (type: ts.Type | undefined, name: string): Origin[] => {
    if (type === undefined) return [];
    const parts = type.isUnion() ? type.types : [type];
    const properties = [
      checker.getPropertyOfType(type, name),
      ...parts.map((part) => checker.getPropertyOfType(part, name)),
    ];
    return properties.flatMap(originsOfSymbol);
  };
  const originsOfType = (type: ts.Type): Origin[] => {
    const parts = type.isUnionOrIntersection() ? type.types : [];
    return [
      type.aliasSymbol,
      type.getSymbol(),
      ...parts.flatMap((part) => [part.aliasSymbol, part.getSymbol()]),
    ].flatMap(originsOfSymbol);
  };
  const of: Origins["of"] = (node) => {
    const { parent } = node;
    const name = nameIn(compiler, node);
    if (name === null) return [];
    // A member of an object literal with a generated type, or a destructured member of such a type.
    if (compiler.isObjectLiteralElement(parent) && parent.name === node) {
      return distinct(
        originsOfMember(expectedType(compiler, checker, parent.parent as ts.ObjectLiteralExpression), name),
      );
    }
    if (compiler.isBindingElement(parent) && (parent.propertyName ?? parent.name) === node) {
      return distinct(originsOfMember(checker.getTypeAtLocation(parent.parent), name));
    }
    if (compiler.isElementAccessExpression(parent) && parent.argumentExpression === node) {
      return distinct(originsOfMember(checker.getTypeAtLocation(parent.expression), name));
    }
    if (compiler.isPropertyAccessExpression(parent) && parent.name === node) {
      return distinct([
        ...originsOfSymbol(checker.getSymbolAtLocation(node)),
        ...originsOfMember(checker.getTypeAtLocation(parent.expression), name),
      ]);
    }
    if (compiler.isIndexedAccessTypeNode(parent.parent) && compiler.isLiteralTypeNode(parent)) {
      return distinct(originsOfMember(checker.getTypeAtLocation(parent.parent.objectType), name));
    }
    // `context.request("method", …)` is declared once for each method.
    if (compiler.isStringLiteralLike(node) && compiler.isCallExpression(parent)) {
      const { declaration } = checker.getResolvedSignature(parent) ?? {};
      const origin = declaration === undefined ? null : originOf(compiler, overlay, declaration);
      if (origin === null || parent.arguments[0] !== node) return [];
      return [{ ...origin, path: isName(name) ? name : step(name) }];
    }
    return distinct(originsOfSymbol(checker.getSymbolAtLocation(node)));
  };
  return {
    of,
    ofVariable: (node) => {
      const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
      if (declaration === undefined || declaration.getSourceFile() !== node.getSourceFile()) return [];
      if (compiler.isBindingElement(declaration)) return of(declaration.propertyName ?? declaration.name);
      if (!compiler.isVariableDeclaration(declaration) || declaration.initializer === undefined) return [];
      return of(nameOf(compiler, declaration.initializer));
    },
    ofExpected: (node) => {
      const type = expectedType(compiler, checker, node);
      return type === undefined ? [] : distinct(originsOfType(type));
    },
    ofType: (node) => distinct(originsOfType(checker.getNonNullableType(checker.getTypeAtLocation(node)))),
  };
}

/** The type that an object literal must have. */
export function expectedType(
  compiler: Compiler,
  checker: ts.TypeChecker,
  literal: ts.Expression,
): ts.Type | undefined {
  const type = checker.getContextualType(literal);
  if (type !== undefined) return checker.getNonNullableType(type);
  return compiler.isSatisfiesExpression(literal.parent)
    ? checker.getTypeAtLocation(literal.parent.type)
    : undefined;
}

function nameIn(compiler: Compiler, node: ts.Node): string | null {
  if (compiler.isIdentifier(node) || compiler.isStringLiteralLike(node)) return node.text;
  return null;
}

/** The origin of a declaration; null outside of generated files. */
export function originOf(compiler: Compiler, overlay: Overlay, declaration: ts.Node): Origin | null {
  const file = overlay.generated(declaration.getSourceFile().fileName);
  if (file === null) return null;
  let path = "";
  for (let node = declaration; ; node = node.parent) {
    const { parent } = node;
    if (parent === undefined) return null;
    if (compiler.isSourceFile(parent) || compiler.isVariableDeclaration(node)) {
      const owner = compiler.isVariableStatement(node) ? undefined : (node as ts.DeclarationStatement).name;
      if (owner === undefined || !compiler.isIdentifier(owner)) return null;
      return { folder: file.folder, owner: owner.text, path: path.replace(/^\./, "") };
    }
    if (compiler.isIndexSignatureDeclaration(node)) path = `{}${path}`;
    else if (compiler.isArrayTypeNode(node)) path = `[]${path}`;
    else if (
      compiler.isTypeElement(node) ||
      compiler.isClassElement(node) ||
      compiler.isPropertyAssignment(node)
    ) {
      const { name } = node;
      if (name !== undefined && (compiler.isIdentifier(name) || compiler.isStringLiteral(name)))
        path = step(name.text) + path;
    } else if (compiler.isParameter(node)) return null;
  }
}

function distinct(origins: readonly Origin[]): Origin[] {
  const seen = new Map<string, Origin>();
  for (const origin of origins) seen.set(`${origin.folder.out} ${origin.owner} ${origin.path}`, origin);
  return [...seen.values()];
}
