import { intersection, union } from "../ir/combine.js";
import * as facts from "../ir/facts.js";
import { flatten, flattenType } from "../ir/flatten.js";
import { type Index, resolve } from "../ir/lookup.js";
import type { AliasDeclaration, Declaration, InterfaceDeclaration, Property, Type } from "../ir/model.js";
import { objectOf } from "../ir/projection/type.js";
import { sameType } from "../ir/prose.js";

/**
 * Adds a declaration of an extension to the one of the revision with the same name. Returns null if they cannot be merged.
 * The index holds the declarations of both, and under a name of both the revision's.
 */
export function merge(declarations: Index, declared: Declaration, more: Declaration): Declaration | null {
  if (declared.kind === "interface" && more.kind === "interface") {
    return mergeInterfaces(declarations, declared, more);
  }
  if (declared.kind !== "alias" || more.kind === "constant") return null;
  if (more.kind === "alias") return mergeAliases(declarations, declared, more.type);
  const added = typeOfInterface(declarations, more);
  const isObject = addsTo(declarations, declared.type, added);
  return isObject ? { ...declared, type: meet(declarations, declared.type, added) } : null;
}

function mergeInterfaces(
  declarations: Index,
  declared: InterfaceDeclaration,
  more: InterfaceDeclaration,
): InterfaceDeclaration {
  const inherited = new Map(
    flatten(declarations, declared.name)?.properties.map((entry) => [entry.name, entry]),
  );
  const properties = mergeProperties(declarations, declared.properties, more.properties);
  const added = properties.slice(declared.properties.length).map((entry): Property => {
    const base = inherited.get(entry.name);
    if (base === undefined || !addsTo(declarations, base.type, entry.type)) return entry;
    return {
      ...entry,
      optional: entry.optional && base.optional,
      type: meet(declarations, base.type, entry.type),
      doc: entry.doc.text === "" && entry.doc.tags.length === 0 ? base.doc : entry.doc,
    };
  });
  return {
    ...declared,
    bases: [
      ...declared.bases,
      ...more.bases.filter(({ name }) => !declared.bases.some((base) => base.name === name)),
    ],
    properties: [...properties.slice(0, declared.properties.length), ...added],
    rest: declared.rest ?? more.rest,
  };
}

/** Named types are alternatives of each other, as in the unions of messages; what an object lists are its members. */
function mergeAliases(declarations: Index, declared: AliasDeclaration, added: Type): AliasDeclaration {
  const isObject = declared.type.kind !== "reference" || added.kind !== "reference";
  const type = isObject ? join(declarations, declared.type, added) : union([declared.type, added]);
  return { ...declared, type };
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

/** The revision's members, in their order and as optional as it says, and then the new ones. */
function mergeProperties(
  declarations: Index,
  declared: readonly Property[],
  more: readonly Property[],
): Property[] {
  const added = new Map(more.map((entry) => [entry.name, entry.type]));
  const names = new Set(declared.map(({ name }) => name));
  const widened = declared.map((entry): Property => {
    const type = added.get(entry.name);
    return type === undefined ? entry : { ...entry, type: join(declarations, entry.type, type) };
  });
  return [...widened, ...more.filter(({ name }) => !names.has(name))];
}

/** An object adds its members to an object; any other type is an alternative. */
function join(declarations: Index, declared: Type, added: Type): Type {
  return addsTo(declarations, declared, added)
    ? meet(declarations, declared, added)
    : union([declared, added]);
}

/** True if both are objects, and one value can be both of them. A further kind of result is an alternative. */
function addsTo(declarations: Index, declared: Type, added: Type): boolean {
  const [base, more] = [declared, added].map((type) => flattenType(declarations, type)?.properties);
  if (base === undefined || more === undefined) return false;
  if (more.some(({ name }) => name === facts.names.resultType)) return false;
  const types = new Map(base.map(({ name, type }) => [name, resolve(declarations, type)]));
  return more.every(({ name, type }) => {
    const [one, other] = [types.get(name), resolve(declarations, type)];
    return one?.kind !== "literal" || other.kind !== "literal" || one.value === other.value;
  });
}

/** An object with the members of both: one anonymous object if both are, otherwise an intersection. */
function meet(declarations: Index, declared: Type, added: Type): Type {
  if (added.kind === "object" && added.properties.length === 0 && added.rest === null) return declared;
  const parts = declared.kind === "intersection" ? declared.members : [declared];
  if (parts.some((part) => sameType(part, added))) return declared;
  const base = declared.kind === "record" ? { ...emptyObject, rest: declared.member } : declared;
  // Every member must fit the index signature. Only an index signature of any values is sure to allow it.
  const isOne = base.kind === "object" && (base.rest === null || base.rest.kind === "unknown");
  if (!isOne || added.kind !== "object" || added.rest !== null) return intersection([declared, added]);
  return { ...base, properties: mergeProperties(declarations, base.properties, added.properties) };
}

const emptyObject = { kind: "object", properties: [], rest: null } as const satisfies Type;
