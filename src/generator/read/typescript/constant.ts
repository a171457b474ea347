import type { ts } from "ts-morph";
import type { Scope } from "../../diagnostics.js";
import { ofValue } from "../../ir/constraint/form.js";
import type { Declaration } from "../../ir/model.js";
import { readDoc } from "./jsdoc.js";
import { at, textOf, type ParseContext } from "./parse-context.js";
import { literalValue } from "./types/literal.js";
import { nameOf } from "./types/members.js";

/**
 * Reads `const X = "text"` or `const X = -1`, and
 * `declare const X: A["member"]` of a declaration file, whose member has a
 * literal type. Several in one statement share its doc comment.
 */
export function readConstants(
  parseContext: ParseContext,
  node: ts.VariableStatement,
  scopeOf: (name: string) => Scope,
): Declaration[] {
  const { ts } = parseContext;
  const constants: Declaration[] = [];
  const isConst = (node.declarationList.flags & ts.NodeFlags.Const) !== 0;
  for (const entry of node.declarationList.declarations) {
    const scope = scopeOf(entry.name.getText(parseContext.source));
    const value =
      entry.initializer === undefined
        ? declaredValue(parseContext, entry.type)
        : valueOf(ts, entry.initializer);
    // Only `typeof` reads a list or an object, as the compiler resolves it.
    if (
      isConst &&
      ts.isIdentifier(entry.name) &&
      isComposed(ts, entry.initializer)
    )
      continue;
    const isUsable = typeof value === "string" || typeof value === "number";
    if (!ts.isIdentifier(entry.name) || !isConst || !isUsable) {
      scope.error(
        "MG111",
        at(parseContext, entry),
        `cannot read the constant "${textOf(parseContext, entry)}"`,
        'write it as `export const NAME = "text"` or `= -1`',
      );
      continue;
    }
    const schema = {
      ...ofValue(value),
      doc: readDoc(parseContext, node, scope),
    };
    constants.push({
      kind: "constant",
      name: entry.name.text,
      bases: [],
      schema,
    });
  }
  return constants;
}

type Declared = Pick<ParseContext, "constants" | "declared" | "source" | "ts">;

/**
 * The value of a literal type, written out or as the member of an interface.
 */
function declaredValue(
  { ts, source, declared, constants }: Declared,
  type: ts.TypeNode | undefined,
): ReturnType<typeof literalValue> {
  if (type === undefined) return undefined;
  if (ts.isLiteralTypeNode(type)) return literalValue(ts, type.literal);
  if (
    !ts.isIndexedAccessTypeNode(type) ||
    !ts.isLiteralTypeNode(type.indexType)
  )
    return undefined;
  const owner = declared.get(type.objectType.getText(source));
  const name = literalValue(ts, type.indexType.literal);
  if (owner === undefined || !ts.isInterfaceDeclaration(owner))
    return undefined;
  const member = owner.members.find(
    (entry) =>
      entry.name !== undefined &&
      nameOf({ ts, constants }, entry.name) === name,
  );
  const inner =
    member !== undefined && ts.isPropertySignature(member)
      ? member.type
      : undefined;
  return inner !== undefined && ts.isLiteralTypeNode(inner)
    ? literalValue(ts, inner.literal)
    : undefined;
}

function isComposed(
  ts: ParseContext["ts"],
  node: ts.Expression | undefined,
): boolean {
  if (node === undefined) return false;
  const inner =
    ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
      ? node.expression
      : node;
  return (
    ts.isArrayLiteralExpression(inner) || ts.isObjectLiteralExpression(inner)
  );
}

/** The literal's value, with or without `as const`. */
function valueOf(
  ts: ParseContext["ts"],
  node: ts.Expression,
): ReturnType<typeof literalValue> {
  return literalValue(ts, ts.isAsExpression(node) ? node.expression : node);
}
