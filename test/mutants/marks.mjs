// Which steps of a source run: a statement, and a branch of an expression. A
// text with marks tells each step that it comes to, so that a fault is tried by
// the tests alone that reach its step.
import ts from "typescript";

const { SyntaxKind } = ts;

/** Operators whose right side may be left out. */
const choices = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
]);

/** Expressions that do not always run when the one around them does. */
function branchesOf(node) {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (ts.isBinaryExpression(node) && choices.has(node.operatorToken.kind))
    return [node.right];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [node.body];
  return [];
}

/** Statements of an `if` or a loop without braces. */
const bareIn = (node) =>
  [node.thenStatement, node.elseStatement, node.statement].filter(
    (one) => one && !ts.isBlock(one) && !ts.isLabeledStatement(node),
  );

const isList = (node) =>
  (ts.isBlock(node) && !ts.isSourceFile(node.parent)) ||
  ts.isCaseClause(node) ||
  ts.isDefaultClause(node);

/** The steps of a source, those around others first: `{ start, end, form }`. */
export function stepsIn(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const steps = [];
  const add = (node, form) =>
    steps.push({ start: node.getStart(file), end: node.end, form });
  const visit = (node) => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (isList(node))
      for (const one of node.statements)
        if (!ts.isFunctionDeclaration(one)) add(one, "statement");
    for (const one of bareIn(node)) add(one, "bare");
    for (const one of branchesOf(node)) add(one, "expression");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return steps;
}

/** The text of a source that calls `mcpgenMark(path, step)` at each step. */
export function marked(path, text) {
  const added = stepsIn(path, text).flatMap(({ start, end, form }, at) => {
    const mark = `globalThis.mcpgenMark?.(${JSON.stringify(path)},${at})`;
    if (form === "statement") return [[start, `${mark};`]];
    return form === "bare"
      ? [
          [start, `{${mark};`],
          [end, "}"],
        ]
      : [
          [start, `(${mark},`],
          [end, ")"],
        ];
  });
  const sorted = added
    .map((one, at) => [...one, at])
    .sort(([a, , one], [b, , other]) => a - b || one - other);
  let [result, done] = ["", 0];
  for (const [at, insert] of sorted) {
    result += text.slice(done, at) + insert;
    done = at;
  }
  return result + text.slice(done);
}

/** The innermost step around a place; -1 for what runs when the file is loaded. */
export function stepAt(steps, place) {
  let found = -1;
  for (const [at, { start, end }] of steps.entries())
    if (start <= place && place < end)
      if (found < 0 || steps[found].start <= start) found = at;
  return found;
}
