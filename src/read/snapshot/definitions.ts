import type { Scope } from "../../diagnostics.js";
import { anything, type Definition, type Schema } from "../../ir/surface/schema.js";
import type { Places } from "../json/text/place.js";
import type { JsonNode } from "../json/text/tree.js";
import { withoutCircles } from "./schema/circles.js";
import { withoutDoubts } from "./schema/doubts.js";
import { dialectOf } from "./schema/dialect.js";
import { budget, type Part, type Reading } from "./schema/reading.js";
import { readSchema } from "./schema/schema.js";

/** A definition without its type: types are printed all at once. */
export type Untyped = Omit<Definition, "type">;

/** Reads a tool's schema and all that it refers to. The first definition is the schema itself. */
export function readDefinitions(key: string, node: JsonNode, places: Places, scope: Scope): Untyped[] {
  const label = "";
  if (costs(node) > budget.nodes) {
    const message = `the schema holds more than ${budget.nodes} values; nothing of it is checked or typed`;
    scope.warn("MG304", places(node.at), message, "refer to what is repeated");
    return [{ key, root: key, label, schema: anything }];
  }
  const dialect = dialectOf(node, places, scope);
  if (dialect === null) return [{ key, root: key, label, schema: anything }];
  const parts = new Map<string, Part>([[key, { label, node, isEmbedded: false, schema: null }]]);
  const loose = new Set<Schema>();
  const reading: Reading = {
    places,
    scope,
    dialect,
    root: node,
    rootKey: key,
    parts,
    depth: 0,
    isEmbedded: false,
    loose,
    own: { isLoose: false },
  };
  // Reading one may find others; a map is walked in the order in which it grows.
  for (const part of parts.values()) {
    part.schema = readSchema({ ...reading, isEmbedded: part.isEmbedded }, part.node);
  }
  const found = [...parts].map(([key, { label, schema }]) => ({ key, label, schema: schema ?? anything }));
  const finite = withoutCircles(found, loose, scope);
  return withoutDoubts(finite, loose, scope).map((part) => ({ ...part, root: key }));
}

/** Values in the text, counted no further than the budget. */
function costs(node: JsonNode): number {
  let count = 0;
  const open: JsonNode[] = [node];
  for (let next = open.pop(); next !== undefined && count <= budget.nodes; next = open.pop()) {
    count += 1;
    if (next.kind === "array") for (const each of next.items) open.push(each);
    else if (next.kind === "object") for (const { value } of next.members.values()) open.push(value);
  }
  return count;
}

/** The definition of names that a server lists by themselves: a prompt's arguments. */
export function definitionOf(key: string, schema: Schema): Untyped {
  return { key, root: key, label: "", schema };
}
