import type { ts } from "ts-morph";
import type { Scope } from "../../../diagnostics.js";
import {
  isUnion,
  maxAlternatives,
  product,
  union,
} from "../../../ir/combine.js";
import { anything, type Schema } from "../../../ir/constraint.js";
import {
  alternativesIn,
  onlyOf,
  referenceIn,
  schemaOf,
  typeIn,
} from "../../../ir/constraint/form.js";
import { at, type ParseContext } from "../parse-context.js";
import { readKeyword, readLiteral, readQuery } from "./literal.js";
import { readObject } from "./members.js";
import { readReference } from "./reference.js";
import { readUnknown, rejectType } from "./reject.js";

/**
 * The maximum nesting of types; the protocol's own have at most five levels.
 */
export const maxTypeDepth = 50;

/** The context of a function that reads one kind of syntax. */
export interface TypeContext {
  readonly parseContext: ParseContext;
  readonly scope: Scope;
  readonly depth: number;
}

/**
 * Reads any type. Reports a type that cannot be read and returns a schema of
 * any value, so that the rest of the file is read.
 */
export function readType(context: TypeContext, node: ts.TypeNode): Schema {
  const { parseContext, scope, depth } = context;
  const { ts } = parseContext;
  if (depth > maxTypeDepth) {
    scope.error(
      "MG116",
      at(parseContext, node),
      `the type is nested more than ${maxTypeDepth} levels deep`,
      "name the inner types and refer to them",
    );
    return anything;
  }
  const inner = { ...context, depth: depth + 1 };
  if (ts.isParenthesizedTypeNode(node)) return readType(inner, node.type);
  if (ts.isUnionTypeNode(node)) return readUnion(inner, node.types);
  if (ts.isIntersectionTypeNode(node)) return readIntersection(inner, node);
  if (ts.isArrayTypeNode(node)) return readArray(inner, node.elementType);
  if (
    ts.isTypeOperatorNode(node) &&
    node.operator === ts.SyntaxKind.ReadonlyKeyword
  ) {
    return readType(inner, node.type);
  }
  if (ts.isTypeLiteralNode(node)) return readObject(inner, node);
  if (ts.isLiteralTypeNode(node)) return readLiteral(inner, node);
  if (ts.isTypeQueryNode(node)) return readQuery(inner, node);
  if (ts.isTypeReferenceNode(node)) return readReference(inner, node);
  return readKeyword(parseContext, node) ?? readUnknown(inner, node);
}

/** Reads `T[]` and `Array<T>`. */
export function readArray(context: TypeContext, element: ts.TypeNode): Schema {
  return schemaOf([
    { kind: "type", types: ["array"] },
    { kind: "items", first: [], rest: readType(context, element) },
  ]);
}

/**
 * The type of an optional member. `undefined` in its union is redundant;
 * `never` means that the member must be absent.
 */
export function readOptional(context: TypeContext, node: ts.TypeNode): Schema {
  const { ts } = context.parseContext;
  if (node.kind === ts.SyntaxKind.NeverKeyword)
    return schemaOf([{ kind: "never" }]);
  if (!ts.isUnionTypeNode(node)) return readType(context, node);
  const present = node.types.filter(
    ({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword,
  );
  return present.length === 0
    ? readType(context, node)
    : readUnion({ ...context, depth: context.depth + 1 }, present);
}

/** Reads `A | B`. Rejects `undefined`, which JSON does not have. */
function readUnion(
  context: TypeContext,
  nodes: readonly ts.TypeNode[],
): Schema {
  const { ts } = context.parseContext;
  const members: Schema[] = [];
  for (const member of nodes) {
    if (member.kind === ts.SyntaxKind.UndefinedKeyword)
      rejectType(context, member);
    else members.push(readType(context, member));
  }
  return union(members);
}

/**
 * Reads `A & { … }` and `({ … } | { … }) & A`: only named types, objects and
 * unions of them can be merged.
 */
function readIntersection(
  context: TypeContext,
  node: ts.IntersectionTypeNode,
): Schema {
  const groups = node.types.map((member): readonly Schema[] => {
    const schema = readType(context, member);
    const alternatives = isUnion(schema) ? alternativesIn(schema) : [schema];
    if (isAny(schema) || alternatives.every(isObjectLike)) return alternatives;
    return [
      rejectType(
        context,
        member,
        "only named types and objects can be joined with `&`",
      ),
    ];
  });
  // A rejected member accepts any value, which adds nothing to an intersection.
  const readable = groups.filter((group) => !group.some(isAny));
  if (readable.length === 0) return anything;
  const hint = `join fewer unions, or write the members out: together they have more than ${maxAlternatives} alternatives`;
  return product(readable) ?? rejectType(context, node, hint);
}

function isAny({ checks }: Schema): boolean {
  return checks.length === 0;
}

function isObjectLike(schema: Schema): boolean {
  return (
    referenceIn(schema) !== null ||
    typeIn(schema) === "object" ||
    onlyOf(schema.checks, "all") !== null
  );
}
