import type { ts } from "ts-morph";
import { flatten } from "../../ir/flatten.js";
import { index } from "../../ir/lookup.js";
import { changesAt, namesSwitchedOn, type CauseContext } from "../cause.js";
import type { Change } from "../changes.js";
import { nameOf } from "../nodes.js";
import { quote } from "../quote.js";
import { type BehaviourChange, behaviourChange } from "./behaviour-change.js";

/** New values that a `switch` without `default` does not handle. */
export function switchChanges(context: CauseContext, node: ts.SwitchStatement): readonly BehaviourChange[] {
  const { compiler } = context;
  const { clauses } = node.caseBlock;
  if (clauses.some(compiler.isDefaultClause)) return [];
  const { expression } = node;
  const name = nameOf(compiler, expression);
  const member = compiler.isIdentifier(name) ? name.text : null;
  const handled = new Set(
    clauses.flatMap((clause) =>
      compiler.isCaseClause(clause) && compiler.isStringLiteralLike(clause.expression)
        ? [clause.expression.text]
        : [],
    ),
  );
  return [...new Set(changesAt(context, namesSwitchedOn(context, expression)))].flatMap((cause) => {
    const value = newValue(context, cause, member);
    if (value === null || handled.has(value)) return [];
    const change = `${cause.sentence}; this ${quote("switch")} has no ${quote("case")} for it`;
    return [
      behaviourChange(node, cause, false, {
        change,
        advice: `add ${quote(`case ${JSON.stringify(value)}:`)}`,
      }),
    ];
  });
}

/** The value that a change adds: a literal, or the tag of an added alternative. */
function newValue({ compared }: CauseContext, { difference }: Change, member: string | null): string | null {
  const { change, is } = difference;
  if (is === null) return null;
  if (change === "value-added" || change === "known-value-added") {
    const value: unknown = JSON.parse(is);
    return typeof value === "string" ? value : null;
  }
  if (change !== "alternative-added" || member === null) return null;
  for (const { folder } of compared) {
    const tag = flatten(index(folder.after), is)?.properties.find(({ name }) => name === member)?.type;
    if (tag?.kind === "literal" && typeof tag.value === "string") return tag.value;
  }
  return null;
}
