import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";

/** The innermost node that covers a range of a file. */
export function nodeAt(compiler: Compiler, file: ts.SourceFile, start: number, length: number): ts.Node {
  const end = start + length;
  let node: ts.Node = file;
  for (;;) {
    const inner: ts.Node | undefined = compiler.forEachChild(node, (child) =>
      child.getStart(file) <= start && child.end >= end ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

/** Visits a node and everything inside it, in the order of the text. */
export function eachNode(compiler: Compiler, node: ts.Node, visit: (node: ts.Node) => void): void {
  const open: ts.Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visit(next);
    const children: ts.Node[] = [];
    compiler.forEachChild(next, (child) => {
      children.push(child);
    });
    for (const child of children.reverse()) open.push(child);
  }
}

/** The name in an expression: `c` in `a.b.c` and in `a.b.c(…)`; the node itself if it is a name. */
export function nameOf(compiler: Compiler, node: ts.Node): ts.Node {
  if (compiler.isPropertyAccessExpression(node)) return node.name;
  if (compiler.isElementAccessExpression(node)) return node.argumentExpression;
  if (compiler.isCallExpression(node) || compiler.isNewExpression(node) || compiler.isNonNullExpression(node))
    return nameOf(compiler, node.expression);
  if (compiler.isAwaitExpression(node) || compiler.isParenthesizedExpression(node))
    return nameOf(compiler, node.expression);
  if (compiler.isTypeReferenceNode(node)) return nameOf(compiler, node.typeName);
  if (compiler.isQualifiedName(node)) return node.right;
  if (compiler.isImportSpecifier(node) || compiler.isExportSpecifier(node))
    return node.propertyName ?? node.name;
  if (
    (compiler.isPropertyAssignment(node) || compiler.isMethodDeclaration(node)) &&
    !compiler.isComputedPropertyName(node.name)
  )
    return node.name;
  return node;
}
