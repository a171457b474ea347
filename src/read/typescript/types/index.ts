import type { ts } from "ts-morph";
import type { Scope } from "../../../diagnostics.js";
import type { Type } from "../../../ir/model.js";
import { maxTypeDepth } from "../../../ir/walk.js";
import { at, type Reading } from "../reading.js";
import { readArray } from "./array.js";
import { readIntersection } from "./intersection.js";
import { readKeyword } from "./keyword.js";
import { readLiteral } from "./literal.js";
import { readObject } from "./members.js";
import { readQuery } from "./query.js";
import { readReference } from "./reference.js";
import { refuse } from "./refuse.js";
import { readUnion } from "./union.js";

/** The context of a function that reads one kind of syntax. */
export interface TypeContext {
  readonly reading: Reading;
  readonly scope: Scope;
  readonly depth: number;
}

/** Reads any type. Reports a type that cannot be read and returns `unknown`, so that the rest of the file is read. */
export function readType(context: TypeContext, node: ts.TypeNode): Type {
  const { reading, scope, depth } = context;
  const { ts } = reading;
  if (depth > maxTypeDepth) {
    scope.error(
      "MG116",
      at(reading, node),
      `the type nests more than ${maxTypeDepth} levels deep`,
      "name the inner types and refer to them",
    );
    return { kind: "unknown" };
  }
  const inner = { ...context, depth: depth + 1 };
  if (ts.isParenthesizedTypeNode(node)) return readType(inner, node.type);
  if (ts.isUnionTypeNode(node)) return readUnion(inner, node);
  if (ts.isIntersectionTypeNode(node)) return readIntersection(inner, node);
  if (ts.isArrayTypeNode(node)) return readArray(inner, node.elementType);
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword) {
    return readType(inner, node.type);
  }
  if (ts.isTypeLiteralNode(node)) return readObject(inner, node);
  if (ts.isLiteralTypeNode(node)) return readLiteral(inner, node);
  if (ts.isTypeQueryNode(node)) return readQuery(inner, node);
  if (ts.isTypeReferenceNode(node)) return readReference(inner, node);
  return readKeyword(reading, node) ?? refuse(inner, node);
}
