import type { Scope } from "../../../diagnostics.js";
import { type Schema } from "../../../ir/constraint.js";
import type { Places } from "../../json/text/place.js";
import { show, type JsonNode } from "../../json/text/tree.js";
import type { Dialect } from "../../json/dialect.js";

/** What one schema may cost: values in its text, and schemas inside each other. */
export const budget = { nodes: 10_000, depth: 64 } as const;

/** What reading one schema of a snapshot needs to know of the text around it. */
export interface Reading {
  readonly places: Places;
  readonly scope: Scope;
  readonly dialect: Dialect;
  /** The whole schema, which local references start from. */
  readonly root: JsonNode;
  readonly rootKey: string;
  /** The schemas that references lead to, by their keys; each is read once. */
  readonly parts: Map<string, Part>;
  /** How many schemas lie around this one. */
  readonly depth: number;
  /** Is this inside a schema with an `$id` of its own, so that a local reference would not start from the root? */
  readonly isEmbedded: boolean;
  /** Schemas that accept more values than they should, because something of them is not checked. */
  readonly overApproximated: Set<Schema>;
  /** The schema that is being read. */
  readonly own: { isOverApproximated: boolean };
}

/** A schema that something refers to. */
export interface Part {
  readonly label: string;
  readonly node: JsonNode;
  /** As of a reading. */
  readonly isEmbedded: boolean;
  schema: Schema | null;
}

/** One schema further in. */
export function deeper(reading: Reading, place: string): Reading {
  return { ...reading, depth: reading.depth + 1, scope: reading.scope.in(place) };
}

/** A keyword whose value is of the wrong kind restricts nothing: a stranger's slip must not refuse what is right. */
export function malformed(reading: Reading, node: JsonNode, keyword: string, expected: string): void {
  const message = `"${keyword}" is ${show(node)}, expected ${expected}; it is left unchecked`;
  reading.own.isOverApproximated = true;
  reading.scope.warn("MG305", reading.places(node.at), message);
}

export function unchecked(reading: Reading, node: JsonNode, message: string, hint: string | null): void {
  reading.own.isOverApproximated = true;
  reading.scope.warn("MG308", reading.places(node.at), message, hint);
}
