import type { Scope } from "../../diagnostics.js";
import { anything, type Definition, type Schema } from "../../ir/constraint.js";
import {
  member,
  show,
  stringOf,
  type JsonNode,
  type Locations,
} from "../json/text/tree.js";
import {
  dialectNamed,
  documentContext,
  type Dialect,
} from "../json-schema/context.js";
import { documentOf } from "../json-schema/reference.js";
import { readSchema } from "../json-schema/schema.js";
import { withoutCycles } from "./cycles.js";
import { reportImpossible, type Origin } from "./impossible.js";
import {
  limits,
  snapshotPolicy,
  uncheckedSchema,
  type Part,
} from "./policy.js";
import { weakened } from "./weaken.js";

/**
 * Reads a tool's schema and the targets of its references. The first definition
 * is the schema itself.
 */
export function readDefinitions(
  key: string,
  node: JsonNode,
  locations: Locations,
  scope: Scope,
): Definition[] {
  if (countValues(node) > limits.nodes) {
    const message = `the schema has more than ${limits.nodes} values; it is not checked, and its type is unknown`;
    scope.warn(
      "MG304",
      locations(node.at),
      message,
      "use references for repeated parts",
    );
    return [definitionOf(key, uncheckedSchema(node))];
  }
  const dialect = dialectOf(node, locations, scope);
  if (dialect === null) return [definitionOf(key, uncheckedSchema(node))];
  const parts = new Map<string, Part>([
    [
      key,
      { label: "", node, resource: documentOf(node, dialect), schema: null },
    ],
  ]);
  const overApproximated = new Set<Schema>();
  const origins = new Map<Schema, Origin>();
  const policy = snapshotPolicy(key, parts, overApproximated, origins);
  const context = documentContext(node, dialect, locations, scope, policy);
  // Reading a part may add further parts, which this loop also visits.
  for (const part of parts.values()) {
    part.schema = readSchema(
      { ...context, resource: part.resource },
      part.node,
    );
  }
  const schemas = [...parts].map(([key, { label, schema }]) => ({
    key,
    label,
    schema: schema ?? anything,
  }));
  reportImpossible(
    origins,
    new Map(schemas.map((keyed) => [keyed.key, keyed])),
    locations,
  );
  const acyclic = withoutCycles(schemas, overApproximated, scope);
  return weakened(acyclic, overApproximated, scope).map((keyed, i) => ({
    ...keyed,
    root: key,
    original: schemas[i]?.schema ?? keyed.schema,
  }));
}

/** The dialect of a schema, by default 2020-12; null for an unknown one. */
function dialectOf(
  root: JsonNode,
  locations: Locations,
  scope: Scope,
): Dialect | null {
  const node = member(root, "$schema");
  if (node === null) return "2020-12";
  const uri = stringOf(node);
  const dialect = dialectNamed(uri);
  if (dialect !== null) return dialect;
  // Other drafts of JSON Schema are similar to 2020-12. In another vocabulary,
  // the keywords may have any meaning.
  const isDraft = uri !== null && /^https?:\/\/json-schema\.org\//.test(uri);
  const outcome = isDraft
    ? "read as 2020-12"
    : "the schema is not checked, and its type is unknown";
  const message = `the dialect ${show(node)} is unknown; ${outcome}`;
  scope.warn("MG305", locations(node.at), message, "use draft-07 or 2020-12");
  return isDraft ? "2020-12" : null;
}

/** The number of values in a schema; counting stops at the limit. */
function countValues(node: JsonNode): number {
  const open: JsonNode[] = [node];
  for (const next of open) {
    if (open.length > limits.nodes) break;
    if (next.kind === "array") for (const each of next.items) open.push(each);
    else if (next.kind === "object")
      for (const { value } of next.members.values()) open.push(value);
  }
  return open.length;
}

/** A definition whose schema needs no change, such as a prompt's arguments. */
export function definitionOf(key: string, schema: Schema): Definition {
  return { key, root: key, label: "", schema, original: schema };
}
