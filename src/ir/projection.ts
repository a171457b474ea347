import { flattenType } from "./flatten.js";
import { index, resolve, type Index } from "./lookup.js";
import type { Declaration, Message, Params, Protocol, Type } from "./model.js";
import { byText } from "./projection/canonical.js";
import { namesOf } from "./projection/names.js";
import { noDoc, objectOf, projectType, type Names } from "./projection/type.js";

/**
 * The wire projection: the part of a protocol that is observable in messages. Two schemas of one revision, in TypeScript
 * and JSON Schema, have the same projection.
 *
 * - Inheritance is flattened and intersections are merged; a constant becomes its value.
 * - A reference stays if its target is an object with at least one named member. Every other reference, such as one to a union or
 * an array, is replaced by its target, and an alias by the name it refers to: JSON Schema keeps only some of these names. In circular references, as few names as possible stay; so does a name whose type has more than
 * `maxInlineSize` types.
 * - Each declaration stays under its name. Only constants are removed, and names that are not identifiers, which a generator
 * invented (`Record<string,string>`).
 * - Members, declarations, messages and levels are sorted; unions are flat, sorted and without members that another member
 * covers.
 * - Bases, docs, tags, the known values of open enumerations and index signatures of any value are removed: every object is
 * open. A map of any value and an object without members are both "any object".
 */
export type Projection = Omit<Protocol, "format" | "source">;

/** The wire projection of a protocol that is closed (see `model.ts`). Pure. */
export function project(protocol: Protocol): Projection {
  const declarations = index(protocol);
  const names = namesOf(declarations);
  const { format: _format, source: _source, ...rest } = protocol;
  return {
    ...rest,
    levels: [...rest.levels].sort(byText),
    declarations: [...declarations.values()]
      .filter(({ kind, name }) => kind !== "constant" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
      .map((declaration) => projectDeclaration(names, declarations, declaration))
      .sort((a, b) => byText(a.name, b.name)),
    messages: protocol.messages
      .map((message) => projectMessage(names, declarations, message))
      .sort((a, b) => byText(a.method, b.method)),
  };
}

function projectDeclaration(names: Names, declarations: Index, { name }: Declaration): Declaration {
  const type = meaning(names, declarations, name);
  return type.kind === "object" && type.properties.length > 0
    ? { kind: "interface", name, doc: noDoc, bases: [], properties: type.properties, rest: type.rest }
    : { kind: "alias", name, doc: noDoc, type };
}

/** The meaning of a name: its members if it is an object, otherwise its type. */
function meaning(names: Names, declarations: Index, name: string): Type {
  const reference: Type = { kind: "reference", name };
  const inline = names.inline.get(name);
  const target = resolve(declarations, inline ?? reference);
  const flat = flattenType(declarations, target);
  if (flat !== null && flat.properties.length > 0 && flat.conflicts.length === 0) {
    return projectType(names, declarations, objectOf(flat));
  }
  return inline ?? projectType(names, declarations, target);
}

function projectMessage(names: Names, declarations: Index, message: Message): Message {
  const params: Params = {
    presence: message.params.presence,
    type: message.params.type === null ? null : projectType(names, declarations, message.params.type),
    declaredBy: null,
  };
  const base = { ...message, params, deprecated: false };
  if (base.kind === "notification") return base;
  const results = new Set(base.results.map((name) => synonymOf(declarations, name)));
  return { ...base, results: [...results].sort(byText) };
}

/** The name at the end of a chain of aliases. */
function synonymOf(declarations: Index, name: string): string {
  const visited = new Set<string>();
  let current = name;
  while (!visited.has(current)) {
    visited.add(current);
    const declaration = declarations.get(current);
    if (declaration?.kind !== "alias" || declaration.type.kind !== "reference") return current;
    current = declaration.type.name;
  }
  return name;
}
