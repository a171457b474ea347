import { anything, type Schema } from "./constraint.js";
import {
  objectSchema,
  propertiesIn,
  reference,
  referenceIn,
  typeIn,
} from "./constraint/form.js";
import { flattenComplete } from "./flatten.js";
import { index, resolve, type Index } from "./lookup.js";
import type { Declaration, Message, Params, Protocol } from "./model.js";
import { byText } from "../../common/by-text.js";
import { isWritten, namesOf } from "./projection/names.js";
import { projectSchema, type Names } from "./projection/schema.js";

/**
 * The wire projection: the part of a protocol that is observable in messages.
 * Two schemas of one revision, in TypeScript and JSON Schema, have the same
 * projection.
 *
 * - Inheritance is flattened and intersections are merged; a constant becomes
 *   its value.
 * - A reference stays if its target is an object with at least one named
 *   member. Every other reference, such as one to a union or an array, is
 *   replaced by its target, and an alias by the name it refers to: JSON Schema
 *   keeps only some of these names. In circular references, as few names as
 *   possible stay; so does a name whose type has more than `maxInlineSize`
 *   types.
 * - Each declaration stays under its name. Only constants are removed, and
 *   names that are not identifiers, which a generator invented
 *   (`Record<string,string>`): a reference to one is replaced, unless it is
 *   circular.
 * - Members, declarations, messages and levels are sorted; unions are flat,
 *   sorted and without members that another member covers.
 * - Bases, docs, tags, the known values of open enumerations and index
 *   signatures of any value are removed: every object is open. A map of any
 *   value and an object without members are both "any object".
 */
type Projection = Omit<Protocol, "format" | "source">;

/** The wire projection of a protocol that is closed (see `model.ts`). Pure. */
export function project(protocol: Protocol): Projection {
  const declarations = index(protocol);
  const names = namesOf(declarations);
  const isKept = ({ kind, name }: Declaration): boolean =>
    kind !== "constant" && (isWritten(name) || !names.inline.has(name));
  const { format: _format, source: _source, ...rest } = protocol;
  const messages = protocol.messages
    .map((message) => projectMessage(names, declarations, message))
    .sort((a, b) => byText(a.method, b.method));
  return {
    ...rest,
    levels: [...rest.levels].sort(byText),
    declarations: [...declarations.values()]
      .filter(isKept)
      .map((declaration) =>
        projectDeclaration(names, declarations, declaration),
      )
      .sort((a, b) => byText(a.name, b.name)),
    messages,
  };
}

function projectDeclaration(
  names: Names,
  declarations: Index,
  { name }: Declaration,
): Declaration {
  const schema = meaning(names, declarations, name);
  const isObject =
    typeIn(schema) === "object" && propertiesIn(schema).length > 0;
  return { kind: isObject ? "interface" : "alias", name, bases: [], schema };
}

/**
 * The meaning of a name: its members if it is an object, otherwise its schema.
 */
function meaning(names: Names, declarations: Index, name: string): Schema {
  const inline = names.inline.get(name);
  const target = resolve(declarations, inline ?? reference(name));
  const flat = flattenComplete(declarations, target);
  if (
    flat !== null &&
    flat.properties.length > 0 &&
    flat.conflicts.length === 0
  )
    return projectSchema(
      names,
      declarations,
      objectSchema(flat.properties, flat.rest),
    );
  return inline ?? projectSchema(names, declarations, target);
}

function projectMessage(
  names: Names,
  declarations: Index,
  message: Message,
): Message {
  const { presence, schema } = message.params;
  const params: Params = {
    presence,
    schema: schema === null ? null : projectSchema(names, declarations, schema),
    declaredBy: null,
  };
  const base = { ...message, params, deprecated: false };
  if (base.kind === "notification") return base;
  const results = new Set(
    base.results.map((name) => synonymOf(declarations, name)),
  );
  return { ...base, results: [...results].sort(byText) };
}

/** The name at the end of a chain of aliases. */
function synonymOf(declarations: Index, name: string): string {
  const { schema = anything } = declarations.get(name) ?? {};
  const key = referenceIn(schema);
  return key === null ? name : synonymOf(declarations, key);
}
