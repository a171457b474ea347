import { assignable } from "./assignable.js";
import type { Index } from "./lookup.js";
import type { Property, Type } from "./model.js";
import { sameType } from "./prose.js";
import type { LeafKind, TypeOf } from "./walk.js";

/** A member and the name of the declaration that wrote it; null for an anonymous object. */
export interface FlatProperty extends Property {
  readonly declaredBy: string | null;
}

/** All members of an object type, own and inherited. */
export interface Flat {
  /**
   * Inherited members first, in the order of their first declaration, with the type and optionality of the most derived
   * one.
   */
  readonly properties: readonly FlatProperty[];
  /** The type of the nearest index signature; null without one. */
  readonly rest: Type | null;
  /** Members that unrelated bases declare differently. `properties` holds the first base's declaration. */
  readonly conflicts: readonly Conflict[];
}

export interface Conflict {
  readonly member: string;
  readonly first: string | null;
  readonly second: string | null;
}

/** Results by name. Null also marks a name that is being flattened, which ends circular references. */
const cache = new WeakMap<Index, Map<string, Flat | null>>();

/** The members of a named type; null if it is not an object (a union, a string, a circular reference, an unknown name). */
export function flatten(declarations: Index, name: string): Flat | null {
  const results = cache.get(declarations) ?? new Map<string, Flat | null>();
  cache.set(declarations, results);
  const earlier = results.get(name);
  if (earlier !== undefined) return earlier;
  results.set(name, null);
  const flat = flattenDeclaration(declarations, name);
  results.set(name, flat);
  return flat;
}

/** Like `flatten`, for any type: an object, a map, an intersection, or a reference to one. */
export function flattenType(declarations: Index, type: Type): Flat | null {
  return merge(declarations, type, null);
}

function merge(declarations: Index, type: Type, owner: string | null): Flat | null {
  switch (type.kind) {
    case "object":
      return {
        properties: type.properties.map((entry) => withOwner(entry, owner)),
        rest: type.rest,
        conflicts: [],
      };
    case "record":
      return { properties: [], rest: type.member, conflicts: [] };
    case "intersection":
      return mergeAll(
        type.members.map((member) => merge(declarations, member, owner)),
        (a, b) => both(declarations, a, b),
      );
    case "reference":
      return flatten(declarations, type.name);
    default:
      void (type satisfies TypeOf<Exclude<LeafKind, "reference"> | "array" | "union">);
      return null;
  }
}

function flattenDeclaration(declarations: Index, name: string): Flat | null {
  const declaration = declarations.get(name);
  if (declaration === undefined || declaration.kind === "constant") return null;
  if (declaration.kind === "alias") return merge(declarations, declaration.type, name);
  const bases = declaration.bases.map((entry) => without(flatten(declarations, entry.name), entry.omit));
  const base = mergeAll(
    bases.map((flat) => flat ?? empty),
    (a, b) => (a.optional === b.optional && sameType(a.type, b.type) ? a : null),
  );
  if (base === null) return null;
  const own = new Map(declaration.properties.map((entry) => [entry.name, withOwner(entry, name)]));
  const properties = base.properties.map((entry) => own.get(entry.name) ?? entry);
  const baseNames = new Set(base.properties.map((entry) => entry.name));
  return {
    properties: [...properties, ...[...own.values()].filter((entry) => !baseNames.has(entry.name))],
    rest: declaration.rest ?? base.rest,
    // A member that the interface itself declares resolves a conflict between its bases.
    conflicts: base.conflicts.filter(({ member }) => !own.has(member)),
  };
}

const empty: Flat = { properties: [], rest: null, conflicts: [] };

function withOwner(property: Property, declaredBy: string | null): FlatProperty {
  return { ...property, declaredBy };
}

function without(flat: Flat | null, omit: readonly string[]): Flat | null {
  if (flat === null || omit.length === 0) return flat;
  return {
    ...flat,
    properties: flat.properties.filter(({ name }) => !omit.includes(name)),
    conflicts: flat.conflicts.filter(({ member }) => !omit.includes(member)),
  };
}

/** Merges objects: several bases, or the members of an intersection. */
function mergeAll(
  parts: readonly (Flat | null)[],
  join: (a: FlatProperty, b: FlatProperty) => FlatProperty | null,
): Flat | null {
  const properties = new Map<string, FlatProperty>();
  const conflicts: Conflict[] = [];
  let rest: Type | null = null;
  for (const part of parts) {
    if (part === null) return null;
    rest ??= part.rest;
    for (const each of part.conflicts) conflicts.push(each);
    for (const entry of part.properties) {
      const earlier = properties.get(entry.name);
      const property = earlier === undefined ? entry : join(earlier, entry);
      if (property !== null) properties.set(entry.name, property);
      else
        conflicts.push({ member: entry.name, first: earlier?.declaredBy ?? null, second: entry.declaredBy });
    }
  }
  return { properties: [...properties.values()], rest, conflicts };
}

/** A member that must meet two declarations at once: the narrower type, optional only if both are. */
function both(declarations: Index, a: FlatProperty, b: FlatProperty): FlatProperty | null {
  const optional = a.optional && b.optional;
  if (assignable(declarations, b.type, a.type) === true) return { ...b, optional };
  if (assignable(declarations, a.type, b.type) === true) return { ...a, optional };
  return null;
}
