import type { ts } from "ts-morph";
import { quote } from "../sentences.js";
import type { BehaviourChange, Context } from "./context.js";

/** New values that a `switch` without `default` does not handle: those that the type has in the new program only. */
export function newCases(context: Context, node: ts.SwitchStatement): BehaviourChange[] {
  const { compiler, checker, newChecker, causeOf } = context;
  const { clauses } = node.caseBlock;
  if (clauses.some(compiler.isDefaultClause)) return [];
  const { expression } = node;
  const known = new Set(valuesOf(checker, expression));
  for (const clause of clauses) if (compiler.isCaseClause(clause)) known.add(clause.expression.getText());
  const owner = compiler.isPropertyAccessExpression(expression) ? expression.expression : expression;
  const type = checker.typeToString(checker.getTypeAtLocation(owner));
  return valuesOf(newChecker, expression).flatMap((value): BehaviourChange[] => {
    const cause = known.has(value) ? null : causeOf([value, 4], [type, 2]);
    if (cause === null) return [];
    const sentence = `${cause.sentence}; this ${quote("switch")} has no ${quote("case")} for it`;
    const advice = `add ${quote(`case ${value}:`)}`;
    return [{ node, isBreaking: false, cause: { ...cause, sentence, advice } }];
  });
}

/** The texts that the type of an expression allows, as literals. */
function valuesOf(checker: ts.TypeChecker, expression: ts.Expression): readonly string[] {
  const type = checker.getTypeAtLocation(expression);
  const values = type.isUnion() ? type.types : [type];
  return values.flatMap((value) => (value.isStringLiteral() ? [JSON.stringify(value.value)] : []));
}
