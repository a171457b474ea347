import type { JsonRecord } from "../ir/json.js";
import { isRecord } from "../ir/json/value.js";

/** A schema inside another one. */
export interface Place {
  readonly schema: JsonRecord;
  /** As in code: `properties.city.items`; empty for the whole schema. */
  readonly path: string;
  /** The number of objects around it. */
  readonly depth: number;
}

/** Keywords whose value is a schema or a list of schemas, and those whose value is an object of schemas. */
export const single: ReadonlySet<string> = new Set(
  "items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames allOf anyOf oneOf not if then else".split(
    " ",
  ),
);
export const tables: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
]);

/** A schema and all schemas in it. What is deeper than 100 is left out: no provider takes it. */
export function placesIn(root: JsonRecord): readonly Place[] {
  const places: Place[] = [];
  const open: Place[] = [{ schema: root, path: "", depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    places.push(place);
    const { schema, path, depth } = place;
    if (depth > 100) continue;
    const inside = depth + (isRecord(schema["properties"]) ? 1 : 0);
    const add = (value: unknown, step: string): void => {
      if (isRecord(value))
        open.push({ schema: value, path: path === "" ? step : `${path}.${step}`, depth: inside });
    };
    for (const [keyword, value] of Object.entries(schema)) {
      if (single.has(keyword)) {
        if (Array.isArray(value)) for (const [i, one] of value.entries()) add(one, `${keyword}[${i}]`);
        else add(value, keyword);
      } else if (tables.has(keyword) && isRecord(value)) {
        for (const [name, one] of Object.entries(value)) add(one, `${keyword}.${name}`);
      }
    }
  }
  return places;
}
