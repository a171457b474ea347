import type { Location } from "../diagnostics.js";
import type { Declaration, Doc, Protocol, Type } from "./model.js";

/** Declarations by name. */
export type Index = ReadonlyMap<string, Declaration>;

/** The position of a declaration or one of its members in the source; null if the reader does not know it. */
export type LocationOf = (name: string, member?: string) => Location | null;

/** Indexes declarations by name. The first declaration of a name counts; the readers report the second. */
export function index(from: Protocol | readonly Declaration[]): Index {
  const declarations = "declarations" in from ? from.declarations : from;
  const byName = new Map<string, Declaration>();
  for (const declaration of declarations) {
    if (!byName.has(declaration.name)) byName.set(declaration.name, declaration);
  }
  return byName;
}

/** The text of a machine-readable tag; null when the doc has no such tag. */
export function tagOf(doc: Doc, name: string): string | null {
  return doc.tags.find((tag) => tag.name === name)?.text ?? null;
}

/**
 * Follows references to aliases. Never returns a reference to an alias, except in a circular reference or to an unknown
 * name. References to interfaces stay.
 */
export function resolve(declarations: Index, type: Type): Type {
  const visited = new Set<string>();
  let current = type;
  while (current.kind === "reference" && !visited.has(current.name)) {
    visited.add(current.name);
    const target = declarations.get(current.name);
    if (target?.kind !== "alias") return current;
    current = target.type;
  }
  return current;
}
