import type { Declaration, Message, Type } from "../model.js";
import { mapType } from "../walk.js";
import { keyOf } from "./context.js";

/**
 * Old names to new ones: a name that went and one that came with the very same structure, when only these two have it.
 * Structures too small to tell anything apart (a bare text, a list, an object without members) are never matched.
 */
export function findRenames(
  before: readonly Declaration[],
  after: readonly Declaration[],
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const old = new Set(before.map(({ name }) => name));
  const fresh = new Set(after.map(({ name }) => name));
  const gone = before.filter(({ name }) => !fresh.has(name));
  const come = after.filter(({ name }) => !old.has(name));
  // A rename may show only once another, which it refers to, is known.
  for (let known = -1; known < renames.size;) {
    known = renames.size;
    const left = shapes(
      gone.filter(({ name }) => !renames.has(name)),
      renames,
    );
    const taken = new Set(renames.values());
    const right = shapes(
      come.filter(({ name }) => !taken.has(name)),
      new Map(),
    );
    for (const [shape, names] of left) {
      const [from] = names;
      const [to, ...others] = right.get(shape) ?? [];
      if (from !== undefined && to !== undefined && names.length === 1 && others.length === 0)
        renames.set(from, to);
    }
  }
  return renames;
}

/** Names by their structure, as a text. */
function shapes(
  declarations: readonly Declaration[],
  renames: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const declaration of declarations) {
    const own = new Map([...renames, [declaration.name, "(itself)"]]);
    const shape = shapeOf(withNames(declaration, own));
    if (shape === null) continue;
    const names = found.get(shape) ?? [];
    names.push(declaration.name);
    found.set(shape, names);
  }
  return found;
}

const telling: ReadonlySet<Type["kind"]> = new Set(["union", "object", "intersection"]);

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
      return telling.has(type.kind) && !isEmpty ? `alias ${keyOf(withoutTags(type))}` : null;
    }
    case "constant":
      return `constant ${JSON.stringify(declaration.value)}`;
    default:
      return declaration satisfies never;
  }
}

/** A declaration with other names, its own included. */
export function withNames(declaration: Declaration, names: ReadonlyMap<string, string>): Declaration {
  const named = (name: string): string => names.get(name) ?? name;
  const type = (from: Type): Type => mapType(from, (leaf) => rename(leaf, named));
  const name = named(declaration.name);
  switch (declaration.kind) {
    case "interface":
      return {
        ...declaration,
        name,
        bases: declaration.bases.map((base) => ({ ...base, name: named(base.name) })),
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
  const named = (name: string): string => names.get(name) ?? name;
  const { params } = message;
  const type = params.type === null ? null : mapType(params.type, (leaf) => rename(leaf, named));
  const declaredBy = params.declaredBy === null ? null : named(params.declaredBy);
  const renamed = { ...message, name: named(message.name), params: { ...params, type, declaredBy } };
  return renamed.kind === "request" ? { ...renamed, results: renamed.results.map(named) } : renamed;
}

function rename(leaf: Type, named: (name: string) => string): Type {
  if (leaf.kind === "reference") return { ...leaf, name: named(leaf.name) };
  return leaf.kind === "literal" && leaf.constant !== null
    ? { ...leaf, constant: named(leaf.constant) }
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
