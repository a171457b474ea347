import type { Schema } from "../../../ir/constraint.js";
import type { Definitions } from "../../../ir/constraint/accepts.js";
import { typeIn } from "../../../ir/constraint/form.js";
import {
  referencesIn,
  schemasIn,
  textOf,
} from "../../../ir/constraint/walk.js";
import { namesInCycles } from "../../../ir/cycles.js";
import type { Scope } from "./file.js";

/**
 * The unnamed objects and arrays that guards check more than once, such as the
 * `_meta` of all requests, or `inputSchema` and `outputSchema` of a tool. One
 * helper checks each of them.
 */
export function repeatedSchemas(definitions: Definitions): ReadonlySet<string> {
  const texts = new Set<string>();
  const repeated = new Set<string>();
  for (const { schema } of definitions.values()) {
    const open = partsOf(schema);
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (isLarge(part)) {
        const text = textOf(part);
        if (texts.has(text)) {
          repeated.add(text);
          continue;
        }
        texts.add(text);
      }
      for (const each of partsOf(part)) open.push(each);
    }
  }
  return repeated;
}

function partsOf({ checks }: Schema): Schema[] {
  return checks.flatMap(schemasIn);
}

/**
 * True if the call of a helper is shorter than the statements that check the
 * object or the array.
 */
function isLarge(schema: Schema): boolean {
  const type = typeIn(schema);
  return schema.checks.some(
    (check) =>
      (type === "object" &&
        check.kind === "members" &&
        check.properties.some(({ schema }) => schema.checks.length > 0)) ||
      (type === "array" &&
        check.kind === "items" &&
        check.rest !== null &&
        check.rest.checks.length > 0),
  );
}

/**
 * True if an unnamed schema has a helper because it is checked in several
 * places. An array in a recursive guard has none, because the additional call
 * would count against the depth.
 */
export function isRepeated(
  { file, isRecursive }: Scope,
  schema: Schema,
): boolean {
  if (isRecursive && typeIn(schema) === "array") return false;
  return isLarge(schema) && file.repeated.has(textOf(schema));
}

/** Definitions that refer to themselves, directly or indirectly. */
export function recursiveKeys(definitions: Definitions): ReadonlySet<string> {
  return namesInCycles(
    new Map(
      [...definitions].map(([key, { schema }]) => [key, referencesIn(schema)]),
    ),
  );
}

/**
 * The maximum number of calls for one check whose results are not remembered.
 */
const maxCalls = 1000;

/**
 * Recursive definitions, and those whose parts are checked so often that a
 * small value could take hours.
 */
export function costlyKeys(definitions: Definitions): ReadonlySet<string> {
  const costs = new Map<string, number>();
  const open = new Set<string>();
  const costOf = (key: string): number => {
    const cost = costs.get(key);
    if (cost !== undefined) return cost;
    if (open.has(key)) return Infinity;
    open.add(key);
    const definition = definitions.get(key);
    let total = 1;
    for (const inner of definition === undefined
      ? []
      : referencesIn(definition.schema))
      total += costOf(inner);
    open.delete(key);
    costs.set(key, total);
    return total;
  };
  return new Set(
    [...definitions.keys()].filter((key) => costOf(key) > maxCalls),
  );
}
