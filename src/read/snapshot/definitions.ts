import type { Scope } from "../../diagnostics.js";
import { anything, type Definition, type Schema } from "../../ir/constraint.js";
import type { Places } from "../json/text/place.js";
import { member, show, stringOf, type JsonNode } from "../json/text/tree.js";
import type { SchemaContext } from "../json-schema/context.js";
import { dialectNamed, type Dialect } from "../json-schema/dialect.js";
import { readSchema } from "../json-schema/schema.js";
import { withoutCycles } from "./cycles.js";
import { limits, snapshotPolicy, type Part } from "./policy.js";
import { weakened } from "./weaken.js";

/** A definition without its type: all types are printed together. */
export type Untyped = Omit<Definition, "type">;

/** Reads a tool's schema and the targets of its references. The first definition is the schema itself. */
export function readDefinitions(key: string, node: JsonNode, places: Places, scope: Scope): Untyped[] {
  const label = "";
  if (countValues(node) > limits.nodes) {
    const message = `the schema holds more than ${limits.nodes} values; nothing of it is checked or typed`;
    scope.warn("MG304", places(node.at), message, "refer to what is repeated");
    return [{ key, root: key, label, schema: anything }];
  }
  const dialect = dialectOf(node, places, scope);
  if (dialect === null) return [{ key, root: key, label, schema: anything }];
  const parts = new Map<string, Part>([[key, { label, node, isEmbedded: false, schema: null }]]);
  const overApproximated = new Set<Schema>();
  const policy = snapshotPolicy(key, parts, overApproximated);
  const own = { isOverApproximated: false };
  const context: SchemaContext = {
    places,
    scope,
    dialect,
    root: node,
    depth: 0,
    isEmbedded: false,
    policy,
    own,
  };
  // Reading a part may add parts, which the iteration then reaches.
  for (const part of parts.values()) {
    part.schema = readSchema({ ...context, isEmbedded: part.isEmbedded }, part.node);
  }
  const schemas = [...parts].map(([key, { label, schema }]) => ({ key, label, schema: schema ?? anything }));
  const acyclic = withoutCycles(schemas, overApproximated, scope);
  return weakened(acyclic, overApproximated, scope).map((keyed) => ({ ...keyed, root: key }));
}

/** The dialect of a schema, by default 2020-12; null for one that cannot be read. */
function dialectOf(root: JsonNode, places: Places, scope: Scope): Dialect | null {
  const node = member(root, "$schema");
  if (node === null) return "2020-12";
  const uri = stringOf(node);
  const dialect = dialectNamed(uri);
  if (dialect !== null) return dialect;
  // Other drafts of JSON Schema are close to 2020-12; another vocabulary may mean anything by the same keywords.
  const isDraft = uri !== null && /^https?:\/\/json-schema\.org\//.test(uri);
  const outcome = isDraft ? "read as 2020-12" : "nothing of the schema is checked or typed";
  const message = `the dialect ${show(node)} is not known; ${outcome}`;
  scope.warn("MG305", places(node.at), message, "use draft-07 or 2020-12");
  return isDraft ? "2020-12" : null;
}

/** The number of values in a schema; counting stops at the limit. */
function countValues(node: JsonNode): number {
  let count = 0;
  const open: JsonNode[] = [node];
  for (let next = open.pop(); next !== undefined && count <= limits.nodes; next = open.pop()) {
    count += 1;
    if (next.kind === "array") for (const each of next.items) open.push(each);
    else if (next.kind === "object") for (const { value } of next.members.values()) open.push(value);
  }
  return count;
}

/** A definition of its own, such as a prompt's arguments. */
export function definitionOf(key: string, schema: Schema): Untyped {
  return { key, root: key, label: "", schema };
}
