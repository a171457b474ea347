import type { Schema } from "../constraint.js";
import { jsonOf } from "../constraint/json-schema.js";
import { referencesIn } from "../constraint/walk.js";
import type { SchemaSet } from "./model.js";
import { byCodePoint, exact } from "../json.js";

/** The JSON of schemas, in which the targets of references are only named. */
const texts = new WeakMap<Schema, string>();

function textOf(schema: Schema): string {
  const text = texts.get(schema) ?? exact(jsonOf(schema));
  texts.set(schema, text);
  return text;
}

/**
 * A text that is equal for equal conditions, whatever their order and
 * annotations. It includes the targets of references, except those that are
 * compared on their own.
 */
export function keyOf(
  { definitions, named, keys, aliases }: SchemaSet,
  schema: Schema,
): string {
  const cached = keys.get(schema);
  if (cached !== undefined) return cached;
  const parts = [textOf(schema)];
  const targets = new Set<string>();
  const open = [schema];
  for (const next of open) {
    for (const key of referencesIn(next).sort(byCodePoint)) {
      const target = definitions.get(key);
      if (target === undefined) continue;
      if (named.has(key) || targets.has(key)) continue;
      targets.add(key);
      parts.push(key, aliasOf(aliases, textOf(target.schema)));
      open.push(target.schema);
    }
  }
  const key = parts.join("\n");
  keys.set(schema, key);
  return key;
}

/** A short text for a long one, because many keys contain it. */
function aliasOf(aliases: Map<string, string>, text: string): string {
  const alias = aliases.get(text) ?? `text ${aliases.size}`;
  aliases.set(text, alias);
  return alias;
}
