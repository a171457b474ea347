import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import { readType, type TypeContext } from "./index.js";
import { union } from "../../../ir/combine.js";
import { refuse } from "./refuse.js";

/** Reads `A | B`. Rejects `undefined`, which JSON does not have. */
export function readUnion(context: TypeContext, node: ts.UnionTypeNode): Type {
  const { ts } = context.reading;
  const members: Type[] = [];
  for (const member of node.types) {
    if (member.kind === ts.SyntaxKind.UndefinedKeyword) refuse(context, member);
    else members.push(readType(context, member));
  }
  return members.length === 0 ? { kind: "unknown" } : union(members);
}
