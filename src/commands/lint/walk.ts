import { mapKeywords } from "../../generator/ir/constraint/annotations.js";
import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";

/** A schema inside another one. */
export interface Place {
  readonly schema: JsonRecord;
  /** As in code: `properties.city.items`; empty for the whole schema. */
  readonly path: string;
  /** The number of objects around it. */
  readonly depth: number;
}

/** Keywords whose value is a schema or a list of schemas. */
const single =
  /^(?:items|prefixItems|additionalItems|unevaluatedItems|contains|additionalProperties|unevaluatedProperties|propertyNames|allOf|anyOf|oneOf|not|if|then|else)$/;

/** The names of a schema's members. */
export const namesIn = ({ properties }: JsonRecord): string[] =>
  isRecord(properties) ? Object.keys(properties) : [];

/**
 * A schema with other schemas directly in it. The step is as in code: `items`,
 * `anyOf[0]`, `properties.city`.
 */
export function withInner(
  schema: JsonRecord,
  change: (inner: Json, step: string) => Json,
): JsonRecord {
  const entries = Object.entries(schema).map(
    ([keyword, value]): [string, Json] => {
      if (single.test(keyword) && isList(value))
        return [
          keyword,
          value.map((one, i) => change(one, `${keyword}[${i}]`)),
        ];
      if (single.test(keyword)) return [keyword, change(value, keyword)];
      if (!mapKeywords.has(keyword) || !isRecord(value))
        return [keyword, value];
      const members = Object.entries(value).map(
        ([name, one]) => [name, change(one, `${keyword}.${name}`)] as const,
      );
      return [keyword, Object.fromEntries(members)];
    },
  );
  return Object.fromEntries(entries);
}

/**
 * A schema and all schemas in it, in the order of the text. What is deeper than
 * 100 is left out: no provider takes it.
 */
export function placesIn(root: JsonRecord): readonly Place[] {
  const places: Place[] = [];
  const open: Place[] = [{ schema: root, path: "", depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    places.push(place);
    const { schema, path, depth } = place;
    if (depth > 100) continue;
    const inside = depth + (isRecord(schema["properties"]) ? 1 : 0);
    const found: Place[] = [];
    withInner(schema, (inner, step) => {
      if (isRecord(inner))
        found.push({
          schema: inner,
          path: path === "" ? step : `${path}.${step}`,
          depth: inside,
        });
      return inner;
    });
    open.push(...found.reverse());
  }
  return places;
}
