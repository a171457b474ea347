import type { Check, Schema } from "../../../ir/constraint.js";
import type { JsonNode, JsonObject } from "../../json/text/tree.js";
import { evaluatedItems } from "./evaluated.js";
import { countIn, keyword, listIn } from "./keyword.js";
import { deeper, malformed, unchecked, type Reading } from "./reading.js";
import { readSchema } from "./schema.js";
import { readSize } from "./string.js";

export function readArrayChecks(reading: Reading, node: JsonObject): Check[] {
  return [
    ...readItems(reading, node),
    ...readSize(reading, node, "array", "minItems", "maxItems"),
    ...readUnique(reading, node),
    ...readContains(reading, node),
    ...readUnevaluated(reading, node),
  ];
}

/** A schema for each of the first items, and one for the rest; draft-07 writes both with other words. */
function readItems(reading: Reading, node: JsonObject): Check[] {
  const items = keyword(node, "items");
  const isOld = reading.dialect === "draft-07";
  if (isOld && items?.kind === "array") {
    return itemsCheck(reading, "items", items.items, keyword(node, "additionalItems"));
  }
  const first = isOld ? [] : listIn(reading, node, "prefixItems");
  if (items?.kind === "array") {
    malformed(reading, items, "items", 'one schema (a list of them stands in "prefixItems")');
    return itemsCheck(reading, "prefixItems", first, undefined);
  }
  return itemsCheck(reading, "prefixItems", first, items);
}

function itemsCheck(
  reading: Reading,
  name: string,
  first: readonly JsonNode[],
  rest: JsonNode | undefined,
): Check[] {
  if (first.length === 0 && rest === undefined) return [];
  const schemas = first.map((item, index) => readSchema(deeper(reading, `${name} ${index}`), item));
  return [{ kind: "items", first: schemas, rest: rest ? readSchema(deeper(reading, "items"), rest) : null }];
}

function readUnique(reading: Reading, node: JsonObject): Check[] {
  const value = keyword(node, "uniqueItems");
  if (value === undefined) return [];
  if (value.kind === "scalar" && typeof value.value === "boolean")
    return value.value ? [{ kind: "unique" }] : [];
  malformed(reading, value, "uniqueItems", "true or false");
  return [];
}

function readContains(reading: Reading, node: JsonObject): Check[] {
  const value = keyword(node, "contains");
  if (value === undefined) return [];
  const isOld = reading.dialect === "draft-07";
  const least = isOld ? 1 : (countIn(reading, node, "minContains") ?? 1);
  const most = isOld ? null : countIn(reading, node, "maxContains");
  const schema: Schema = readSchema(deeper(reading, "contains"), value);
  return [{ kind: "contains", schema, least, most }];
}

function readUnevaluated(reading: Reading, node: JsonObject): Check[] {
  const value = keyword(node, "unevaluatedItems");
  if (value === undefined || reading.dialect === "draft-07") return [];
  const known = evaluatedItems(reading, node);
  if (known === null) {
    const message = '"unevaluatedItems" depends on which branch an array takes; it is left unchecked';
    unchecked(reading, value, message, null);
    return [];
  }
  if (known.all) return [];
  const any: Schema = { doc: { text: "", tags: [] }, checks: [] };
  const rest = readSchema(deeper(reading, "unevaluatedItems"), value);
  return [{ kind: "items", first: Array.from({ length: known.count }, () => any), rest }];
}
