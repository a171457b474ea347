import type { Json } from "../json.js";
import { isList, isRecord } from "../json/value.js";

/** Keywords that restrict no value. */
export const annotations: ReadonlySet<string> = new Set([
  "$comment",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Keywords with schemas by name. */
export const mapKeywords: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** Keywords whose value is data and never a schema. */
export const dataKeywords: ReadonlySet<string> = new Set([
  "const",
  "default",
  "enum",
  "examples",
]);

/** A JSON Schema without annotations, at every level. */
export function withoutAnnotations(schema: Json): Json {
  if (isList(schema)) return schema.map(withoutAnnotations);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).filter(
    ([name]) => !annotations.has(name),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (dataKeywords.has(name)) return [name, value];
      if (!mapKeywords.has(name) || !isRecord(value))
        return [name, withoutAnnotations(value)];
      const members = Object.entries(value).map(([key, member]) => [
        key,
        withoutAnnotations(member),
      ]);
      return [name, Object.fromEntries(members) as Json];
    }),
  );
}

/**
 * All descriptions in a JSON Schema, also in parts that no reference leads to.
 */
export function descriptionsIn(schema: Json): string[] {
  const descriptions: string[] = [];
  const open: Json[] = [schema];
  for (const next of open) {
    if (isList(next)) for (const item of next) open.push(item);
    if (!isRecord(next)) continue;
    for (const [name, value] of Object.entries(next)) {
      if (name === "description" && typeof value === "string")
        descriptions.push(value);
      else if (!dataKeywords.has(name) || isRecord(value)) open.push(value);
    }
  }
  return descriptions;
}
