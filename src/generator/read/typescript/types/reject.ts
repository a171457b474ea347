import type { ts } from "ts-morph";
import { anything, type Schema } from "../../../ir/constraint.js";
import { at, textOf, type ParseContext } from "../parse-context.js";
import type { TypeContext } from "./index.js";

/**
 * Reports a type that the IR cannot express, and returns a schema of any value
 * so that the rest of the file is read.
 */
export function rejectType(
  { parseContext, scope }: TypeContext,
  node: ts.TypeNode,
  hint: string | null = null,
): Schema {
  scope.error(
    "MG104",
    at(parseContext, node),
    `cannot read the type "${textOf(parseContext, node)}"`,
    hint ?? hintFor(parseContext, node),
  );
  return anything;
}

/** A hint what to write instead. */
function hintFor({ ts }: ParseContext, node: ts.TypeNode): string {
  switch (node.kind) {
    case ts.SyntaxKind.UndefinedKeyword:
      return "make the member optional, because JSON has no such value: `name?: T`";
    case ts.SyntaxKind.BigIntKeyword:
    case ts.SyntaxKind.SymbolKeyword:
    case ts.SyntaxKind.VoidKeyword:
    case ts.SyntaxKind.NeverKeyword:
    case ts.SyntaxKind.FunctionType:
    case ts.SyntaxKind.ConstructorType:
      return "JSON has no such value";
    case ts.SyntaxKind.TupleType:
      return "write an array: `T[]`";
    case ts.SyntaxKind.TemplateLiteralType:
      return "write `string`";
    default:
      return "write the members out";
  }
}
