import { assignable } from "./assignable.js";
import type { Index } from "./lookup.js";
import { ofKind, type Check, type Schema } from "./constraint.js";
import {
  propertiesIn,
  type Property,
  referenceIn,
  restIn,
  typeIn,
} from "./constraint/form.js";
import { eachSchema, sameChecks } from "./constraint/walk.js";

/**
 * A member and the name of the declaration that wrote it; null for an anonymous
 * object.
 */
export interface FlatProperty extends Property {
  readonly declaredBy: string | null;
}

/** All members of an object type, own and inherited. */
export interface Flat {
  /**
   * Inherited members first, in the order of their first declaration, with the
   * schema and optionality of the most derived one.
   */
  readonly properties: readonly FlatProperty[];
  /** The schema of the nearest index signature; null without one. */
  readonly rest: Schema | null;
  /**
   * Members that unrelated bases declare differently. `properties` holds the
   * first base's declaration.
   */
  readonly conflicts: readonly Conflict[];
  /** True if the schema has no condition besides its members. */
  readonly isComplete: boolean;
}

export interface Conflict {
  readonly member: string;
  readonly first: string | null;
  readonly second: string | null;
}

/**
 * Results by name. Null also marks a name that is being flattened, which ends
 * circular references.
 */
const cache = new WeakMap<Index, Map<string, Flat | null>>();

/**
 * The members of a named type; null if it is not an object (a union, a string,
 * a circular reference, an unknown name).
 */
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

/**
 * Like `flatten`, for any schema: an object, a combination of objects, or a
 * reference to one.
 */
export function flattenSchema(
  declarations: Index,
  schema: Schema,
): Flat | null {
  const key = referenceIn(schema);
  return key === null
    ? merge(declarations, schema, null)
    : flatten(declarations, key);
}

/**
 * The same; null also for a schema whose members do not say all that it says.
 */
export function flattenComplete(
  declarations: Index,
  schema: Schema,
): Flat | null {
  const flat = flattenSchema(declarations, schema);
  return flat?.isComplete === true ? flat : null;
}

/** The property of an object with a name. */
export function propertyOf(
  flat: Flat | null,
  name: string,
): FlatProperty | undefined {
  return flat?.properties.find((property) => property.name === name);
}

function merge(
  declarations: Index,
  schema: Schema,
  owner: string | null,
): Flat | null {
  const { checks } = schema;
  const conjuncts = ofKind(checks, "all").flatMap(({ schemas }) => schemas);
  const parts = [
    ...ofKind(checks, "reference").map(({ key }) => flatten(declarations, key)),
    ...conjuncts
      .filter((part) => !isUntyped(part))
      .map((part) => merge(declarations, part, owner)),
  ];
  if (parts.length === 0 && typeIn(schema) !== "object") return null;
  const untyped = conjuncts
    .filter(isUntyped)
    .map((part) => ownMembers(part, owner));
  const own = ownMembers(schema, owner);
  const hasOwn = own.properties.length > 0 || own.rest !== null;
  parts.push(...untyped, ...(hasOwn || parts.length === 0 ? [own] : []));
  const [only = null, ...others] = parts;
  const joined =
    others.length === 0
      ? only
      : mergeAll(parts, (a, b) => both(declarations, a, b));
  if (joined === null) return null;
  const isComplete = joined.isComplete && checks.every(isOfMembers);
  return {
    ...joined,
    isComplete: isComplete && (others.length === 0 || areApart(parts)),
  };
}

function ownMembers(schema: Schema, owner: string | null): Flat {
  const properties = propertiesIn(schema).map((entry): FlatProperty => ({
    ...entry,
    declaredBy: owner,
  }));
  return {
    properties,
    rest: restIn(schema),
    conflicts: [],
    isComplete: schema.checks.every(isOfMembers),
  };
}

/**
 * True for a schema that describes the members of objects, and accepts all
 * other values.
 */
function isUntyped({ checks }: Schema): boolean {
  return checks.every(({ kind }) => kind === "members" || kind === "required");
}

/** True for a check that says no more than which members an object has. */
function isOfMembers(check: Check): boolean {
  if (check.kind === "members") return check.patterns.length === 0;
  return ["type", "required", "reference", "all"].includes(check.kind);
}

/**
 * True if no part has a condition for a member of another one that a type
 * cannot express.
 */
function areApart(parts: readonly (Flat | null)[]): boolean {
  const seen = new Map<string, Schema>();
  return parts.every((part) => {
    if (part === null || (part.rest !== null && part.rest.checks.length > 0))
      return false;
    return part.properties.every(({ name, schema }) => {
      const other = seen.get(name);
      seen.set(name, schema);
      return (
        other === undefined ||
        sameChecks(other, schema) ||
        (isType(other) && isType(schema))
      );
    });
  });
}

/** True for a schema that a type expresses completely. */
function isType(schema: Schema): boolean {
  let isExact = true;
  eachSchema(schema, ({ checks }) => {
    isExact &&= checks.every(
      (check) =>
        isOfMembers(check) ||
        ["values", "items", "any", "never"].includes(check.kind),
    );
  });
  return isExact;
}

function flattenDeclaration(declarations: Index, name: string): Flat | null {
  const declaration = declarations.get(name);
  if (declaration === undefined || declaration.kind === "constant") return null;
  const flat = merge(declarations, declaration.schema, name);
  if (declaration.kind === "alias" || flat === null) return flat;
  const bases = declaration.bases.map((entry) =>
    without(flatten(declarations, entry.name), entry.omit),
  );
  const base = mergeAll(
    bases.map((flat) => flat ?? empty),
    (a, b) =>
      a.optional === b.optional && sameChecks(a.schema, b.schema) ? a : null,
  );
  if (base === null) return null;
  const own = new Map(flat.properties.map((entry) => [entry.name, entry]));
  const properties = base.properties.map(
    (entry) => own.get(entry.name) ?? entry,
  );
  const baseNames = new Set(base.properties.map((entry) => entry.name));
  return {
    properties: [
      ...properties,
      ...[...own.values()].filter((entry) => !baseNames.has(entry.name)),
    ],
    rest: flat.rest ?? base.rest,
    // A member that the interface itself declares resolves a conflict between
    // its bases.
    conflicts: base.conflicts.filter(({ member }) => !own.has(member)),
    isComplete: flat.isComplete && base.isComplete,
  };
}

const empty: Flat = {
  properties: [],
  rest: null,
  conflicts: [],
  isComplete: true,
};

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
  let rest: Schema | null = null;
  let isComplete = true;
  for (const part of parts) {
    if (part === null) return null;
    rest ??= part.rest;
    isComplete &&= part.isComplete;
    for (const each of part.conflicts) conflicts.push(each);
    for (const entry of part.properties) {
      const earlier = properties.get(entry.name);
      const property = earlier === undefined ? entry : join(earlier, entry);
      if (property !== null) properties.set(entry.name, property);
      else
        conflicts.push({
          member: entry.name,
          first: earlier?.declaredBy ?? null,
          second: entry.declaredBy,
        });
    }
  }
  return { properties: [...properties.values()], rest, conflicts, isComplete };
}

/**
 * A member that must meet two declarations at once: the narrower type, optional
 * only if both are.
 */
function both(
  declarations: Index,
  a: FlatProperty,
  b: FlatProperty,
): FlatProperty | null {
  const optional = a.optional && b.optional;
  if (assignable(declarations, b.schema, a.schema) === true)
    return { ...b, optional };
  if (assignable(declarations, a.schema, b.schema) === true)
    return { ...a, optional };
  return null;
}
