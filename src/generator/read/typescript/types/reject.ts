import type { ts } from "ts-morph";
import { anything, type Schema } from "../../../ir/constraint.js";
import { at, textOf, Unreadable, type ParseContext } from "../parse-context.js";
import type { TypeContext } from "./index.js";

/**
 * Reads a type of any other syntax as the compiler resolves it, or reports it.
 */
export function readUnknown(
  context: TypeContext,
  node: ts.TypeNode,
  hint: string | null = null,
): Schema {
  if (isImpossible(context.parseContext, node))
    return rejectType(context, node, hint);
  return resolve(context, node, hint) ?? anything;
}

/**
 * The schema of a type or a declaration as the compiler resolves it; null after
 * an error.
 */
export function resolve(
  { parseContext, scope }: Pick<TypeContext, "parseContext" | "scope">,
  node: ts.Node,
  hint: string | null = null,
): Schema | null {
  try {
    return parseContext.resolver.read(scope, node);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const text = textOf(parseContext, node);
    if (error.isTooLarge) {
      const message = `the type "${text}" has too many parts`;
      scope.error("MG504", at(parseContext, node), message, error.hint);
    } else rejectType({ parseContext, scope }, node, hint ?? error.hint);
    return null;
  }
}

/**
 * Reports a type that the IR cannot express, and returns a schema of any value
 * so that the rest of the file is read.
 */
export function rejectType(
  { parseContext, scope }: Pick<TypeContext, "parseContext" | "scope">,
  node: ts.Node,
  hint: string | null = null,
): Schema {
  scope.error(
    "MG104",
    at(parseContext, node),
    `cannot read the type "${textOf(parseContext, node)}"`,
    hint ??
      (node.kind === parseContext.ts.SyntaxKind.UndefinedKeyword
        ? "make the member optional, because JSON has no such value: `name?: T`"
        : "JSON has no such value"),
  );
  return anything;
}

/** Tests for a type without JSON values. */
function isImpossible({ ts }: ParseContext, { kind }: ts.TypeNode): boolean {
  switch (kind) {
    case ts.SyntaxKind.UndefinedKeyword:
    case ts.SyntaxKind.BigIntKeyword:
    case ts.SyntaxKind.SymbolKeyword:
    case ts.SyntaxKind.VoidKeyword:
    case ts.SyntaxKind.NeverKeyword:
    case ts.SyntaxKind.FunctionType:
    case ts.SyntaxKind.ConstructorType:
      return true;
    default:
      return false;
  }
}
