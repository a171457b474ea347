import type { ts } from "ts-morph";
import type { Schema } from "../../../ir/constraint.js";
import { objectSchema, reference } from "../../../ir/constraint/form.js";
import { at, type ParseContext } from "../parse-context.js";
import {
  maxTypeDepth,
  readArray,
  readOptional,
  readType,
  type TypeContext,
} from "./index.js";
import { readUnknown } from "./reject.js";

/**
 * Reads a type by its name, and `Array<T>`, `ReadonlyArray<T>` and
 * `Record<K, V>` unless the file declares that name itself.
 */
export function readReference(
  context: TypeContext,
  node: ts.TypeReferenceNode,
): Schema {
  const { parseContext, scope } = context;
  if (!parseContext.ts.isIdentifier(node.typeName))
    return readUnknown(context, node);
  const name =
    parseContext.imported.get(node.typeName.text) ?? node.typeName.text;
  const [first, second, ...more] = node.typeArguments ?? [];
  const isGeneric = parseContext.declared.get(name)?.typeParameters;
  if (first === undefined && !isGeneric) {
    parseContext.uses.push({ name, location: at(parseContext, node), scope });
    return reference(name);
  }
  if (
    first !== undefined &&
    !parseContext.declared.has(name) &&
    more.length === 0
  ) {
    if (second === undefined && (name === "Array" || name === "ReadonlyArray"))
      return readArray(context, first);
    if (second !== undefined && name === "Record")
      return readRecord(context, node, first, second);
  }
  return readUnknown(context, node);
}

/**
 * `Record<string, V>` is a map, and `Record<"a" | "b", V>` an object with these
 * members.
 */
function readRecord(
  context: TypeContext,
  node: ts.TypeReferenceNode,
  key: ts.TypeNode,
  value: ts.TypeNode,
): Schema {
  // An object without known members: any object may have members that its
  // schema does not name.
  if (value.kind === context.parseContext.ts.SyntaxKind.NeverKeyword) {
    return objectSchema([], null);
  }
  const keys = keyNames(context.parseContext, key);
  const optional = mayBeUndefined(context.parseContext, value);
  const schema = (optional && Array.isArray(keys) ? readOptional : readType)(
    context,
    value,
  );
  if (keys === "any") return objectSchema([], schema);
  if (keys === null)
    return readUnknown(
      context,
      node,
      "use string or string literals as keys of a Record",
    );
  return objectSchema(
    [...new Set(keys)].map((name) => ({ name, optional, schema })),
    null,
  );
}

function mayBeUndefined({ ts }: ParseContext, node: ts.TypeNode): boolean {
  return (
    ts.isUnionTypeNode(node) &&
    node.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword)
  );
}

/**
 * The literal keys; "any" if every string is a key; null if a key is not a
 * string.
 */
function keyNames(
  parseContext: ParseContext,
  node: ts.TypeNode,
  depth = 0,
  visited = new Set<string>(),
): readonly string[] | "any" | null {
  const { ts } = parseContext;
  if (depth > maxTypeDepth) return null;
  const inner = (part: ts.TypeNode): ReturnType<typeof keyNames> =>
    keyNames(parseContext, part, depth + 1, visited);
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
    const name = node.typeName.text;
    const alias = parseContext.declared.get(name);
    if (alias === undefined || !ts.isTypeAliasDeclaration(alias)) return null;
    // The keys of an alias count once, however often it is named.
    if (visited.has(name)) return [];
    visited.add(name);
    return inner(alias.type);
  }
  if (node.kind === ts.SyntaxKind.StringKeyword) return "any";
  if (ts.isParenthesizedTypeNode(node)) return inner(node.type);
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal))
    return [node.literal.text];
  if (!ts.isUnionTypeNode(node)) return null;
  const parts = node.types.map(inner);
  if (!parts.every((part) => part !== null)) return null;
  return parts.every((part) => part !== "any") ? parts.flat() : "any";
}
