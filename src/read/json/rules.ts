import { integers } from "../../ir/facts.js";
import { stringOf, type JsonMember, type JsonNode, type JsonObject } from "./text/tree.js";

/**
 * Corrections of a whole file, by the name in a ledger. Each returns the corrected root, or null if there was nothing to correct.
 */
export const rules: Readonly<Record<string, (root: JsonNode) => JsonNode | null>> = {
  "untagged-number-is-integer": numbersOfAnyKind,
};

/**
 * The generator of the official files writes each number without a tag as an integer. Converts them back to numbers, except in
 * types whose numbers are integers according to the specification.
 */
function numbersOfAnyKind(root: JsonNode): JsonNode | null {
  let changed = 0;
  const schema = (node: JsonNode): JsonNode => {
    if (node.kind !== "object") return node;
    return withMembers(node, (keyword, value) => {
      if (keyword === "type") return widenType(value);
      if (schemas.has(keyword)) return schema(value);
      if (schemaLists.has(keyword)) return each(value, schema);
      return schemaMaps.has(keyword) ? byName(value, (_, member) => schema(member)) : value;
    });
  };
  const widenType = (node: JsonNode): JsonNode => {
    if (node.kind === "array") return { ...node, items: node.items.map(widenType) };
    if (stringOf(node) !== "integer") return node;
    changed += 1;
    return { kind: "scalar", at: node.at, value: "number" };
  };
  const corrected = byName(root, (container, definitions) =>
    schemaMaps.has(container)
      ? byName(definitions, (name, node) => (integers.includes(name) ? node : schema(node)))
      : definitions,
  );
  return changed === 0 ? null : corrected;
}

/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const schemas: ReadonlySet<string> = new Set(["additionalProperties", "items"]);
const schemaLists: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf"]);
const schemaMaps: ReadonlySet<string> = new Set(["$defs", "definitions", "properties"]);

function withMembers(node: JsonObject, change: (name: string, value: JsonNode) => JsonNode): JsonObject {
  const members = new Map<string, JsonMember>();
  for (const [name, { at, value }] of node.members) members.set(name, { at, value: change(name, value) });
  return { ...node, members };
}

function byName(node: JsonNode, change: (name: string, value: JsonNode) => JsonNode): JsonNode {
  return node.kind === "object" ? withMembers(node, change) : node;
}

function each(node: JsonNode, change: (item: JsonNode) => JsonNode): JsonNode {
  return node.kind === "array" ? { ...node, items: node.items.map(change) } : change(node);
}
