import { resolve, type Index } from "./lookup.js";
import type { Property, Type } from "./model.js";
import { sameType } from "./prose.js";

/** A member with the declaration that wrote it; null when that is an anonymous object. */
export interface FlatProperty extends Property {
  readonly declaredBy: string | null;
}

/** All that an object type holds, inheritance merged in. */
export interface Flat {
  /** Inherited members first, each where its first declaration put it; the most derived one's type and optionality. */
  readonly properties: readonly FlatProperty[];
  /** The nearest index signature; null without one. */
  readonly rest: Type | null;
  /** Members that unrelated bases declare differently; the first base's stands. */
  readonly conflicts: readonly Conflict[];
}

export interface Conflict {
  readonly member: string;
  readonly first: string | null;
  readonly second: string | null;
}

/** The members of a named type; null when it is not an object (a union, a string, a circle, an unknown name). */
export function flatten(declarations: Index, name: string): Flat | null {
  return flattenType(declarations, { kind: "reference", name });
}

/** The same for any type: an object, a map, an intersection, or a reference to one. */
export function flattenType(declarations: Index, type: Type): Flat | null {
  return merge(declarations, type, null, new Set());
}

function merge(
  declarations: Index,
  type: Type,
  owner: string | null,
  above: ReadonlySet<string>,
): Flat | null {
  switch (type.kind) {
    case "object":
      return {
        properties: type.properties.map((entry) => own(entry, owner)),
        rest: type.rest,
        conflicts: [],
      };
    case "record":
      return { properties: [], rest: type.member, conflicts: [] };
    case "intersection":
      return side(
        type.members.map((member) => merge(declarations, member, owner, above)),
        (a, b) => both(declarations, a, b),
      );
    case "reference":
      return named(declarations, type.name, above);
    default:
      return null;
  }
}

function named(declarations: Index, name: string, above: ReadonlySet<string>): Flat | null {
  const declaration = declarations.get(name);
  if (declaration === undefined || above.has(name)) return null;
  const inside = new Set([...above, name]);
  if (declaration.kind === "alias") return merge(declarations, declaration.type, name, inside);
  if (declaration.kind === "constant") return null;
  const bases = declaration.bases.map(({ name: base, omit }) =>
    without(named(declarations, base, inside), omit),
  );
  const inherited = side(
    bases.map((base) => base ?? empty),
    (a, b) => (a.optional === b.optional && sameType(a.type, b.type) ? a : null),
  );
  if (inherited === null) return null;
  const mine = new Map(declaration.properties.map((entry) => [entry.name, own(entry, name)]));
  const merged = inherited.properties.map((entry) => mine.get(entry.name) ?? entry);
  const kept = new Set(inherited.properties.map((entry) => entry.name));
  return {
    properties: [...merged, ...[...mine.values()].filter((entry) => !kept.has(entry.name))],
    rest: declaration.rest ?? inherited.rest,
    // What the interface itself declares settles a quarrel of its bases.
    conflicts: inherited.conflicts.filter(({ member }) => !mine.has(member)),
  };
}

const empty: Flat = { properties: [], rest: null, conflicts: [] };

function own(property: Property, declaredBy: string | null): FlatProperty {
  return { ...property, declaredBy };
}

function without(flat: Flat | null, omit: readonly string[]): Flat | null {
  if (flat === null || omit.length === 0) return flat;
  return { ...flat, properties: flat.properties.filter(({ name }) => !omit.includes(name)) };
}

/** Objects side by side: several bases, or the members of an intersection. */
function side(
  parts: readonly (Flat | null)[],
  join: (a: FlatProperty, b: FlatProperty) => FlatProperty | null,
): Flat | null {
  const properties = new Map<string, FlatProperty>();
  const conflicts: Conflict[] = [];
  let rest: Type | null = null;
  for (const part of parts) {
    if (part === null) return null;
    rest ??= part.rest;
    conflicts.push(...part.conflicts);
    for (const entry of part.properties) {
      const earlier = properties.get(entry.name);
      const joined = earlier === undefined ? entry : join(earlier, entry);
      if (joined !== null) properties.set(entry.name, joined);
      else
        conflicts.push({ member: entry.name, first: earlier?.declaredBy ?? null, second: entry.declaredBy });
    }
  }
  return { properties: [...properties.values()], rest, conflicts };
}

/** A member that must satisfy two declarations at once: the narrower type, optional only when both are. */
function both(declarations: Index, a: FlatProperty, b: FlatProperty): FlatProperty | null {
  const optional = a.optional && b.optional;
  if (narrows(declarations, b.type, a.type)) return { ...b, optional };
  return narrows(declarations, a.type, b.type) ? { ...a, optional } : null;
}

/** Is every value of `type` one of `wide` too? Sees what schemas write: the same, a literal, an open value. */
function narrows(declarations: Index, type: Type, wide: Type): boolean {
  if (sameType(type, wide)) return true;
  const inner = resolve(declarations, type);
  const outer = resolve(declarations, wide);
  if (outer.kind === "unknown") return true;
  if (inner.kind === "literal") return typeof inner.value === outer.kind || holds(declarations, outer, inner);
  if (inner.kind === "union") return inner.members.every((member) => narrows(declarations, member, outer));
  return sameType(inner, outer) || holds(declarations, outer, inner);
}

function holds(declarations: Index, outer: Type, inner: Type): boolean {
  return outer.kind === "union" && outer.members.some((member) => narrows(declarations, inner, member));
}
