import { flattenType } from "./flatten.js";
import { index, resolve, type Index } from "./lookup.js";
import type { Declaration, Message, Params, Protocol, Type } from "./model.js";
import { byText } from "./projection/canonical.js";
import { namesOf, type Names } from "./projection/names.js";
import { noDoc, objectOf, projectType } from "./projection/type.js";

/**
 * The wire projection: what messages can tell of a protocol, and nothing else. Two schemas of one revision, whatever
 * language they are written in, have the same projection.
 *
 * - Inheritance is flattened and intersections are merged; a constant stands as its value.
 * - A name survives in other types where it stands for an object with at least one named member. Every other name (a
 *   union, a list, a map, a text) is replaced by what it means, and a synonym by the name it means: JSON Schema keeps
 *   some of these names and drops others. Where names lead in a circle, as few as possible stay; a name that means more
 *   than `longestInline` types also stays.
 * - Each declaration is still there under its name, with its meaning; only constants are not, and names that are no
 *   identifier, which a generator made up (`Record<string,string>`).
 * - Members, declarations, messages and levels are sorted; unions are flat, sorted and without what another member covers.
 * - Gone are bases, docs, tags, the known values of open enumerations, and index signatures of any value: every object
 *   is open. A map of any value and an object without members are both "any object".
 */
export type Projection = Omit<Protocol, "format" | "source">;

/** The wire projection of a protocol. Pure; the protocol must be closed (see `model.ts`). */
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

/** What a name stands for: its members where it is an object, else its type. */
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

/** The name behind a chain of bare synonyms. */
function synonymOf(declarations: Index, name: string): string {
  const seen = new Set<string>();
  let current = name;
  while (!seen.has(current)) {
    seen.add(current);
    const declaration = declarations.get(current);
    if (declaration?.kind !== "alias" || declaration.type.kind !== "reference") return current;
    current = declaration.type.name;
  }
  return name;
}
