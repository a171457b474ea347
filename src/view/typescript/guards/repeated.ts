import type { Schema } from "../../../ir/constraint.js";
import { referencesIn, schemasIn } from "../../../ir/snapshot/walk.js";
import { type Definitions, type GuardFile, textOf } from "./file.js";
import { typesOf } from "./inspect.js";

/**
 * The objects without a name that several guards check, or one guard twice: `inputSchema` and `outputSchema` of a tool, and
 * what a base writes inline for all that extend it. One helper checks each of them.
 */
export function repeatedSchemas(definitions: Definitions): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { schema } of definitions.values()) {
    const open = partsOf(schema);
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (isSizable(part)) {
        const text = textOf(part);
        if (seen.has(text)) {
          repeated.add(text);
          continue;
        }
        seen.add(text);
      }
      for (const each of partsOf(part)) open.push(each);
    }
  }
  return repeated;
}

function partsOf({ checks }: Schema): Schema[] {
  return checks.flatMap((check) => [...schemasIn(check)]);
}

/** Is a call shorter than the statements that check the object? */
function isSizable({ checks }: Schema): boolean {
  const isObject = typesOf(checks)?.every((type) => type === "object") ?? false;
  return isObject && checks.some((check) => check.kind === "members" && check.properties.length > 1);
}

/** Does a schema without a name have a helper, because it is checked in several places? */
export function isRepeated(file: GuardFile, schema: Schema): boolean {
  return file.repeated.size > 0 && isSizable(schema) && file.repeated.has(textOf(schema));
}

/** Definitions that lead back to themselves. */
export function recursiveKeys(definitions: Definitions): ReadonlySet<string> {
  const edges = new Map([...definitions].map(([key, { schema }]) => [key, referencesIn(schema)]));
  return new Set([...edges.keys()].filter((key) => leadsBack(edges, key)));
}

function leadsBack(edges: ReadonlyMap<string, readonly string[]>, key: string): boolean {
  const seen = new Set<string>();
  const open = [...(edges.get(key) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === key) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    for (const each of edges.get(next) ?? []) open.push(each);
  }
  return false;
}

/** As many calls as one check may lead to before its results are remembered. */
const MAX_CALLS = 1000;

/** Definitions that lead back to themselves, and those whose parts are checked so often that a small text could take hours. */
export function costlyKeys(definitions: Definitions): ReadonlySet<string> {
  const costs = new Map<string, number>();
  const open = new Set<string>();
  const costOf = (key: string): number => {
    const known = costs.get(key);
    if (known !== undefined) return known;
    if (open.has(key)) return Infinity;
    open.add(key);
    const definition = definitions.get(key);
    let total = 1;
    for (const inner of definition === undefined ? [] : referencesIn(definition.schema))
      total += costOf(inner);
    open.delete(key);
    costs.set(key, total);
    return total;
  };
  return new Set([...definitions.keys()].filter((key) => costOf(key) > MAX_CALLS));
}
