import type { Scope } from "../../../diagnostics.js";
import type { Dialect } from "../dialect.js";
import type { Places } from "../text/place.js";
import { show, type JsonNode } from "../text/tree.js";

/** What reading a schema needs to know of the text around it. It knows nothing of the protocol. */
export interface SchemaContext {
  readonly places: Places;
  /** Draft-07 ignores the keywords beside a `$ref`; 2020-12 reads them. */
  readonly dialect: Dialect;
  /** Where a `$ref` leads. */
  readonly target: (ref: string) => Target;
  readonly scope: Scope;
  /** The references being read in place, so that a circle among them is seen. */
  readonly following: ReadonlySet<string>;
  /** How many references have been read in place; shared by all contexts of a file. */
  readonly followed: { count: number };
}

export type Target =
  /** A type of the model with its own name. */
  | { readonly kind: "named"; readonly name: string }
  /** A schema without a name, to be read where it is referred to. */
  | { readonly kind: "place"; readonly node: JsonNode }
  /** Nowhere; the finished sentences say why and what to do. */
  | { readonly kind: "nowhere"; readonly problem: string; readonly hint: string };

/** The same context, one place further in. */
export function within(context: SchemaContext, place: string): SchemaContext {
  return { ...context, scope: context.scope.in(place) };
}

/** A keyword whose value is of the wrong kind. */
export function malformed(context: SchemaContext, node: JsonNode, keyword: string, expected: string): void {
  const { scope, places } = context;
  scope.error("MG203", places(node.at), `"${keyword}" is ${show(node)}, expected ${expected}`, null);
}

/** Something that the model cannot tell: more is accepted than the schema says. */
export function widened(context: SchemaContext, node: JsonNode, message: string, hint: string | null): void {
  context.scope.warn("MG206", context.places(node.at), message, hint);
}
