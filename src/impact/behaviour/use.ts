import type { ts } from "ts-morph";
import type { Compiler } from "../compiler.js";

/** How the program uses a name. */
export type Use =
  /** It supplies the value of a member; null if that is not an expression of its own. */
  | { readonly kind: "write"; readonly value: ts.Expression | null }
  | { readonly kind: "read" }
  /** It compares the value with others. */
  | { readonly kind: "compare" }
  /** It declares a handler, or another member whose value is a function. */
  | { readonly kind: "handle" }
  | { readonly kind: "other" };

/** Classifies the use of a name by the syntax around it. */
export function useOf(compiler: Compiler, node: ts.Node): Use {
  const { parent } = node;
  if (compiler.isPropertyAssignment(parent) && parent.name === node) {
    const isFunction = compiler.isFunctionLike(parent.initializer);
    return isFunction ? { kind: "handle" } : { kind: "write", value: parent.initializer };
  }
  if (compiler.isMethodDeclaration(parent) && parent.name === node) return { kind: "handle" };
  if (compiler.isShorthandPropertyAssignment(parent)) return { kind: "write", value: parent.name };
  if (compiler.isBindingElement(parent)) return { kind: "read" };
  const access = accessOf(compiler, node);
  if (access !== null) {
    const { parent: outer } = access;
    const isTarget =
      compiler.isBinaryExpression(outer) &&
      outer.left === access &&
      outer.operatorToken.kind === compiler.SyntaxKind.EqualsToken;
    return isTarget ? { kind: "write", value: outer.right } : { kind: "read" };
  }
  return isCompared(compiler, node) ? { kind: "compare" } : { kind: "other" };
}

function accessOf(compiler: Compiler, node: ts.Node): ts.Expression | null {
  const { parent } = node;
  if (compiler.isPropertyAccessExpression(parent) && parent.name === node) return parent;
  if (compiler.isElementAccessExpression(parent) && parent.argumentExpression === node) return parent;
  return null;
}

/** True for an operand of `===` and the like, and for the value of a `case`. */
export function isCompared(compiler: Compiler, node: ts.Node): boolean {
  const { parent } = node;
  if (compiler.isPrefixUnaryExpression(parent)) return isCompared(compiler, parent);
  if (compiler.isCaseClause(parent)) return true;
  if (!compiler.isBinaryExpression(parent)) return false;
  const { SyntaxKind } = compiler;
  return [
    SyntaxKind.EqualsEqualsEqualsToken,
    SyntaxKind.ExclamationEqualsEqualsToken,
    SyntaxKind.EqualsEqualsToken,
    SyntaxKind.ExclamationEqualsToken,
  ].includes(parent.operatorToken.kind);
}

/** The value of an expression that is always the same; undefined if it is not known. */
export function constantOf(
  compiler: Compiler,
  checker: ts.TypeChecker,
  value: ts.Expression | null,
): string | number | undefined {
  if (value === null) return undefined;
  if (compiler.isStringLiteralLike(value)) return value.text;
  if (compiler.isNumericLiteral(value)) return Number(value.text);
  if (
    compiler.isPrefixUnaryExpression(value) &&
    value.operator === compiler.SyntaxKind.MinusToken &&
    compiler.isNumericLiteral(value.operand)
  )
    return -Number(value.operand.text);
  const type = checker.getTypeAtLocation(value);
  return type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined;
}
