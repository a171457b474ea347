import type { Type } from "../../../ir/model.js";
import type { TypeName } from "../../../ir/constraint.js";
import { union } from "../../typescript/types/normal.js";
import { stringOf, type JsonNode, type JsonObject } from "../text/tree.js";
import { malformed, type SchemaContext } from "./context.js";
import { byType, isTypeName, typeNames, typeOf } from "./keywords.js";
import { readValues } from "./literal.js";
import { readMembers } from "./object.js";
import { readArray, readNumber, readString } from "./simple.js";

/** Reads `type`, `const`, `enum` and the keywords of single types. Returns null without any of them. */
export function readShape(context: SchemaContext, node: JsonObject): Type | null {
  const types = readTypeNames(context, node);
  const values = readValues(context, node, types);
  if (values !== null) return values;
  const names = types ?? impliedTypes(context, node);
  if (names.length === 0) return null;
  // With "number", "integer" is redundant.
  const kept = names.filter((name) => name !== "integer" || !names.includes("number"));
  return union(kept.map((name) => readOne(context, node, name)));
}

function readOne(context: SchemaContext, node: JsonObject, name: TypeName): Type {
  switch (name) {
    case "null":
      return { kind: "literal", value: null, constant: null };
    case "boolean":
      return { kind: "boolean" };
    case "integer":
    case "number":
      return readNumber(context, node, name === "integer");
    case "string":
      return readString(context, node);
    case "array":
      return readArray(context, node);
    case "object":
      return readMembers(context, node);
    default:
      return name satisfies never;
  }
}

/** The names in `type`; null without it. */
function readTypeNames(context: SchemaContext, node: JsonObject): readonly TypeName[] | null {
  const type = node.members.get("type")?.value;
  if (type === undefined) return null;
  const listed: readonly JsonNode[] = type.kind === "array" ? type.items : [type];
  if (listed.length === 0) malformed(context, type, "type", "at least one name");
  const names: TypeName[] = [];
  for (const entry of listed) {
    const name = stringOf(entry);
    if (name === null || !isTypeName(name))
      malformed(context, entry, "type", `one of ${typeNames().join(", ")}`);
    else if (!names.includes(name)) names.push(name);
  }
  return names;
}

/** Strictly, `{ properties }` without a type also accepts strings. It is read as an object, with a diagnostic. */
function impliedTypes(context: SchemaContext, node: JsonObject): readonly TypeName[] {
  for (const [keyword, { at }] of node.members) {
    const name = typeOf.get(keyword);
    if (name === undefined || !byType[name].includes(keyword)) continue;
    const message = `"${keyword}" without a "type"; read as type "${name}"`;
    context.scope.note("MG207", context.places(at), message, `write "type": "${name}"`);
    return [name];
  }
  return [];
}
