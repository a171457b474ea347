// What a mutant changes: one small fault that a person could write, by kinds.
import ts from "typescript";

const { SyntaxKind } = ts;

/** Operators that take the place of another. */
const operators = new Map([
  [SyntaxKind.AmpersandAmpersandToken, ["and-or", "||"]],
  [SyntaxKind.BarBarToken, ["and-or", "&&"]],
  [SyntaxKind.EqualsEqualsEqualsToken, ["equality", "!=="]],
  [SyntaxKind.ExclamationEqualsEqualsToken, ["equality", "==="]],
  [SyntaxKind.LessThanToken, ["order", "<="]],
  [SyntaxKind.LessThanEqualsToken, ["order", "<"]],
  [SyntaxKind.GreaterThanToken, ["order", ">="]],
  [SyntaxKind.GreaterThanEqualsToken, ["order", ">"]],
  [SyntaxKind.PlusToken, ["sum", "-"]],
  [SyntaxKind.MinusToken, ["sum", "+"]],
  [SyntaxKind.PlusEqualsToken, ["sum", "-="]],
  [SyntaxKind.MinusEqualsToken, ["sum", "+="]],
]);

/** Methods that take the place of each other. */
const methods = new Map(
  [
    ["some", "every"],
    ["push", "unshift"],
    ["shift", "pop"],
    ["indexOf", "lastIndexOf"],
    ["startsWith", "endsWith"],
    ["trimStart", "trimEnd"],
    ["toLowerCase", "toUpperCase"],
    ["min", "max"],
    ["reduce", "reduceRight"],
  ].flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);

/** Methods whose call is left out: what they are called on takes its place. */
const leftOut = new Set(["filter", "reverse", "slice", "sort", "trim"]);

/** The condition of a statement or an expression. */
const conditionOf = (node) =>
  ts.isIfStatement(node) || ts.isWhileStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node)
      ? node.condition
      : undefined;

/** Whether a string is a value, and no name of a module, a member or a type. */
const isValue = ({ parent, pos }) =>
  parent.name?.pos !== pos &&
  !ts.isLiteralTypeNode(parent) &&
  !ts.isImportDeclaration(parent) &&
  !ts.isExportDeclaration(parent) &&
  !ts.isExternalModuleReference(parent) &&
  !ts.isPropertySignature(parent) &&
  !ts.isComputedPropertyName(parent) &&
  !ts.isExpressionStatement(parent);

/** Whether a return is the end of what an `if` does. */
function isEarly({ parent }) {
  const branch = ts.isBlock(parent) ? parent : undefined;
  const owner = branch ? branch.parent : parent;
  return ts.isIfStatement(owner) && owner.elseStatement === undefined;
}

/**
 * Whether `await` makes no difference that a test could see: the linter refuses
 * a promise that nobody awaits, and a function that ends with an awaited value
 * ends so without, too.
 */
function isNeedless({ parent }) {
  if (ts.isExpressionStatement(parent) || ts.isArrowFunction(parent))
    return true;
  if (!ts.isReturnStatement(parent)) return false;
  let above = parent.parent;
  while (!ts.isFunctionLike(above) && !ts.isTryStatement(above))
    above = above.parent;
  return ts.isFunctionLike(above);
}

const isCall = (node) =>
  ts.isCallExpression(node) && node.expression.kind !== SyntaxKind.SuperKeyword;

/** What can be changed at one node: `[kind, what is replaced, by what]`. */
function* changesAt(node, file) {
  const condition = conditionOf(node);
  if (condition)
    yield ["condition", condition, `!(${condition.getText(file)})`];
  if (ts.isBinaryExpression(node)) {
    const [kind, text] = operators.get(node.operatorToken.kind) ?? [];
    if (kind) yield [kind, node.operatorToken, text];
  }
  if (ts.isAwaitExpression(node) && !isNeedless(node))
    yield ["await", node, node.expression.getText(file)];
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    if (
      isCall(
        ts.isAwaitExpression(expression) ? expression.expression : expression,
      )
    )
      yield ["call", node, ";"];
  }
  if (ts.isStringLiteralLike(node) && node.text !== "" && isValue(node))
    yield ["string", node, '""'];
  if (
    (node.kind === SyntaxKind.TrueKeyword ||
      node.kind === SyntaxKind.FalseKeyword) &&
    !ts.isLiteralTypeNode(node.parent)
  )
    yield ["boolean", node, String(node.kind === SyntaxKind.FalseKeyword)];
  if (ts.isReturnStatement(node) && isEarly(node)) yield ["return", node, ";"];
  // Where it may be undefined, the compiler refuses this, and the linter a `!`.
  if (node.kind === SyntaxKind.QuestionDotToken)
    yield [
      "optional",
      node,
      ts.isPropertyAccessExpression(node.parent) ? "." : "",
    ];
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression)
  ) {
    const { name, expression } = node.expression;
    const other = methods.get(name.text);
    if (other) yield ["method", name, other];
    if (leftOut.has(name.text))
      yield ["method", node, expression.getText(file)];
  }
}

/**
 * Every mutant of a file: its kind, the place in the text, and what stands
 * there instead.
 */
export function mutantsIn(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    for (const [kind, changed, replacement] of changesAt(node, file)) {
      const [start, end] = [changed.getStart(file), changed.end];
      const { line } = file.getLineAndCharacterOfPosition(start);
      found.push({ path, kind, start, end, replacement, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The text of a file with the change of a mutant. */
export const mutated = (text, { start, end, replacement }) =>
  text.slice(0, start) + replacement + text.slice(end);
