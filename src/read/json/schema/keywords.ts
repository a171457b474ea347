import type { TypeName } from "../../../ir/surface/schema.js";

/**
 * The keywords of JSON Schema, by what becomes of them here. What stands in no table is unknown; what stands in
 * `unchecked` is known and cannot be told in the model. Both are diagnostics: what is accepted may only become wider.
 */

/** They tell a reader something and restrict no value. */
export const annotations: ReadonlySet<string> = new Set([
  "$comment",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** The keywords that speak of values of one type only. */
export const byType: Readonly<Record<TypeName, readonly string[]>> = {
  null: [],
  boolean: [],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  string: ["format"],
  array: ["items", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};

/** The keywords that speak of values of any type. */
export const general: ReadonlySet<string> = new Set([
  "$ref",
  "allOf",
  "anyOf",
  "const",
  "enum",
  "nullable",
  "oneOf",
  "type",
]);

/** Keywords that restrict values in a way the model cannot tell. */
export const unchecked: ReadonlySet<string> = new Set([
  "additionalItems",
  "contains",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "else",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "if",
  "maxContains",
  "maxLength",
  "maxProperties",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
  "multipleOf",
  "not",
  "pattern",
  "patternProperties",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
]);

/** The type that a keyword speaks of; null for one that speaks of every type, or of none. */
export const typeOf: ReadonlyMap<string, TypeName> = new Map(
  typeNames()
    // "integer" has the keywords of "number", which is the wider of the two.
    .filter((name) => name !== "integer")
    .flatMap((name) => byType[name].map((keyword): [string, TypeName] => [keyword, name])),
);

export function isTypeName(name: string): name is TypeName {
  return Object.hasOwn(byType, name);
}

export function typeNames(): readonly TypeName[] {
  return Object.keys(byType).filter(isTypeName);
}
