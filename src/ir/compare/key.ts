import type { Schema } from "../constraint.js";
import { jsonOf } from "../constraint/json-schema.js";
import { byCodePoint, exact } from "../json/canonical.js";
import { referencesIn } from "../constraint/walk.js";
import type { SchemaSet } from "./model.js";

/** The JSON of schemas, in which the targets of references are only named. */
const texts = new WeakMap<Schema, string>();

function textOf(schema: Schema): string {
  const text = texts.get(schema) ?? exact(jsonOf(schema));
  texts.set(schema, text);
  return text;
}

/**
 * A text that is equal for equal conditions, whatever their order and annotations. It includes the targets of
 * references, except those that are compared on their own.
 */
export function keyOf({ definitions, named, keys }: SchemaSet, schema: Schema): string {
  const cached = keys.get(schema);
  if (cached !== undefined) return cached;
  const parts: string[] = [];
  const visited = new Set<string>();
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    parts.push(textOf(next));
    for (const key of referencesIn(next).sort(byCodePoint)) {
      const target = definitions.get(key);
      if (target === undefined || named.has(key) || visited.has(key)) continue;
      visited.add(key);
      parts.push(key);
      open.push(target.schema);
    }
  }
  const key = parts.join("\n");
  keys.set(schema, key);
  return key;
}
