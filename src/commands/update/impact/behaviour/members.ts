import type { ts } from "ts-morph";
import type { Change } from "../changes.js";
import { limitWords, quote } from "../sentences.js";
import type { Compiler } from "../../../../cli/compile/compiler.js";
import type { BehaviourChange, Context } from "./context.js";

/**
 * Changes that concern each use of a name, whether it is read, written or
 * called.
 */
const everywhere =
  /^(request-removed|notification-removed|method-renamed|(optional|required)-member-removed|format-changed|tag-added|capability-condition-added)$/;

/**
 * The change for a name of a type, a member or a method of the protocol; null
 * if its meaning stays the same.
 */
export function memberChange(
  context: Context,
  node: ts.Node,
  cause: Change,
): BehaviourChange | null {
  const { compiler } = context;
  const { change } = cause.difference;
  if (change === "bound-tightened" || change === "type-narrowed")
    return limitChange(context, node, cause);
  // It concerns the handler that sends the request, and not the one that
  // handles it.
  const isSent =
    compiler.isStringLiteralLike(node) &&
    compiler.isCallExpression(node.parent);
  if (!everywhere.test(change) && !(change === "carriage-changed" && isSent))
    return null;
  return {
    node,
    isBreaking: change === "required-member-removed" || cause.rename !== null,
    cause,
  };
}

/**
 * The change for a value that is written where the protocol has a narrower
 * limit now. The compiler checks other types.
 */
function limitChange(
  { compiler, checker }: Context,
  node: ts.Node,
  cause: Change,
): BehaviourChange | null {
  const limit = cause.difference.after ?? "";
  const value = writtenAt(compiler, node);
  if (
    value === null ||
    !/^(min|max)\w+ [-+.\de]+$|^(integer|number)( [<>]= [-+.\de]+)*$/.test(
      limit,
    )
  )
    return null;
  const size = sizeOf(compiler, checker, value);
  if (size === undefined)
    return {
      node,
      isBreaking: false,
      cause: { ...cause, advice: `keep it ${limitWords(limit)}` },
    };
  if (isWithin(limit, size)) return null;
  const sentence = `${cause.sentence}; the validator rejects ${quote(value.getText())}`;
  const advice = `write a value that is ${limitWords(limit)}`;
  return { node, isBreaking: true, cause: { ...cause, sentence, advice } };
}

/**
 * True if a number is within the limit in the text of a change: `maximum 1`,
 * `maxItems 10`, `integer >= 1 <= 5`.
 */
function isWithin(limit: string, size: number): boolean {
  const [, minimum = -Infinity] =
    /(?:^min[a-zA-Z]+|>=) (\S+)/.exec(limit) ?? [];
  const [, maximum = Infinity] = /(?:^max[a-zA-Z]+|<=) (\S+)/.exec(limit) ?? [];
  const isInteger = !limit.startsWith("integer") || Number.isInteger(size);
  return size >= Number(minimum) && size <= Number(maximum) && isInteger;
}

/**
 * The expression that gives a member its value: `1` in `{ name: 1 }` and in
 * `x.name = 1`; null if the name is not written.
 */
function writtenAt(compiler: Compiler, node: ts.Node): ts.Expression | null {
  const { parent } = node;
  if (compiler.isPropertyAssignment(parent) && parent.name === node)
    return parent.initializer;
  if (compiler.isShorthandPropertyAssignment(parent)) return parent.name;
  const { parent: outer } = parent;
  const isTarget =
    compiler.isPropertyAccessExpression(parent) &&
    compiler.isBinaryExpression(outer) &&
    outer.left === parent &&
    outer.operatorToken.kind === compiler.SyntaxKind.EqualsToken;
  return isTarget ? outer.right : null;
}

/**
 * The number that a limit applies to: a number, or the length of a text or a
 * list; undefined if it is not known.
 */
function sizeOf(
  compiler: Compiler,
  checker: ts.TypeChecker,
  value: ts.Expression,
): number | undefined {
  if (compiler.isArrayLiteralExpression(value))
    return value.elements.some(compiler.isSpreadElement)
      ? undefined
      : value.elements.length;
  if (compiler.isStringLiteralLike(value)) return [...value.text].length;
  const type = checker.getTypeAtLocation(value);
  return type.isNumberLiteral() ? type.value : undefined;
}
