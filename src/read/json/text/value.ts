import type { Json } from "../../../ir/snapshot/model.js";
import type { JsonNode } from "./tree.js";

/** The plain value of a node. A member called `__proto__` stays a member. */
export function toJson(node: JsonNode): Json {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(toJson);
  const record: Record<string, Json> = {};
  for (const [name, { value }] of node.members) {
    if (name !== "__proto__") record[name] = toJson(value);
    else
      Object.defineProperty(record, name, {
        value: toJson(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return record;
}
