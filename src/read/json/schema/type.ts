import type { Type } from "../../../ir/model.js";
import { union } from "../../typescript/types/normal.js";
import { show, type JsonNode, type JsonObject } from "../text/tree.js";
import { meet, readUnion } from "./combine.js";
import { malformed, widened, within, type SchemaContext } from "./context.js";
import { reportKeywords } from "./report.js";
import { readReference } from "./reference.js";
import { readShape } from "./shape.js";

/** Reads a schema as a type of the model. Parts that the model cannot express are reported and become `unknown`. */
export function readType(context: SchemaContext, node: JsonNode): Type {
  if (node.kind === "object") return readObject(context, node);
  if (node.kind === "scalar" && node.value === true) return { kind: "unknown" };
  if (node.kind === "scalar" && node.value === false) {
    widened(
      context,
      node,
      `the model cannot express the schema false, which accepts no value`,
      "remove the member",
    );
    return { kind: "unknown" };
  }
  const { scope, places } = context;
  scope.error("MG203", places(node.at), `expected a schema, got ${show(node)}`, "a schema is an object");
  return { kind: "unknown" };
}

function readObject(context: SchemaContext, node: JsonObject): Type {
  const reference = node.members.get("$ref");
  if (reference !== undefined && context.dialect === "draft-07") {
    reportKeywords(context, node, "ignored");
    return readReference(context, reference.value);
  }
  reportKeywords(context, node, "read");
  const parts: Type[] = [];
  if (reference !== undefined) parts.push(readReference(context, reference.value));
  const shape = readShape(context, node);
  if (shape !== null) parts.push(shape);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const alternatives = node.members.get(keyword);
    if (alternatives !== undefined) parts.push(readUnion(context, alternatives.value, keyword));
  }
  const all = node.members.get("allOf")?.value;
  if (all?.kind === "array" && all.items.length > 0) {
    all.items.forEach((item, index) => parts.push(readType(within(context, `allOf ${index}`), item)));
  } else if (all !== undefined) malformed(context, all, "allOf", "a list of schemas");
  return orNull(context, node, meet(context, node, parts));
}

/** Reads `nullable`, which is not a keyword of either dialect but is written by generators for older ones. */
function orNull(context: SchemaContext, node: JsonObject, type: Type): Type {
  const flag = node.members.get("nullable")?.value;
  if (flag === undefined) return type;
  if (flag.kind !== "scalar" || typeof flag.value !== "boolean") {
    malformed(context, flag, "nullable", "true or false");
    return type;
  }
  return flag.value ? union([type, { kind: "literal", value: null, constant: null }]) : type;
}
