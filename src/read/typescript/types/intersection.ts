import type { ts } from "ts-morph";
import type { Type } from "../../../ir/model.js";
import { readType, type TypeContext } from "./index.js";
import { refuse } from "./refuse.js";
import { intersection } from "../../../ir/combine.js";

/** Reads `A & { … }`: only named types and objects can be merged. */
export function readIntersection(context: TypeContext, node: ts.IntersectionTypeNode): Type {
  const members = node.types.map((member): Type => {
    const type = readType(context, member);
    if (["reference", "object", "record", "intersection"].includes(type.kind)) return type;
    if (type.kind === "unknown") return type;
    return refuse(context, member, "only named types and objects can be joined with `&`");
  });
  // A rejected member is `unknown`, which adds nothing to an intersection.
  const readable = members.filter((member) => member.kind !== "unknown");
  return readable.length === 0 ? { kind: "unknown" } : intersection(readable);
}
