import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import type { Compiler } from "../compiler.js";
import type { TypeContext } from "./index.js";
import { refuse } from "./refuse.js";

/** `"text"`, `-1`, `true`, `null`. */
export function readLiteral(context: TypeContext, node: ts.LiteralTypeNode): Type {
  const value = literalValue(context.reading.ts, node.literal);
  if (value === undefined) return refuse(context, node, "write a string, a number, true, false or null");
  return { kind: "literal", value, constant: null };
}

/** The value of a literal expression, including a minus sign; undefined for any other expression. */
export function literalValue(ts: Compiler, node: ts.Node): string | number | boolean | null | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return finite(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand)) {
    const value = finite(node.operand.text);
    if (value === undefined) return undefined;
    // JSON has no negative zero.
    if (node.operator === ts.SyntaxKind.MinusToken) return value === 0 ? 0 : -value;
    if (node.operator === ts.SyntaxKind.PlusToken) return value;
  }
  return undefined;
}

function finite(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
