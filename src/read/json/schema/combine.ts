import type { Type } from "../../../ir/model.js";
import { intersection, union } from "../../typescript/types/normal.js";
import type { JsonNode, JsonObject } from "../text/tree.js";
import { malformed, widened, within, type SchemaContext } from "./context.js";
import { readType } from "./type.js";

/** Reads `anyOf` and `oneOf`. `oneOf` is read as `anyOf`, because the model cannot express that exactly one matches. */
export function readUnion(context: SchemaContext, node: JsonNode, keyword: "anyOf" | "oneOf"): Type {
  if (node.kind !== "array" || node.items.length === 0) {
    malformed(context, node, keyword, "a list of at least one schema");
    return { kind: "unknown" };
  }
  if (keyword === "oneOf" && node.items.length > 1) {
    const message = '"oneOf" is read as "anyOf": a value that matches two of its schemas is accepted';
    context.scope.note("MG207", context.places(node.at), message, null);
  }
  return union(node.items.map((item, index) => readType(within(context, `${keyword} ${index}`), item)));
}

/** The intersection of types. Joins objects; of other types keeps the narrowest, if one implies the others. */
export function meet(context: SchemaContext, node: JsonObject, parts: readonly Type[]): Type {
  const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  const [only] = distinct;
  if (only === undefined) return { kind: "unknown" };
  if (distinct.length === 1) return only;
  if (distinct.every(isObjectLike)) {
    // "Any object" adds nothing to the other parts.
    const specific = distinct.filter((part) => !isAnyObject(part));
    return specific.length === 1 ? (specific[0] ?? only) : intersection(specific);
  }
  let narrowest: Type[] = [];
  for (const part of distinct) {
    if (part.kind === "unknown" || narrowest.some((other) => implies(other, part))) continue;
    narrowest = [...narrowest.filter((other) => !implies(part, other)), part];
  }
  const [first] = narrowest;
  if (first === undefined) return { kind: "unknown" };
  if (narrowest.length === 1) return first;
  if (narrowest.every(isObjectLike)) return intersection(narrowest);
  const message = "the model cannot express these conditions together; only the first is checked";
  widened(context, node, message, "combine them into one schema");
  return first;
}

function isObjectLike(type: Type): boolean {
  return ["reference", "object", "record", "intersection"].includes(type.kind);
}

function isAnyObject(type: Type): boolean {
  return type.kind === "object" && type.properties.length === 0 && type.rest === null;
}

/** True if each value of `a` is certainly one of `b`. Detects the redundancy of generated schemas, such as a type with its values. */
function implies(a: Type, b: Type): boolean {
  if (a.kind === "union") return a.members.every((member) => implies(member, b));
  if (b.kind === "union") return b.members.some((member) => implies(a, member));
  // A reference together with "any object" must be an object; otherwise no value would match.
  if (isAnyObject(b)) return isObjectLike(a);
  if (a.kind === "literal") {
    if (b.kind === "literal") return a.value === b.value;
    if (b.kind === "string" || b.kind === "boolean") return typeof a.value === b.kind;
    if (b.kind !== "number" || typeof a.value !== "number") return false;
    const { integer, minimum, maximum } = b;
    return (
      (!integer || Number.isInteger(a.value)) &&
      (minimum === null || a.value >= minimum) &&
      (maximum === null || a.value <= maximum)
    );
  }
  return JSON.stringify(a) === JSON.stringify(b);
}
