import type { Scope } from "../../../diagnostics.js";
import type { Dialect } from "../dialect.js";
import type { Places } from "../text/place.js";
import { show, type JsonNode } from "../text/tree.js";

/** The context of reading a JSON schema. It is independent of the protocol. */
export interface SchemaContext {
  readonly places: Places;
  /** Draft-07 ignores keywords next to a `$ref`; 2020-12 reads them. */
  readonly dialect: Dialect;
  /** Finds the target of a `$ref`. */
  readonly target: (ref: string) => Target;
  readonly scope: Scope;
  /** The references that are being inlined, to detect cycles. */
  readonly following: ReadonlySet<string>;
  /** The number of inlined references; shared by all contexts of a file. */
  readonly followed: { count: number };
}

export type Target =
  /** A type of the model with its own name. */
  | { readonly kind: "named"; readonly name: string }
  /** A schema without a name, to be inlined. */
  | { readonly kind: "place"; readonly node: JsonNode }
  /** No target: a message and a hint for the diagnostic. */
  | { readonly kind: "nowhere"; readonly problem: string; readonly hint: string };

/** The context of a nested schema. */
export function within(context: SchemaContext, place: string): SchemaContext {
  return { ...context, scope: context.scope.in(place) };
}

/** Reports a keyword whose value has the wrong type. */
export function malformed(context: SchemaContext, node: JsonNode, keyword: string, expected: string): void {
  const { scope, places } = context;
  scope.error("MG203", places(node.at), `"${keyword}": expected ${expected}, got ${show(node)}`, null);
}

/** Warns of a condition that the model cannot express, so that more values are accepted. */
export function widened(context: SchemaContext, node: JsonNode, message: string, hint: string | null): void {
  context.scope.warn("MG206", context.places(node.at), message, hint);
}
