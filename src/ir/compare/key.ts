import type { Schema } from "../constraint.js";
import { jsonOf } from "../constraint/json-schema.js";
import { byCodePoint, exact } from "../json/canonical.js";
import { referencesIn } from "../constraint/walk.js";
import type { Side } from "./model.js";

const keys = new WeakMap<Schema, string>();

/**
 * A text that is equal for equal conditions, whatever their order and annotations. It includes the targets of
 * references, except those that are compared on their own.
 */
export function keyOf({ definitions, shared }: Side, schema: Schema): string {
  const cached = keys.get(schema);
  if (cached !== undefined) return cached;
  const texts: string[] = [];
  const visited = new Set<string>();
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    texts.push(exact(jsonOf(next)));
    for (const key of referencesIn(next).sort(byCodePoint)) {
      const target = definitions.get(key);
      if (target === undefined || shared.has(key) || visited.has(key)) continue;
      visited.add(key);
      texts.push(key);
      open.push(target.schema);
    }
  }
  const key = texts.join("\n");
  keys.set(schema, key);
  return key;
}
