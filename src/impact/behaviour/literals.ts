import type { ts } from "ts-morph";
import type { CauseContext } from "../cause.js";
import type { Change } from "../changes.js";
import { quote } from "../quote.js";
import { type BehaviourChange, behaviourChange } from "./behaviour-change.js";
import { isCompared } from "./use.js";

/** Values that a program may contain as literals, by their JSON, with the changes that concern them. */
export type Values = ReadonlyMap<string, readonly Change[]>;

/** Method names, constants, error codes and the name of the revision, in their old form. */
export function valuesOf({ compared }: CauseContext): Values {
  const values = new Map<string, Change[]>();
  for (const { changes } of compared) {
    for (const change of changes.all) {
      const value = valueOf(change);
      if (value !== null) values.set(value, [...(values.get(value) ?? []), change]);
    }
  }
  return values;
}

function valueOf({ difference }: Change): string | null {
  const { change, subject, was } = difference;
  switch (change) {
    case "request-removed":
    case "notification-removed":
    case "sender-removed":
      return JSON.stringify(subject.name);
    case "method-renamed":
      return JSON.stringify(was);
    case "constant-changed":
    case "error-code-changed":
      return was;
    default:
      return null;
  }
}

/** The change for a literal of the program; null if its meaning stays the same. */
export function literalChange(
  { compiler }: CauseContext,
  node: ts.Node,
  cause: Change,
): BehaviourChange | null {
  const { change, is } = cause.difference;
  if (change === "constant-changed" || change === "error-code-changed") {
    // A small number or a short text is used for other things too.
    if (node.getText().length < 5) return null;
    const advice = is === null ? cause.advice : (cause.advice ?? `write ${quote(is)}`);
    return behaviourChange(node, cause, isCompared(compiler, node), { advice });
  }
  const name = compiler.isStringLiteralLike(node) ? node.text : "";
  // A method whose name is also a word needs the member `method` beside it.
  if (!name.includes("/") && !isMethod(compiler, node)) return null;
  // A message that is sent as it is written.
  const isSent = compiler.isPropertyAssignment(node.parent) && isMethod(compiler, node);
  return behaviourChange(node, cause, isSent && change !== "notification-removed");
}

/** True for `{ method: "…" }`, `x.method === "…"` and the like. */
function isMethod(compiler: Parameters<typeof isCompared>[0], { parent }: ts.Node): boolean {
  if (compiler.isPropertyAssignment(parent)) return parent.name.getText() === "method";
  if (compiler.isCaseClause(parent)) return /\bmethod$/.test(parent.parent.parent.expression.getText());
  return compiler.isBinaryExpression(parent) && /\bmethod\b/.test(parent.getText());
}
