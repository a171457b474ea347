import ts from "typescript";

/**
 * The kinds of a file's syntax nodes in order, without names and values. Two
 * spellings with one meaning are the same: a key is a key with or without
 * quotes, and a member that every object inherits is read with a call of
 * `getOwn`.
 */
export function syntaxOf(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, false);
  const { parseDiagnostics } = file as unknown as {
    readonly parseDiagnostics: readonly ts.Diagnostic[];
  };
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
    if (ts.isNamedImports(node) || ts.isNamedExports(node))
      return void kinds.push("names");
    if (
      ts.isCallExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === "getOwn"
    ) {
      kinds.push("read");
      node.arguments.forEach(visit);
      return;
    }
    // Parentheses depend on line breaks, and so on the length of the words.
    if (ts.isParenthesizedExpression(node)) return visit(node.expression);
    if (ts.isElementAccessExpression(node)) kinds.push("read");
    else if (isKey(node)) return void kinds.push("key");
    else kinds.push(ts.SyntaxKind[node.kind]);
    ts.forEachChild(node, visitNamed(node));
  };
  const visitNamed =
    (parent: ts.Node) =>
    (node: ts.Node): void => {
      const isName =
        "name" in parent && parent.name === node && isMember(parent);
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
  if (ts.isComputedPropertyName(node))
    return ts.isStringLiteral(node.expression);
  return ts.isIdentifier(node) || ts.isStringLiteral(node);
}

/**
 * Invisible characters, and line ends that editors do not show. What follows a
 * picture is part of an emoji.
 */
export const invisible: RegExp =
  /(?!(?<=\p{Extended_Pictographic})(?:\u200d|\ufe0f))(?:[^\P{C}\n]|[\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u034f\u115f\u1160\u3164\uffa0\u2800])/u;
