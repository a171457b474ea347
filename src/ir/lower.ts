import { flatten, flattenType } from "./flatten.js";
import type { Index } from "./lookup.js";
import type { Declaration, Doc, Property, Type } from "./model.js";
import type { Check, Schema } from "./constraint.js";

const noDoc: Doc = { text: "", tags: [] };

/** The schemas of declarations by name; references use these names as keys. */
export type LoweredSchemas = ReadonlyMap<string, { readonly schema: Schema }>;

const cache = new WeakMap<Index, LoweredSchemas>();

/** The declarations of a protocol as schemas, which accept the same values. */
export function lower(declarations: Index): LoweredSchemas {
  const cached = cache.get(declarations);
  if (cached !== undefined) return cached;
  const schemas: LoweredSchemas = new Map(
    [...declarations].map(([name, declaration]) => {
      return [name, { schema: lowerDeclaration(declarations, declaration) }];
    }),
  );
  cache.set(declarations, schemas);
  return schemas;
}

function lowerDeclaration(declarations: Index, declaration: Declaration): Schema {
  const { name, doc } = declaration;
  switch (declaration.kind) {
    case "constant":
      return { doc, checks: [{ kind: "values", values: [declaration.value] }] };
    case "alias":
      return lowerType(declarations, declaration.type, doc);
    case "interface": {
      const flat = flatten(declarations, name);
      // An interface that extends itself has no values.
      return {
        doc,
        checks: flat === null ? [{ kind: "never" }] : objectChecks(declarations, flat.properties, flat.rest),
      };
    }
    default:
      return declaration satisfies never;
  }
}

/**
 * A type as a schema that accepts the same values. The format of a string, which rejects nothing, becomes the tag `format`
 * of the schema's doc; the known values of an open enumeration come before the other strings.
 */
export function lowerType(declarations: Index, type: Type, doc: Doc = noDoc): Schema {
  if (type.kind !== "string" || type.format === null) return { doc, checks: checksOf(declarations, type) };
  const tags = doc.tags.filter(({ name }) => name !== "format");
  return {
    doc: { ...doc, tags: [...tags, { name: "format", text: type.format }] },
    checks: checksOf(declarations, type),
  };
}

function checksOf(declarations: Index, type: Type): readonly Check[] {
  switch (type.kind) {
    case "unknown":
      return [];
    case "never":
      return [{ kind: "never" }];
    case "boolean":
      return [{ kind: "type", types: ["boolean"] }];
    case "number":
      return [
        { kind: "type", types: [type.integer ? "integer" : "number"] },
        ...boundChecks("low", type.minimum),
        ...boundChecks("high", type.maximum),
      ];
    case "string": {
      const strings: Check = { kind: "type", types: ["string"] };
      if (type.known.length === 0) return [strings];
      const knownValues: Check = { kind: "values", values: type.known };
      return [
        { kind: "any", schemas: [knownValues, strings].map((check) => ({ doc: noDoc, checks: [check] })) },
      ];
    }
    case "literal":
      return [{ kind: "values", values: [type.value] }];
    case "array":
      return [
        { kind: "type", types: ["array"] },
        ...(type.maxItems === null
          ? []
          : [{ kind: "size" as const, of: "array" as const, min: 0, max: type.maxItems }]),
        { kind: "items", first: [], rest: lowerType(declarations, type.element) },
      ];
    case "record":
      return objectChecks(declarations, [], type.member);
    case "object":
      return objectChecks(declarations, type.properties, type.rest);
    case "union":
      return [{ kind: "any", schemas: type.members.map((member) => lowerType(declarations, member)) }];
    case "intersection": {
      const flat = flattenType(declarations, type);
      if (flat !== null) return objectChecks(declarations, flat.properties, flat.rest);
      return [{ kind: "all", schemas: type.members.map((member) => lowerType(declarations, member)) }];
    }
    case "reference":
      return [{ kind: "reference", key: type.name }];
    default:
      return type satisfies never;
  }
}

/** An object with these members as a schema. */
export function lowerObject(declarations: Index, properties: readonly Property[], rest: Type | null): Schema {
  return { doc: noDoc, checks: objectChecks(declarations, properties, rest) };
}

function boundChecks(side: "low" | "high", value: number | null): Check[] {
  return value === null ? [] : [{ kind: "bound", side, value, open: false }];
}

function objectChecks(declarations: Index, properties: readonly Property[], rest: Type | null): Check[] {
  const names = properties.filter(({ optional }) => !optional).map(({ name }) => name);
  const members: Check = {
    kind: "members",
    properties: properties.map(({ name, type, doc }) => ({
      name,
      schema: lowerType(declarations, type, doc),
    })),
    patterns: [],
    rest: rest === null ? null : lowerType(declarations, rest),
  };
  return [
    { kind: "type", types: ["object"] },
    ...(names.length === 0 ? [] : [{ kind: "required" as const, names }]),
    ...(properties.length === 0 && rest === null ? [] : [members]),
  ];
}
