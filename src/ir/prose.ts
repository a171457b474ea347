import type { Declaration, Doc, Property, Protocol, Type } from "./model.js";

/** The same protocol without a word of prose; of the tags only `deprecated` loses its text, since that is prose too. */
export function withoutProse(protocol: Protocol): Protocol {
  return {
    ...protocol,
    declarations: protocol.declarations.map(declarationWithoutProse),
    messages: protocol.messages.map((message) => {
      const { type } = message.params;
      return {
        ...message,
        params: { ...message.params, type: type === null ? null : typeWithoutProse(type) },
      };
    }),
  };
}

export function declarationWithoutProse(declaration: Declaration): Declaration {
  const doc = bare(declaration.doc);
  switch (declaration.kind) {
    case "interface":
      return {
        ...declaration,
        doc,
        properties: declaration.properties.map(property),
        rest: declaration.rest === null ? null : typeWithoutProse(declaration.rest),
      };
    case "alias":
      return { ...declaration, doc, type: typeWithoutProse(declaration.type) };
    case "constant":
      return { ...declaration, doc };
    default:
      return declaration satisfies never;
  }
}

export function typeWithoutProse(type: Type): Type {
  switch (type.kind) {
    case "array":
      return { ...type, element: typeWithoutProse(type.element) };
    case "record":
      return { ...type, member: typeWithoutProse(type.member) };
    case "object":
      return {
        ...type,
        properties: type.properties.map(property),
        rest: type.rest === null ? null : typeWithoutProse(type.rest),
      };
    case "union":
    case "intersection":
      return { ...type, members: type.members.map(typeWithoutProse) };
    case "unknown":
    case "boolean":
    case "number":
    case "string":
    case "literal":
    case "reference":
      return type;
    default:
      return type satisfies never;
  }
}

/** Do two types mean the same, docs aside? */
export function sameType(a: Type, b: Type): boolean {
  return JSON.stringify(typeWithoutProse(a)) === JSON.stringify(typeWithoutProse(b));
}

function property(from: Property): Property {
  return { ...from, type: typeWithoutProse(from.type), doc: bare(from.doc) };
}

function bare(doc: Doc): Doc {
  // Why something is deprecated is prose; that it is, is a fact.
  return { text: "", tags: doc.tags.map((tag) => (tag.name === "deprecated" ? { ...tag, text: "" } : tag)) };
}
