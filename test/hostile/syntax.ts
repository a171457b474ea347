import ts from "typescript";

/**
 * A file's syntax without its words: the kinds of its nodes in order. Two spellings of one thing count as one: a key is
 * a key however it is quoted, and a member that every object inherits is read by a call of `own`.
 */
export function syntaxOf(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, false);
  const { parseDiagnostics } = file as unknown as { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  const [fault] = parseDiagnostics;
  if (fault !== undefined) {
    const { line } = file.getLineAndCharacterOfPosition(fault.start ?? 0);
    const shown = text
      .split("\n")
      .slice(Math.max(0, line - 1), line + 2)
      .join("\n")
      .slice(0, 600);
    throw new Error(
      `${path}:${line + 1} ${ts.flattenDiagnosticMessageText(fault.messageText, " ")}\n${shown}`,
    );
  }
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNamedImports(node) || ts.isNamedExports(node)) return void kinds.push("names");
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "own") {
      kinds.push("read");
      node.arguments.forEach(visit);
      return;
    }
    // Put around what does not fit on a line, so it depends on how long the words are.
    if (ts.isParenthesizedExpression(node)) return visit(node.expression);
    if (ts.isElementAccessExpression(node)) kinds.push("read");
    else if (isKey(node)) return void kinds.push("key");
    else kinds.push(ts.SyntaxKind[node.kind]);
    ts.forEachChild(node, visitNamed(node));
  };
  const visitNamed =
    (parent: ts.Node) =>
    (node: ts.Node): void => {
      const isName = "name" in parent && parent.name === node && isMember(parent);
      if (isName && isKey(node)) kinds.push("key");
      else visit(node);
    };
  ts.forEachChild(file, visit);
  return kinds.join(" ");
}

function isMember(node: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(node) ||
    ts.isPropertySignature(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node)
  );
}

function isKey(node: ts.Node): boolean {
  if (ts.isComputedPropertyName(node)) return ts.isStringLiteral(node.expression);
  return ts.isIdentifier(node) || ts.isStringLiteral(node);
}

/** Characters that hide from a reader's eye or end a line unseen. */
export const invisible: RegExp = /[^\P{C}\n]|[\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/u;
