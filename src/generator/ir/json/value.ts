import type { Json, JsonRecord } from "../json.js";
import type { TypeName } from "../constraint.js";

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseOrUndefined(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * True for a JSON object: neither null nor an array. The value must come from
 * JSON.
 */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if a value has this type of JSON Schema. */
export function isOf(type: TypeName, value: Json): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return isList(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    case "boolean":
    case "number":
    case "string":
      return typeof value === type;
    default:
      return type satisfies never;
  }
}

/**
 * The number of code points of a text, of items of a list, or of members of an
 * object.
 */
export function sizeOf(value: Json): number {
  if (typeof value === "string") return [...value].length;
  return isList(value) ? value.length : Object.keys(value as JsonRecord).length;
}

/**
 * True if a pattern matches a text. A text longer than `maxLength`, or too long
 * for the engine, counts as one that does not match.
 */
export function matches(
  {
    source,
    maxLength,
  }: { readonly source: string; readonly maxLength: number | null },
  text: string,
): boolean {
  try {
    return (
      (maxLength === null || text.length <= maxLength) &&
      new RegExp(source, "u").test(text)
    );
  } catch {
    return false;
  }
}
