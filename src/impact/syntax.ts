import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";

/** The innermost node that covers a range of a file. */
export function nodeAt(compiler: Compiler, node: ts.Node, start: number, length: number): ts.Node {
  const inner = compiler.forEachChild(node, (child) =>
    child.getStart() <= start && child.end >= start + length ? child : undefined,
  );
  return inner === undefined ? node : nodeAt(compiler, inner, start, length);
}

/** True for an operand of `===` and the like, and for the value of a `case`. */
export function isCompared(compiler: Compiler, { parent }: ts.Node): boolean {
  if (compiler.isPrefixUnaryExpression(parent)) return isCompared(compiler, parent);
  if (compiler.isCaseClause(parent)) return true;
  return compiler.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText());
}

/** The expression that gives a member its value: `1` in `{ name: 1 }` and in `x.name = 1`; null if the name is not written. */
export function writtenAt(compiler: Compiler, node: ts.Node): ts.Expression | null {
  const { parent } = node;
  if (compiler.isPropertyAssignment(parent) && parent.name === node) return parent.initializer;
  if (compiler.isShorthandPropertyAssignment(parent)) return parent.name;
  const { parent: outer } = parent;
  const isTarget =
    compiler.isPropertyAccessExpression(parent) &&
    compiler.isBinaryExpression(outer) &&
    outer.left === parent &&
    outer.operatorToken.kind === compiler.SyntaxKind.EqualsToken;
  return isTarget ? outer.right : null;
}

/** The number that a limit applies to: a number, or the length of a text or a list; undefined if it is not known. */
export function sizeOf(
  compiler: Compiler,
  checker: ts.TypeChecker,
  value: ts.Expression,
): number | undefined {
  if (compiler.isArrayLiteralExpression(value))
    return value.elements.some(compiler.isSpreadElement) ? undefined : value.elements.length;
  if (compiler.isStringLiteralLike(value)) return [...value.text].length;
  if (compiler.isPrefixUnaryExpression(value)) return Number(value.getText());
  const type = checker.getTypeAtLocation(value);
  return type.isNumberLiteral() ? type.value : undefined;
}
