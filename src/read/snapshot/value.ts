import type { Json } from "../../ir/surface/model.js";
import type { JsonNode } from "../json/text/tree.js";

/** The plain value of a node. A member called `__proto__` stays a member. */
export function toJson(node: JsonNode): Json {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(toJson);
  return Object.fromEntries([...node.members].map(([name, { value }]) => [name, toJson(value)]));
}
