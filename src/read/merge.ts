import { intersection, union } from "../ir/combine.js";
import * as facts from "../ir/facts.js";
import { flatten, flattenType } from "../ir/flatten.js";
import { type Index, resolve } from "../ir/lookup.js";
import type { AliasDeclaration, Declaration, InterfaceDeclaration, Property, Type } from "../ir/model.js";
import { objectOf } from "../ir/projection/type.js";
import { sameType } from "../ir/prose.js";

/**
 * Adds a declaration of an extension to the one of the revision with the same name. Returns null if they cannot be merged.
 * The index holds the declarations of both; for a name that both declare, it holds that of the revision.
 */
export function merge(declarations: Index, original: Declaration, addition: Declaration): Declaration | null {
  if (original.kind === "interface" && addition.kind === "interface") {
    return mergeInterfaces(declarations, original, addition);
  }
  if (original.kind !== "alias" || addition.kind === "constant") return null;
  if (addition.kind === "alias") return mergeAliases(declarations, original, addition.type);
  const object = typeOfInterface(declarations, addition);
  const isObject = addsTo(declarations, original.type, object);
  return isObject ? { ...original, type: meet(declarations, original.type, object) } : null;
}

function mergeInterfaces(
  declarations: Index,
  original: InterfaceDeclaration,
  addition: InterfaceDeclaration,
): InterfaceDeclaration {
  const baseMembers = new Map(
    flatten(declarations, original.name)?.properties.map((entry) => [entry.name, entry]),
  );
  const properties = mergeProperties(declarations, original.properties, addition.properties);
  const added = properties.slice(original.properties.length).map((entry): Property => {
    const base = baseMembers.get(entry.name);
    if (base === undefined || !addsTo(declarations, base.type, entry.type)) return entry;
    return {
      ...entry,
      optional: entry.optional && base.optional,
      type: meet(declarations, base.type, entry.type),
      doc: entry.doc.text === "" && entry.doc.tags.length === 0 ? base.doc : entry.doc,
    };
  });
  return {
    ...original,
    bases: [
      ...original.bases,
      ...addition.bases.filter(({ name }) => !original.bases.some((base) => base.name === name)),
    ],
    properties: [...properties.slice(0, original.properties.length), ...added],
    rest: original.rest ?? addition.rest,
  };
}

/** Two named types become a union, as in the unions of messages. The members of an object are added to the other object. */
function mergeAliases(declarations: Index, original: AliasDeclaration, added: Type): AliasDeclaration {
  const isObject = original.type.kind !== "reference" || added.kind !== "reference";
  const type = isObject ? join(declarations, original.type, added) : union([original.type, added]);
  return { ...original, type };
}

/** An interface as a type. */
function typeOfInterface(declarations: Index, { bases, properties, rest }: InterfaceDeclaration): Type {
  const above = bases.map(({ name, omit }): Type => {
    if (omit.length === 0) return { kind: "reference", name };
    const flat = flatten(declarations, name) ?? { properties: [], rest: null, conflicts: [] };
    return objectOf({ ...flat, properties: flat.properties.filter((entry) => !omit.includes(entry.name)) });
  });
  const isEmpty = properties.length === 0 && rest === null;
  return above.length > 0 && isEmpty
    ? intersection(above)
    : intersection([...above, { ...emptyObject, properties, rest }]);
}

/** The members of the revision, in its order and with its optionality, followed by the new ones. */
function mergeProperties(
  declarations: Index,
  original: readonly Property[],
  addition: readonly Property[],
): Property[] {
  const added = new Map(addition.map((entry) => [entry.name, entry.type]));
  const names = new Set(original.map(({ name }) => name));
  const members = original.map((entry): Property => {
    const type = added.get(entry.name);
    return type === undefined ? entry : { ...entry, type: join(declarations, entry.type, type) };
  });
  return [...members, ...addition.filter(({ name }) => !names.has(name))];
}

/** An object adds its members to an object; any other type is an alternative. */
function join(declarations: Index, original: Type, added: Type): Type {
  return addsTo(declarations, original, added)
    ? meet(declarations, original, added)
    : union([original, added]);
}

/** True if both are objects, and one value can be both of them. Another kind of result is an alternative. */
function addsTo(declarations: Index, original: Type, added: Type): boolean {
  const [base, addition] = [original, added].map((type) => flattenType(declarations, type)?.properties);
  if (base === undefined || addition === undefined) return false;
  if (addition.some(({ name }) => name === facts.names.resultType)) return false;
  const types = new Map(base.map(({ name, type }) => [name, resolve(declarations, type)]));
  return addition.every(({ name, type }) => {
    const [one, other] = [types.get(name), resolve(declarations, type)];
    return one?.kind !== "literal" || other.kind !== "literal" || one.value === other.value;
  });
}

/** An object with the members of both: one anonymous object if both are, otherwise an intersection. */
function meet(declarations: Index, original: Type, added: Type): Type {
  if (added.kind === "object" && added.properties.length === 0 && added.rest === null) return original;
  const parts = original.kind === "intersection" ? original.members : [original];
  if (parts.some((part) => sameType(part, added))) return original;
  const base = original.kind === "record" ? { ...emptyObject, rest: original.member } : original;
  // Every member must match the index signature. Only an index signature of any value always allows it.
  const isOne = base.kind === "object" && (base.rest === null || base.rest.kind === "unknown");
  if (!isOne || added.kind !== "object" || added.rest !== null) return intersection([original, added]);
  return { ...base, properties: mergeProperties(declarations, base.properties, added.properties) };
}

const emptyObject = { kind: "object", properties: [], rest: null } as const satisfies Type;
