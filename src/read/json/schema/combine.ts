import type { Type } from "../../../ir/model.js";
import { intersection, union } from "../../typescript/types/normal.js";
import type { JsonNode, JsonObject } from "../text/tree.js";
import { malformed, widened, within, type SchemaContext } from "./context.js";
import { readType } from "./type.js";

/** `anyOf`, and `oneOf`, which is read as if it were: that exactly one matches is more than the model can tell. */
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

/** What satisfies all parts at once. Objects are joined; of other parts the narrowest is kept if that can be told. */
export function meet(context: SchemaContext, node: JsonObject, parts: readonly Type[]): Type {
  const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  const [only] = distinct;
  if (only === undefined) return { kind: "unknown" };
  if (distinct.length === 1) return only;
  if (distinct.every(isObjectLike)) {
    // "Any object" says nothing that the others do not.
    const telling = distinct.filter((part) => !isAnyObject(part));
    return telling.length === 1 ? (telling[0] ?? only) : intersection(telling);
  }
  let told: Type[] = [];
  for (const part of distinct) {
    if (part.kind === "unknown" || told.some((other) => implies(other, part))) continue;
    told = [...told.filter((other) => !implies(part, other)), part];
  }
  const [first] = told;
  if (first === undefined) return { kind: "unknown" };
  if (told.length === 1) return first;
  if (told.every(isObjectLike)) return intersection(told);
  const message = "several conditions stand here that cannot be told together; only the first is checked";
  widened(context, node, message, "write one schema that says it all");
  return first;
}

function isObjectLike(type: Type): boolean {
  return ["reference", "object", "record", "intersection"].includes(type.kind);
}

function isAnyObject(type: Type): boolean {
  return type.kind === "object" && type.properties.length === 0 && type.rest === null;
}

/** Is every value of `a` certainly one of `b`? Sees what generators write twice: a type beside its own values. */
function implies(a: Type, b: Type): boolean {
  if (a.kind === "union") return a.members.every((member) => implies(member, b));
  if (b.kind === "union") return b.members.some((member) => implies(a, member));
  // A reference beside "any object" names an object, or no value would do.
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
