import type { Location } from "../diagnostics.js";
import type { Schema } from "./constraint.js";
import {
  alternativesIn,
  constantNote,
  noteIn,
  referenceIn,
} from "./constraint/form.js";
import { eachSchema } from "./constraint/walk.js";
import type { Base, Declaration, Doc, Protocol } from "./model.js";

/** Declarations by name. */
export type Index = ReadonlyMap<string, Declaration>;

/**
 * The position of a declaration or one of its members in the source; null if
 * the reader does not know it.
 */
export type LocationOf = (name: string, member?: string) => Location | null;

/** The declarations of a source, and where they are. */
export interface Declared {
  readonly declarations: readonly Declaration[];
  readonly locationOf: LocationOf;
}

/**
 * Indexes declarations by name. The first declaration of a name counts; the
 * readers report the second.
 */
export function index(from: Protocol | readonly Declaration[]): Index {
  const declarations = "declarations" in from ? from.declarations : from;
  const byName = new Map<string, Declaration>();
  for (const declaration of declarations) {
    if (!byName.has(declaration.name))
      byName.set(declaration.name, declaration);
  }
  return byName;
}

/** The text of a machine-readable tag; null when the doc has no such tag. */
export function tagOf(doc: Doc, name: string): string | null {
  return doc.tags.find((tag) => tag.name === name)?.text ?? null;
}

/**
 * Follows references to aliases. Never returns a reference to an alias, except
 * in a circular reference or to an unknown name. References to interfaces stay.
 */
export function resolve(declarations: Index, schema: Schema): Schema {
  const visited = new Set<string>();
  let current = schema;
  for (
    let key = referenceIn(current);
    key !== null && !visited.has(key);
    key = referenceIn(current)
  ) {
    visited.add(key);
    const target = declarations.get(key);
    if (target?.kind !== "alias") return current;
    current = target.schema;
  }
  return current;
}

/** True for the name of a union, and of an alias of an interface. */
export function isUnionName(declarations: Index, name: string): boolean {
  const declaration = declarations.get(name);
  if (declaration?.kind !== "alias") return false;
  const target = resolve(declarations, declaration.schema);
  return referenceIn(target) !== null || alternativesIn(target).length > 1;
}

/**
 * The names of other declarations that a declaration or a schema uses itself:
 * bases, references and constants.
 */
export function namesIn({
  bases = [],
  schema,
}: {
  readonly bases?: readonly Base[];
  readonly schema: Schema;
}): string[] {
  const names = bases.map(({ name }) => name);
  eachSchema(schema, (part) => {
    for (const check of part.checks)
      if (check.kind === "reference") names.push(check.key);
    const constant = noteIn(part, constantNote);
    if (constant !== null) names.push(constant);
  });
  return names;
}

/**
 * Every name that can be reached from a name; includes the name itself only if
 * it is part of a cycle.
 */
export function reachableFrom(
  from: string,
  next: (name: string) => Iterable<string>,
): Set<string> {
  return reachable(next(from), next);
}

/** These names and every name that can be reached from them. */
export function reachable(
  start: Iterable<string>,
  next: (name: string) => Iterable<string>,
): Set<string> {
  const names = new Set<string>();
  const open = [...start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    for (const each of next(name)) open.push(each);
  }
  return names;
}

/** These types, and every type that their declarations use. */
export function usedTypes(
  declarations: Index,
  start: Iterable<string>,
): Set<string> {
  return reachable(start, (name) => {
    const declaration = declarations.get(name);
    return declaration === undefined ? [] : namesIn(declaration);
  });
}
