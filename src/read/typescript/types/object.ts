import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import { readMembers } from "../members.js";
import type { TypeContext } from "./index.js";

/** Reads `{ a: A; [key: string]: B }`; with only an index signature it is a map. */
export function readObject(context: TypeContext, node: ts.TypeLiteralNode): Type {
  const { properties, rest } = readMembers(context, node.members);
  if (properties.length === 0 && rest !== null) return { kind: "record", member: rest };
  return { kind: "object", properties, rest };
}
