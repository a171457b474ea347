import { stringOf, type JsonNode, type JsonObject } from "../json/text/tree.js";
import { keyword } from "./keyword.js";
import type { SchemaContext } from "./context.js";
import { type Resource, resourceOf, targetOf } from "./reference.js";

/**
 * The members that a schema evaluates for every value; null if this depends on
 * the value.
 */
interface EvaluatedMembers {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly all: boolean;
}

/** Keywords whose schemas apply only to some values. */
const branching = [
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "$dynamicRef",
  "$recursiveRef",
];

export function evaluatedMembers(
  context: SchemaContext,
  node: JsonObject,
): EvaluatedMembers | null {
  const names = new Set<string>();
  const patterns: string[] = [];
  let all = false;
  const isKnown = eachInPlace(context, node, (schema, isOuter) => {
    const properties = keyword(schema, "properties");
    if (properties?.kind === "object")
      for (const name of properties.members.keys()) names.add(name);
    const matched = keyword(schema, "patternProperties");
    if (matched?.kind === "object")
      for (const each of matched.members.keys()) patterns.push(each);
    if (keyword(schema, "additionalProperties") !== undefined) all = true;
    if (!isOuter && keyword(schema, "unevaluatedProperties") !== undefined)
      all = true;
  });
  return isKnown ? { names, patterns, all } : null;
}

export function evaluatedItems(
  context: SchemaContext,
  node: JsonObject,
): { count: number; all: boolean } | null {
  let count = 0;
  let all = false;
  const isKnown = eachInPlace(context, node, (schema, isOuter) => {
    const first = keyword(schema, "prefixItems");
    if (first?.kind === "array") count = Math.max(count, first.items.length);
    if (keyword(schema, "items") !== undefined) all = true;
    if (!isOuter && keyword(schema, "unevaluatedItems") !== undefined)
      all = true;
    return keyword(schema, "contains") === undefined;
  });
  return isKnown ? { count, all } : null;
}

/**
 * Visits all schemas that apply to the same value. Returns false if further
 * ones may apply.
 */
function eachInPlace(
  context: SchemaContext,
  node: JsonObject,
  visit: (schema: JsonObject, isOuter: boolean) => boolean | void,
): boolean {
  const visited = new Set<JsonNode>();
  const open: (readonly [node: JsonNode, resource: Resource])[] = [
    [node, context.resource],
  ];
  for (const [schema, outer] of open) {
    if (schema.kind !== "object" || visited.has(schema)) continue;
    visited.add(schema);
    const resource = resourceOf({ ...context, resource: outer }, schema);
    if (branching.some((name) => keyword(schema, name) !== undefined))
      return false;
    if (visit(schema, schema === node) === false) return false;
    const all = keyword(schema, "allOf");
    if (all?.kind === "array")
      for (const each of all.items) open.push([each, resource]);
    const reference = stringOf(keyword(schema, "$ref") ?? null);
    if (reference === null) continue;
    const target = targetOf({ ...context, resource }, reference);
    if (target === null) return false;
    open.push([target.node, target.resource]);
  }
  return true;
}
