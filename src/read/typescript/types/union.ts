import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import { at } from "../reading.js";
import { readType, type TypeContext } from "./index.js";
import { union } from "./normal.js";

/** `A | B`; `undefined` has no place in JSON and is refused with advice. */
export function readUnion(context: TypeContext, node: ts.UnionTypeNode): Type {
  const { reading, scope } = context;
  const { ts } = reading;
  const members: Type[] = [];
  for (const member of node.types) {
    if (member.kind === ts.SyntaxKind.UndefinedKeyword) {
      scope.error(
        "MG104",
        at(reading, member),
        `cannot read the type "undefined": JSON has no such value`,
        "make the member optional instead: `name?: T`",
      );
      continue;
    }
    members.push(readType(context, member));
  }
  return members.length === 0 ? { kind: "unknown" } : union(members);
}
