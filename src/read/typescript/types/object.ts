import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import { readMembers } from "../members.js";
import type { TypeContext } from "./index.js";

/** `{ a: A; [key: string]: B }`; with an index signature alone it is a map. */
export function readObject(context: TypeContext, node: ts.TypeLiteralNode): Type {
  const { properties, rest } = readMembers(context, node.members);
  if (properties.length === 0 && rest !== null) return { kind: "record", member: rest };
  return { kind: "object", properties, rest };
}
