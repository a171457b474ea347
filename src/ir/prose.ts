import type { Declaration, Doc, Property, Protocol, Type } from "./model.js";
import { mapType } from "./walk.js";

/** The same protocol without prose. Only the tag `deprecated` loses its text, since that text is prose too. */
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
  const doc = withoutText(declaration.doc);
  switch (declaration.kind) {
    case "interface":
      return {
        ...declaration,
        doc,
        properties: declaration.properties.map((property) =>
          propertyWithoutText({ ...property, type: typeWithoutProse(property.type) }),
        ),
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
  return mapType(type, (inner) =>
    inner.kind === "object" ? { ...inner, properties: inner.properties.map(propertyWithoutText) } : inner,
  );
}

/** True if two types are equal apart from docs. */
export function sameType(a: Type, b: Type): boolean {
  return JSON.stringify(typeWithoutProse(a)) === JSON.stringify(typeWithoutProse(b));
}

function propertyWithoutText(from: Property): Property {
  return { ...from, doc: withoutText(from.doc) };
}

function withoutText(doc: Doc): Doc {
  // The reason for a deprecation is prose; the deprecation itself is not.
  return { text: "", tags: doc.tags.map((tag) => (tag.name === "deprecated" ? { ...tag, text: "" } : tag)) };
}
