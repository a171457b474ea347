import type { ts } from "ts-morph";
import type { Change } from "../changes.js";
import type { Compiler } from "../../../../cli/compile/compiler.js";
import type { BehaviourChange, Context } from "./context.js";

/**
 * Returns the changes of a literal: of a method, a constant, an error code, or
 * the kind of a batch.
 */
export function literalsOf({
  compiler,
  compared,
}: Context): (node: ts.Node) => readonly BehaviourChange[] {
  const values = new Map<string, Change[]>();
  for (const change of compared.flatMap(({ changes }) => changes)) {
    const value = valueOf(change);
    if (value !== null)
      values.set(value, [...(values.get(value) ?? []), change]);
  }
  return (node) =>
    textsOf(compiler, node).flatMap((text) =>
      (values.get(text) ?? []).flatMap(
        (cause) => changeAt(compiler, node, text, cause) ?? [],
      ),
    );
}

/** The old value, as JSON, that a program may contain as a literal. */
function valueOf({
  difference: { change, subject, path, before },
}: Change): string | null {
  if (change === "batches-removed") return '"batch"';
  if (/^(constant|error-code)-changed$/.test(change)) return before;
  if (change === "method-renamed") return JSON.stringify(before);
  const isMessage = subject.kind === "method" && path === "";
  return isMessage && /-removed$|^tag-added$/.test(change)
    ? JSON.stringify(subject.name)
    : null;
}

/**
 * A number, or a text and the methods in it, as JSON. A path of a file or a URL
 * is no method.
 */
function textsOf(compiler: Compiler, node: ts.Node): readonly string[] {
  if (compiler.isNumericLiteral(node)) {
    const isSigned = compiler.isPrefixUnaryExpression(node.parent);
    return [isSigned ? node.parent.getText() : node.text];
  }
  const isText =
    compiler.isStringLiteralLike(node) ||
    compiler.isTemplateHead(node) ||
    compiler.isTemplateMiddleOrTemplateTail(node);
  if (!isText) return [];
  const methods =
    node.text.match(/(?<![\w$./])[\w$]+(?:\/[\w$]+)+(?![\w$/]|\.\w)/g) ?? [];
  return [...new Set([node.text, ...methods])].map((text) =>
    JSON.stringify(text),
  );
}

function changeAt(
  compiler: Compiler,
  node: ts.Node,
  text: string,
  cause: Change,
): BehaviourChange | null {
  const { change } = cause.difference;
  if (/^(constant|error-code)-changed$/.test(change)) {
    // A small number or a short text is used for other things too.
    return text.length < 5
      ? null
      : { node, isBreaking: isCompared(compiler, node), cause };
  }
  const isValue = isValueOf(
    change === "batches-removed" ? "kind" : "method",
    compiler,
    node,
  );
  // A name that is also a word, or that one side still sends, needs the member
  // beside it.
  if (!isValue && (!text.includes("/") || change === "sender-removed"))
    return null;
  // A message that is sent as it is written.
  const isSent = isValue && compiler.isPropertyAssignment(node.parent);
  return {
    node,
    isBreaking:
      isSent && /^(request|sender)-removed$|^method-renamed$/.test(change),
    cause,
  };
}

/**
 * True for the literal in `{ method: "…" }`, `x.method === "…"` and the like,
 * for the member `method`.
 */
function isValueOf(
  member: string,
  compiler: Compiler,
  { parent }: ts.Node,
): boolean {
  if (compiler.isPropertyAssignment(parent))
    return parent.name.getText() === member;
  if (!compiler.isCaseClause(parent) && !compiler.isBinaryExpression(parent))
    return false;
  const compared = compiler.isCaseClause(parent)
    ? parent.parent.parent.expression
    : parent;
  return new RegExp(`\\b${member}\\b`).test(compared.getText());
}

/** True for an operand of `===` and the like, and for the value of a `case`. */
function isCompared(compiler: Compiler, { parent }: ts.Node): boolean {
  if (compiler.isPrefixUnaryExpression(parent))
    return isCompared(compiler, parent);
  if (compiler.isCaseClause(parent)) return true;
  return (
    compiler.isBinaryExpression(parent) &&
    /^[!=]==?$/.test(parent.operatorToken.getText())
  );
}
