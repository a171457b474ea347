import type { Type } from "../../../ir/model.js";
import { stringOf, type JsonObject } from "../text/tree.js";
import { malformed, widened, within, type SchemaContext } from "./context.js";
import { readType } from "./type.js";

export function readString(context: SchemaContext, node: JsonObject): Type {
  const entry = node.members.get("format")?.value;
  const format = entry === undefined ? null : stringOf(entry);
  if (entry !== undefined && format === null) malformed(context, entry, "format", "a text");
  return { kind: "string", format, known: [] };
}

export function readNumber(context: SchemaContext, node: JsonObject, integer: boolean): Type {
  return {
    kind: "number",
    integer,
    minimum: readBound(context, node, "minimum"),
    maximum: readBound(context, node, "maximum"),
  };
}

function readBound(context: SchemaContext, node: JsonObject, keyword: "minimum" | "maximum"): number | null {
  const entry = node.members.get(keyword)?.value;
  if (entry === undefined) return null;
  if (entry.kind === "scalar" && typeof entry.value === "number") return entry.value;
  malformed(context, entry, keyword, "a number");
  return null;
}

export function readArray(context: SchemaContext, node: JsonObject): Type {
  return { kind: "array", element: readElement(context, node), maxItems: readCount(context, node) };
}

function readElement(context: SchemaContext, node: JsonObject): Type {
  const items = node.members.get("items")?.value;
  if (items === undefined) return { kind: "unknown" };
  if (items.kind === "array") {
    widened(
      context,
      items,
      "a list of schemas, one for each position, is not checked",
      "use one schema for all items",
    );
    return { kind: "unknown" };
  }
  return readType(within(context, "items"), items);
}

function readCount(context: SchemaContext, node: JsonObject): number | null {
  const entry = node.members.get("maxItems")?.value;
  if (entry === undefined) return null;
  if (
    entry.kind === "scalar" &&
    typeof entry.value === "number" &&
    Number.isInteger(entry.value) &&
    entry.value >= 0
  ) {
    return entry.value;
  }
  malformed(context, entry, "maxItems", "a whole number that is not negative");
  return null;
}
