import { flattenType, type Flat } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Doc, Property, Type } from "../model.js";
import { byText, canonicalUnion } from "./canonical.js";

export const noDoc: Doc = { text: "", tags: [] };

/** The names that other types do not keep, and their replacements. */
export interface Names {
  readonly inline: ReadonlyMap<string, Type>;
}

/** The type of an object with all inherited members. */
export function objectOf({ properties, rest }: Flat): Type {
  const members = properties.map(({ name, optional, type, doc }): Property => ({
    name,
    optional,
    type,
    doc,
  }));
  return { kind: "object", properties: members, rest };
}

/** The projection of a type. */
export function projectType(names: Names, declarations: Index, type: Type): Type {
  const inner = (part: Type): Type => projectType(names, declarations, part);
  switch (type.kind) {
    case "unknown":
    case "never":
    case "boolean":
    case "number":
      return type;
    case "string":
      return { ...type, known: [] };
    case "literal":
      return { ...type, constant: null };
    case "array":
      return { ...type, element: inner(type.element) };
    case "record":
      return object([], inner(type.member));
    case "object":
      return object(
        type.properties.map((property): Property => ({
          ...property,
          type: inner(property.type),
          doc: noDoc,
        })),
        type.rest === null ? null : inner(type.rest),
      );
    case "union":
      return canonicalUnion(type.members.map(inner));
    case "intersection": {
      const flat = flattenType(declarations, type);
      if (flat !== null && flat.conflicts.length === 0) return inner(objectOf(flat));
      const members = type.members.map(inner).sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b)));
      return { kind: "intersection", members };
    }
    case "reference":
      return names.inline.get(type.name) ?? type;
    default:
      return type satisfies never;
  }
}

function object(properties: readonly Property[], rest: Type | null): Type {
  return {
    kind: "object",
    properties: [...properties].sort((a, b) => byText(a.name, b.name)),
    rest: rest?.kind === "unknown" ? null : rest,
  };
}
