import type { ts } from "ts-morph";
import { isName, step } from "../../../generator/ir/compare/model.js";
import type { ComparedFolder } from "./changes.js";
import type { Compiler } from "../../../cli/compile/compiler.js";
import type { Overlay } from "./overlay.js";

/**
 * A position in a generated file: a top-level declaration, and the path inside
 * it.
 */
export interface Origin {
  readonly compared: ComparedFolder;
  readonly owner: string;
  /**
   * The path of the diff: "params.name", "content[].type"; empty for the
   * declaration itself.
   */
  readonly path: string;
}

/**
 * Finds the generated declarations that a name or a literal of the user's
 * program refers to.
 */
export type Origins = (
  node: ts.Identifier | ts.StringLiteralLike,
) => readonly Origin[];

/** The origins of names in a program. */
export function originsIn(
  compiler: Compiler,
  checker: ts.TypeChecker,
  overlay: Overlay,
): Origins {
  const ofSymbol = (symbol: ts.Symbol | undefined): Origin[] => {
    if (symbol === undefined) return [];
    const isAlias = (symbol.flags & compiler.SymbolFlags.Alias) !== 0;
    const { declarations = [] } = isAlias
      ? checker.getAliasedSymbol(symbol)
      : symbol;
    return declarations.flatMap(
      (declaration) => originOf(compiler, overlay, declaration) ?? [],
    );
  };
  const ofMember = (type: ts.Type | undefined, name: string): Origin[] => {
    if (type === undefined) return [];
    return [type, ...(type.isUnion() ? type.types : [])].flatMap((part) =>
      ofSymbol(checker.getPropertyOfType(part, name)),
    );
  };
  return (node) => {
    const { parent, text } = node;
    // A member of an object literal with a generated type, or a destructured
    // member of such a type.
    if (compiler.isObjectLiteralElement(parent) && parent.name === node) {
      const type = checker.getContextualType(
        parent.parent as ts.ObjectLiteralExpression,
      );
      return ofMember(type && checker.getNonNullableType(type), text);
    }
    if (
      compiler.isBindingElement(parent) &&
      (parent.propertyName ?? parent.name) === node
    )
      return ofMember(checker.getTypeAtLocation(parent.parent), text);
    // `context.request("method", …)` is declared once for each method.
    if (compiler.isStringLiteralLike(node)) {
      if (!compiler.isCallExpression(parent) || parent.arguments[0] !== node)
        return [];
      const { declaration } = checker.getResolvedSignature(parent) ?? {};
      const origin =
        declaration === undefined
          ? null
          : originOf(compiler, overlay, declaration);
      return origin === null
        ? []
        : [{ ...origin, path: isName(text) ? text : step(text) }];
    }
    const own = ofSymbol(checker.getSymbolAtLocation(node));
    return compiler.isPropertyAccessExpression(parent) && parent.name === node
      ? [
          ...own,
          ...ofMember(checker.getTypeAtLocation(parent.expression), text),
        ]
      : own;
  };
}

/** The origin of a declaration; null outside of generated files. */
function originOf(
  compiler: Compiler,
  overlay: Overlay,
  declaration: ts.Node,
): Origin | null {
  const file = overlay.generated(declaration.getSourceFile().fileName);
  if (file === null) return null;
  let path = "";
  for (let node = declaration; ; node = node.parent) {
    const { parent } = node;
    if (parent === undefined) return null;
    if (compiler.isSourceFile(parent) || compiler.isVariableDeclaration(node)) {
      const owner = compiler.isVariableStatement(node)
        ? undefined
        : (node as ts.DeclarationStatement).name;
      if (owner === undefined || !compiler.isIdentifier(owner)) return null;
      return {
        compared: file.compared,
        owner: owner.text,
        path: path.replace(/^\./, ""),
      };
    }
    if (compiler.isIndexSignatureDeclaration(node)) path = `{}${path}`;
    else if (compiler.isArrayTypeNode(node)) path = `[]${path}`;
    else if (compiler.isTypeElement(node) || compiler.isClassElement(node)) {
      const { name } = node;
      if (
        name !== undefined &&
        (compiler.isIdentifier(name) || compiler.isStringLiteral(name))
      )
        path = step(name.text) + path;
    }
  }
}
