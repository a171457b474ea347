import type { ts } from "ts-morph";
import {
  anything,
  type Schema,
  type TypeName,
} from "../../../ir/constraint.js";
import {
  constantNote,
  ofValue,
  schemaOf,
} from "../../../ir/constraint/form.js";
import type { ParseContext, Compiler } from "../parse-context.js";
import type { TypeContext } from "./index.js";
import { readUnknown, rejectType } from "./reject.js";

/**
 * Reads `string`, `number`, `boolean`, `unknown`, `any` and `object`; null for
 * any other node.
 */
export function readKeyword(
  { ts }: ParseContext,
  node: ts.TypeNode,
): Schema | null {
  switch (node.kind) {
    case ts.SyntaxKind.StringKeyword:
      return ofType("string");
    case ts.SyntaxKind.NumberKeyword:
      return ofType("number");
    case ts.SyntaxKind.BooleanKeyword:
      return ofType("boolean");
    // In JSON, `any` and `unknown` are the same set of values.
    case ts.SyntaxKind.UnknownKeyword:
    case ts.SyntaxKind.AnyKeyword:
      return anything;
    case ts.SyntaxKind.ObjectKeyword:
      return ofType("object");
    default:
      return null;
  }
}

function ofType(type: TypeName): Schema {
  return schemaOf([{ kind: "type", types: [type] }]);
}

/** `"text"`, `-1`, `true`, `null`. */
export function readLiteral(
  context: TypeContext,
  node: ts.LiteralTypeNode,
): Schema {
  const value = literalValue(context.parseContext.ts, node.literal);
  if (value === undefined)
    return rejectType(
      context,
      node,
      "write a string, a number, true, false or null",
    );
  return ofValue(value);
}

/**
 * The value of a literal expression, including a minus sign; undefined for any
 * other expression.
 */
export function literalValue(
  ts: Compiler,
  node: ts.Node,
): string | number | boolean | null | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return node.text;
  if (ts.isNumericLiteral(node)) return finite(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand)) {
    const value = finite(node.operand.text);
    if (value === undefined) return undefined;
    // JSON has no negative zero.
    if (node.operator === ts.SyntaxKind.MinusToken)
      return value === 0 ? 0 : -value;
    if (node.operator === ts.SyntaxKind.PlusToken) return value;
  }
  return undefined;
}

function finite(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Reads `typeof CONST`: the constant's value and name. */
export function readQuery(
  context: TypeContext,
  node: ts.TypeQueryNode,
): Schema {
  const { parseContext } = context;
  const name = parseContext.ts.isIdentifier(node.exprName)
    ? node.exprName.text
    : null;
  const constant = name === null ? undefined : parseContext.constants.get(name);
  if (constant === undefined || node.typeArguments !== undefined) {
    return readUnknown(
      context,
      node,
      "use `typeof` only for constants that this file exports",
    );
  }
  const note = {
    keyword: constantNote,
    value: constant.name,
    isCondition: false,
  };
  return { ...constant.schema, doc: anything.doc, notes: [note] };
}
