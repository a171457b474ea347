import type { Declaration, Message, Type } from "../model.js";
import { mapType } from "../walk.js";
import { keyOf } from "./key.js";

/**
 * Renamed declarations, from the old to the new name. A removed and an added name match if they have the same
 * structure and no other name has it. Structures that are too simple to identify a type (a string, a list, an object
 * without members) never match.
 */
export function findRenames(
  before: readonly Declaration[],
  after: readonly Declaration[],
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const old = new Set(before.map(({ name }) => name));
  const fresh = new Set(after.map(({ name }) => name));
  const removed = before.filter(({ name }) => !fresh.has(name));
  const added = after.filter(({ name }) => !old.has(name));
  // A type that refers to a renamed type can only match after that rename is known.
  for (let count = -1; count < renames.size;) {
    count = renames.size;
    const removedShapes = shapes(
      removed.filter(({ name }) => !renames.has(name)),
      renames,
    );
    const newNames = new Set(renames.values());
    const addedShapes = shapes(
      added.filter(({ name }) => !newNames.has(name)),
      new Map(),
    );
    for (const [shape, names] of removedShapes) {
      const [from] = names;
      const [to, ...others] = addedShapes.get(shape) ?? [];
      if (from !== undefined && to !== undefined && names.length === 1 && others.length === 0)
        renames.set(from, to);
    }
  }
  return renames;
}

/** The names of each structure. */
function shapes(
  declarations: readonly Declaration[],
  renames: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const namesByShape = new Map<string, string[]>();
  for (const declaration of declarations) {
    const own = new Map([...renames, [declaration.name, "(itself)"]]);
    const shape = shapeOf(withNames(declaration, own));
    if (shape === null) continue;
    const names = namesByShape.get(shape) ?? [];
    names.push(declaration.name);
    namesByShape.set(shape, names);
  }
  return namesByShape;
}

const identifyingKinds: ReadonlySet<Type["kind"]> = new Set(["union", "object", "intersection"]);

function shapeOf(declaration: Declaration): string | null {
  switch (declaration.kind) {
    case "interface": {
      const { bases, properties, rest } = declaration;
      if (properties.length === 0) return null;
      return `interface ${JSON.stringify(bases)} ${keyOf(withoutTags({ kind: "object", properties, rest }))}`;
    }
    case "alias": {
      const { type } = declaration;
      const isEmpty = type.kind === "object" && type.properties.length === 0;
      return identifyingKinds.has(type.kind) && !isEmpty ? `alias ${keyOf(withoutTags(type))}` : null;
    }
    case "constant":
      return `constant ${JSON.stringify(declaration.value)}`;
    default:
      return declaration satisfies never;
  }
}

/** A declaration with other names, its own included. */
export function withNames(declaration: Declaration, names: ReadonlyMap<string, string>): Declaration {
  const newName = (name: string): string => names.get(name) ?? name;
  const type = (from: Type): Type => mapType(from, (leaf) => rename(leaf, newName));
  const name = newName(declaration.name);
  switch (declaration.kind) {
    case "interface":
      return {
        ...declaration,
        name,
        bases: declaration.bases.map((base) => ({ ...base, name: newName(base.name) })),
        properties: declaration.properties.map((property) => ({ ...property, type: type(property.type) })),
        rest: declaration.rest === null ? null : type(declaration.rest),
      };
    case "alias":
      return { ...declaration, name, type: type(declaration.type) };
    case "constant":
      return { ...declaration, name };
    default:
      return declaration satisfies never;
  }
}

/** A message with other names of types; its method stays. */
export function messageWithNames(message: Message, names: ReadonlyMap<string, string>): Message {
  const newName = (name: string): string => names.get(name) ?? name;
  const { params } = message;
  const type = params.type === null ? null : mapType(params.type, (leaf) => rename(leaf, newName));
  const declaredBy = params.declaredBy === null ? null : newName(params.declaredBy);
  const renamed = { ...message, name: newName(message.name), params: { ...params, type, declaredBy } };
  return renamed.kind === "request" ? { ...renamed, results: renamed.results.map(newName) } : renamed;
}

function rename(leaf: Type, newName: (name: string) => string): Type {
  if (leaf.kind === "reference") return { ...leaf, name: newName(leaf.name) };
  return leaf.kind === "literal" && leaf.constant !== null
    ? { ...leaf, constant: newName(leaf.constant) }
    : leaf;
}

function withoutTags(type: Type): Type {
  return mapType(type, (inner) =>
    inner.kind === "object"
      ? {
          ...inner,
          properties: inner.properties.map((property) => ({ ...property, doc: { text: "", tags: [] } })),
        }
      : inner,
  );
}
